//! The flow of data is one way: which module may use which is read off the `use crate::` lines and held to this table.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Who may use whom. `error`, `sampling`, `seed`, `suggest` are words that everybody may use.
const ALLOWED: [(&str, &[&str]); 19] = [
    ("game", &[]),
    ("gp", &[]),
    ("stats", &[]),
    ("carcassonne", &["game"]),
    ("search", &["game", "gp"]),
    ("evolve", &["game", "gp", "search"]),
    ("clock", &["search"]),
    ("player", &["carcassonne", "evolve", "game", "gp", "search"]),
    ("config", &["carcassonne", "player", "schedule"]),
    ("schedule", &["config"]),
    ("record", &["config", "evolve", "player"]),
    ("league", &["carcassonne", "clock", "config", "player", "record", "schedule", "search", "stats"]),
    ("report", &["carcassonne", "config", "gp", "player", "record", "schedule", "stats"]),
    ("bench", &["carcassonne", "clock", "player", "search"]),
    ("cluster", &["config"]),
    ("serve", &["record", "report"]),
    ("cpu", &[]),
    ("error", &[]),
    (
        "cli",
        &[
            "bench",
            "carcassonne",
            "clock",
            "cluster",
            "config",
            "gp",
            "league",
            "player",
            "record",
            "report",
            "schedule",
            "search",
            "serve",
        ],
    ),
];
const EVERYBODY: [&str; 4] = ["error", "sampling", "seed", "suggest"];
/// Only these touch files.
const FILES: [&str; 4] = ["config", "record", "report", "cli"];
/// Only these ask for the time, or start threads.
const TIME: [&str; 2] = ["clock", "cli"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without its tests and comments.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The top module that a source file belongs to.
fn module(path: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let first = path.strip_prefix(root).unwrap().components().next().unwrap();
    first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

fn modules() -> Vec<(String, PathBuf, String)> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found.into_iter().map(|path| (module(&path), path.clone(), code(&path))).collect()
}

#[test]
fn modules_use_only_what_comes_before_them() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.into_iter().collect();
    let mut seen = BTreeSet::new();
    for (module, path, code) in modules() {
        if ["lib", "main"].contains(&module.as_str()) || EVERYBODY.contains(&module.as_str()) {
            continue;
        }
        let allowed = allowed.get(module.as_str()).unwrap_or_else(|| panic!("{module} is not in the table"));
        for (at, _) in code.match_indices("crate::").chain(code.match_indices("evouct::")) {
            let rest = &code[at..].split_once("::").unwrap().1;
            let used: String = rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            let fine = used == module || allowed.contains(&used.as_str()) || EVERYBODY.contains(&used.as_str());
            assert!(fine, "{} uses {used}, which {module} may not", path.display());
            seen.insert((module.clone(), used));
        }
    }
    // The table says no more than what is there.
    for (module, allowed) in ALLOWED {
        for used in allowed {
            assert!(seen.contains(&(module.to_owned(), (*used).to_owned())), "{module} does not use {used} any more");
        }
    }
}

#[test]
fn files_threads_and_time_are_touched_in_few_places() {
    for (module, path, code) in modules() {
        let place = path.display();
        let uses = |word: &str| code.contains(word);
        if !FILES.contains(&module.as_str()) {
            assert!(!uses("std::fs") && !uses("File::"), "{place} touches files");
        }
        if !TIME.contains(&module.as_str()) {
            assert!(!uses("Instant::now") && !uses("SystemTime"), "{place} asks for the time");
        }
        if module != "league" {
            assert!(!uses("rayon") && !uses("thread::spawn"), "{place} starts threads");
        }
        assert!(!uses("unsafe "), "{place} is unsafe");
        for vague in ["utils", "helper", "common", "misc", "manager"] {
            assert!(!place.to_string().rsplit('/').next().unwrap().contains(vague), "{place} has a vague name");
        }
    }
}

/// The same decision made in two places sooner or later becomes two decisions.
#[test]
fn generators_come_from_keys_alone() {
    for (module, path, code) in modules() {
        if module != "seed" {
            for word in ["from_seed(", "seed_from_u64", "rand::rng(", "thread_rng", "getrandom"] {
                assert!(!code.contains(word), "{} makes a generator of its own ({word})", path.display());
            }
        }
    }
}
