//! Formulas that are equal by value are one in evolutions, scores and what a caller tells, also when they are resumed.

use crate::program;
use evouct::offline::{AskTell, EvolutionFolder, EvolutionOptions, EvolutionPlan, EvolutionSession, Told};
use evouct::search::Stopped;
use program::{Scratch, say, say_to, succeed};
use std::path::Path;

/// A small evolution in EinStein, some of whose formulas are equal and look different.
pub(crate) fn file(seeds: &str, more: &str) -> String {
    format!(
        r#"
name = "zeros"
game = "einstein"
seed = 6
[evolve]
terminals = ["Q", "n", "N", "race"]
seeds = [{seeds}]
islands = 2
population = 8
elite = 2
generations = 3
max_nodes = 15
finalists = 6
constant_offspring = 4
tune_rounds = 3
tune_count = 6
{more}
[[player]]
kind = "formula"
iterations = 6
[[opponent]]
kind = "mcts"
iterations = 6
[[stage]]
measure = "games"
decks = [2, 2]
[[stage]]
measure = "games"
decks = 4
"#
    )
}

const PAIRS: [&str; 2] = [r#""Q", "0", "-0""#, r#""Q", "min(0, n)", "min(-0, n)", "Q + 1e-300", "Q + 2e-300""#];

#[test]
fn an_evolution_of_zeros_ends_and_is_resumed() {
    let scratch = Scratch::new();
    for (place, seeds) in PAIRS.iter().enumerate() {
        for algorithm in ["generational", "steady-state"] {
            let name = format!("{algorithm}-{place}");
            let file = scratch.write(&format!("{name}.toml"), &file(seeds, &format!("algorithm = \"{algorithm}\"")));
            let folder = scratch.path(&name);
            let evolve = ["evolve", &file, "--out", &folder, "--threads", "1"];
            succeed(&evolve);
            let digest = succeed(&["digest", &folder]);
            let journal = scratch.read(&format!("{name}/evolution.jsonl"));
            assert!(!journal.contains("-0\""), "{journal}");
            // A journal of an earlier version, with both zeros, which ended in the middle.
            let lines: Vec<&str> = journal.lines().collect();
            let old: Vec<String> = lines[..lines.len() / 2].iter().map(|line| with_negative_zero(line)).collect();
            scratch.write(&format!("{name}/evolution.jsonl"), &(old.join("\n") + "\n"));
            succeed(&evolve);
            assert_eq!(succeed(&["digest", &folder]), digest, "{name}");
        }
    }
}

/// The line and, where its genome is zero, the same with the other zero.
fn with_negative_zero(line: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(line).unwrap();
    let mut entry = json["entry"].clone();
    if entry["genome"] != "0" {
        return line.to_owned();
    }
    entry["genome"] = "-0".into();
    format!("{}\n{line}", program::forged(line, &entry))
}

#[test]
fn another_evolution_in_the_folder_is_told_apart_by_a_key() {
    let scratch = Scratch::new();
    let small = file("\"Q\", \"n\"", "")
        .replace("population = 8", "population = 3")
        .replace("tune_rounds = 3", "tune_rounds = 0");
    let folder = scratch.path("one");
    succeed(&["evolve", &scratch.write("one.toml", &small), "--out", &folder]);
    for (from, to, said) in [
        ("generations = 3", "generations = 6", "its generations is 3, now 6"),
        ("elite = 2", "elite = 1", "its elite is 2, now 1"),
        ("seeds = [\"Q\", \"n\"]", "seeds = [\"Q\"]", "its seeds is n, now none"),
        ("[2, 2]", "[2, 3]", "its [[stage]] is "),
        ("kind = \"mcts\"\niterations = 6", "kind = \"random\"", "its [[opponent]] is mcts:iterations=6, now random"),
    ] {
        assert!(small.contains(from), "{from}");
        let other = scratch.write("other.toml", &small.replace(from, to));
        let refused = program::fail(&["evolve", &other, "--out", &folder], 2);
        assert!(refused.contains("this folder holds another evolution: ") && refused.contains(said), "{refused}");
    }
}

#[test]
fn zeros_are_scored_together_and_proposed() {
    let scratch = Scratch::new();
    let file = scratch.write("zeros.toml", &file(PAIRS[0], ""));
    let folder = scratch.path("scores");
    let zeros = b"[\"0\", \"-0\", \"min(-0, n)\", \"min(0, n)\"]\n";
    let said = say_to(&["score", &file, "--out", &folder], zeros);
    assert_eq!(said.code, Some(0), "{said:?}");
    let answers: Vec<serde_json::Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0], &answers[2]), (&answers[1], &answers[3]));
    assert_eq!((&answers[0]["genome"], &answers[2]["genome"]), (&"0".into(), &"min(0, n)".into()));

    let script = scratch.write("zeros.sh", "while read -r line; do echo '{\"formulas\": [\"0\", \"-0\"]}'; done");
    let text = scratch.read("zeros.toml");
    let proposer = format!("[[proposer]]\nname = \"zeros\"\ncommand = [\"sh\", {script:?}]\n");
    let file = scratch.write("proposed.toml", &(text.replace(PAIRS[0], "\"Q\"") + &proposer));
    let said = say(&["evolve", &file, "--out", &scratch.path("proposed")]);
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn a_caller_tells_zeros() {
    evouct::registry::add_games();
    let scratch = Scratch::new();
    let folder = scratch.path("told");
    let plan = EvolutionPlan::parse(&file(PAIRS[0], ""), "zeros.toml", None).unwrap();
    let mut told = 0;
    // A new session after every answer, as after an interruption.
    while told < 500 {
        let folder = Path::new(&folder);
        let session = EvolutionSession::plan(plan.clone(), None, folder, &EvolutionOptions::default()).unwrap();
        let mut evolution = AskTell::begin(session, Box::new(Stopped)).unwrap();
        let asked = evolution.ask().unwrap();
        if asked.is_empty() {
            break;
        }
        let played = asked.iter().map(|block| Told::Played(block.play(evolution.measurer()).unwrap()));
        evolution.tell(&played.collect::<Vec<Told>>()).unwrap();
        told += asked.len();
    }
    let progress = EvolutionFolder::open(Path::new(&folder)).unwrap().unwrap().progress();
    assert!(told > 50 && progress.evolved.is_some(), "{told}");
}
