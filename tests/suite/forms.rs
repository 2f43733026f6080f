//! The forms in which commands print lists and tables, and what they say to words that are nearly right.

use crate::program;
use program::{LEAGUE, Scratch, fail, succeed};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// The rows of a CSV table with a title above it, its header first.
fn rows(csv: &str) -> Vec<Vec<String>> {
    assert!(csv.starts_with("# "), "{csv}");
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).comment(Some(b'#')).from_reader(csv.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn tables_are_text_markdown_and_csv_with_the_same_numbers() {
    let scratch = Scratch::new();
    let run = scratch.path("run");
    let long = format!("\"{}\"", "MCTS with a name that is longer than lists were wide ".repeat(2).trim());
    succeed(&["run", &scratch.write("small.toml", &LEAGUE.replace("\"MCTS\"", &long)), "--out", &run]);
    let positions = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/heyden-2009/states.jsonl");
    let first = std::fs::read_to_string(positions).unwrap().lines().next().unwrap().to_owned() + "\n";
    let states = scratch.write("one.jsonl", &first);
    let commands: [(&[&str], usize); 4] = [
        (&["carcassonne", "branching", &run], 6),
        (&["carcassonne", "features", &run], 7),
        (&["carcassonne", "positions", &states, "-p", "random", "-p", "flat-mc:iterations=20"], 7),
        (&["replay", &run, "--list"], 6),
    ];
    for (command, columns) in commands {
        let form = |name: &str| succeed(&[command, &["--format", name]].concat());
        let table = rows(&form("csv"));
        assert!(table.len() > 1 && table.iter().all(|row| row.len() == columns), "{command:?}: {table:?}");
        let markdown = form("md");
        let lines = markdown.lines().filter(|line| line.starts_with('|')).count();
        assert_eq!(lines, table.len() + 1, "{command:?}: {markdown}");
        // Of times each run has its own.
        let text = succeed(command);
        let same = |cell: &&String| !command.contains(&"positions") && !cell.is_empty();
        let missing = table[1].iter().filter(same).find(|cell| !text.contains(cell.as_str()));
        assert_eq!(missing, None, "{command:?}: {text}");
        // The title stands above it once, in every form.
        let title = form("csv").lines().next().unwrap()[2..].to_owned();
        assert!(text.starts_with(&format!("{title}\n")) && text.matches(&title).count() == 1, "{command:?}: {text}");
        assert!(text.contains(&table[0][1]) && form("json").starts_with(['{', '[']), "{command:?}: {text}");
    }
    let listed: Value = serde_json::from_str(&succeed(&["replay", &run, "--list", "--format", "json"])).unwrap();
    let games = rows(&succeed(&["replay", &run, "--list", "--format", "csv"]));
    assert_eq!(games[0], ["id", "deck", "player 1", "player 2", "scores", "turns"]);
    for (row, game) in games[1..].iter().zip(listed.as_array().unwrap()) {
        let score = |seat: usize| game["scores"][seat].to_string();
        let found = [&row[0], &row[1], &row[2], &row[3], &row[4], &row[5]].map(String::as_str);
        let expected = [
            game["id"].as_str().unwrap().to_owned(),
            game["deck"].to_string(),
            game["players"][0].as_str().unwrap().to_owned(),
            game["players"][1].as_str().unwrap().to_owned(),
            format!("{}-{}", score(0), score(1)),
            game["turns"].to_string(),
        ];
        assert_eq!(found, expected.each_ref().map(String::as_str));
    }
    assert_eq!(games.len(), 1 + listed.as_array().unwrap().len());
    assert!(fail(&["replay", &run, "--format", "csv"], 2).contains("--list"));
}

#[test]
fn games_and_kinds_are_csv_too() {
    let all = [&["games"][..], &["games", "einstein"], &["players"], &["players", "mcts"]];
    let [games, einstein, kinds, mcts] =
        all.map(|command| succeed(&[command, &["--format", "csv"]].concat())).map(|csv| rows(&csv));
    assert!(games[0] == ["game", "about"] && games.iter().any(|row| row[0] == "einstein"), "{games:?}");
    assert!(einstein.iter().any(|row| row[0] == "rows") && einstein.iter().any(|row| row[0] == "race"), "{einstein:?}");
    assert!(kinds[0] == ["kind", "about", "source"] && kinds.iter().any(|row| row[0] == "mcts"), "{kinds:?}");
    let iterations = mcts.iter().find(|row| row[0] == "iterations").unwrap();
    assert_eq!(iterations[2..], ["a whole number from 1 to 1000000000", "400", "400"]);
}

#[test]
fn a_kind_says_what_the_names_of_its_formulas_mean() {
    let said = program::unwrapped(&succeed(&["players", "formula"]));
    let (_, names) = said.split_once("Names in formulas:").unwrap();
    for (name, about) in [("Q", "the mean reward of the child"), ("n", "the visits of the child"), ("sd", "deviation")]
    {
        assert!(names.contains(&format!(" {name} ")) && names.contains(about), "{name}: {names}");
    }
    for terminal in evouct::registry::terminals() {
        assert!(names.contains(terminal.about().trim_end_matches('.')), "{:?}: {names}", terminal.name());
    }
    assert!(names.contains(" dv "), "{names}");
    assert!(!succeed(&["players", "random"]).contains("Names in formulas"));
}

#[test]
fn words_that_people_try_name_the_commands() {
    for (word, meant) in [
        ("list", "'games' or 'players'"),
        ("lst", "'games' or 'players'"),
        ("table", "'points-table'"),
        ("cluster", "'batch'"),
        ("open", "'gui' or 'report'"),
        ("replya", "'replay'"),
    ] {
        let line = fail(&[word], 2);
        assert!(line.contains(&format!("; did you mean {meant}?")), "{line}");
    }
    assert!(!fail(&["xyzzy"], 2).contains("did you mean"));
}

#[test]
fn an_engine_takes_its_player_as_other_commands_do() {
    let told = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_evouct"));
        command.arg("engine").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut engine = command.spawn().unwrap();
        // One that was refused reads nothing.
        drop(engine.stdin.take().unwrap().write_all(b"newgame 2 1 5\nnothing\nquit\n"));
        let output = engine.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let earlier = told(&["mcts:iterations=20"]);
    assert!(earlier.0 == Some(0) && !earlier.1.is_empty(), "{earlier:?}");
    assert_eq!(told(&["--player", "mcts:iterations=20"]), earlier);
    assert_eq!(told(&["-p", "mcts:iterations=20"]), earlier);
    assert_eq!(told(&[]).0, Some(2));
    assert_eq!(told(&["mcts", "-p", "mcts"]).0, Some(2));
    assert!(fail(&["engine"], 2).contains("--player"));
    let help = succeed(&["engine", "--help"]);
    assert!(help.contains("-p, --player <PLAYER>") && !help.to_lowercase().contains("earlier"), "{help}");
}

#[test]
fn a_measurement_is_one_object_of_figures() {
    let figures: Value = serde_json::from_str(&succeed(&["bench", "evolve", "--seconds", "0.01", "--json"])).unwrap();
    let figures = figures.as_object().unwrap();
    assert!(figures.len() >= 2 && figures.values().all(|figure| figure.as_f64().unwrap() > 0.0), "{figures:?}");
}
