//! Tuning by CMA-ES: it finds a planted optimum over ranges and lists, keeps to legal values, and gives the same result for
//! all ways to play it.

use crate::program::{Scratch, fails, succeed};
use crate::tune::{CHEAP, RANDOM, finds_the_optimum, is_the_same_however_played};

#[test]
fn cma_es_finds_a_planted_optimum_and_shows_its_path() {
    let files = ["report.html", "figures/path.svg", "figures/guess.svg", "figures/spread.csv"];
    let words = ["is the best guess of CMA-ES after 8 rounds", "best guess after it", "--method cma", "candidates.csv"];
    let (scratch, tuning, course, outcome) = finds_the_optimum("cma", &files, &words);
    // Nothing but the default is known before the first game.
    assert_eq!((tuning.candidates().len(), course.groups.len()), (1, 9));
    let path = &outcome.distribution.as_ref().unwrap().path;
    assert_eq!(path.len(), 8);
    assert_eq!(path.last().unwrap().candidate, outcome.winner);
    let [first, last] = [&path[0], &path[7]];
    assert!(last.mean > first.mean + 5.0, "{} {}", first.mean, last.mean);
    let spread = |row: &evouct::tune::CentreRow, parameter: &str| row.spread[parameter].as_f64().unwrap();
    assert!(spread(last, "style") > 0.8 && spread(last, "x") < spread(first, "x"), "{last:?}");
    let candidates = scratch.read("tuning/candidates.csv");
    assert!(candidates.starts_with("candidate,default,x,style,idle,decks,mean,low,high,failed,left\n"), "{candidates}");
    assert!(scratch.read("tuning/tuned.toml").contains("--over idle=0.01..100 --method cma"));
}

#[test]
fn the_rounds_of_cma_es_do_not_depend_on_how_they_are_played() {
    let planned = [" against random, seed 5", "round 8:  11 players,      1 deck,        22 games"];
    let said = ["CMA-ES over 1 range and 1 list", "best guess after it"];
    is_the_same_however_played("cma", &["iterations=1..40", "final=mean,visits"], &planned, said);
}

/// With opponents in the file, and where values contradict one another: decks are for determinised chance.
#[test]
fn illegal_values_are_not_drawn_and_hostile_options_are_refused() {
    let scratch = Scratch::new();
    let text = format!("{CHEAP}{RANDOM}").replace("kind = \"one-ply\"", "kind = \"mcts\"\niterations = 2");
    let experiment = scratch.write("cheap.toml", &text);
    let folder = scratch.path("tuning");
    let tune = ["tune", &experiment, "--out", &folder, "--method", "cma"];
    for (more, words) in [
        (
            &["--over", "k=0.1..3", "--games", "99"][..],
            "--games 99 is too small for CMA-ES: 8 rounds of 8 players and 10",
        ),
        (&["--over", "k=0.1..3", "--games", "213"], "held-out decks take at least 214 games"),
        (&["--over", "k=3..0.1", "--games", "900"], "the range is reversed; expected 0.1..3"),
        (
            &["--over", "iterations=1..3", "--games", "900"],
            "--method cma needs a range, found lists of values: iterations=1..3 (a range of at most 4",
        ),
        (&["--over", "k=0.1..3", "--over", "decks=2,3", "--games", "900"], "cannot play: decks"),
        (&["--over", "k=0.1..3", "--games", "0"], "0 is not from 1 to 10000000"),
    ] {
        fails(&[&tune[..], more].concat(), 2, words);
    }
    assert!(!scratch.exists("tuning"));
    let more = ["--over", "k=0.1..3", "--over", "chance=sampled,determinised", "--over", "decks=1,2", "--games", "220"];
    let out = succeed(&[&tune[..], &more].concat());
    assert!(out.contains("Result: "), "{out}");
    let candidates = scratch.read("tuning/candidates.csv");
    assert!(
        candidates.lines().count() > 30 && candidates.contains("decks=2") && !candidates.contains("chance=sampled"),
        "{candidates}"
    );
    // The rounds of ten million games are planned at once.
    let more = ["--over", "k=0.1..3", "--games", "10000000", "--dry-run"];
    let plan = succeed(&[&tune[..], &more].concat());
    assert!(plan.contains("round 32: 127 players,    733 decks"), "{plan}");
}
