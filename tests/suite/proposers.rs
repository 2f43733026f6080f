//! Programs that propose formulas to an evolution: what they propose is measured like everything else, and recorded.

use crate::offline::{Planted, sized};
use crate::program;
use evouct::offline::{EvolutionError, EvolutionPlan, Judge, Measured, Proposal, Question, Request, evolve};
use program::{Said, Scratch, fail, fails, say, succeed};
use serde_json::Value;
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

/// A judge to which a function proposes.
struct Proposing<'a, V, A> {
    planted: Planted<'a, V>,
    answer: A,
}

impl<V: Fn(&Request, u32) -> f64, A: Fn(&Question) -> Vec<String>> Judge for Proposing<'_, V, A> {
    fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, EvolutionError> {
        self.planted.measure(requests)
    }

    fn propose(&mut self, question: &Question) -> Result<Proposal, EvolutionError> {
        let (formulas, generation) = ((self.answer)(question), question.generation);
        Ok(Proposal { proposer: "one".to_owned(), generation, formulas, problem: None })
    }
}

const PROPOSER: &str = "\n[[proposer]]\nname = \"one\"\ncommand = [\"none\"]\ncount = 3\n";

fn with_proposer(plan: &EvolutionPlan, more: &str) -> Result<EvolutionPlan, String> {
    let text = plan.toml.replace("generations = 25", "generations = 4") + PROPOSER + more;
    EvolutionPlan::parse(&text, "proposed.toml", None).map_err(|errors| errors.to_string())
}

/// What is wanted: a formula that variation does not find by itself in four generations.
const WANTED: &str = "Q + 17.5 / (3.25 + n * n)";

#[test]
fn what_is_proposed_lives_and_what_is_refused_is_told() {
    let plan = with_proposer(&sized("", 12), "").unwrap();
    let value = |request: &Request, _: u32| if request.genome.to_string() == WANTED { 10.0 } else { 0.0 };
    let asked = RefCell::new(Vec::new());
    let answer = |question: &Question| {
        asked.borrow_mut().push(serde_json::from_str::<Value>(&question.line).unwrap());
        let answers: [&[&str]; 3] = [&["Q +", "final = Q", "Q"], &[WANTED, "lead + Q"], &["select = Q; untried = Q"]];
        answers[question.generation as usize - 1].iter().map(|text| (*text).to_owned()).collect()
    };
    let mut judge = Proposing { planted: Planted { plan: &plan, value, units: Vec::new() }, answer };
    let history = evolve(&plan, &mut judge).unwrap();
    let proposed: Vec<_> = history.individuals.iter().filter(|own| own.operator == "proposed").collect();
    let [only] = proposed[..] else { panic!("{proposed:?}") };
    assert_eq!((only.genome.to_string().as_str(), only.born, only.island), (WANTED, 2, 0));
    // It was measured against the reference as all others, and stays.
    assert_eq!(only.fitness.mean(), 10.0);
    assert!(history.generations.iter().any(|row| row.generation == 3 && row.best == only.id));

    let asked = asked.into_inner();
    assert_eq!(asked.len(), 3, "generations 2 to 4");
    let [second, third, fourth] = &asked[..] else { unreachable!() };
    assert_eq!((&second["generation"], &second["generations"], &second["count"]), (&2.into(), &4.into(), &3.into()));
    assert_eq!((&second["refused"], &second["yours"]), (&Value::Array(Vec::new()), &Value::Array(Vec::new())));
    let best = second["best"].as_array().unwrap();
    assert!(best.len() > 7 && best[0]["formula"].is_string() && best[0]["gain"].is_number(), "{best:?}");
    let terminals = second["grammar"]["terminals"].as_array().unwrap();
    assert!(terminals.iter().all(|terminal| terminal["about"].as_str().is_some_and(|about| about.len() > 5)));
    let refused = |question: &Value| -> Vec<String> {
        let all = question["refused"].as_array().unwrap().iter();
        all.map(|one| format!("{}: {}", one["formula"].as_str().unwrap(), one["why"].as_str().unwrap())).collect()
    };
    let of_second = refused(third);
    assert!(of_second.len() == 3 && of_second[0].starts_with("Q +: "), "{of_second:?}");
    assert!(of_second[1].contains("a genome has a formula that selects"), "{of_second:?}");
    assert_eq!(of_second[2], "Q: it is the individual 0 again, or decides alike");
    let of_third = refused(fourth);
    assert!(of_third.len() == 1 && of_third[0].starts_with("lead + Q: "), "{of_third:?}");
    assert_eq!(fourth["yours"][0]["formula"], WANTED);
    assert_eq!(fourth["yours"][0]["gain"], 10.0);
}

#[test]
fn a_proposal_is_a_neighbour_more_in_a_climb() {
    let text = sized("terminals = [\"n\", \"N\"]", 12).toml;
    let text = text
        .replace("seeds = [\"Q\"]", "algorithm = \"climb\"\nprune = 1\nseeds = [\"Q + 3 * n + N\"]")
        .replace("measure = \"regret\"\npositions = 1000", "measure = \"games\"\ndecks = [10, 50]")
        .replace("generations = 25", "generations = 2")
        .replace("islands = 2\npopulation = 12\n", "");
    let plan = EvolutionPlan::parse(&(text + PROPOSER), "climb.toml", None).unwrap();
    let value = |request: &Request, _: u32| if request.genome.to_string() == WANTED { 10.0 } else { 0.0 };
    let answer = |question: &Question| if question.generation == 0 { vec![WANTED.to_owned()] } else { Vec::new() };
    let mut judge = Proposing { planted: Planted { plan: &plan, value, units: Vec::new() }, answer };
    let history = evolve(&plan, &mut judge).unwrap();
    let steps = history.steps.unwrap();
    let operators: Vec<_> = steps.iter().map(|step| history.individuals[*step].operator).collect();
    assert_eq!(operators, ["proposed"]);
}

#[test]
fn a_file_says_what_a_proposer_needs() {
    let plan = sized("", 12);
    // Only what determines the course counts: not the command, and not its time.
    let one = with_proposer(&plan, "seconds = 7").unwrap();
    assert_eq!(one.hash(""), with_proposer(&plan, "").unwrap().hash(""));
    assert_ne!(one.hash(""), with_proposer(&plan, PROPOSER.replace("one", "two").as_str()).unwrap().hash(""));
    for (more, problem) in [
        ("[[proposer]]\ncount = 1", "command is missing"),
        (PROPOSER, "two proposers have the name one"),
        (
            "[[proposer]]\nname = \"two\"\ncommand = \"x\"\ncount = 20",
            "may propose 23 formulas in a generation; at most 14",
        ),
        ("[[proposer]]\nname = \"two\"\ncommand = \"x\"\ncount = 0", "count"),
        ("timeout = 3", "seconds"),
    ] {
        let refused = with_proposer(&plan, more).unwrap_err();
        assert!(refused.contains(problem), "{more}: {refused}");
    }
    let constants = "cma_samples = 8\ncrossover = 0\nsubtree = 0\npoint = 0\nhoist = 0\ntoggle = 0";
    let refused = with_proposer(&sized(constants, 12), "").unwrap_err();
    assert!(refused.contains("at most 0 leave every island"), "{refused}");
}

/// Writes the file of the repository, whose proposer is a script of the shell now.
fn write(scratch: &Scratch, name: &str, script: &str) -> String {
    let script = scratch.write(&format!("{name}.sh"), script);
    let text = include_str!("../../experiments/proposers/proposed.toml");
    let command = format!("command = {}", Value::from(vec!["sh", script.as_str()]));
    let text = text.replace("command = [\"python3\", \"proposer.py\"]", &command).replace("decks = 50", "decks = 8");
    scratch.write(&format!("{name}.toml"), &text)
}

/// Answers every line with three formulas; `told` counts the lines.
const GOOD: &str = r#"while read -r line; do echo x >> told
i=$(echo "$line" | sed 's/.*"generation":\([0-9]*\).*/\1/')
echo "{\"formulas\": [\"select = Q + $i*sqrt(ln(N)/n); untried = race\", \"Q + race/n\", \"nonsense\"]}"; done"#;

#[test]
fn proposals_are_recorded_and_the_digest_holds() {
    let scratch = Scratch::new();
    let told = scratch.path("told");
    let good = write(&scratch, "good", &GOOD.replace("told", &told));
    let evolve = |out: &str, more: &[&str]| say(&[&["evolve", &good, "--out", &scratch.path(out)], more].concat());
    let digest = |out: &str| succeed(&["digest", &scratch.path(out)]);
    let first = evolve("one", &["--threads", "1"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.err.contains("starts 1 proposer when they are asked: terms (sh /"), "{}", first.err);
    assert_eq!(scratch.read("told").lines().count(), 3);
    let csv = scratch.read("one/lineage.csv");
    assert!(csv.contains(",proposed,"), "{csv}");
    succeed(&["verify", &scratch.path("one"), "--games", "3"]);

    let refused = fail(&["repair", &scratch.path("one"), "--out", &scratch.path("mended")], 2);
    assert!(refused.contains("what a proposer answered is asked for again"), "{refused}");

    // Again, and without the program: nothing is asked.
    let text = std::fs::read_to_string(&good).unwrap();
    let gone = scratch.write("gone.toml", &text.replace("\"sh\"", "\"/nowhere/proposer\""));
    let journal = scratch.read("one/evolution.jsonl");
    succeed(&["evolve", &gone, "--out", &scratch.path("one")]);
    assert_eq!((scratch.read("one/evolution.jsonl"), scratch.read("told").lines().count()), (journal.clone(), 3));

    // On two threads and cut off after the last proposal: the rest is measured without the program.
    evolve("two", &["--threads", "2"]);
    assert_eq!(digest("two"), digest("one"));
    let lines: Vec<&str> = journal.lines().collect();
    let last = lines.iter().rposition(|line| line.contains("\"proposer\"")).unwrap();
    let kept = lines[..=last].join("\n") + "\n";
    for folder in ["three", "four"] {
        std::fs::create_dir(scratch.path(folder)).unwrap();
    }
    scratch.write("three/evolution.jsonl", &kept);
    succeed(&["evolve", &gone, "--out", &scratch.path("three")]);
    assert_eq!(digest("three"), digest("one"));
    // Cut off before it, the program is missed, and nothing is lost.
    let kept = lines[..last].join("\n") + "\n";
    scratch.write("four/evolution.jsonl", &kept);
    fails(&["evolve", &gone, "--out", &scratch.path("four")], 2, "terms: there is no program \"/nowhere/proposer\"");
    assert_eq!(evolve("four", &[]).code, Some(0));
    let asked = scratch.read("four/evolution.jsonl").lines().filter(|line| line.contains("\"proposer\"")).count();
    assert_eq!(asked, 3);

    // Shards: the first one asks.
    let before = scratch.read("told").lines().count();
    let mut done = 0;
    for turn in 0..60 {
        let said = evolve("parts", &["--shard", &format!("{}/2", turn % 2), "--patience", "0"]);
        done += usize::from(said.code == Some(0));
        if done == 2 {
            break;
        }
    }
    assert_eq!((done, digest("parts")), (2, digest("one")));
    assert!(scratch.read("told").lines().count() > before);
    assert!(!scratch.read("parts/evolution-shard-1-of-2.jsonl").contains("\"proposer\""));
}

#[test]
fn a_broken_proposer_costs_its_share_and_a_line() {
    let scratch = Scratch::new();
    let run = |name: &str, command: &str| {
        let file = write(&scratch, name, command);
        let text = std::fs::read_to_string(&file).unwrap().replace("count = 3", "count = 3\nseconds = 0.5");
        scratch.write(&format!("{name}.toml"), &text);
        let said = say(&["evolve", &file, "--out", &scratch.path(name)]);
        assert_eq!(said.code, Some(0), "{name}: {said:?}");
        (said.err, scratch.read(&format!("{name}/lineage.csv")))
    };
    let silent = run("silent", "while read -r line; do echo 'no model' >&2; echo '{\"formulas\": []}'; done");
    let remark = "terms: generation 2: it proposed no formula; the last line of its stderr is \"no model\"";
    assert!(silent.0.contains(remark) && silent.0.matches("proposed no formula").count() == 1, "{}", silent.0);
    let page = scratch.read("silent/report.html");
    assert!(page.contains("The proposer terms proposed no formula in 3 generations."), "{page}");
    for (name, command, problem) in [
        ("ends", "read -r line; echo '{\"formulas\": []}'; exit 3", "the program ended (exit status: 3)"),
        ("hangs", "sleep 1000", "it did not answer within 0.5 s"),
        ("floods", "while :; do echo x; done", "it "),
        ("garbage", "while read -r line; do echo no; done", "it answered \"no\", expected {\"formulas\": [\"…\"]}"),
        ("long", "while read -r line; do head -c 100000 /dev/zero | tr '\\0' x; echo; done", "more than 65536 bytes"),
        ("nul", "while read -r line; do printf '\\000\\n'; done", "it answered"),
        ("binary", "while read -r line; do printf '\\377\\n'; done", "not text in UTF-8"),
        (
            "twice",
            "while read -r line; do echo '{\"formulas\": []}'; echo '{\"formulas\": []}'; done",
            "which nothing had",
        ),
    ] {
        let (said, individuals) = run(name, command);
        assert!(said.contains("terms: generation ") && said.contains(problem), "{name}: {said}");
        assert!(said.matches("terms: generation ").count() <= 3, "{name}: {said}");
        let report = succeed(&["report", &scratch.path(name)]);
        assert!(report.contains("proposer terms: 0 formulas in 3 generations, 0 measured; "), "{report}");
        assert_eq!(individuals, silent.1, "{name}: other births are what they are without proposals");
    }
    // One that never answers is refused, and nothing of it is recorded.
    for (name, command) in [("wrong", "exit 3"), ("closed", "exec >&-; sleep 1000")] {
        let file = write(&scratch, name, command);
        let refused = fail(&["evolve", &file, "--out", &scratch.path(name)], 2);
        assert!(
            refused.contains("terms: it did not answer: the program") && refused.contains("nothing was recorded of it")
        );
        assert!(!scratch.read(&format!("{name}/evolution.jsonl")).contains("\"proposer\""));
        assert!(say(&["status", &scratch.path(name)]).out.contains("in generation 2, the answer of terms is missing"));
    }
    let (said, individuals) =
        run("many", "while read -r line; do echo '{\"formulas\": [\"race\", \"n\", \"N\", \"1\"]}'; done");
    assert!(said.contains("it proposed 4 formulas; the first 3 are taken"), "{said}");
    assert!(individuals.contains(",proposed,"));
}

/// Answers every request as a chat model would, and returns what it was asked.
fn model(listener: &TcpListener, times: usize) -> Vec<String> {
    let answer = |listener: &TcpListener| {
        let (stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), 0);
        while head != "\r\n" {
            head.clear();
            reader.read_line(&mut head).unwrap();
            let header = head.to_lowercase();
            length = header.strip_prefix("content-length: ").map_or(length, |count| count.trim().parse().unwrap());
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let content = "Sure! ```json\n{\"formulas\": [\"select = Q + race/n; final = n\"]}\n```";
        let json =
            serde_json::json!({ "choices": [{ "message": { "role": "assistant", "content": content } }] }).to_string();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", json.len());
        reader.into_inner().write_all((head + &json).as_bytes()).unwrap();
        String::from_utf8(body).unwrap()
    };
    (0..times).map(|_| answer(listener)).collect()
}

#[test]
fn the_scripts_propose() {
    let script = |name: &str| format!("{}/experiments/proposers/{name}", env!("CARGO_MANIFEST_DIR"));
    if !std::process::Command::new("python3").arg("--version").output().is_ok_and(|done| done.status.success()) {
        println!("skipped: there is no python3");
        return;
    }
    let scratch = Scratch::new();
    let plain = write(&scratch, "plain", &format!("exec python3 '{}'", script("proposer.py")));
    let said = say(&["evolve", &plain, "--out", &scratch.path("plain")]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(!said.err.contains("terms: generation"), "{}", said.err);
    assert!(scratch.read("plain/lineage.csv").contains(",proposed,"));
    assert!(said.out.contains("proposer terms: 9 formulas in 3 generations, "), "{}", said.out);

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let command = format!(
        "unset http_proxy HTTP_PROXY; OPENAI_BASE_URL={address} OPENAI_MODEL=small exec python3 '{}'",
        script("chat.py")
    );
    let chat = write(&scratch, "chat", &command);
    let asked = std::thread::scope(|scope| {
        let model = scope.spawn(|| model(&listener, 3));
        let said = say(&["evolve", &chat, "--out", &scratch.path("chat")]);
        assert_eq!(said.code, Some(0), "{said:?}");
        model.join().unwrap()
    });
    let question: Value = serde_json::from_str(&asked[0]).unwrap();
    let text = question["messages"][0]["content"].as_str().unwrap();
    assert!(
        question["model"] == "small" && text.contains("Propose 3 new formulas") && text.contains("\"race\""),
        "{text}"
    );
    assert!(scratch.read("chat/lineage.csv").contains("race / n"));
}

#[test]
fn a_dry_run_says_what_would_be_measured() {
    let scratch = Scratch::new();
    let good = write(&scratch, "good", "while read -r line; do echo '{\"formulas\": [\"race\"]}'; done");
    let folder = scratch.path("one");
    let evolve = ["evolve", &good, "--out", &folder, "--threads", "2"];
    let dry = |more: &[&str]| succeed(&[&evolve[..], &["--dry-run"], more].concat());
    let said = dry(&["--budget", "1000h"]);
    assert!(!std::path::Path::new(&folder).exists());
    assert!(said.contains("4 generations and the finals: ") && said.contains("; 0 recorded"), "{said}");
    assert!(said.contains("proposer terms: 3 formulas a generation"), "{said}");
    assert!(
        said.contains("stage 1 (games): ") && said.contains(" core-hours, ") && said.contains(" on 2 threads, by "),
        "{said}"
    );
    assert!(
        said.contains("6 weeks on 2 threads is about ") && said.contains(" generations and the finals\n"),
        "{said}"
    );
    assert!(dry(&["--budget", "0.001s"]).contains("is not enough for one generation"));
    let most: usize = said.split(": ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap();
    succeed(&evolve);
    let measured = scratch.read("one/evolution.jsonl").lines().filter(|line| line.contains("\"sums\"")).count();
    assert!(measured <= most && measured * 2 > most, "{measured} of {most}");
    assert!(dry(&[]).contains(&format!("; {measured} recorded")));
    for wrong in ["--budget=2", "--budget=-1m"] {
        let refused = fail(&[&evolve[..], &["--dry-run", wrong]].concat(), 2);
        assert!(refused.contains("expected a time such as 90s"), "{refused}");
    }
    assert!(fail(&[&evolve[..], &["--budget", "2m"]].concat(), 2).contains("--dry-run"));
}

#[test]
fn a_signal_that_reaches_the_program_too_is_no_answer() {
    use rustix::process::{Pid, Signal, kill_process};
    let scratch = Scratch::new();
    let pid = scratch.path("pid");
    let script = format!("read -r line; echo '{{\"formulas\": []}}'; read -r line; echo $$ > {pid}; exec sleep 1000");
    let file = write(&scratch, "slow", &script);
    let mut child = program::evouct(&["evolve", &file, "--out", &scratch.path("slow")]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let sleeper = loop {
        match std::fs::read_to_string(&pid).ok().and_then(|text| text.trim().parse().ok()) {
            Some(sleeper) => break Pid::from_raw(sleeper).unwrap(),
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    kill_process(sleeper, Signal::TERM).unwrap();
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let said = Said::of(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(75), "{said:?}");
    assert_eq!(scratch.read("slow/evolution.jsonl").matches("\"proposer\"").count(), 1);
}
