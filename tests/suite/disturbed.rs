//! Another process changes files that a command is writing or reading: what is incomplete is never taken for a result.
#![cfg(unix)]

use crate::faults::tries_all;
use crate::{program, tune};
use program::{LEAGUE, Said, Scratch, evouct, fail, say, succeed, with_header};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a test waits for something that must happen.
const PATIENCE: Duration = Duration::from_secs(300);

/// Games of positions, none of which is of use here.
pub(crate) const BANK: &str = "name = \"bank\"\nseed = 3\ngames = 12\npositions_per_game = 3\nrewards = 6\n[[player]]\nkind = \"random\"\n\
                    [[value]]\nkind = \"mcts\"\niterations = 60\n";
/// Needs no bank.
pub(crate) const EVOLUTION: &str = "name = \"small\"\nseed = 5\n[evolve]\nseeds = [\"Q + 2*sqrt(2*ln(N)/n)\", \"Q + 1/n\"]\nislands = 1\n\
                         population = 6\nelite = 2\ngenerations = 2\nfinalists = 2\ntune_count = 0\n[[player]]\nkind = \"formula\"\n\
                         iterations = 20\n[[opponent]]\nkind = \"random\"\n[[stage]]\nmeasure = \"games\"\ndecks = 2\n";

/// The same with positions of a bank first.
pub(crate) fn evolution_with_bank() -> String {
    let stage = "[[stage]]\nmeasure = \"replay\"\npositions = 6\n[[stage]]";
    EVOLUTION.replace("[evolve]", "[evolve]\nbank = \"bank\"").replacen("[[stage]]", stage, 1)
}

fn until(what: &str, mut is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn lines(path: &str) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// Starts a command, and waits until its journal has some lines.
fn begun(arguments: &[&str], journal: &str) -> Child {
    let child = evouct(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until(journal, || lines(journal) >= 3);
    child
}

/// Changes the journal of a command that is at work; the command must end with 1 and this line.
fn disturb(arguments: &[&str], journal: &str, change: impl Fn(&Path), words: &str) {
    let child = begun(arguments, journal);
    change(Path::new(journal));
    let said = Said::of(child.wait_with_output().unwrap());
    let errors: Vec<&str> = said.err.lines().filter(|line| line.starts_with("evouct: ")).collect();
    assert!(said.code == Some(1) && errors.len() == 1 && errors[0].contains(words), "{arguments:?} {words}: {said:?}");
}

/// What `gzip`, `sed -i`, `>>` and `mv` do.
type Change = fn(&Path);

fn compress(journal: &Path) {
    let bytes = std::fs::read(journal).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gz, &bytes).unwrap();
    std::fs::write(journal.with_extension("jsonl.gz"), gz.finish().unwrap()).unwrap();
    std::fs::remove_file(journal).unwrap();
}

fn edit(journal: &Path) {
    let copy = journal.with_extension("edited");
    std::fs::copy(journal, &copy).unwrap();
    std::fs::rename(copy, journal).unwrap();
}

fn append(journal: &Path) {
    let mut file = std::fs::File::options().append(true).open(journal).unwrap();
    std::io::Write::write_all(&mut file, b"{\"sum\":\"0123\"}\n").unwrap();
}

fn rename_folder(journal: &Path) {
    let folder = journal.parent().unwrap();
    std::fs::rename(folder, folder.with_extension("elsewhere")).unwrap();
}

#[test]
fn a_run_whose_journal_another_process_changes_fails_and_loses_nothing_that_is_there() {
    let scratch = Scratch::new();
    let changes: [(&str, Change, &str); 4] = [
        ("compressed", compress, "removed or renamed this file while it was written"),
        ("edited", edit, "put another file in the place of this one while it was written"),
        ("appended", append, "changed this file: "),
        ("renamed", rename_folder, "removed or renamed this file"),
    ];
    for (name, change, words) in changes {
        let file = LEAGUE.replace("games_per_match = 2", "games_per_match = 100000").replace("small", name);
        let experiment = scratch.write(&format!("{name}.toml"), &file);
        let folder = scratch.path(name);
        let run = ["run", &experiment, "--out", &folder, "--threads", "1"];
        disturb(&run, &scratch.path(&format!("{name}/games.jsonl")), change, words);
    }
    // The games that are there are read, and the run goes on.
    let dry = succeed(&["run", &scratch.path("compressed.toml"), "--out", &scratch.path("compressed"), "--dry-run"]);
    assert!(!dry.contains(" 0 recorded"), "{dry}");
    let digest = say(&["digest", &scratch.path("edited")]);
    assert!(digest.code == Some(1) && digest.out.contains(" of 600000 games"), "{digest:?}");
}

#[test]
fn a_run_fails_where_games_of_another_journal_are_gone_at_its_end() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", &LEAGUE.replace("games_per_match = 2", "games_per_match = 20"));
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder, "--shard", "0/2"]);
    for shard in [vec![], vec!["--shard", "0/3"]] {
        let run = [&["run", experiment.as_str(), "--out", &folder, "--threads", "1"], &shard[..]].concat();
        let name = if shard.is_empty() { "games.jsonl" } else { "games-shard-0-of-3.jsonl" };
        let journal = scratch.path(&format!("run/{name}"));
        let (other, away) = (scratch.path("run/games-shard-0-of-2.jsonl"), scratch.path("away.jsonl"));
        let child = begun(&run, &journal);
        std::fs::rename(&other, &away).unwrap();
        let said = Said::of(child.wait_with_output().unwrap());
        let missing = said.err.lines().any(|line| line.contains("recorded games are missing in "));
        assert!(said.code == Some(1) && missing, "{shard:?}: {said:?}");
        std::fs::rename(&away, &other).unwrap();
        succeed(&run);
        std::fs::remove_file(&journal).unwrap();
    }
}

#[test]
fn evolutions_tunings_and_banks_fail_as_runs_do() {
    let scratch = Scratch::new();
    let long = BANK.replace("games = 12", "games = 1000000");
    let recipe = scratch.write("bank.toml", &long);
    let bank = ["bank", &recipe, "--out", &scratch.path("bank"), "--threads", "1"];
    disturb(&bank, &scratch.path("bank/bank.jsonl"), edit, "put another file in the place of this one");
    let evolution = scratch.write("small.toml", &EVOLUTION.replace("generations = 2", "generations = 1000"));
    let evolve = ["evolve", &evolution, "--out", &scratch.path("evolved"), "--threads", "1"];
    disturb(&evolve, &scratch.path("evolved/evolution.jsonl"), compress, "removed or renamed this file");
    let genomes: Vec<String> = (1..2_000).map(|number| format!("Q + {number} / n")).collect();
    let genomes = scratch.write("genomes.txt", &genomes.join("\n"));
    let score = ["score", &evolution, "--genomes", &genomes, "--out", &scratch.path("scored"), "--threads", "1"];
    disturb(&score, &scratch.path("scored/scores.jsonl"), compress, "removed or renamed this file");
    let league = scratch.write("tuned.toml", LEAGUE);
    let folder = scratch.path("tuned");
    let tune = ["tune", &league, "--player", "MCTS", "--over", "k=0.1..3", "--budget", "20000", "--out", &folder];
    let stage = |name: &str| Path::new(&folder).join(name).join("games.jsonl").to_str().unwrap().to_owned();
    let first = ["round-1", "round-1-opponent-1"].map(stage);
    let mut child = evouct(&[&tune[..], &["--threads", "1"]].concat());
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    until("a stage", || first.iter().any(|journal| lines(journal) >= 3));
    std::fs::rename(&folder, scratch.path("away")).unwrap();
    until("the end of the tuning", || child.try_wait().unwrap().is_some());
    let said = Said::of(child.wait_with_output().unwrap());
    assert!(said.code == Some(1) && said.err.contains("another process"), "{said:?}");
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "{signal}");
}

#[test]
fn a_part_of_a_bank_is_refused() {
    let scratch = Scratch::new();
    let recipe = scratch.write("bank.toml", &BANK.replace("games = 12", "games = 400"));
    let (folder, journal) = (scratch.path("bank"), scratch.path("bank/bank.jsonl"));
    let bank = ["bank", &recipe, "--out", &folder, "--threads", "1"];
    let evolution = scratch.write("small.toml", &evolution_with_bank());
    let evolve = ["evolve", &evolution, "--out", &scratch.path("evolved")];
    let mut making = begun(&bank, &journal);
    signal(&making, "-STOP");
    for (command, code) in [(&evolve[..], 2), (&bank[..], 2)] {
        assert!(fail(command, code).contains("another "), "{command:?}");
    }
    assert!(fail(&["digest", &folder], 1).contains(" of 400 games"));
    signal(&making, "-KILL");
    making.wait().unwrap();
    let line = fail(&evolve, 2);
    assert!(line.contains("bank.jsonl: the bank has ") && line.contains("`evouct bank` with its recipe"), "{line}");
    assert!(!scratch.exists("evolved"));
    let whole = succeed(&bank);
    // A bank that has all its games is taken, also one whose header does not have their number.
    let made = scratch.read("bank/bank.jsonl");
    let old = with_header(&made, "\"games\":400,", "");
    scratch.write("bank/bank.jsonl", &old);
    assert_eq!(succeed(&bank), whole);
    let evolved = succeed(&evolve);
    // One of an earlier version that is cut off is not, where its hash tells of how many games it is.
    let kept: Vec<&str> = old.split_inclusive('\n').take(100).collect();
    scratch.write("bank/bank.jsonl", &kept.concat());
    assert!(fail(&evolve, 2).contains("the bank has 99 of 400 games"));
    let unknown = with_header(&kept.concat(), "mcts", "mctx");
    scratch.write("bank/bank.jsonl", &unknown);
    let said = say(&evolve);
    assert!(said.err.contains("whether games are missing is not known"), "{said:?}");
    scratch.write("bank/bank.jsonl", &made);
    assert_eq!(succeed(&evolve), evolved);
}

/// A file system without links: every call that would make one fails. Only with `EVOUCT_FAULTS=all`, and where `strace` is.
#[cfg(target_os = "linux")]
#[test]
fn without_links_all_is_the_same() {
    let calls = "link,linkat,symlink,symlinkat";
    let [trace, inject] = [format!("trace={calls}"), format!("inject={calls}:error=EPERM")];
    let refuses = ["-f", "--seccomp-bpf", "-qq", "-e", &trace, "-e", &inject];
    if !tries_all() || Command::new("strace").arg("-V").output().is_err() {
        println!("left out: without EVOUCT_FAULTS=all, or there is no strace here");
        return;
    }
    let scratch = Scratch::new();
    let league = scratch.write("league.toml", LEAGUE);
    let cheap = scratch.write("cheap.toml", &format!("{}{}", tune::CHEAP, tune::RANDOM));
    let plan = scratch.write("small.toml", EVOLUTION);
    let genomes = scratch.write("genomes.txt", "Q + 2 / n\nQ + 3 / n\n");
    for (name, command) in [
        ("league", format!("run {league}")),
        ("tuning", format!("tune {cheap} {}", tune::OVER.join(" "))),
        ("bank", format!("bank {}", scratch.write("bank.toml", BANK))),
        ("evolution", format!("evolve {plan}")),
        ("scores", format!("score {plan} --genomes {genomes}")),
    ] {
        let [whole, linkless, mended] = ["whole", "linkless", "mended"].map(|of| scratch.path(&format!("{name}-{of}")));
        succeed(&command.split(' ').chain(["--out", &whole]).collect::<Vec<_>>());
        let start = |words: &str| {
            let mut traced = Command::new("strace");
            traced.args(refuses).args(["-o", "/dev/null"]).arg(evouct(&[]).get_program()).args(words.split(' '));
            traced.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let end = |mut child: Child| assert!(child.wait().unwrap().success(), "{command}");
        let at_once = [0, 1].map(|shard| start(&format!("{command} --out {linkless} --shard {shard}/2")));
        at_once.into_iter().for_each(end);
        end(start(&format!("{command} --out {linkless}")));
        if name == "league" {
            end(start(&format!("repair {linkless} --out {mended}")));
        }
        let digest = |folder: &str| say(&["digest", folder]).out;
        assert_eq!(digest(&linkless), digest(&whole), "{name}");
    }
}
