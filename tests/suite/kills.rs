//! SIGKILL at any length of a journal: the same command goes on, and its digest and files are those of an undisturbed
//! run. `EVOUCT_FAULTS=all` kills each command fifty times, not twice.
#![cfg(unix)]

use crate::faults::tries_all;
use crate::{disturbed, journals, program, tune};
use evouct::sampling::below;
use evouct::seed::Key;
use program::{Scratch, derived, say, spawned, succeed};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::Duration;

/// How often each command is killed where not all kills are tried, and where they are.
const KILLS: [usize; 2] = [2, 50];
/// What has times. That nothing else in them depends on the order of games is tested where shards are.
const TIMES: [&str; 5] = ["costs.csv", "players.csv", "report.html", "report.json", "tables.tex"];

/// The bytes in all journals of a folder and its sub-folders.
fn written(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let bytes = entries.flatten().map(|entry| match entry.path() {
        path if path.is_dir() => written(&path),
        path if path.extension().is_some_and(|ending| ending == "jsonl") => {
            entry.metadata().map_or(0, |data| data.len() as usize)
        }
        _ => 0,
    });
    bytes.sum()
}

/// Kills a command as soon as its journals have so many bytes. False if it had ended before.
fn kill_at(bytes: usize, command: &[&str], folder: &Path) -> bool {
    let mut child = spawned(command);
    while written(folder) < bytes && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(200));
    }
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert!(status.signal() == Some(9) || status.success(), "{command:?}: {status}");
    !status.success()
}

/// Every derived file that has no times. What a killed report had begun to write stays for a day.
fn files(folder: &str) -> BTreeMap<String, String> {
    let mut files = derived(folder);
    if files.contains_key("costs.csv") {
        files.retain(|name, _| !TIMES.contains(&name.as_str()) && !name.ends_with(".partial"));
    }
    files
}

/// Kills a command that writes into this folder, twice on the way to each completion.
pub(crate) fn is_the_same_when_killed(command: &str, folder: &str) {
    let words: Vec<&str> = command.split(' ').chain(["--out", folder]).collect();
    let place = Path::new(folder);
    succeed(&words);
    // Scores have their digest in a file.
    let digest = || say(&["digest", folder]).out;
    let (whole, expected, bytes) = (digest(), files(folder), written(place));
    let wanted = KILLS[usize::from(tries_all())];
    let mut rng: ChaCha8Rng = Key::experiment(40).named("kills", bytes as u64).stream();
    let (mut deaths, mut tries) = (0, 0);
    while deaths < wanted && tries < 4 * wanted {
        std::fs::remove_dir_all(place).unwrap();
        let mut strikes = [0; 2].map(|_| below(&mut rng, bytes + 1));
        strikes.sort_unstable();
        for strike in strikes {
            deaths += usize::from(kill_at(strike, &words, place));
            tries += 1;
        }
        succeed(&words);
        assert_eq!(digest(), whole, "{command}: killed at {strikes:?} of {bytes} bytes");
        let found = files(folder);
        assert!(found.keys().eq(expected.keys()), "{command}: {:?}", found.keys());
        for (name, text) in &found {
            assert!(*text == expected[name], "{command}: killed at {strikes:?} of {bytes} bytes: {name}");
        }
    }
    println!("{deaths} of {tries} kills found `{}` at work; all were resumed", words[0]);
    assert!(deaths > 0, "{command} always ends before it is killed");
}

#[test]
fn a_killed_run_goes_on() {
    let scratch = Scratch::new();
    let league = journals::RANDOM.replace("games_per_match = 2", "games_per_match = 8");
    let experiment = scratch.write("random.toml", &league);
    is_the_same_when_killed(&format!("run {experiment} --threads 2"), &scratch.path("run"));
}

#[test]
fn a_killed_tuning_goes_on() {
    let scratch = Scratch::new();
    let experiment = scratch.write("cheap.toml", &format!("{}{}", tune::CHEAP, tune::RANDOM));
    let over = tune::OVER.join(" ");
    is_the_same_when_killed(&format!("tune {experiment} {over} --threads 2"), &scratch.path("tuned"));
}

#[test]
fn a_killed_bank_and_its_evolution_go_on() {
    let scratch = Scratch::new();
    let recipe = scratch.write("bank.toml", disturbed::BANK);
    is_the_same_when_killed(&format!("bank {recipe} --threads 2"), &scratch.path("bank"));
    let file = scratch.write("small.toml", &disturbed::evolution_with_bank());
    is_the_same_when_killed(&format!("evolve {file} --threads 2"), &scratch.path("evolved"));
}

#[test]
fn a_killed_scoring_goes_on() {
    let scratch = Scratch::new();
    let plan = scratch.write("small.toml", disturbed::EVOLUTION);
    let genomes: Vec<String> = (1..16).map(|number| format!("Q + {number} / n")).collect();
    let genomes = scratch.write("genomes.txt", &genomes.join("\n"));
    is_the_same_when_killed(&format!("score {plan} --genomes {genomes} --threads 2"), &scratch.path("scored"));
}
