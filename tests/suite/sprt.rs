//! Matches that a sequential test ends: all ways to play them end after the same deck.

use crate::program;
use evouct::config::{Experiment, Overrides};
use evouct::record::Header;
use evouct::store::JournalWriter;
use program::{Scratch, digest, fail, say, status, succeed, unwrapped};
use serde_json::{Value, json};
use std::path::Path;

/// Decided after deck 77.
pub(crate) const MATCH: &str = "name = \"stop\"\nseed = 3\ngames_per_match = 400\n[sequential]\nelo0 = 0\nelo1 = 100\n\
    [[player]]\nkind = \"mcts\"\niterations = 8\n[[player]]\nkind = \"mcts\"\niterations = 6\n";

/// Lets a journal end after so many games.
fn cut(scratch: &Scratch, journal: &str, games: usize) {
    let text = scratch.read(journal);
    let kept: Vec<&str> = text.lines().take(1 + games).collect();
    scratch.write(journal, &(kept.join("\n") + "\n"));
}

#[test]
fn every_way_to_play_ends_after_the_same_deck() {
    let scratch = Scratch::new();
    let file = scratch.write("stop.toml", MATCH);
    let run = |folder: &str, more: &[&str]| say(&[&["run", &file, "--out", &scratch.path(folder)], more].concat());
    let digests = ["1", "3"].map(|threads| {
        let said = run(threads, &["--threads", threads]);
        assert!(unwrapped(&said.out).contains("accepted H1 after deck 77"), "{said:?}");
        digest(&scratch.path(threads))
    });
    assert_eq!(digests[0], digests[1]);
    let report: Value = serde_json::from_str(&scratch.read("1/report.json")).unwrap();
    assert_eq!(report["finished"], 2 * 77, "nothing is recorded beyond the decision");
    // An interrupted run resumes to the same end, and a complete run does not change.
    cut(&scratch, "1/games.jsonl", 3);
    let interim = succeed(&["status", &scratch.path("1")]);
    assert!(interim.starts_with("stop: 3 of at most 800 games recorded, at most 797 missing"), "{interim}");
    for _ in 0..2 {
        assert_eq!(run("1", &["--threads", "2"]).code, Some(0));
        assert_eq!(digest(&scratch.path("1")), digests[0]);
    }
    let status = status(&scratch.path("1"));
    assert_eq!((&status["missing"], &status["recorded"], &status["at_most"]), (&json!(0), &json!(154), &json!(false)));
}

#[test]
fn shards_play_a_few_decks_ahead_of_one_another() {
    let scratch = Scratch::new();
    let file = scratch.write("stop.toml", MATCH);
    succeed(&["run", &file, "--out", &scratch.path("whole")]);
    let whole = digest(&scratch.path("whole"));
    let folder = scratch.path("shards");
    let shard = |part: &str| say(&["run", &file, "--out", &folder, "--shard", part, "--patience", "0"]);
    let first = shard("0/2");
    assert_eq!(first.code, Some(75), "{first:?}");
    let waits = "shard 0/2 has played its part of decks 1 to 16 in ";
    assert!(
        unwrapped(&first.err).contains(waits) && first.err.contains(" 16 games of other shards are missing"),
        "{first:?}"
    );
    assert!(
        fail(&["run", &file, "--out", &folder, "--shard", "0/2", "--retry-failed"], 2)
            .contains("what a test has shown")
    );
    // A part of a journal is lost, as when a node dies.
    cut(&scratch, "shards/games-shard-0-of-2.jsonl", 5);
    let mut turns = 0;
    while [shard("0/2"), shard("1/2")].iter().any(|said| said.code != Some(0)) {
        turns += 1;
        assert!(turns < 20, "{:?}", shard("0/2"));
    }
    // Decks 1 to 77 in steps of at most 16, of which a shard can take two when its turn comes.
    assert!(turns >= 2, "{turns}");
    assert_eq!(digest(&folder), whole);
    // With other hypotheses the games beyond the decision would be others.
    let had = "[sequential] had elo = logistic, elo0 = 0, elo1 = 100, alpha = 0.05 and beta = 0.05 and has ";
    let edited = [MATCH.replace("elo1 = 100", "elo1 = 20"), MATCH.replace("[sequential]\nelo0 = 0\nelo1 = 100\n", "")];
    for (text, has) in edited.iter().zip(["elo = logistic, elo0 = 0, elo1 = 20", "no test"]) {
        let other = scratch.write("other.toml", text);
        for more in [&["--shard", "0/2"][..], &[]] {
            let refused = fail(&[&["run", &other, "--out", &folder], more].concat(), 2);
            assert!(unwrapped(&refused).contains(&format!("{had}{has}")), "{refused}");
        }
    }
    let found = status(&folder);
    let lines = |shard: usize| found["journals"][shard]["games"].as_u64().unwrap();
    assert_eq!((&found["recorded"], &found["missing"], &found["overlaps"]), (&json!(154), &json!(0), &json!([])));
    assert!(lines(0) + lines(1) > 154 && lines(0) + lines(1) <= 2 * (77 + 16), "{found}");
    // What was played beyond the decision is in no result.
    succeed(&["report", &folder]);
    let report: Value = serde_json::from_str(&scratch.read("shards/report.json")).unwrap();
    assert_eq!((&report["finished"], &report["sequential"]["decided_after"]), (&json!(154), &json!(77)));
    succeed(&["verify", &folder, "--games", "2"]);
    // At once, with three shards; and a shard whose run is completed as a whole.
    let folder = scratch.path("at-once");
    std::thread::scope(|scope| {
        for part in ["0/3", "1/3", "2/3"] {
            let arguments = ["run", &file, "--out", &folder, "--shard", part, "--threads", "1"].map(str::to_owned);
            scope.spawn(move || succeed(&arguments.each_ref().map(String::as_str)));
        }
    });
    assert_eq!(digest(&folder), whole);
    let folder = scratch.path("completed");
    assert_eq!(say(&["run", &file, "--out", &folder, "--shard", "1/2", "--patience", "0"]).code, Some(75));
    succeed(&["run", &file, "--out", &folder]);
    assert_eq!(digest(&folder), whole);
}

/// Decided after deck 19.
const SHORT: &str = "name = \"short\"\nseed = 3\ngame = \"einstein\"\ndecks = 400\n[sequential]\nelo1 = 60\n\
    [[player]]\nkind = \"mcts\"\niterations = 40\n[[player]]\nkind = \"random\"\n";

/// The results that a test has seen choose no other test, and games beyond its decision count for nothing.
#[test]
fn hypotheses_are_fixed_before_the_first_game() {
    let scratch = Scratch::new();
    let file = scratch.write("short.toml", SHORT);
    let (folder, other) = (scratch.path("run"), scratch.path("other"));
    succeed(&["run", &file, "--out", &folder]);
    let whole = digest(&folder);
    let stricter = scratch.write("stricter.toml", &SHORT.replace("elo1 = 60", "elo1 = 60\nalpha = 0.0001"));
    for (from, to) in [("elo1 = 60", "elo1 = 20"), ("[sequential]\nelo1 = 60\n", "")] {
        let changed = scratch.write("changed.toml", &SHORT.replace(from, to));
        for file in [&stricter, &changed] {
            for more in [&[][..], &["--extend"]] {
                let line = fail(&[&["run", file, "--out", &folder], more].concat(), 2);
                assert!(line.contains("[sequential] had elo = logistic, elo0 = 0, elo1 = 60"), "{line}");
                assert!(line.contains("; a test is fixed before the first game; choose another folder"), "{line}");
            }
        }
    }
    assert_eq!(digest(&folder), whole);
    // Before this rule a run went on under the other hypotheses, in the same journal or, with --extend, in another one.
    succeed(&["run", &stricter, "--out", &other]);
    let lines = |folder: &str| scratch.read(&format!("{folder}/games.jsonl"));
    let first = lines("run");
    let longer = lines("other");
    let beyond = longer.lines().skip(first.lines().count()).collect::<Vec<_>>();
    scratch.write("run/games.jsonl", &format!("{first}{}\n", beyond.join("\n")));
    let passed_over = format!("{} games beyond deck 19, which ends the test, are passed over", beyond.len());
    let says = |words: &str| {
        for command in ["status", "digest", "report"] {
            let said = say(&[command, &folder]);
            assert!(unwrapped(&format!("{} {}", said.out, said.err)).contains(words), "{command}: {said:?}");
        }
    };
    says(&passed_over);
    evouct::registry::add_games();
    let experiment = Experiment::load(Path::new(&stricter), Overrides::default()).unwrap();
    let header = Header { restated: 1, ..Header::of(&experiment, None) };
    drop(JournalWriter::open(&scratch.0.path().join("run/games-1.jsonl"), &header).unwrap());
    says(&passed_over);
    says(
        "the hypotheses changed after games were played: [sequential] had elo = logistic, elo0 = 0, elo1 = 60, alpha = 0.05",
    );
    assert_eq!(digest(&folder), whole);
    let report: Value = serde_json::from_str(&scratch.read("run/report.json")).unwrap();
    assert_eq!((&report["finished"], &report["sequential"]["decided_after"]), (&json!(38), &json!(19)));
    assert_eq!(report["sequential"]["alpha"], json!(0.05));
}
