//! What leaves evouct. Formulas, run by the programs they are written for: Python, SymPy and NumPy where they are
//! installed, C. Records, as tables.

use crate::{disturbed, program};
use evouct::gp::{Inputs, LnRule, Mutation, NamedFormula, Tree, c_source, numpy};
use evouct::seed::Key;
use program::{LEAGUE, Scratch, fail, say, succeed};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;

const MEANS: [f64; 9] = [-40.0, -3.75, -0.5, 0.0, 0.0005, 0.3, 1.0, 17.25, 250.0];
const VISITS: [f64; 4] = [0.0, 1.0, 7.0, 400.0];
const PARENTS: [f64; 3] = [1.0, 30.0, 2800.0];
const CONSTANTS: [f64; 2] = [0.25, 3.0];

/// Formulas that meet every protection, and evolved ones.
pub(crate) fn formulas() -> Vec<Tree> {
    let edges = [
        "Q / (n - n)",
        "Q / (n / 10000)",
        "ln(Q - 1)",
        "ln(Q)",
        "ln(n)",
        "ln(ln(N)) + sqrt(0 - n)",
        "sqrt(Q)",
        "Q + 2 * c * sqrt(2 * ln(N) / n)",
        "Q / Q - -0.5",
        "ln(0.005) * c",
        "(Q - n) - (N - c)",
        "Q / (n / N)",
        "0 / -0",
        "Q + 0.0 / (n - n)",
        "Q - -3 * n + ln(-0.5) * 1e-320",
    ];
    let mut formulas: Vec<Tree> = edges.iter().map(|text| text.parse().unwrap()).collect();
    let mut rng = Key::experiment(21).stream();
    formulas.extend(["+ n", "- ln(n + 2)", "* 0.999"].map(|part| format!("Q{}", part.repeat(1_000)).parse().unwrap()));
    for _ in 0..200 {
        let mut tree = Tree::uct();
        for _ in 0..4 {
            tree = Mutation::default().mutate(&tree, &mut rng);
        }
        formulas.push(tree);
    }
    formulas
}

pub(crate) fn inputs() -> Vec<Inputs> {
    let mut all = Vec::new();
    for mean in MEANS {
        for visits in VISITS {
            for parent in PARENTS {
                all.extend(CONSTANTS.map(|constant| Inputs { mean, visits, parent, constant }));
            }
        }
    }
    all
}

/// Passes every formula with its inputs and values to a script, which prints the differences.
fn disagreements(script: &str, export: impl Fn(&Tree, LnRule) -> String) -> Option<String> {
    let scratch = Scratch::new();
    let mut cases = Vec::new();
    for tree in formulas() {
        for ln in [LnRule::Abs, LnRule::Clamp] {
            let rows: Vec<Value> = inputs()
                .iter()
                .map(|i| (i, tree.evaluate(*i, ln)))
                .filter(|(_, value)| value.is_finite())
                .map(|(i, value)| json!([i.mean, i.visits, i.parent, i.constant, value]))
                .collect();
            cases.push(json!({"infix": tree.infix(), "text": export(&tree, ln), "rows": rows}));
        }
    }
    let data = scratch.write("cases.json", &Value::from(cases).to_string());
    let script = scratch.write("check.py", script);
    let output = Command::new("python3").args([&script, &data]).output().ok()?;
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    if err.contains("No module named 'sympy'") {
        return None;
    }
    assert!(output.status.success(), "{err}");
    Some(String::from_utf8(output.stdout).unwrap())
}

const PYTHON: &str = "
import json, math, sys
count = 0
for case in json.load(open(sys.argv[1])):
    space = {}
    exec(case['text'], space)
    for *inputs, expected in case['rows']:
        found = space['value'](*inputs)
        count += 1
        if not math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12):
            print(case['infix'], inputs, found, expected)
print('checked', count)
";

const SYMPY: &str = "
import json, math, sys
import sympy
count, others = 0, 0
for case in json.load(open(sys.argv[1])):
    space = {}
    exec(case['text'], space)
    symbols = [space[name] for name in ('Q', 'n', 'N', 'c')]
    function = sympy.lambdify(symbols, space['value'], 'math')
    for *inputs, expected in case['rows']:
        same = lambda found: math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)
        count += 1
        try:
            found = function(*inputs)
        except (ValueError, ZeroDivisionError) as error:
            found = math.nan
        if not same(found):
            # `lambdify` rounds numbers and tests conditions in another order than SymPy itself: the numbers take the
            # place of the symbols.
            own = {}
            numbers = f'map(Float, {tuple(inputs)})'
            exec(case['text'].replace('symbols(\"Q n N c\", real=True)', numbers), own)
            found, others = float(own['value']), others + 1
        if not same(found):
            print(case['infix'], inputs, found, expected)
assert others < count / 100, others
print('checked', count)
";

#[test]
fn python_exports_compute_the_same_values() {
    match disagreements(PYTHON, Tree::python) {
        Some(said) => assert!(said.starts_with("checked ") && said.len() < 20, "{said}"),
        None => eprintln!("left out: there is no python3 here"),
    }
}

#[test]
fn sympy_exports_compute_the_same_values() {
    match disagreements(SYMPY, Tree::sympy) {
        Some(said) => assert!(said.starts_with("checked ") && said.len() < 20, "{said}"),
        None => eprintln!("left out: there is no sympy here"),
    }
}

/// The functions of a module for all formulas and both protections of ln, and the rows to check them with.
fn modules(write: impl Fn(&[NamedFormula]) -> String) -> (String, Vec<Value>) {
    let trees = formulas();
    let rules = [LnRule::Abs, LnRule::Clamp];
    let all: Vec<(&Tree, LnRule)> = trees.iter().flat_map(|tree| rules.map(|ln| (tree, ln))).collect();
    let mut named = Vec::new();
    for (number, (tree, ln)) in all.iter().enumerate() {
        let (name, about) = (format!("formula_{number}"), format!("{tree} */ \n"));
        named.push(NamedFormula { name, about, tree, ln: *ln });
    }
    let mut rows = Vec::new();
    for (number, (tree, ln)) in all.iter().enumerate() {
        for i in inputs() {
            let value = tree.evaluate(i, *ln);
            if value.is_finite() {
                rows.push(json!([number, i.mean, i.visits, i.parent, i.constant, value]));
            }
        }
    }
    (write(&named), rows)
}

const NUMPY: &str = "
import importlib.util, json, sys
import numpy as np
spec = importlib.util.spec_from_file_location('formulas', sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
rows = json.load(open(sys.argv[2]))
for number in sorted({row[0] for row in rows}):
    own = np.array([row[1:] for row in rows if row[0] == number])
    with np.errstate(all='ignore'):
        found = getattr(module, f'formula_{number}')(*own[:, :4].T)
    wrong = ~np.isclose(found, own[:, 4], rtol=1e-12, atol=1e-12)
    if found.shape != (len(own),) or wrong.any():
        print(number, own[wrong][:3], found[wrong][:3])
print('checked', len(rows))
";

#[test]
fn numpy_exports_compute_the_same_values() {
    let scratch = Scratch::new();
    let (module, rows) = modules(numpy);
    let [script, module] =
        [("check.py", NUMPY), ("formulas.py", &module)].map(|(name, text)| scratch.write(name, text));
    let data = scratch.write("rows.json", &Value::from(rows.clone()).to_string());
    let Ok(output) = Command::new("python3").args([&script, &module, &data]).output() else {
        eprintln!("left out: there is no python3 here");
        return;
    };
    if String::from_utf8_lossy(&output.stderr).contains("No module named 'numpy'") {
        eprintln!("left out: there is no NumPy here");
        return;
    }
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("checked {}\n", rows.len()), "{output:?}");
}

#[test]
fn c_exports_compute_the_same_values() {
    let scratch = Scratch::new();
    let (source, rows) = modules(c_source);
    // A table of the rows, and a loop over it.
    let table: String = rows
        .iter()
        .map(|row| {
            let numbers: Vec<String> = (1..6).map(|column| format!("{:?}", row[column].as_f64().unwrap())).collect();
            format!("  {{formula_{}, {}}},\n", row[0], numbers.join(", "))
        })
        .collect();
    let program = format!(
        "{source}\n#include <stdio.h>\n\
         static const struct {{ double (*f)(double, double, double, double); double q, n, p, c, value; }} rows[] = {{\n{table}}};\n\
         int main(void) {{\n  int count = sizeof rows / sizeof *rows;\n  for (int i = 0; i < count; i++) {{\n    \
         double found = rows[i].f(rows[i].q, rows[i].n, rows[i].p, rows[i].c), value = rows[i].value;\n    \
         if (!(fabs(found - value) <= 1e-12 * fmax(1.0, fabs(value)))) printf(\"row %d: %.17g, expected %.17g\\n\", i, found, value);\n  \
         }}\n  printf(\"checked %d\\n\", count);\n  return 0;\n}}\n"
    );
    let (file, binary) = (scratch.write("formulas.c", &program), scratch.path("formulas"));
    let compile = Command::new("cc").args(["-std=c99", "-Wall", "-Werror", "-o", &binary, &file, "-lm"]).output();
    let Ok(compiled) = compile else {
        eprintln!("left out: there is no C compiler here");
        return;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("checked {}\n", rows.len()));
}

#[test]
fn a_formula_is_evaluated_with_the_variables_that_it_has() {
    assert!(succeed(&["expr", "sqrt(N)", "--N", "4"]).contains("\nvalue       2\n"));
    assert!(succeed(&["expr", "n + c", "--c", "2.5"]).contains("\nvalue       3.5\n"));
    assert!(!succeed(&["expr", "1 + 2"]).contains("value"));
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

const SHARED: &str = "
import json, math, sys
for text, expected in json.load(open(sys.argv[1])):
    space = {}
    # The numbers take the place of the symbols.
    exec(text.replace('symbols(\"Q n N c\", real=True)', 'map(Float, (2.5, 3, 40, 1))'), space)
    found = float(space['value'])
    if not math.isclose(found, expected, rel_tol=1e-9):
        print(text, found, expected)
print('checked')
";

#[test]
fn shared_exports_compute_the_same_values() {
    let inputs = Inputs { mean: 2.5, visits: 3.0, parent: 40.0, constant: 1.0 };
    let deep = |inner: &str| format!("{}n{}", inner.repeat(22), ")".repeat(22));
    let cases = ["ln(2 + ", "Q / (1 + "].map(|inner| {
        let tree: Tree = deep(inner).parse().unwrap();
        let text = tree.sympy(LnRule::Abs);
        assert!(text.contains("\nstep2 = ") && text.len() < 4_000, "{}", text.len());
        json!([text, tree.evaluate(inputs, LnRule::Abs)])
    });
    let scratch = Scratch::new();
    let data = scratch.write("cases.json", &Value::from(cases.to_vec()).to_string());
    let script = scratch.write("check.py", SHARED);
    let Ok(output) = Command::new("python3").args([&script, &data]).output() else { return };
    if !String::from_utf8_lossy(&output.stderr).contains("No module named 'sympy'") {
        assert_eq!(String::from_utf8_lossy(&output.stdout), "checked\n", "{output:?}");
    }
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
    assert!(!latex.contains("protections"), "{latex}");
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
    let said = fail(&["export", &empty], 2);
    assert!(said.contains("no game is recorded yet"), "{said}");
    assert!(!scratch.exists("empty/export"), "an empty folder was left");
    parquet(&scratch, &folder);
}

#[cfg(not(feature = "parquet"))]
fn parquet(scratch: &Scratch, folder: &str) {
    let said = fail(&["export", folder, "--format", "parquet"], 2);
    assert!(said.contains("--features parquet"), "{said}");
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
