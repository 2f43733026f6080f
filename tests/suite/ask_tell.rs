//! An evolution whose measurements the caller makes is that of the program, and says so where evouct did not measure.

use crate::evolve::{EVOLUTION, climb, made_bank, of_structures};
use crate::program::{Scratch, derived, fail, fails, say, succeed};
use crate::steady_state::steady;
use evouct::named::Named;
use evouct::offline::{
    AskTell, AskedBlock, Bank, CoursePart, EvolutionError, EvolutionOptions, EvolutionPlan, EvolutionSession,
    PlayedBlock, TellError, Told,
};
use evouct::report::rebuild_evolved;
use evouct::search::Stopped;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// An evolution without a bank.
const GAMES: &str = r#"
name = "games"
seed = 3
evolve = { seeds = ["Q", "Q + 1/n"], islands = 1, population = 4, elite = 1, generations = 2, finalists = 2, tune_offspring = 1 }
player = [{ kind = "formula", iterations = 8 }]
opponent = [{ kind = "random" }, { name = "Greedy", kind = "one-ply" }]
stage = [{ measure = "games", decks = [2], block = 1 }, { measure = "games", decks = [2, 4], block = 2 }]
"#;

/// The evolution of a file in a folder, measured by evouct or by somebody else.
fn session(file: &str, folder: &str, by: Option<&str>) -> Result<EvolutionSession, EvolutionError> {
    evouct::registry::add_games();
    let plan = EvolutionPlan::load(Path::new(file), None).unwrap();
    let bank = plan.bank.as_ref().map(|bank| Bank::open_whole(bank).unwrap());
    let folder = Path::new(folder);
    let options = EvolutionOptions { measured_by: by.map(str::to_owned), ..EvolutionOptions::default() };
    EvolutionSession::plan(plan, bank, folder, &options)
}

fn begin(file: &str, folder: &str) -> AskTell {
    AskTell::begin(session(file, folder, None).unwrap(), Box::new(Stopped)).unwrap()
}

#[test]
fn who_measures_from_outside_tells_points_only() {
    let scratch = Scratch::new();
    let file = scratch.write("two.toml", &GAMES.replace("tune_offspring = 1", "second = \"twm\""));
    let session = session(&file, &scratch.path("two"), None).unwrap();
    let error = AskTell::begin(session, Box::new(Stopped)).err().unwrap().to_string();
    assert!(error.contains("second: who measures from outside tells points only"), "{error}");
}

fn played(evolution: &AskTell, asked: &[AskedBlock]) -> Vec<Told> {
    asked.iter().map(|asked| Told::Played(asked.play(evolution.measurer()).unwrap())).collect()
}

/// Goes on to the end; what was asked for.
fn to_the_end(evolution: &mut AskTell) -> Vec<AskedBlock> {
    let mut all = Vec::new();
    loop {
        let asked = evolution.ask().unwrap();
        if asked.is_empty() {
            return all;
        }
        evolution.tell(&played(evolution, &asked)).unwrap();
        all.extend(asked);
    }
}

/// Writes the report of a folder, as `evouct evolve` does at its end.
fn report(folder: &str) {
    let opened = evouct::offline::EvolutionFolder::open(Path::new(folder)).unwrap().unwrap();
    rebuild_evolved(&opened, &opened.progress()).1.unwrap();
}

#[test]
fn every_algorithm_asks_for_what_the_program_measures() {
    let scratch = Scratch::new();
    made_bank(&scratch);
    let with = |algorithm: &str| EVOLUTION.replace("[evolve]", &format!("[evolve]\nalgorithm = \"{algorithm}\""));
    let mut parts = BTreeSet::new();
    for (name, text) in [
        ("generational", EVOLUTION.to_owned()),
        ("plus", with("plus")),
        ("comma", with("comma")),
        ("random", with("random")),
        ("structures", of_structures()),
        ("climb", climb()),
        ("steady-state", steady("lag = 4")),
    ] {
        let file = scratch.write(&format!("{name}.toml"), &text.replace("iterations = 30", "iterations = 12"));
        let (theirs, ours) = (scratch.path(&format!("{name}-theirs")), scratch.path(&format!("{name}-ours")));
        let out = succeed(&["evolve", &file, "--out", &theirs, "--threads", "1"]);
        let mut evolution = begin(&file, &ours);
        let asked = to_the_end(&mut evolution);
        let digest = &evolution.result().unwrap().digest;
        assert!(out.contains(&format!("digest {digest}\n")), "{name}");
        let plan = evolution.measurer().plan();
        for asked in &asked {
            parts.insert(asked.part(plan).name());
            assert_eq!(asked.generation(plan).is_some(), asked.part(plan) == CoursePart::Generations);
            assert_eq!(AskedBlock::parse(&asked.to_text(), plan).as_ref(), Ok(asked));
        }
        drop(evolution);
        // What a measurement took is recorded, and differs.
        let journal = |folder: &str| {
            let lines = std::fs::read_to_string(Path::new(folder).join("evolution.jsonl")).unwrap();
            assert!(lines.lines().skip(1).all(|line| line.contains("\"seconds\":")), "{lines}");
            let entry = |line: &str| {
                let mut line: Value = serde_json::from_str(line).unwrap();
                (line["entry"]["seconds"], line["sum"]) = (Value::Null, Value::Null);
                line
            };
            lines.lines().map(entry).collect::<Vec<Value>>()
        };
        assert!(journal(&ours) == journal(&theirs), "{name}");
        report(&ours);
        assert_eq!(derived(&ours), derived(&theirs), "{name}");
    }
    assert_eq!(parts, BTreeSet::from(["finals", "generations", "semantics", "tuning"]));
}

#[test]
fn a_half_told_batch_is_asked_for_again_without_its_first_half() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.write("games.toml", GAMES), scratch.path("asked"));
    let whole = succeed(&["evolve", &file, "--out", &scratch.path("whole")]);
    let mut evolution = begin(&file, &folder);
    let asked = evolution.ask().unwrap();
    // Two opponents on two decks, each alone in its block.
    assert_eq!(asked.len() % 4, 0);
    assert_eq!(asked[0].units(evolution.measurer().plan()), 0..1);
    // The first genome and one block of the second, in another order.
    let mut some = asked[..5].to_vec();
    some.reverse();
    evolution.tell_of(&some, &played(&evolution, &some)).unwrap();
    assert_eq!(evolution.ask().unwrap(), asked[5..]);
    let told = evolution.tell_of(&some[..1], &played(&evolution, &some[..1]));
    assert!(matches!(told, Err(TellError::NotMissing { place: 1 })), "{told:?}");
    drop(evolution);
    // A genome is recorded when all its blocks are told.
    let mut evolution = begin(&file, &folder);
    assert_eq!(evolution.ask().unwrap(), asked[4..]);
    to_the_end(&mut evolution);
    assert!(whole.contains(&evolution.result().unwrap().digest));
    drop(evolution);
    // Nothing is asked for, as nothing is missing.
    let mut evolution = begin(&file, &folder);
    assert!(evolution.ask().unwrap().is_empty() && evolution.result().is_some());
}

#[test]
fn values_belong_to_what_was_asked_where_more_is_missing_by_then() {
    let scratch = Scratch::new();
    let text = GAMES.replace("evolve = { ", "evolve = { algorithm = \"steady-state\", lag = 2, ");
    let (file, folder) = (scratch.write("games.toml", &text), scratch.path("asked"));
    let whole = succeed(&["evolve", &file, "--out", &scratch.path("whole")]);
    let mut evolution = begin(&file, &folder);
    let asked = evolution.ask().unwrap();
    let (first, last) = asked.split_at(asked.len() - 1);
    evolution.tell_of(first, &played(&evolution, first)).unwrap();
    // The first birth is measured, so that another one is bred.
    evolution.tell(&played(&evolution, last)).unwrap();
    assert!(evolution.ask().unwrap().iter().all(|block| !asked.contains(block)));
    to_the_end(&mut evolution);
    assert!(whole.contains(&evolution.result().unwrap().digest));
}

#[test]
fn what_evouct_has_not_computed_is_refused() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.write("games.toml", GAMES), scratch.path("asked"));
    let mut evolution = begin(&file, &folder);
    let refused = |evolution: &mut AskTell, told: &[Told], problem: &str| {
        let error = evolution.tell(told).unwrap_err().to_string();
        assert!(error.contains(problem) && error.lines().count() == 1, "{error}");
    };
    refused(&mut evolution, &[], "ask for measurements first");
    let asked = evolution.ask().unwrap();
    let whole = played(&evolution, &asked);
    let count = format!("expected one value for each of {} measurements, found {}", asked.len(), asked.len() - 1);
    refused(&mut evolution, &whole[1..], &count);
    let with = |told: Told| {
        let mut all = whole.clone();
        all[2] = told;
        all
    };
    let Told::Played(played_third) = whole[2].clone() else { unreachable!("it was played") };
    let changed = PlayedBlock { sum: played_third.sum + 1.0, ..played_third.clone() };
    let another = "value 3: it was computed for another measurement";
    refused(&mut evolution, &with(Told::Played(changed)), another);
    refused(&mut evolution, &with(whole[1].clone()), another);
    refused(&mut evolution, &with(Told::Other(f64::NAN)), "value 3: expected a finite number of points, found NaN");
    refused(&mut evolution, &with(Told::Other(f64::INFINITY)), "found inf");
    let error = "value 3: evouct has not computed 2; an evolution that says measured_by takes values of others";
    refused(&mut evolution, &with(Told::Other(2.0)), error);
    // The same block of another evolution.
    let seeded = scratch.write("seeded.toml", &GAMES.replace("seed = 3", "seed = 4"));
    let mut other = begin(&seeded, &scratch.path("other"));
    let same = other.ask().unwrap()[2].play(other.measurer()).unwrap();
    refused(&mut evolution, &with(Told::Played(same)), another);
    // No value of those was taken.
    assert_eq!(evolution.ask().unwrap(), asked);
    // What was stopped has no value.
    assert_eq!(asked[0].play_until(evolution.measurer(), &AtomicBool::new(true)), None);
    let uncut = asked[0].play_until(evolution.measurer(), &AtomicBool::new(false)).unwrap().unwrap();
    let Told::Played(first) = &whole[0] else { unreachable!("it was played") };
    assert_eq!((uncut.sum, &uncut.seal, uncut.seconds.is_some()), (first.sum, &first.seal, true));
    // Nobody else writes its journal.
    let error = begin(&file, &folder).ask().unwrap_err();
    assert!(matches!(error, EvolutionError::Folder(_)), "{error}");
    to_the_end(&mut evolution);
    refused(&mut evolution, &whole, "the evolution has ended");
}

#[test]
fn values_of_others_are_no_measurements_of_evouct() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.write("games.toml", GAMES), scratch.path("foreign"));
    let by = |name: &str| session(&file, &folder, Some(name));
    for (name, problem) in [("", "1 to 100 characters"), ("my cluster", "contains ' '"), ("Evouct", "evouct measures")]
    {
        let error = by(name).err().unwrap().to_string();
        assert!(error.starts_with("measured_by: ") && error.contains(problem), "{error}");
    }
    let mut evolution = AskTell::begin(by("lab-7").unwrap(), Box::new(Stopped)).unwrap();
    loop {
        let asked = evolution.ask().unwrap();
        if asked.is_empty() {
            break;
        }
        // The values themselves may be the same.
        let sums = asked.iter().map(|asked| Told::Other(asked.play(evolution.measurer()).unwrap().sum));
        evolution.tell(&sums.collect::<Vec<_>>()).unwrap();
    }
    let digest = evolution.result().unwrap().digest.clone();
    drop(evolution);
    let ours = scratch.path("ours");
    assert!(!succeed(&["evolve", &file, "--out", &ours]).contains(&digest));
    let said = say(&["digest", &folder]);
    assert!(said.out.starts_with(&digest) && said.err.contains("measured by lab-7, not by evouct"), "{said:?}");
    let report = succeed(&["report", &folder]);
    assert!(report.contains("measured by lab-7, not by evouct\n"), "{report}");
    assert!(scratch.read("foreign/report.html").contains("All values were measured by lab-7, not by evouct"));
    fails(&["verify", &folder], 2, "measured by lab-7, not by evouct, which cannot make them again");
    let line = fail(&["evolve", &file, "--out", &folder], 2);
    assert!(line.contains("its values were measured by lab-7, not by evouct; choose another"), "{line}");
    let error = by("lab-8").err().unwrap().to_string();
    assert!(error.contains("measured by lab-7, not by lab-8"), "{error}");
    let error = session(&file, &ours, Some("lab-7")).err().unwrap().to_string();
    assert!(error.contains("measured by evouct, not by lab-7"), "{error}");
    // A line that is copied into a journal of evouct counts as one of another evolution.
    let (own, foreign) = (scratch.read("ours/evolution.jsonl"), scratch.read("foreign/evolution.jsonl"));
    let header = own.lines().next().unwrap();
    let mixed: Vec<&str> = [header].into_iter().chain(foreign.lines().skip(1)).collect();
    scratch.write("ours/evolution.jsonl", &format!("{}\n", mixed.join("\n")));
    let status = say(&["status", &ours]);
    assert!(status.err.contains("this line is ignored: it is of ") && status.out.contains("missing"), "{status:?}");
}
