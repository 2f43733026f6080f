//! `evouct score`: genomes from a file and from another program, the same on threads and shards, and resumed.

use crate::program;
use evouct::clock::WallClock;
use evouct::league::{End, Executor, Taker};
use evouct::named::Named;
use evouct::offline::{
    BlockSum, BlockValue, Blocks, EvolutionError, EvolutionOptions, EvolutionPlan, EvolutionSession, Purpose,
    RunContext, ScoreEnd, Split,
};
use evouct::sampling::normal;
use evouct::seed::Key;
use program::{Said, Scratch, fail, fails, say, say_to, succeed};
use serde_json::Value;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const FILE: &str = r#"
name = "race"
game = "einstein"
seed = 1
[evolve]
seeds = ["select = Q + 0.5*sqrt(ln(N)/n); final = n"]
[[player]]
kind = "formula"
iterations = 10
[[opponent]]
name = "UCT"
kind = "mcts"
iterations = 10
[[opponent]]
name = "any"
kind = "random"
[[stage]]
measure = "games"
decks = [6, 6]
[[stage]]
measure = "games"
decks = 10
"#;

const GENOMES: &str = "\
# the reference, twice, and others
Q + 0.5*sqrt(ln(N)/n)
select = Q + 0.5*sqrt(ln(N)/n); final = n

{\"genome\": \"select = Q + sqrt(ln(N)/n); untried = race; final = n\", \"id\": \"planted\"}
0 - Q
select = final
[\"n\", {\"genome\": \"Q +\", \"id\": 7}]
";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The answers to lines on stdin.
fn answers(arguments: &[&str], lines: &[u8]) -> (Option<i32>, Vec<Value>, String) {
    let Said { code, out, err } = say_to(arguments, lines);
    (code, out.lines().map(json).collect(), err)
}

#[test]
fn scores_of_a_file_are_those_of_threads_shards_and_a_resumption() {
    let scratch = Scratch::new();
    let (file, genomes) = (scratch.write("race.toml", FILE), scratch.write("genomes.txt", GENOMES));
    let score = |folder: &str, more: &[&str]| {
        say(&[&["score", &file, "--genomes", &genomes, "--out", &scratch.path(folder), "--format", "json"], more]
            .concat())
    };
    let whole = score("whole", &["--threads", "2"]);
    // Lines that hold no genome are named, and the others are scored.
    assert_eq!(whole.code, Some(1), "{whole:?}");
    for named in ["genomes.txt:7: ", "genomes.txt:8: ", "2 genomes cannot be scored"] {
        assert_eq!(whole.err.matches(named).count(), 1, "{}", whole.err);
    }
    let found = json(&whole.out);
    assert_eq!((&found["complete"], found["split"].as_str()), (&Value::Bool(true), Some("training")));
    let rows = found["genomes"].as_array().unwrap();
    let statuses: Vec<&str> = rows.iter().map(|row| row["status"].as_str().unwrap()).collect();
    assert_eq!(rows.len(), 5);
    assert_eq!((rows[2]["id"].as_str(), rows[2]["line"].as_u64(), statuses[2]), (Some("planted"), Some(5), "complete"));
    assert!(statuses.contains(&"dropped") && !statuses.contains(&"interim"), "{statuses:?}");
    // The rows of Markdown are those of the file.
    let markdown = say(&["score", &file, "--genomes", &genomes, "--out", &scratch.path("whole"), "--format", "md"]).out;
    let tables = markdown.lines().filter(|line| line.starts_with('|')).count();
    assert_eq!(tables, 1 + scratch.read("whole/scores.csv").lines().count(), "{markdown}");
    assert!(markdown.contains("| line | id | stage | measure |"), "{markdown}");
    // The reference gains nothing over itself, and exactly so: what does not vary has no interval.
    let reference = &rows[1];
    assert_eq!(
        (reference["gain"].as_f64(), reference["low"].as_f64(), reference["high"].as_f64()),
        (Some(0.0), None, None)
    );
    let stage = &rows[2]["stages"][0];
    let against: f64 = stage["opponents"].as_array().unwrap().iter().map(|one| one["gain"].as_f64().unwrap()).sum();
    assert!((against / 2.0 - stage["gain"].as_f64().unwrap()).abs() < 1e-9 && stage["units"] == 12, "{stage}");
    assert!(stage["low"].as_f64() < stage["gain"].as_f64() && stage["gain"].as_f64() < stage["high"].as_f64());
    // The files are the output.
    assert_eq!(json(&scratch.read("whole/scores.json")), found);
    assert_eq!(
        scratch.read("whole/scores.csv").lines().count(),
        1 + 3 * rows.iter().map(|row| row["stages"].as_array().unwrap().len()).sum::<usize>()
    );

    // Again: nothing is measured, so the journal stays as it is.
    let journal = scratch.read("whole/scores.jsonl");
    assert_eq!(json(&score("whole", &["--threads", "1"]).out), found);
    assert_eq!(scratch.read("whole/scores.jsonl"), journal);
    // Cut off: the rest is measured.
    let cut: usize = journal.lines().take(4).map(|line| line.len() + 1).sum::<usize>() + 20;
    scratch.write("whole/scores.jsonl", &journal[..cut]);
    assert_eq!(json(&score("whole", &["--threads", "1"]).out), found);

    // Shards take turns; what is not whole is an interim result and says so.
    let mut done = 0;
    for turn in 0..40 {
        let said = score("parts", &["--shard", &format!("{}/2", turn % 2), "--patience", "0"]);
        if said.code == Some(75) {
            assert_eq!(json(&said.out)["complete"], Value::Bool(false));
            assert!(said.err.contains("waiting for other shards") && said.out.contains("interim"), "{said:?}");
            continue;
        }
        assert_eq!(json(&said.out), found);
        done += 1;
        if done == 2 {
            break;
        }
    }
    assert_eq!(done, 2, "the shards never came to an end");

    // Another split has other decks, in the same folder.
    let test = json(&score("whole", &["--split", "test"]).out);
    assert_ne!((&test["digest"], &test["genomes"][2]["gain"]), (&found["digest"], &found["genomes"][2]["gain"]));
    // Other commands name what the folder is, and another file is refused.
    assert!(fail(&["status", &scratch.path("whole")], 2).contains("scores of genomes"));
    let other = scratch.write("other.toml", &FILE.replace("seed = 1", "seed = 2"));
    fails(&["score", &other, "--genomes", &genomes, "--out", &scratch.path("whole")], 2, "its seed is 1, now 2");
    assert!(fail(&["evolve", &file, "--out", &scratch.path("whole")], 2).contains("scores of genomes"));
}

#[test]
fn the_rule_of_the_file_says_which_genomes_are_measured_further() {
    let scratch = Scratch::new();
    let genomes = scratch.write("genomes.txt", "Q\n0 - Q\nn\nQ + 1/n\n");
    let statuses = |name: &str, rule: &str| {
        let file = scratch.write(&format!("{name}.toml"), &format!("{FILE}[score]\n{rule}\n"));
        let out = succeed(&["score", &file, "--genomes", &genomes, "--out", &scratch.path(name), "--format", "json"]);
        let rows = json(&out)["genomes"].as_array().unwrap().clone();
        rows.iter().map(|row| row["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(statuses("all", "keep_fraction = 1\ndrop_below = -1000"), ["complete"; 4]);
    assert_eq!(
        statuses("few", "keep_fraction = 0\ndrop_below = -1000").iter().filter(|end| *end == "dropped").count(),
        3
    );
    assert_eq!(statuses("none", "go_on = 1\nstop_below = 1000"), ["stopped"; 4]);
    let wrong = scratch.write("wrong.toml", &format!("{FILE}[score]\nkeep_fraction = 2\n"));
    assert!(fail(&["score", &wrong, "--genomes", &genomes], 2).contains("keep_fraction"));
    let text = succeed(&["score", &scratch.path("all.toml"), "--genomes", &genomes, "--out", &scratch.path("all")]);
    assert!(text.contains("stage 2 of 2") && text.contains("against UCT") && text.contains("\ndigest "), "{text}");
}

/// Measures nothing: the gain of a genome is so much and its error, one point per block; the reference is worth 0.
struct Planted(f64);

impl Executor<Blocks> for Planted {
    fn carry_out(
        &mut self,
        job: &Arc<Blocks>,
        _: &Arc<AtomicBool>,
        taker: &mut dyn Taker<BlockSum, EvolutionError>,
    ) -> Result<End, EvolutionError> {
        let (plan, requests) = (job.measurer.plan(), job.batch.requests_from(0));
        let reference = plan.seeds[0].simplified(plan.ln);
        let mut jobs = 0..;
        for (place, request) in (0..).zip(requests) {
            let key = Key::experiment(7).nth(request.batch).nth(request.stage as u32).nth(place);
            let mut rng = key.stream();
            for block in plan.block_units(&request) {
                let mean = self.0 + normal(&mut rng);
                let sum = if request.genome == reference { 0.0 } else { f64::from(block) * mean };
                let job = jobs.next().expect("numbers do not end");
                taker.take((job, Ok(BlockValue { sum, ..BlockValue::default() })))?;
            }
        }
        Ok(End::Done)
    }
}

/// The shares of genomes with this gain that end so, where only the bound ends their measurement.
fn ends(gain: f64, rounds: [&str; 2]) -> Vec<(&'static str, f64)> {
    const COUNT: usize = 3_000;
    evouct::registry::add_games();
    let file = FILE.replace("decks = [6, 6]", rounds[0]).replace("decks = 10", rounds[1]);
    let file = file.split("[[opponent]]\nname = \"any\"").next().unwrap().to_owned()
        + "[[stage]]\nmeasure = \"games\""
        + file.split_once("[[stage]]\nmeasure = \"games\"").unwrap().1;
    let plan = EvolutionPlan::parse(&format!("{file}[score]\ngo_on = 1\n"), "race.toml", None).unwrap();
    let genomes = (0..COUNT).map(|number| plan.read_genome(&format!("Q + {number}*n")).unwrap()).collect();
    let scratch = Scratch::new();
    let folder = scratch.0.path().join("scores");
    let options = EvolutionOptions { purpose: Purpose::Scores(Split::Training), ..EvolutionOptions::default() };
    let session = EvolutionSession::plan(plan, None, &folder, &options).unwrap();
    let (clock, stop) = (WallClock::start(), Arc::new(AtomicBool::new(false)));
    let mut executor = Planted(gain);
    let workers = RunContext { executor: &mut executor, stop: &stop, clock: &clock, patience: Duration::ZERO };
    let (scores, digest) = session.score_all(Split::Training, workers, genomes);
    assert!(digest.is_ok(), "{digest:?}");
    let share = |end: ScoreEnd| scores.iter().filter(|score| score.end == end).count() as f64 / COUNT as f64;
    ScoreEnd::NAMES.iter().map(|(name, end)| (*name, share(*end))).filter(|(_, share)| *share > 0.0).collect()
}

/// Of genomes as good as the bound 2.5 % may be stopped. Intervals of 95 % after each of six rounds would stop 11 %.
#[test]
fn a_genome_at_the_bound_is_stopped_no_more_often_than_one_test_errs() {
    for rounds in [["decks = [4, 4, 8, 16]", "decks = [8, 8, 8]"], ["decks = 4", "decks = 4"]] {
        let ends = ends(0.0, rounds);
        let stopped = ends.iter().find(|(end, _)| *end == "stopped").map_or(0.0, |(_, share)| *share);
        // Two standard errors more than 2.5 %.
        assert!((0.01..=0.031).contains(&stopped), "{rounds:?}: {ends:?}");
    }
}

/// A genome that is clearly worse is stopped by the bound, early or late.
#[test]
fn a_genome_far_below_the_bound_is_stopped() {
    assert_eq!(ends(-2.0, ["decks = [4, 4, 8, 16]", "decks = [8, 8, 8]"]), [("stopped", 1.0)]);
}

#[test]
fn each_line_of_stdin_is_answered() {
    let scratch = Scratch::new();
    let file = scratch.write("race.toml", FILE);
    let score = ["score", &file, "--out", &scratch.path("scores")];
    let mut lines = b"Q + 1\n\n# no genome\n{\"genome\": \"Q +\", \"id\": 3}\nQ\xff\n\0\n".to_vec();
    lines.extend([b'Q'; 70_000]);
    lines.extend(b"\n[\"Q + race\", \"captured\", {\"id\": \"b\", \"genome\": \"Q - race\"}]\n{\"genom\": 1}\n[\nQ");
    let (code, found, err) = answers(&score, &lines);
    assert_eq!(code, Some(1), "{err}");
    let line = |at: usize| found[at]["line"].as_u64().unwrap();
    assert_eq!((0..found.len() - 1).map(line).collect::<Vec<_>>(), [1, 4, 5, 6, 7, 8, 8, 8, 9, 10, 11]);
    let is_error = |at: &usize| found[*at]["error"].is_string();
    assert_eq!((0..found.len()).filter(is_error).collect::<Vec<_>>(), [1, 2, 3, 4, 6, 8, 9]);
    assert_eq!((found[1]["id"].as_u64(), found[7]["id"].as_str()), (Some(3), Some("b")));
    // Every answer depends on its line alone.
    let (_, again, _) = answers(&score, b"Q\n");
    assert_eq!(again[0]["gain"], found[10]["gain"]);
    assert!(found[11]["digest"].is_string() && err.contains("7 genomes cannot be scored"), "{err}");
    assert!(fail(&[&score[..], &["--shard", "0/2"]].concat(), 2).contains("--genomes"));
    assert!(fail(&[&score[..], &["--genomes", &scratch.write("none", "# none\n")]].concat(), 2).contains("no genome"));
    assert!(
        fail(&[&score[..], &["--genomes", &scratch.write("bad", "Q +\n")]].concat(), 1)
            .contains("no genome can be scored, of 1")
    );
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_formula_and_no_number_becomes_0() {
    let scratch = Scratch::new();
    let file = scratch.write("race.toml", FILE);
    let genomes = scratch.write("genomes.txt", "\u{feff}Q + n\nQ + 1e-400\n");
    let said = say(&["score", &file, "--genomes", &genomes, "--out", &scratch.path("scores"), "--format", "csv"]);
    assert!(said.code == Some(1) && said.out.contains(",Q + n"), "{said:?}");
    let refused = "genomes.txt:2: column 5: expected 0 or a number of at least 5e-324, found 1e-400";
    assert!(said.err.contains(refused) && !said.err.contains("genomes.txt:1"), "{said:?}");
    let (code, answers, _) = answers(&["score", &file, "--out", &scratch.path("lines")], "\u{feff}Q + n\n".as_bytes());
    assert!(code == Some(0) && answers[0]["genome"] == "Q + n", "{answers:?}");
}

/// The evaluator of OpenEvolve, beside a module of OpenEvolve that holds what it needs.
#[test]
fn a_program_that_takes_too_long_is_refused_and_without_evouct_all_stops() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("openevolve")).unwrap();
    let module = "class EvaluationResult(tuple):\n    def __new__(cls, *parts): return tuple.__new__(cls, parts)\n";
    scratch.write("openevolve/evaluation_result.py", module);
    let script = "import sys, evaluator\nprint(evaluator.evaluate(sys.argv[1]))\n";
    let script = scratch.write("ask.py", script);
    let evaluate = |program: &str, evouct: &str, seconds: &str| {
        let program = scratch.write("program.py", program);
        let paths = format!("{}/experiments/proposers:{}", env!("CARGO_MANIFEST_DIR"), scratch.path(""));
        let mut command = Command::new("python3");
        command.args([&script, &program]).env("PYTHONPATH", paths).env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("EVOUCT", evouct).env("OPENEVOLVE_SECONDS", seconds);
        command.env("OPENEVOLVE_SCORES", scratch.path("scores")).output().map(Said::of)
    };
    let evouct = env!("CARGO_BIN_EXE_evouct");
    let Ok(late) = evaluate("import time\ndef genome():\n    time.sleep(1000)", evouct, "0.5") else {
        println!("skipped: there is no python3");
        return;
    };
    assert!(late.out.contains("-1000.0") && late.out.contains("genome() did not return within 0.5 s"), "{late:?}");
    let honest = "print('words')\ndef genome():\n    return 'select = 0 - n; final = 0 - n'";
    let loser = evaluate(honest, evouct, "60").unwrap();
    assert!(loser.out.contains("'combined_score': -") && !loser.out.contains("-1000.0"), "{loser:?}");
    let without = evaluate(honest, "/nowhere/evouct", "60").unwrap();
    assert!(without.code == Some(1) && without.err.starts_with("evouct cannot run: "), "{without:?}");
}

#[test]
fn a_loop_in_python_finds_a_planted_constant() {
    let scratch = Scratch::new();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/proposers/score_loop.py");
    assert!(std::fs::read_to_string(script).unwrap().lines().count() <= 30);
    let run = |folder: &str| {
        Command::new("python3").args([script, env!("CARGO_BIN_EXE_evouct"), &scratch.path(folder)]).output()
    };
    let Ok(found) = run("first") else {
        println!("skipped: there is no python3");
        return;
    };
    let found = Said::of(found);
    // The game rates a move by its lead in the race: it is to be tried first where that is high.
    let weight = found.out.split_whitespace().nth(1).and_then(|weight| weight.parse::<f64>().ok());
    assert!(weight.is_some_and(|weight| weight > 0.0), "{found:?}");
    assert_eq!(Said::of(run("first").unwrap()).out, found.out);
}
