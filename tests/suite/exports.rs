//! What leaves evouct: formulas by its commands (`notations.rs` has their values), and records as tables.

use crate::{disturbed, program};
use program::{LEAGUE, Scratch, fail, fails, say, succeed};
use serde_json::Value;
use std::collections::BTreeMap;
#[cfg(feature = "parquet")]
use std::process::Command;

#[test]
fn a_formula_is_evaluated_with_the_variables_that_it_has() {
    assert!(succeed(&["expr", "sqrt(N)", "--N", "4"]).contains("\nvalue       2\n"));
    assert!(succeed(&["expr", "n + c", "--c", "2.5"]).contains("\nvalue       3.5\n"));
    assert!(!succeed(&["expr", "1 + 2"]).contains("value"));
    for (mean, value) in [("inf", "\"NaN\""), ("1", "0.0")] {
        let said = succeed(&["expr", "Q - Q", "--Q", mean, "--format", "json"]);
        assert!(said.contains(&format!("\"value\":{value}")), "{said}");
    }
    assert_eq!(fail(&["expr", "Q + N", "--N", "4"], 2), "the formula has Q: its value needs --Q");
    let rounded = succeed(&["expr", "3.14159 * n - -0.5", "--to", "latex", "--digits", "3"]);
    assert_eq!(rounded, "3.14 n - \\left(-0.5\\right)\n");
    assert!(fail(&["expr", "Q", "--to", "python", "--digits", "3"], 2).contains("--digits is for LaTeX"));
}

#[test]
fn a_formula_in_any_form_comes_back_as_a_league_player() {
    let scratch = Scratch::new();
    let text = "Q + c * sqrt(ln(N) / (n + 0.5))";
    let said: Value =
        serde_json::from_str(&succeed(&["expr", text, "--json", "--Q", "1", "--n", "2", "--N", "9"])).unwrap();
    let forms = ["infix", "prefix"].map(|form| said[form].as_str().unwrap().to_owned());
    let through_json = succeed(&["expr", &said["tree"].to_string(), "--to", "prefix"]);
    let mut players = String::new();
    for (number, form) in forms.iter().map(String::as_str).chain([through_json.trim()]).enumerate() {
        assert_eq!(succeed(&["expr", form, "--to", "infix"]).trim(), text);
        players.push_str(&format!(
            "[[player]]\nname = \"form {number}\"\nkind = \"formula\"\nformula = {form:?}\niterations = 20\n"
        ));
    }
    let league = LEAGUE.split("[[player]]").next().unwrap().replace("games_per_match = 2", "games_per_match = 1");
    let experiment = scratch.write("forms.toml", &(league + &players));
    let out = succeed(&["run", &experiment, "--out", &scratch.path("run")]);
    assert!(out.contains("6 of 6 games"), "{out}");
    let manifest: Value = serde_json::from_str(&scratch.read("run/manifest.json")).unwrap();
    let descriptions: std::collections::BTreeSet<&str> = manifest["experiment"]["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["player"].as_str().unwrap())
        .collect();
    assert_eq!(descriptions.len(), 1, "all forms are the same player: {descriptions:?}");
    for form in ["latex", "sympy", "python", "dot", "json"] {
        assert!(!succeed(&["expr", text, "--to", form]).trim().is_empty());
    }
    assert_eq!(say(&["expr", "[\"add\", 1]"]).code, Some(2));
    assert_eq!(say(&["expr", &"[".repeat(5_000)]).code, Some(2));
}

#[test]
fn a_formula_that_cannot_be_written_out_is_refused_before_anything_is_played() {
    let scratch = Scratch::new();
    let formula = format!("Q{}", "+1e300".repeat(34));
    let text = format!(
        "name = \"long\"\n[[player]]\nkind = \"formula\"\nformula = \"{formula}\"\n[[player]]\nkind = \"random\"\n"
    );
    let experiment = scratch.write("long.toml", &text);
    let refused = fail(&["run", &experiment, "--out", &scratch.path("run")], 2);
    assert!(refused.contains("long.toml:4: ") && refused.contains("has 10269 characters"), "{refused}");
    assert!(!scratch.exists("run"));
    // As long as it may be, it plays.
    let formula = format!("Q{}", "+n".repeat(3_200));
    let seat = format!("formula:iterations=3,formula={formula}");
    succeed(&["play", "-1", &seat, "-2", "random"]);
    assert!(succeed(&["expr", &formula]).contains("6401 nodes, depth 3200"));
}

#[test]
fn latex_names_no_protection_where_there_is_none() {
    let scratch = Scratch::new();
    let (bank, folder) = (scratch.write("bank.toml", disturbed::BANK), scratch.path("evolved"));
    succeed(&["bank", &bank, "--out", &scratch.path("bank")]);
    let plan = scratch.write("small.toml", &disturbed::evolution_with_bank());
    succeed(&["evolve", &plan, "--out", &folder]);
    let latex = succeed(&["formulas", &folder, "--as", "latex"]);
    assert!(latex.ends_with("\nQ - n\n"), "{latex}");
    for formula in latex.split("\n\n") {
        assert_eq!(formula.contains("protections"), formula.contains(r"\frac"), "{latex}");
    }
    // This one ends without a finalist.
    let (plan, folder) = (scratch.write("none.toml", disturbed::EVOLUTION), scratch.path("none"));
    succeed(&["evolve", &plan, "--out", &folder]);
    assert!(fail(&["formulas", &folder], 2).ends_with("none: the evolution has no finalist"));
}

#[test]
fn pairs_have_names_as_pgn_quotes_them_and_need_two_seats() {
    let scratch = Scratch::new();
    let league = "name = \"pair\"\ngames_per_match = 1\n[[player]]\nname = 'a \"b\\c'\nkind = \"random\"\n[[player]]\nname = \"d\"\nkind = \"mcts\"\n\
                  iterations = 2\n";
    let folder = scratch.path("run");
    succeed(&["run", &scratch.write("pair.toml", league), "--out", &folder]);
    succeed(&["export", &folder, "--format", "pgn"]);
    let pairs = scratch.read("run/export/games.pgn");
    for seats in [r#"[White "a \"b\\c"]~[Black "d"]"#, r#"[White "d"]~[Black "a \"b\\c"]"#] {
        assert_eq!(pairs.matches(&seats.replace('~', "\n")).count(), 1, "{pairs}");
    }
    let alone = "name = \"alone\"\ngame = \"function\"\ngames_per_match = 1\n[[player]]\nkind = \"random\"\n";
    let folder = scratch.path("alone");
    succeed(&["run", &scratch.write("alone.toml", alone), "--out", &folder]);
    let line = fail(&["export", &folder, "--format", "pgn"], 2);
    assert!(line.ends_with("its games have one seat, so no two players meet in them"), "{line}");
    assert!(!scratch.exists("alone/export"));
}

/// The rows of a CSV file by column, absent values as empty texts.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect::<Result<_, _>>().unwrap()
}

#[test]
fn the_records_of_a_run_leave_as_tables() {
    let scratch = Scratch::new();
    let experiment = scratch.write("league.toml", LEAGUE);
    let folder = scratch.path("run");
    let empty = scratch.path("empty");
    succeed(&["run", &experiment, "--out", &folder]);
    let said = succeed(&["export", &folder]);
    let table = |name: &str| rows(&scratch.read(&format!("run/export/{name}.csv")));
    let (games, seats, turns, formulas) = (table("games"), table("seats"), table("turns"), table("formulas"));
    for (name, count) in
        [("games", games.len()), ("seats", seats.len()), ("turns", turns.len()), ("formulas", formulas.len())]
    {
        assert!(said.contains(&format!("{name}.csv: {count} rows, each a")), "{said}");
        assert!(count > 0, "{name}");
    }

    // Against the journal, read by hand.
    let journal = scratch.read("run/games.jsonl");
    let records: Vec<Value> =
        journal.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap()["game"].clone()).collect();
    assert_eq!(games.len(), records.len());
    for record in &records {
        let id = record["id"].as_str().unwrap();
        let of = |table: &[BTreeMap<String, String>]| -> Vec<BTreeMap<String, String>> {
            table.iter().filter(|row| row["game"] == id).cloned().collect()
        };
        let [game] = &of(&games)[..] else { panic!("{id} stands once among the games") };
        assert_eq!((game["moves"].as_str(), game["ended"].as_str()), (record["moves"].as_str().unwrap(), "finished"));
        let own = of(&seats);
        assert_eq!(own.len(), 2);
        for (seat, row) in own.iter().enumerate() {
            let (score, other) = (&record["scores"][seat], &record["scores"][1 - seat]);
            assert_eq!(row["seat"], seat.to_string());
            assert_eq!(row["score"], score.to_string());
            assert_eq!(row["difference"], (score.as_i64().unwrap() - other.as_i64().unwrap()).to_string());
            assert_eq!(row["player"], record["run"]["players"][seat].as_str().unwrap());
            assert_eq!(row["city_points"], record["metrics"][seat]["city"]["points"].to_string());
        }
        let states = record["virtual"].as_array().unwrap();
        assert_eq!(of(&turns).len(), states.len());
        for (turn, (row, state)) in of(&turns).iter().zip(states).enumerate() {
            assert_eq!((&row["turn"], &row["seat"]), (&turn.to_string(), &(turn % 2).to_string()));
            assert_eq!(
                (&row["virtual_score_0"], &row["virtual_score_1"]),
                (&state[0].to_string(), &state[1].to_string())
            );
        }
        let evolved = record["evolution"].as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(of(&formulas).len(), evolved.len());
        for (row, evolved) in of(&formulas).iter().zip(evolved) {
            assert_eq!(row["formula"], evolved["formula"].as_str().unwrap());
            assert_eq!(
                row["fitness"].parse::<f64>().ok(),
                evolved["fitness"].as_array().unwrap().last().unwrap().as_f64()
            );
        }
    }

    // In pairs, for programs that compute ratings.
    let said_of_pairs = succeed(&["export", &folder, "--format", "pgn"]);
    let expected = format!("games.pgn: {} rows, each a game of two players", records.len());
    assert!(said_of_pairs.contains(&expected), "{said_of_pairs}");
    let pairs = scratch.read("run/export/games.pgn");
    assert_eq!(pairs.matches("[Result ").count(), records.len());
    for record in &records {
        let [white, black] = [0, 1].map(|seat| record["run"]["players"][seat].as_str().unwrap());
        let [own, other] = [0, 1].map(|seat| record["scores"][seat].as_i64().unwrap());
        let result = ["0-1", "1/2-1/2", "1-0"][((own - other).signum() + 1) as usize];
        let deck = &record["deck"];
        let game = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{deck}\"]\n[Result \"{result}\"]\n");
        assert!(pairs.contains(&game), "{game}");
    }

    // A second export replaces the first, and a folder without games is refused.
    assert_eq!(succeed(&["export", &folder]), said);
    fail(&["export", &empty], 2);
    // Nothing is left of a run that has a header and no game.
    std::fs::create_dir(&empty).unwrap();
    let header = scratch.read("run/games.jsonl").lines().next().unwrap().to_owned();
    scratch.write("empty/games.jsonl", &(header + "\n"));
    fails(&["export", &empty], 2, "no game is recorded yet");
    assert!(!scratch.exists("empty/export"), "an empty folder was left");
    parquet(&scratch, &folder);
}

#[cfg(not(feature = "parquet"))]
fn parquet(scratch: &Scratch, folder: &str) {
    fails(&["export", folder, "--format", "parquet"], 2, "--features parquet");
    assert!(!scratch.exists("run/export/games.parquet"));
}

/// pyarrow, if it is installed, reads the same numbers as from CSV.
#[cfg(feature = "parquet")]
fn parquet(scratch: &Scratch, folder: &str) {
    succeed(&["export", folder, "--format", "parquet"]);
    for name in ["games", "seats", "turns", "formulas"] {
        assert!(scratch.exists(&format!("run/export/{name}.parquet")), "{name}");
    }
    let script = scratch.write(
        "read.py",
        "import sys, csv\nimport pyarrow.parquet as pq\nfor name in ['games', 'seats', 'turns', 'formulas']:\n\
         \x20   found = pq.read_table(f'{sys.argv[1]}/{name}.parquet').to_pylist()\n\
         \x20   expected = list(csv.DictReader(open(f'{sys.argv[1]}/{name}.csv')))\n\
         \x20   assert len(found) == len(expected), name\n\
         \x20   for a, b in zip(found, expected):\n\
         \x20       for key, text in b.items():\n\
         \x20           value = a[key]\n\
         \x20           same = (value is None and text == '') or (isinstance(value, bool) and str(value).lower() == text) or \\\n\
         \x20               (isinstance(value, str) and value == text) or (isinstance(value, (int, float)) and float(text) == value)\n\
         \x20           assert same, (name, key, value, text)\nprint('same')\n",
    );
    let Ok(output) = Command::new("python3").args([&script, &scratch.path("run/export")]).output() else { return };
    let err = String::from_utf8_lossy(&output.stderr);
    if err.contains("No module named 'pyarrow'") {
        eprintln!("left out: there is no pyarrow here");
        return;
    }
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "same", "{err}");
}
