//! SIGKILL and SIGTERM at any length of a journal, also with a loss of what was written last: the same command goes on,
//! and its digest and files are those of an undisturbed run. `EVOUCT_FAULTS=all` kills each command forty times, not three
//! times.
#![cfg(unix)]

use crate::faults::tries_all;
use crate::{disturbed, journals, program, seeds, sprt, swiss, tune, tune_games};
use evouct::sampling::below;
use evouct::seed::Key;
use program::{Scratch, derived, say, spawned, succeed};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How often each command is killed where not all kills are tried, and where they are.
const KILLS: [usize; 2] = [3, 40];
/// So many bytes are cut off at most where a power cut loses what was written last.
const LOST: usize = 3_000;
/// What has times. That nothing else in them depends on the order of games is tested where shards are.
const TIMES: [&str; 5] = ["costs.csv", "players.csv", "report.html", "report.json", "tables.tex"];

/// How a command ends before its time.
#[derive(Clone, Copy, Debug)]
enum Strike {
    Kill,
    /// The power goes: journals lose their ends.
    PowerCut,
    Terminate,
}

/// All journals of a folder and its sub-folders.
fn journals_in(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let found = paths.flat_map(|path| match path.is_dir() {
        true => journals_in(&path),
        false => vec![path],
    });
    found.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")).collect()
}

/// The bytes in them.
fn written(folder: &Path) -> usize {
    journals_in(folder).iter().map(|path| path.metadata().map_or(0, |data| data.len() as usize)).sum()
}

/// Strikes a command, or its shards at once, as soon as their journals have so many bytes. False if all had ended before.
fn strike_at(bytes: usize, strike: Strike, commands: &[String], folder: &Path, rng: &mut ChaCha8Rng) -> bool {
    let mut children = started(commands);
    while written(folder) < bytes && children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        std::thread::sleep(Duration::from_micros(200));
    }
    for child in &mut children {
        match strike {
            Strike::Kill | Strike::PowerCut => child.kill().unwrap(),
            Strike::Terminate => {
                let process = child.id().to_string();
                Command::new("kill").args(["-s", "TERM", &process]).stderr(Stdio::null()).status().unwrap();
            }
        }
    }
    let is_struck = |child: &mut Child| {
        let status = child.wait().unwrap();
        let is_struck = match strike {
            Strike::Kill | Strike::PowerCut => status.signal() == Some(9),
            // Before it is ready to complete its journal the signal ends it.
            Strike::Terminate => status.code() == Some(75) || status.signal() == Some(15),
        };
        assert!(is_struck || status.success(), "{commands:?}: {strike:?}: {status}");
        is_struck
    };
    let is_struck = children.iter_mut().map(is_struck).fold(false, |any, this| any | this);
    if let (Strike::PowerCut, true) = (strike, is_struck) {
        for journal in journals_in(folder) {
            let length = journal.metadata().unwrap().len() as usize;
            let left = length.saturating_sub(below(rng, LOST));
            std::fs::OpenOptions::new().write(true).open(journal).unwrap().set_len(left as u64).unwrap();
        }
    }
    is_struck
}

/// The commands, all at once.
fn started(commands: &[String]) -> Vec<Child> {
    commands.iter().map(|command| spawned(&command.split(' ').collect::<Vec<_>>())).collect()
}

/// Every derived file that has no times. What a killed report had begun to write stays for a day.
fn files(folder: &str) -> BTreeMap<String, String> {
    let mut files = derived(folder);
    files.retain(|name, _| !name.ends_with(".partial"));
    if files.contains_key("costs.csv") || files.contains_key("seeds.csv") {
        files.retain(|name, _| !TIMES.contains(&name.as_str()));
    }
    files
}

/// Strikes a command that writes into this folder, three times on the way to each completion.
pub(crate) fn is_the_same_when_killed(command: &str, folder: &str) {
    strikes_change_nothing(command, folder, 1);
}

/// The same with so many shards at once, all of which a strike meets.
fn strikes_change_nothing(command: &str, folder: &str, shards: usize) {
    let whole_command = format!("{command} --out {folder}");
    let commands: Vec<String> = match shards {
        1 => vec![whole_command.clone()],
        _ => (0..shards).map(|shard| format!("{whole_command} --shard {shard}/{shards}")).collect(),
    };
    let place = Path::new(folder);
    succeed(&whole_command.split(' ').collect::<Vec<_>>());
    // Scores have their digest in a file.
    let digest = || say(&["digest", folder]).out;
    let (whole, expected, bytes) = (digest(), files(folder), written(place));
    let wanted = KILLS[usize::from(tries_all())];
    let mut rng: ChaCha8Rng = Key::experiment(40).named("kills", bytes as u64).stream();
    let (mut deaths, mut tries) = (0, 0);
    while deaths < wanted && tries < 4 * wanted {
        std::fs::remove_dir_all(place).unwrap();
        let mut strikes = [0; 3].map(|_| below(&mut rng, bytes + 1));
        strikes.sort_unstable();
        for (at, strike) in strikes.into_iter().zip([Strike::Kill, Strike::PowerCut, Strike::Terminate]) {
            deaths += usize::from(strike_at(at, strike, &commands, place, &mut rng));
            tries += 1;
        }
        for mut child in started(&commands) {
            assert!(child.wait().unwrap().success(), "{command}: killed at {strikes:?} of {bytes} bytes");
        }
        // What none of the shards has to do is left for the whole.
        if shards > 1 {
            succeed(&whole_command.split(' ').collect::<Vec<_>>());
        }
        assert_eq!(digest(), whole, "{command}: killed at {strikes:?} of {bytes} bytes");
        let found = files(folder);
        assert!(found.keys().eq(expected.keys()), "{command}: {:?}", found.keys());
        for (name, text) in &found {
            assert!(*text == expected[name], "{command}: killed at {strikes:?} of {bytes} bytes: {name}");
        }
    }
    let name = command.split(' ').next().unwrap_or_default();
    println!("{deaths} of {tries} strikes found `{name}` in {shards} at work; all were resumed");
    assert!(deaths > 0, "{command} always ends before it is killed");
}

#[test]
fn a_killed_run_goes_on() {
    let scratch = Scratch::new();
    let league = journals::RANDOM.replace("games_per_match = 2", "games_per_match = 8");
    let experiment = scratch.write("random.toml", &league);
    is_the_same_when_killed(&format!("run {experiment} --threads 2"), &scratch.path("run"));
}

/// Rounds and tests, which decide what is played next.
#[test]
fn a_killed_league_that_looks_at_its_results_goes_on() {
    let scratch = Scratch::new();
    for (name, text) in [("swiss", swiss::league("rounds = 3\n")), ("sprt", sprt::MATCH.to_owned())] {
        let experiment = scratch.write(&format!("{name}.toml"), &text);
        is_the_same_when_killed(&format!("run {experiment} --threads 2"), &scratch.path(name));
    }
}

#[test]
fn a_killed_tuning_goes_on() {
    let scratch = Scratch::new();
    let experiment = scratch.write("cheap.toml", &format!("{}{}", tune::CHEAP, tune::RANDOM));
    let over = tune::OVER.join(" ");
    is_the_same_when_killed(&format!("tune {experiment} {over} --threads 2"), &scratch.path("tuned"));
}

#[test]
fn a_killed_tuning_by_another_method_or_in_several_games_goes_on() {
    let scratch = Scratch::new();
    let ranges = "--over iterations=1..9 --over k=0.1..3 --games 400";
    let text = format!("{}{}", tune::CHEAP, tune::RANDOM).replace("one-ply\"", "mcts\"\niterations = 2");
    let experiment = scratch.write("ranges.toml", &text);
    for method in ["cma", "surface"].into_iter().take(if tries_all() { 2 } else { 1 }) {
        let command = format!("tune {experiment} {ranges} --method {method} --threads 2");
        is_the_same_when_killed(&command, &scratch.path(method));
    }
    if !tries_all() {
        return;
    }
    let [hex, four, dice] = tune_games::files(&scratch);
    let command = format!("tune {hex} {four} --held-out {dice} --over final=mean,visits --games 450 --threads 2");
    is_the_same_when_killed(&command, &scratch.path("games"));
}

#[test]
fn a_killed_bank_and_its_evolution_go_on() {
    let scratch = Scratch::new();
    let recipe = scratch.write("bank.toml", disturbed::BANK);
    is_the_same_when_killed(&format!("bank {recipe} --threads 2"), &scratch.path("bank"));
    let file = scratch.write("small.toml", &disturbed::evolution_with_bank());
    is_the_same_when_killed(&format!("evolve {file} --threads 2"), &scratch.path("evolved"));
    let others = [("structures", "cma_samples = 4\ngrow = 0.5\n"), ("games", "")];
    for (name, more) in others.into_iter().take(if tries_all() { 2 } else { 1 }) {
        let text = disturbed::EVOLUTION.replace("[evolve]\n", &format!("[evolve]\n{more}"));
        let file = scratch.write(&format!("{name}.toml"), &text);
        is_the_same_when_killed(&format!("evolve {file} --threads 2"), &scratch.path(name));
    }
}

/// In the folder of all seeds, or that of one.
#[test]
fn a_killed_evolution_of_several_seeds_goes_on() {
    let scratch = Scratch::new();
    let command = format!("evolve {} --seeds 1..3", scratch.write("tiny.toml", &seeds::file(2, "")));
    is_the_same_when_killed(&format!("{command} --threads 2"), &scratch.path("seeds"));
    strikes_change_nothing(&format!("{command} --threads 1"), &scratch.path("shards"), 2);
}

#[test]
fn a_killed_scoring_goes_on() {
    let scratch = Scratch::new();
    let plan = scratch.write("small.toml", disturbed::EVOLUTION);
    let genomes: Vec<String> = (1..16).map(|number| format!("Q + {number} / n")).collect();
    let genomes = scratch.write("genomes.txt", &genomes.join("\n"));
    is_the_same_when_killed(&format!("score {plan} --genomes {genomes} --threads 2"), &scratch.path("scored"));
}

/// All kinds of work in two shards, which begin, end and go on together.
#[test]
fn killed_shards_go_on() {
    let scratch = Scratch::new();
    let league = journals::RANDOM.replace("games_per_match = 2", "games_per_match = 8");
    let run = format!("run {}", scratch.write("random.toml", &league));
    let cheap = scratch.write("cheap.toml", &format!("{}{}", tune::CHEAP, tune::RANDOM));
    let tune = format!("tune {cheap} {}", tune::OVER.join(" "));
    let bank = format!("bank {}", scratch.write("bank.toml", disturbed::BANK));
    let plan = scratch.write("small.toml", disturbed::EVOLUTION);
    let genomes: Vec<String> = (1..16).map(|number| format!("Q + {number} / n")).collect();
    let score = format!("score {plan} --genomes {}", scratch.write("genomes.txt", &genomes.join("\n")));
    let all = [("run", run), ("evolve", format!("evolve {plan}")), ("tune", tune), ("bank", bank), ("score", score)];
    for (name, command) in all.into_iter().take(if tries_all() { 5 } else { 2 }) {
        strikes_change_nothing(&format!("{command} --threads 1"), &scratch.path(name), 2);
    }
}
