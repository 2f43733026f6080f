//! What version 0.1 wrote keeps its meaning: experiments, journals, identities.

use crate::program;
use program::{Scratch, digest, succeed};

/// An experiment with the spellings of 0.1, and the first ten games of its journal as 0.1 wrote them.
const EXPERIMENT: &str = include_str!("../version-0.1/experiment.toml");
const JOURNAL: &str = include_str!("../version-0.1/games.jsonl");
/// The digest that 0.1 printed after all 24 games.
const DIGEST: &str = "075432921b9b7b7affcf84e74faa5a6cbd816f99c06252ba12c29a5d04f7938c";

#[test]
fn a_journal_of_0_1_is_resumed_to_the_same_digest() {
    let scratch = Scratch::new();
    let experiment = scratch.write("experiment.toml", EXPERIMENT);
    let folder = scratch.path("run");
    std::fs::create_dir(&folder).unwrap();
    scratch.write("run/games.jsonl", JOURNAL);
    succeed(&["run", &experiment, "--out", &folder, "--allow-version"]);
    assert!(scratch.read("run/games.jsonl").starts_with(JOURNAL), "what 0.1 recorded stays as it is");
    assert_eq!(digest(&folder), format!("{DIGEST}  24 of 24 games\n"));
    succeed(&["verify", &folder, "--games", "3"]);
}

#[test]
fn todays_spellings_make_the_same_games() {
    let scratch = Scratch::new();
    let today = EXPERIMENT
        .replace("evaluation = \"descend\"", "fitness_playout = \"descend\"")
        .replace("amaf_tiles", "amaf_scope");
    let experiment = scratch.write("experiment.toml", &today);
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    assert_eq!(digest(&folder), format!("{DIGEST}  24 of 24 games\n"));
}
