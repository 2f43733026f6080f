//! One word for one thing on the command line: earlier spellings work, and no help shows them.

use crate::program::{LEAGUE, Scratch, fail, succeed};
use serde_json::Value;

const RANDOM: &str = "name = \"small\"\nseed = 3\ngames_per_match = 2\n[[player]]\nname = \"a\"\nkind = \"random\"\n\
                      [[player]]\nname = \"b\"\nkind = \"simple1\"\n";

/// The names of the commands that `evouct --help` lists, in their groups.
fn listed() -> Vec<String> {
    let help = succeed(&["--help"]);
    let commands = help.split("\nOptions:").next().unwrap().lines().filter_map(|line| line.strip_prefix("  "));
    commands.filter(|line| !line.starts_with(' ')).map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn help_has_groups_and_fits_eighty_columns() {
    let help = succeed(&["--help"]);
    let groups: Vec<&str> = help.lines().filter(|line| line.ends_with(':') && !line.starts_with(' ')).collect();
    let expected = [
        "Start:",
        "Play:",
        "Experiment:",
        "Evolve and tune:",
        "Look:",
        "Formulas:",
        "Cluster and machine:",
        "Carcassonne:",
    ];
    assert_eq!(groups[..8], expected, "{help}");
    let names = listed();
    assert!(names.len() > 25, "{help}");
    let inner = [["carcassonne", "rules"], ["carcassonne", "positions"]];
    let commands = names.iter().map(|name| vec![name.as_str()]).chain(inner.iter().map(|words| words.to_vec()));
    for command in commands {
        let help = succeed(&[&command[..], &["--help"]].concat());
        let wide = help.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{command:?}");
        for earlier in [" --json", " --as ", " --to ", " --game <ID>", "games-per-match", " --budget", "FOLDER"] {
            // A folder that is no run keeps its name, and a budget is a time.
            let is_other = earlier == "FOLDER" && ["man", "reference"].contains(&command[0])
                || earlier == " --budget" && command[0] == "evolve";
            assert!(is_other || !help.contains(earlier), "{command:?} shows {earlier}");
        }
    }
}

#[test]
fn a_mistyped_command_has_one_suggestion() {
    for (mistyped, meant) in [("playr", "play"), ("rnu", "run"), ("game", "games"), ("formula", "formulas")] {
        let said = fail(&[mistyped], 2);
        assert!(said.contains(&format!("'{mistyped}'; did you mean '{meant}'? (see --help)")), "{said}");
    }
    assert!(fail(&["carcassonne", "ruels"], 2).contains("did you mean 'rules'?"));
}

#[test]
fn earlier_spellings_say_the_same() {
    let scratch = Scratch::new();
    let file = scratch.write("small.toml", RANDOM);
    let run = scratch.path("run");
    succeed(&["run", &file, "--out", &run, "--games-per-match", "2"]);
    let id = succeed(&["replay", &run, "--list"]).lines().nth(2).unwrap().split(' ').next().unwrap().to_owned();
    let matrix = r#"{ "tables": { "I": { "players": ["a", "b"], "games_per_match": 3, "wins": [[null, [2, 1]], [[1, 2], null]] } } }"#;
    let matrix = scratch.write("matrix.json", matrix);
    let formula = "Q + sqrt(ln(N)/n)";
    let pairs: [(&[&str], &[&str]); 13] = [
        (&["expr", formula, "--to", "latex"], &["expr", formula, "--format", "latex"]),
        (&["expr", formula, "--to", "json"], &["expr", formula, "--format", "tree"]),
        (&["expr", formula, "--json"], &["expr", formula, "--format", "json"]),
        (&["digest", &run, "--json"], &["digest", &run, "--format", "json"]),
        (&["status", &run, "--json"], &["status", &run, "--format", "json"]),
        (&["report", &run, "--json"], &["report", &run, "--format", "json"]),
        (&["compare", &run, &run, "--json"], &["compare", &run, &run, "--format", "json"]),
        (&["points-table", &matrix, "--json"], &["points-table", &matrix, "--format", "json"]),
        (&["league", "table", &matrix], &["points-table", &matrix]),
        (&["branching", &run, "--json"], &["carcassonne", "branching", &run, "--format", "json"]),
        (&["replay", &run, "--game", &id], &["replay", &run, "--id", &id]),
        (&["verify", &run, "--game", &id], &["verify", &run, "--id", &id]),
        (&["rules", "perft", "--depth", "1"], &["carcassonne", "rules", "perft", "--depth", "1"]),
    ];
    for (earlier, now) in pairs {
        let said = succeed(now);
        assert!(said == succeed(earlier) && !said.is_empty(), "{earlier:?} and {now:?}");
    }
    for (earlier, now) in [("mend", "repair"), ("verdicts", "compare-printed")] {
        assert_eq!(succeed(&[earlier, "--help"]), succeed(&[now, "--help"]));
    }
    assert!(fail(&["digest", &run, "--json", "--format", "text"], 2).contains("cannot be used with"));
}

/// Both names of the number of decks make the same experiment, with the same records and digest.
#[test]
fn decks_are_games_per_match() {
    let scratch = Scratch::new();
    let of = |name: &str, text: &str, more: &[&str]| -> Value {
        let file = scratch.write(&format!("{name}.toml"), text);
        succeed(&[&["run", &file, "--out", &scratch.path(name)], more].concat());
        let mut manifest: Value = serde_json::from_str(&scratch.read(&format!("{name}/manifest.json"))).unwrap();
        manifest["journals"].take();
        manifest
    };
    assert!(RANDOM.contains("games_per_match = 2"));
    let earlier = of("earlier", RANDOM, &[]);
    assert_eq!(earlier, of("now", &RANDOM.replace("games_per_match", "decks"), &[]));
    assert_eq!(earlier, of("option", &RANDOM.replace("games_per_match = 2", "decks = 7"), &["--decks", "2"]));
    assert_eq!(earlier["experiment"]["games_per_match"], 2, "records keep the name");
    // So do both names of the preset.
    let preset = |name: &str, preset: &str| of(name, &format!("preset = \"{preset}\"\n{RANDOM}"), &[]);
    assert_eq!(preset("text", "text"), earlier);
    assert_eq!(preset("printed", "as-printed"), earlier);
    let both = scratch.write("both.toml", &RANDOM.replace("games_per_match", "decks = 3\ngames_per_match"));
    assert!(fail(&["run", &both, "--dry-run"], 2).contains("given twice"));
}

#[test]
fn formulas_have_one_list_of_notations() {
    let scratch = Scratch::new();
    let run = scratch.path("run");
    succeed(&["run", &scratch.write("small.toml", LEAGUE), "--out", &run]);
    for notation in ["infix", "prefix", "json", "tree", "player", "latex", "sympy", "python", "numpy", "c", "dot"] {
        for command in [&["expr", "Q + n/N"][..], &["formulas", &run, "--top", "2"]] {
            let said = succeed(&[command, &["--format", notation]].concat());
            assert!(!said.trim().is_empty(), "{command:?} {notation}");
        }
    }
    let objects: Vec<Value> = serde_json::from_str(&succeed(&["formulas", &run, "--format", "json"])).unwrap();
    assert!(objects[0]["name"] == "formula_1" && objects[0]["infix"].is_string(), "{objects:?}");
    // The player of a formula plays.
    let player = succeed(&["expr", "Q + n/N", "--ln", "clamp", "--format", "player"]);
    let toml = format!("name = \"a\"\ndecks = 1\n{player}\niterations = 5\n[[player]]\nkind = \"random\"\n");
    assert!(succeed(&["run", &scratch.write("a.toml", &toml), "--dry-run"]).contains("ln=clamp"), "{toml}");
    assert!(fail(&["expr", "Q", "--format", "lates"], 2).contains("latex"));
}

#[test]
fn games_and_kinds_are_listed_as_text_markdown_and_json() {
    for command in [&["games"][..], &["players"], &["games", "einstein"], &["players", "mcts"]] {
        let of = |format: &str| succeed(&[command, &["--format", format]].concat());
        assert!(of("md").lines().any(|line| line.starts_with('#')), "{command:?}");
        let json: Value = serde_json::from_str(&of("json")).unwrap();
        let one = if command.len() > 1 { &json } else { &json[0] };
        assert!(one["name"].is_string() && one["about"].is_string(), "{command:?} {json}");
        assert_eq!(of("text"), succeed(command));
    }
    assert!(succeed(&["games"]).contains("einstein") && succeed(&["games", "carcassonne"]).contains("expansions"));
    assert!(fail(&["games", "einstien"], 2).contains("did you mean einstein?"));
    assert!(fail(&["players", "--format", "html"], 2).contains("text, md, csv, json"));
}

#[test]
fn reports_and_comparisons_have_one_list_of_forms() {
    let scratch = Scratch::new();
    let run = scratch.path("run");
    succeed(&["run", &scratch.write("small.toml", RANDOM), "--out", &run]);
    let of = |format: &str| succeed(&["report", &run, "--format", format]);
    assert_eq!(of("html"), scratch.read("run/report.html"));
    assert_eq!(of("latex"), scratch.read("run/tables.tex"));
    assert!(of("json").contains("\"headline\"") && of("md").contains("| player |"));
    let of = |format: &str| succeed(&["compare", &run, &run, "--format", format]);
    assert!(of("html").starts_with("<!DOCTYPE html>") && of("md").contains("| player | run |"));
    assert!(of("csv").starts_with("# Players of the first run"), "{}", of("csv"));
}

#[test]
fn players_of_play_have_the_option_of_other_commands() {
    let seats = succeed(&["play", "-p", "random", "--player", "simple1", "--seed", "3"]);
    assert!(seats.contains("player 2 (simple1)"), "{seats}");
    let game = |said: &str| said.split("\nplayer 1 (").next().unwrap().to_owned();
    assert_eq!(game(&seats), game(&succeed(&["play", "-1", "random", "-2", "simple1", "--seed", "3"])));
    assert!(fail(&["play", "-1", "random", "-p", "random"], 2).contains("cannot be used with"));
}
