//! `evouct rules` and `evouct league` on recorded data: no mismatch, and every changed field is detected.

use crate::program;
use evouct::carcassonne::ImportedGame;
use evouct::sampling::below;
use evouct::seed::Key;
use evouct::store::read_lines;
use program::{Scratch, fail, say, succeed};
use rand::Rng;
use serde_json::{Value, json};
use std::path::Path;

const FILES: [&str; 5] = [
    "tests/corpus/base-a.jsonl.gz",
    "tests/corpus/base-b.jsonl.gz",
    "crates/bench/src/heyden-states.jsonl",
    "tests/corpus/river-inns.jsonl.gz",
    "tests/corpus/abbots.jsonl.gz",
];

fn games(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    read_lines(&path).unwrap().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

#[test]
fn recorded_games_of_two_other_engines_agree() {
    let out = succeed(&["rules", "check", FILES[0], FILES[1], FILES[2], FILES[3], FILES[4]]);
    assert!(out.contains("base-a.jsonl.gz: 160 games, 11352 turns checked, 0 mismatches"), "{out}");
    assert!(out.contains("base-b.jsonl.gz: 120 games, 8518 turns checked, 0 mismatches"), "{out}");
    assert!(out.contains("heyden-states.jsonl: 50 games, 741 turns checked, 0 mismatches"), "{out}");
    assert!(out.contains("river-inns.jsonl.gz: 40 games, 4040 turns checked, 0 mismatches"), "{out}");
    assert!(out.contains("abbots.jsonl.gz: 40 games, 2838 turns checked, 0 mismatches"), "{out}");
}

/// Changes one field of a game. `None` if the game has nothing to change.
fn change(game: &mut Value, field: &str, rng: &mut impl Rng) -> Option<()> {
    let turns = game["turns"].as_array()?.len();
    let players = game["players"].as_u64()?;
    // A changed cell of a late turn has few later turns that could reveal it.
    let number = below(rng, turns - 12);
    let turn = &mut game["turns"][number];
    let seat = below(rng, players as usize);
    match field {
        "player" => turn["player"] = json!((turn["player"].as_u64()? + 1) % players),
        "tile" => {
            let other = ["A", "E", "L", "U", "V", "W", "X"][below(rng, 7)];
            if turn["tile"] == other {
                return None;
            }
            turn["tile"] = json!(other);
        }
        "x" | "y" => turn[field] = json!(turn[field].as_i64()? + [-1, 1][below(rng, 2)]),
        "rot" => turn["rot"] = json!((turn["rot"].as_u64()? + 1 + below(rng, 3) as u64) % 4),
        "meeple kind" => {
            let kind = turn["meeple"]["kind"].as_str()?;
            let kinds = ["city", "road", "field", "cloister"];
            turn["meeple"]["kind"] = json!(kinds[(kinds.iter().position(|k| *k == kind)? + 1 + below(rng, 3)) % 4]);
        }
        "meeple" => {
            turn["meeple"] = if turn["meeple"].is_null() { json!({"kind": "city", "at": "N"}) } else { Value::Null }
        }
        "n_placements" | "n_meeple_options" => turn[field] = json!(turn[field].as_u64()? + 1),
        "scores" => turn["scores"][seat] = json!(turn["scores"][seat].as_u64()? + 1),
        "meeples_left" => turn["meeples_left"][seat] = json!((turn["meeples_left"][seat].as_u64()? + 1) % 8),
        "big_left" | "abbots_left" => turn[field][seat] = json!(1 - turn[field].get(seat)?.as_u64()?),
        "big" | "abbot" => turn["meeple"][field] = json!(!turn["meeple"].as_object()?.contains_key(field)),
        "recall" => {
            turn["meeple"].is_null().then_some(())?;
            turn["recall"] = if turn["recall"].is_null() { json!({"x": 0, "y": 0}) } else { Value::Null };
        }
        "final" => game["final"][seat] = json!(game["final"].get(seat)?.as_u64()? + 1),
        "discarded" => {
            let list = game["discarded"].as_array_mut()?;
            if list.is_empty() { list.push(json!({"before_turn": number, "tile": "U"})) } else { list.clear() }
        }
        other => panic!("no change is defined for {other}"),
    }
    Some(())
}

#[test]
fn every_changed_field_is_detected_and_named() {
    let fields = [
        "player",
        "tile",
        "x",
        "y",
        "rot",
        "meeple kind",
        "meeple",
        "n_placements",
        "n_meeple_options",
        "scores",
        "meeples_left",
        "final",
        "discarded",
    ];
    check_changes(&FILES[..2], &fields, 60);
    // With expansions. No tile was set aside in these games.
    check_changes(&FILES[3..4], &[&fields[..12], &["big", "big_left"]].concat(), 20);
    check_changes(&FILES[4..], &[&fields[..12], &["abbot", "abbots_left", "recall"]].concat(), 20);
}

/// Changes each of these fields in as many games, one at a time.
fn check_changes(files: &[&str], fields: &[&str], changes: usize) {
    let mut rng = Key::experiment(17).stream();
    let games: Vec<Value> = files.iter().flat_map(|file| games(file)).collect();
    for field in fields.iter().copied() {
        let (mut changed, mut named) = (0, 0);
        while changed < changes {
            let mut game = games[below(&mut rng, games.len())].clone();
            let before = game.clone();
            if change(&mut game, field, &mut rng).is_none() || game == before {
                continue;
            }
            changed += 1;
            let recording: ImportedGame = serde_json::from_value(game.clone()).unwrap();
            let Err(mismatch) = recording.check() else { panic!("{field}: a changed game passes: {game}") };
            assert!(mismatch.turn.is_some() || ["final", "turns", "discarded"].contains(&mismatch.field), "{mismatch}");
            named += usize::from(mismatch.field.contains(field) || field.contains(mismatch.field));
        }
        // A changed placement can be legal. Then a later field reveals it. All other fields are named themselves.
        if !["tile", "rot", "x", "y", "meeple", "meeple kind", "big", "abbot", "recall"].contains(&field) {
            assert!(6 * named > 5 * changed, "{field} is named {named} times of {changed}");
        }
    }
}

#[test]
fn a_meeple_moved_to_another_feature_is_detected() {
    // Every other segment of the tile, in turns with enough later turns to reveal the change.
    let (mut detected, mut tried) = (0, 0);
    for game in games(FILES[0]).into_iter().take(40) {
        for number in (0..40).step_by(7) {
            let turn = &game["turns"][number];
            let Some(kind) = turn["meeple"]["kind"].as_str() else { continue };
            for (other, places) in [("city", ["N", "E", "S", "W"]), ("road", ["N", "E", "S", "W"])] {
                if other == kind {
                    continue;
                }
                for at in places {
                    let mut game = game.clone();
                    game["turns"][number]["meeple"] = json!({"kind": other, "at": at});
                    let recording: ImportedGame = serde_json::from_value(game).unwrap();
                    tried += 1;
                    detected += usize::from(recording.check().is_err());
                }
            }
        }
    }
    // If both features have the same value and neither meeple affects a later move, the changed record is valid and no
    // checker can detect the change.
    assert!(tried > 200 && detected * 100 >= 99 * tried, "{detected} of {tried}");
}

#[test]
fn the_command_names_game_turn_and_field() {
    let scratch = Scratch::new();
    let mut lines: Vec<String> = games(FILES[0]).into_iter().take(3).map(|game| game.to_string()).collect();
    let mut game: Value = serde_json::from_str(&lines[1]).unwrap();
    game["turns"][33]["n_placements"] = json!(99);
    lines[1] = game.to_string();
    let file = scratch.write("games.jsonl", &lines.join("\n"));
    let output = say(&["rules", "check", &file]);
    assert_eq!(output.code, Some(1));
    assert!(
        output.out.contains("games.jsonl: game 2 (line 2), turn 33, n_placements: recorded 99, by the rules "),
        "{}",
        output.out
    );
    let half = format!("{}\n{}\nnonsense", lines[0], &lines[2][..lines[2].len() / 2]);
    for (text, words) in [
        (half.as_str(), "games.jsonl: game 3 (line 3), not a recorded game: expected ident"),
        (&lines[0].replace("\"base\"", "\"river\""), "rules.tileset: recorded river, by the rules base, or"),
        (&lines[0].replace("\"players\":2", "\"players\":9"), "players: recorded 9, by the rules 2 to 5"),
    ] {
        let file = scratch.write("games.jsonl", text);
        let output = say(&["rules", "check", &file]);
        assert_eq!(output.code, Some(1), "{output:?}");
        assert!(output.out.contains(words), "{}", output.out);
    }
}

#[test]
fn a_file_of_another_format_is_refused_in_one_line() {
    let scratch = Scratch::new();
    let whole = games(FILES[0])[0].to_string();
    for (text, words) in [
        (
            "{\"players\": 2}",
            ":1: not a recorded game: missing field `rules`; docs/reference/recordings.md has the format",
        ),
        ("\n[Event \"Casual\"]\n[Site \"here\"]\n\n1. e4 e5\n", ":2: not a recorded game: expected value; docs"),
        ("<game>\n<turn/>\n</game>\n", ":1: not a recorded game: expected value; docs"),
        (&whole[..whole.len() / 2], ":1: not a recorded game: EOF while parsing"),
        ("", ": no game is recorded here"),
        ("\n\n", ": no game is recorded here"),
    ] {
        let other = scratch.write("other.txt", text);
        let good = scratch.write("good.jsonl", &whole);
        for files in [vec!["rules", "check", &other], vec!["carcassonne", "rules", "check", &good, &other]] {
            assert_eq!(say(&files).out, "", "nothing is checked");
            let line = fail(&files, 2);
            assert!(line.starts_with(&(other.clone() + words)), "{line}");
        }
    }
}

#[test]
fn perft_counts_positions() {
    assert_eq!(succeed(&["rules", "perft", "--depth", "2"]), "1 484\n2 329444\n");
    let position = "[base seats=2 two-tile-city=4 unplaceable=discard] C@0,-1r0";
    assert!(succeed(&["rules", "perft", "--depth", "1", "--position", position]).starts_with("1 "));
    let river = "[base+river seats=3 two-tile-city=4 unplaceable=discard farmers=false]";
    assert_eq!(succeed(&["rules", "perft", "--depth", "2", "--position", river]), "1 28\n2 633\n");
    let scratch = Scratch::new();
    let file =
        scratch.write("perft.txt", "# a comment\n[base seats=2 two-tile-city=4 unplaceable=discard] ; 484 ; 329445\n");
    let output = say(&["rules", "perft", "--file", &file]);
    assert_eq!(output.code, Some(1));
    assert!(
        output.out.contains("depth 1: 484 ok") && output.out.contains("depth 2: 329444 recorded 329445"),
        "{}",
        output.out
    );
}

#[test]
fn points_tables_of_the_paper() {
    let file = "crates/stats/tests/league-tables.json";
    let text = succeed(&["points-table", file, "--table", "IV"]);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["player", "points", "bwp", "blp", "wins", "losses", "draws", "pd"]);
    assert_eq!(lines[1], ["MCTS", "K=sqrt2", "31", "1", "2", "7", "3", "0", "40.08"]);
    let data: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let (mut rows, mut as_printed) = (0, 0);
    for name in ["IV", "VI", "VIII", "X"] {
        let json: Value = serde_json::from_str(&succeed(&["points-table", file, "--table", name, "--json"])).unwrap();
        for (place, row) in json[name].as_array().unwrap().iter().enumerate() {
            let printed = &data["tables"][name]["printed_ranking"][place];
            let of = |key: &str| row[key].as_f64().unwrap();
            let ours = ["points", "bwp", "blp", "wins", "losses", "draws", "pd"].map(of);
            let printed_numbers: Vec<f64> = (2..9).map(|column| printed[column].as_f64().unwrap()).collect();
            assert_eq!(row["player"], printed[1], "table {name}, place {place}");
            rows += 1;
            as_printed += usize::from(ours.as_slice() == printed_numbers);
            if ours.as_slice() != printed_numbers {
                let computed = data["tables"][name]["computed"].as_array().unwrap();
                let computed = computed.iter().find(|computed| computed["player"] == row["player"]).unwrap();
                assert_eq!(
                    (of("points"), of("bwp"), of("blp")),
                    (
                        computed["points"].as_f64().unwrap(),
                        computed["bwp"].as_f64().unwrap(),
                        computed["blp"].as_f64().unwrap(),
                    )
                );
            }
        }
    }
    assert_eq!((rows, as_printed), (28, 26));
    let scratch = Scratch::new();
    for text in [
        "",
        "{}",
        "{\"tables\": {\"A\": {\"players\": [\"a\"], \"games_per_match\": 1, \"wins\": [[null], [null]]}}}",
        "{\"tables\": {\"A\": {\"players\": [\"a\", \"b\"], \"games_per_match\": 1, \"wins\": [[null, [2, 0]], [[0, 0], null]]}}}",
    ] {
        let file = scratch.write("wrong.json", text);
        assert_eq!(say(&["points-table", &file]).code, Some(2), "{text}");
    }
    assert_eq!(say(&["points-table", file, "--table", "XX"]).code, Some(2));
}
