//! `evouct power`: decks that tests need, from kept games and from a pilot.

use crate::program;
use program::{Scratch, fail, json, say, succeed};
use serde_json::Value;

fn file(decks: u32, more: &str) -> String {
    format!(
        "name = \"sizes\"\ngame = \"einstein\"\nseed = 3\ndecks = {decks}\n{more}[[player]]\nname = \"A\"\n\
         kind = \"random\"\n[[player]]\nname = \"B\"\nkind = \"mcts\"\niterations = 4\n[[player]]\nname = \"C\"\n\
         kind = \"mcts\"\niterations = 8\n"
    )
}

#[test]
fn kept_games_tell_how_many_decks_a_test_needs() {
    let scratch = Scratch::new();
    let experiment = scratch.write("sizes.toml", &file(12, ""));
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let report = serde_json::from_str::<Value>(&scratch.read("run/report.json")).unwrap();
    let plan =
        json(&["power", &folder, "--difference", "0.25", "--interval", "0.5", "--power", "0.9", "--format", "json"]);
    assert_eq!((plan["tests"].as_u64(), plan["unit"].as_str()), (Some(3), Some("decks")));
    let mut most = 0;
    for (row, pair) in plan["pairs"].as_array().unwrap().iter().zip(report["significance"].as_array().unwrap()) {
        assert_eq!((&row["a"], &row["b"], &row["known"]), (&pair["a"], &pair["b"], &pair["units"]));
        let deviation = pair["paired"]["value"]["standard_error"].as_f64().unwrap() * 12_f64.sqrt();
        assert!((row["deviation"].as_f64().unwrap() - deviation).abs() < 1e-12);
        // By the normal distribution: (2.394 + 1.282)² deviations² for 5 % of three and a power of 90 %.
        let [needed, narrow] = ["for_difference", "for_interval"].map(|key| row[key].as_u64().unwrap());
        let by_normal = (3.676 * deviation / 0.25).powi(2);
        assert!((0.0..6.0).contains(&(needed as f64 - by_normal)), "{needed} {by_normal}");
        assert!((0.0..4.0).contains(&(narrow as f64 - (1.96 * deviation / 0.5).powi(2))), "{narrow}");
        // So many decks, known, find that difference.
        assert!(row["found"].as_f64().unwrap() > 0.25);
        most = most.max(needed).max(narrow);
    }
    assert_eq!((plan["decks"].as_u64(), plan["games"].as_u64()), (Some(most), Some(6 * most)));

    let text = succeed(&["power", &folder, "--difference", "0.25"]);
    let words = program::unwrapped(&text);
    assert!(words.contains("per match find a difference of 0.25 points per game with probability 80 % in every pair"));
    assert!(
        words.contains("Holm's correction over 3 pairs")
            && words.contains("Thinking time: ")
            && words.contains(" core-hours, "),
        "{text}"
    );
    // Without a wish it says what the decks find.
    assert!(succeed(&["power", &folder]).contains("found at 80 %"));
    assert!(succeed(&["power", &folder, "--format", "md"]).contains("| player | opponent | decks |"));
}

#[test]
fn pairs_that_are_not_known_are_named_and_counted() {
    let scratch = Scratch::new();
    let experiment = scratch.write("sizes.toml", &file(12, ""));
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    // The games of A and B are left out.
    let journal = scratch.read("run/games.jsonl");
    let (header, games) = journal.split_once('\n').unwrap();
    let identity = |name: &str| {
        let before = format!("\"name\":\"{name}\",\"identity\":\"");
        &header[header.find(&before).unwrap() + before.len()..][..8]
    };
    let is_other = |line: &&str| !(line.contains(identity("A")) && line.contains(identity("B")));
    let kept: Vec<&str> = games.lines().filter(is_other).collect();
    assert!(kept.len() < games.lines().count(), "{header}");
    scratch.write("run/games.jsonl", &format!("{header}\n{}\n", kept.join("\n")));
    let plan = json(&["power", &folder, "--difference", "0.25", "--format", "json"]);
    assert_eq!((plan["tests"].as_u64(), plan["pairs"].as_array().unwrap().len()), (Some(3), 2));
    assert_eq!(plan["unknown"], serde_json::json!([["A", "B"]]));
    let words = program::unwrapped(&succeed(&["power", &folder, "--difference", "0.25", "--power", "0.57"]));
    assert!(words.contains("with probability 57 % in every pair that is known"), "{words}");
    assert!(words.contains("Nothing is known of how the results of A against B vary"), "{words}");
    assert!(words.contains("over 3 pairs"), "{words}");

    // Results that are all equal say nothing either: two random players with seed 3 on two decks.
    let player = |name: &str| format!("[[player]]\nname = \"{name}\"\nkind = \"random\"\n");
    let two = format!("name = \"equal\"\ngame = \"einstein\"\nseed = 3\ndecks = 2\n{}{}", player("A"), player("B"));
    let folder = scratch.path("equal");
    succeed(&["run", &scratch.write("equal.toml", &two), "--out", &folder]);
    let plan = json(&["power", &folder, "--difference", "1", "--format", "json"]);
    let row = &plan["pairs"][0];
    assert_eq!((row["known"].as_u64(), row["deviation"].as_f64()), (Some(2), Some(0.0)));
    assert!(row["found"].is_null() && row["for_difference"].is_null() && plan["decks"].is_null(), "{plan}");
    assert_eq!(plan["unknown"], serde_json::json!([["A", "B"]]));
    let words = program::unwrapped(&succeed(&["power", &folder, "--difference", "1"]));
    assert!(words.contains("or have equal results only") && !words.contains("per match find"), "{words}");
    assert!(words.contains("Deviations of fewer than 10 decks are rough."), "{words}");
}

#[test]
fn games_that_are_not_mirrored_are_units_themselves() {
    let scratch = Scratch::new();
    let experiment = scratch.write("sizes.toml", &file(12, "mirror = false\nschedule = \"gauntlet\"\n"));
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let plan = json(&["power", &folder, "--difference", "0.25", "--format", "json"]);
    // The first player meets both others, in two games on each deck.
    assert_eq!((plan["tests"].as_u64(), plan["unit"].as_str()), (Some(2), Some("games")));
    let rows = plan["pairs"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["a"] == "A" && row["known"] == 24));
    let most = rows.iter().map(|row| row["for_difference"].as_u64().unwrap()).max().unwrap();
    assert_eq!(plan["decks"].as_u64(), Some(most.div_ceil(2)));
    assert_eq!(plan["games"].as_u64(), Some(4 * most.div_ceil(2)));
}

#[test]
fn a_pilot_plays_whole_decks_and_records_nothing() {
    let scratch = Scratch::new();
    let experiment = scratch.write("sizes.toml", &file(1000, ""));
    let said = say(&["power", &experiment, "--pilot", "0.001", "--threads", "1", "--difference", "0.5"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("plays sizes for 0.001 s, and records nothing"), "{}", said.err);
    assert!(said.out.contains("decks for 0.5"), "{}", said.out);
    assert!(!scratch.exists("runs") && !std::path::Path::new("runs/sizes").exists());

    // What cannot be, in one line.
    let one = scratch.write("one.toml", &file(1, ""));
    let said = say(&["power", &one, "--pilot", "0.001"]);
    assert!(said.code == Some(2) && said.err.contains("no two players have met on two decks"), "{}", said.err);
    let program = "[[player]]\nname = \"P\"\nkind = \"external\"\ncommand = [\"true\"]\n";
    let started = scratch.write("started.toml", &(file(9, "") + program));
    let line = fail(&["power", &started], 2);
    assert!(line.contains("a pilot would start P (true); --pilot 60 does"), "{line}");
    assert!(
        fail(&["power", &experiment, "--difference", "-1"], 2).contains("expected a number from 0.000001 to 1000000")
    );
    assert!(fail(&["power", &experiment, "--power", "1"], 2).contains("from 0.5 to 0.9999"));
    let folder = scratch.path("");
    assert!(fail(&["power", &folder, "--pilot", "5"], 2).contains("--pilot is for a file"));
}

#[test]
fn looks_cost_decks_and_save_games() {
    let scratch = Scratch::new();
    let experiment = scratch.write("sizes.toml", &file(40, "[sequential]\nlooks = 4\n"));
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let plan = json(&["power", &folder, "--difference", "0.25", "--power", "0.9", "--format", "json"]);
    let inflation = plan["looks"]["inflation"].as_f64().unwrap();
    assert!(plan["looks"]["count"] == 4 && (1.02..1.12).contains(&inflation), "{plan}");
    let mut most = 0;
    for row in plan["pairs"].as_array().unwrap() {
        let plain = evouct::stats::power::units(0.25 / row["deviation"].as_f64().unwrap(), 0.05 / 3.0, 0.9).unwrap();
        let needed = row["for_difference"].as_u64().unwrap();
        assert_eq!(needed, ((plain as f64 * inflation).ceil() as u64).max(40), "{row}");
        most = most.max(needed);
    }
    let (games, expected) = (plan["games"].as_u64().unwrap(), plan["looks"]["expected_games"].as_u64().unwrap());
    assert_eq!(games, 6 * most);
    // Of those that differ so much that nine of ten are found, a third is not needed; pairs that vary less stop earlier.
    assert!(expected < games * 3 / 4 && expected > games / 4, "{expected} of {games}");
    let words = program::unwrapped(&succeed(&["power", &folder, "--difference", "0.25", "--power", "0.9"]));
    assert!(words.contains("in every pair: at most ") && words.contains("Thinking time: at most "), "{words}");
    let cost = format!(
        "With 4 looks {inflation:.2} times the decks of a league without looks are planned for the same power."
    );
    assert!(
        words.contains(&cost) && words.contains(" games are played on average if all pairs differ by 0.25 points.")
    );
    assert!(words.contains("at 5 % over all looks after Holm's correction over 3 pairs"), "{words}");
    // Few decks are as many as the looks need, and a pilot is long before the first look.
    let said =
        say(&["power", &experiment, "--pilot", "0.001", "--threads", "1", "--difference", "50", "--format", "json"]);
    let plan: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(plan["decks"], 40, "{plan}");
    let line = fail(&["power", &folder, "--interval", "0.5"], 2);
    assert!(line.contains("--interval is for a fixed number of decks"), "{line}");
}

#[test]
fn a_match_under_a_sequential_test_may_end_earlier() {
    let scratch = Scratch::new();
    let two = |more: &str| file(12, more).replace("[[player]]\nname = \"C\"\nkind = \"mcts\"\niterations = 8\n", "");
    let says =
        "All numbers are for decks that are fixed in advance; the sequential test of this match may end earlier.";
    for (more, may_end) in [("", false), ("[sequential]\nelo1 = 50\n", true)] {
        let experiment = scratch.write("sizes.toml", &two(more));
        let folder = scratch.path(if may_end { "test" } else { "plain" });
        succeed(&["run", &experiment, "--out", &folder]);
        let words = program::unwrapped(&succeed(&["power", &folder, "--difference", "0.25"]));
        assert_eq!(words.contains(says), may_end, "{words}");
        let plan = json(&["power", &folder, "--difference", "0.25", "--format", "json"]);
        assert_eq!(plan.get("may_end_earlier"), may_end.then_some(&Value::Bool(true)));
    }
}
