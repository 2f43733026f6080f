//! What may change in a file once something of it is recorded. The schemas say it of every key, `later`, and each key is
//! changed here: what results could have influenced is refused. A key without a change here fails.

use crate::nim::Nim;
use crate::program;
use evouct::config::{Experiment, Overrides, PythonCallable};
use evouct::gp::{Function, Primitive};
use evouct::league::{ResumeOptions, Session};
use evouct::offline::{
    BankBuild, EvolutionHeader, EvolutionOptions, EvolutionPlan, EvolutionSession, Purpose, Recipe, Split,
};
use evouct::record::Header;
use evouct::store::{JournalHeader, JournalWriter, VERSION};
use evouct::tune::{Tuning, TuningMethod, TuningOptions};
use program::{Scratch, succeed};
use serde_json::Value as Json;
use std::path::Path;
use toml::{Table, Value};

/// Two players, by a sequential test.
const MATCH: &str = "name = \"a\"\nseed = 1\ndecks = 40\n[sequential]\nelo1 = 50.0\n[[player]]\nkind = \"siea-mcts\"\n\
                     [[player]]\nkind = \"random\"\n";
/// A game without chance, which can have openings, and players of it.
const NIM: &str = "name = \"a\"\nseed = 1\ngame = \"nim\"\n[rules]\nheaps = 4\n";
const NIM_PLAYERS: &str = "[[player]]\nkind = \"mcts\"\niterations = 2\n[[player]]\nkind = \"random\"\n";
const NIM_EVOLUTION: &str = "[evolve]\nseeds = [\"Q\"]\n[[player]]\nkind = \"formula\"\niterations = 5\n\
                             [[opponent]]\nkind = \"random\"\n[[stage]]\nmeasure = \"games\"\ndecks = 2\n";
const EVOLUTION: &str = "name = \"a\"\nseed = 1\n[evolve]\nseeds = [\"Q\"]\n[[player]]\nkind = \"formula\"\niterations = 5\n\
                         [[opponent]]\nkind = \"siea-mcts\"\n[[stage]]\nmeasure = \"games\"\ndecks = 2\n\
                         [[proposer]]\nname = \"p\"\ncommand = [\"true\"]\n";
/// The same in two games.
const GAMES: &str = "name = \"a\"\nseed = 1\n[evolve]\nseeds = [\"Q\"]\n\
                     game = [{ game = \"hex\" }, { game = \"breakthrough\" }]\n[[player]]\nkind = \"formula\"\niterations = 5\n\
                     [[opponent]]\nkind = \"random\"\n[[stage]]\nmeasure = \"games\"\ndecks = 2\n";
/// A section of Python.
const PYTHON: Option<&str> = Some("{ functions = { half = { arguments = 1, source = \"x / 2\" } } }");
const BANK: &str = "name = \"a\"\nseed = 1\ngames = 4\npositions_per_game = 1\nrewards = 1\n[[player]]\nkind = \"siea-mcts\"\niterations = 2\n\
                    generations = 1\nsimulations = 1\n[[value]]\nkind = \"mcts\"\niterations = 2\n";

/// Gives the function of that section, without which a file that names it is not read.
fn bind_half() {
    Function::replace(Box::leak(Box::new(Primitive::new("half", 1, |x, _| x / 2.0)))).unwrap();
    let (name, source) = ("half".to_owned(), "x / 2".to_owned());
    PythonCallable { name, is_operator: false, arguments: 1, source }.bind();
}

fn table(toml: &str) -> Table {
    toml.parse().unwrap_or_else(|error| panic!("{error}: {toml}"))
}

/// A base with other lines before its first section, and with these tables added at the end.
fn with(base: &str, top: &str, end: &str) -> String {
    format!("{top}\n{base}{end}")
}

/// A league without a test.
fn league(top: &str, players: usize) -> String {
    let players: String = (1..=players).map(|n| format!("[[player]]\nkind = \"mcts\"\niterations = {n}\n")).collect();
    with("name = \"a\"\nseed = 1\ndecks = 40\n", top, &players)
}

/// What a schema says of a key.
fn class(row: &Json) -> &str {
    row["later"].as_str().unwrap_or("fixed")
}

/// Another value of a key than it has in a table, by its schema.
fn other(row: &Json, now: Option<&Value>) -> Value {
    let row = if row["type"].is_null() && row["enum"].is_null() { &row["anyOf"][0] } else { row };
    let default = &row["default"];
    if let Some(names) = row["enum"].as_array() {
        let now = now.and_then(Value::as_str).or(default.as_str());
        return Value::from(names.iter().filter_map(Json::as_str).find(|name| Some(*name) != now).unwrap());
    }
    match row["type"].as_str().unwrap_or_default() {
        "integer" => {
            let now = now.and_then(Value::as_integer).or(default.as_i64());
            Value::from(now.or(row["minimum"].as_i64()).unwrap_or(0) + 1)
        }
        "number" => Value::from(now.and_then(Value::as_float).or(default.as_f64()).unwrap_or(0.0) * 0.75 + 0.07),
        "boolean" => Value::from(!now.and_then(Value::as_bool).or(default.as_bool()).unwrap_or(false)),
        "string" => Value::from("other"),
        found => panic!("no other value of type {found:?}: {row}"),
    }
}

/// A file in which a key has another value, `section` is where it stands: none, a table, or a list of tables.
fn changed(base: &str, section: &str, key: &str, row: &Json, value: Option<&str>) -> String {
    let mut file = table(base);
    let place = match section {
        "" => &mut file,
        _ => match file.entry(section).or_insert_with(|| Value::Table(Table::new())) {
            Value::Array(list) => list[0].as_table_mut().unwrap(),
            found => found.as_table_mut().unwrap(),
        },
    };
    let value = value.map_or_else(|| other(row, place.get(key)), |text| table(&format!("v = {text}"))["v"].clone());
    place.insert(key.to_owned(), value);
    file.to_string()
}

/// That a changed file is taken, with `--extend` or without, as its class says; a refusal is one line that has `word`.
fn check(class: &str, word: &str, file: &str, goes_on: impl Fn(bool) -> Result<(), String>) {
    let found = [false, true].map(&goes_on);
    match (class, &found) {
        ("may change", [Ok(()), Ok(())]) => {}
        ("may be extended", [Err(problem), Ok(())]) if problem.contains("; extend adds to it") => {}
        ("fixed", [Err(problem), Err(again)]) => {
            assert!(problem == again && problem.contains(word) && !problem.contains('\n'), "{word}: {problem}");
        }
        _ => panic!("{word} is documented as {class:?}: {found:?}\n{file}"),
    }
}

/// A folder of an experiment that has begun.
fn begun(file: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let header = Header::of(&read(file), None);
    drop(JournalWriter::open(&folder.path().join("games.jsonl"), &header).unwrap());
    folder
}

fn read(file: &str) -> Experiment {
    Experiment::parse(file, "a.toml", Overrides::default()).unwrap_or_else(|error| panic!("{error}: {file}"))
}

fn goes_on(folder: &Path, file: &str, extend: bool) -> Result<(), String> {
    let permissions = ResumeOptions { extend, ..ResumeOptions::default() };
    Session::plan(read(file), folder, None, permissions).map(drop).map_err(|error| error.to_string())
}

#[test]
fn every_key_of_an_experiment() {
    bind_half();
    evouct::registry::add_games();
    evouct::registry::add_game::<Nim>();
    let schema = evouct::config::schema();
    let plain = with(&MATCH.replace("[sequential]\nelo1 = 50.0\n", ""), "", "");
    let test = |base: &str, section: &str, key: &str, row: &Json, class: &str, value: Option<&str>, word: &str| {
        let folder = begun(base);
        let file = changed(base, section, key, row, value);
        check(class, word, &file, |extend| goes_on(folder.path(), &file, extend));
    };
    for (key, row) in schema["properties"].as_object().unwrap().iter().filter(|(_, row)| row["deprecated"].is_null()) {
        let own = class(row);
        match key.as_str() {
            "rounds" => test(&league("schedule = \"swiss\"\nrounds = 1", 4), "", key, row, own, None, key),
            "fixed" => test(&league("schedule = \"gauntlet\"", 4), "", key, row, own, None, key),
            "schedule" => test(&league("", 3), "", key, row, own, None, key),
            // By what it makes of a player.
            "preset" => test(&plain, "", key, row, own, None, "player "),
            "rules" => test(&plain, "rules", "two_tile_city", row, "fixed", Some("2"), "two_tile_city"),
            "openings" => {
                let league = |openings: &str| with(NIM, &format!("decks = 2\n{openings}"), NIM_PLAYERS);
                let of = |list: &[&str]| league(&format!("openings = {list:?}"));
                let [none, random, other] = ["", "openings = { plies = 2 }", "openings = { plies = 3 }"].map(league);
                let [first, second, third] = ["1from1 2from3", "3from4 1from2", "1from4 1from2"];
                let [short, long] = [of(&[first, second]), of(&[first, second, third])];
                for (base, file, class) in [
                    (&none, &random, "fixed"),
                    (&random, &none, "fixed"),
                    (&random, &other, "fixed"),
                    (&random, &short, "fixed"),
                    (&short, &long, own),
                    (&long, &short, "fixed"),
                    (&short, &of(&[second, first]), "fixed"),
                ] {
                    let folder = begun(base);
                    check(class, key, file, |extend| goes_on(folder.path(), file, extend));
                }
            }
            "max_plies" => {
                test(&plain, "", key, row, own, None, key);
                test(&with(&plain, "max_plies = 90", ""), "", key, row, own, None, key);
            }
            "at_limit" => test(&with(&plain, "max_plies = 90", ""), "", key, row, own, None, key),
            "clock" => {
                for (key, row) in row["properties"].as_object().unwrap() {
                    let base = with(&plain, "", "[clock]\nseconds = 10.0\n");
                    test(&base, "clock", key, row, class(row), None, "clock");
                }
            }
            "python" => test(&plain, "", key, row, own, PYTHON, "half"),
            "paper" => test(&plain, "paper", "table", row, "may change", Some("\"XI\""), key),
            "sequential" => {
                for (key, row) in row["properties"].as_object().unwrap() {
                    let looks = league("", 3) + "[sequential]\nlooks = 2\n";
                    let base = if key == "looks" { &looks } else { MATCH };
                    test(base, "sequential", key, row, class(row), None, "[sequential] had ");
                }
                let other = read(MATCH);
                assert!(other.sequential.is_some());
                for (base, file) in [(MATCH, plain.as_str()), (&plain, MATCH)] {
                    let folder = begun(base);
                    check("fixed", "[sequential] had ", file, |extend| goes_on(folder.path(), file, extend));
                }
            }
            "player" => {
                let added = "[[player]]\nkind = \"random\"\nname = \"third\"\n";
                let swapped = |file: &str| {
                    file.replace("siea-mcts", "other").replace("random", "siea-mcts").replace("other", "random")
                };
                let gauntlet = format!("schedule = \"gauntlet\"\n{plain}");
                for (base, file, class, word) in [
                    (&plain, plain.clone() + "[[player]]\nkind = \"mcts\"\n", "may be extended", "player"),
                    (&plain, plain.replace("random", "mcts"), "fixed", "random"),
                    (
                        &plain,
                        plain.replace("kind = \"random\"", "kind = \"random\"\nname = \"A\""),
                        "may change",
                        "name",
                    ),
                    // No game and no table depends on the order where all meet in both seats.
                    (&plain, swapped(&plain), "may change", "order"),
                    (&(gauntlet.clone() + added), swapped(&gauntlet) + added, "fixed", "another order"),
                    (&MATCH.to_owned(), swapped(MATCH), "fixed", "the test was of siea-mcts and is of random"),
                ] {
                    let folder = begun(base);
                    check(class, word, &file, |extend| goes_on(folder.path(), &file, extend));
                }
            }
            _ => test(&plain, "", key, row, own, None, key),
        }
    }
}

/// A folder in which an evolution, or scores, have begun.
fn begun_evolution(file: &str, stem: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan_of(file);
    let header = EvolutionHeader {
        format: 1,
        evouct: VERSION.to_owned(),
        name: plan.name.clone(),
        hash: plan.hash(""),
        seed: plan.seed,
        bank: String::new(),
        positions: String::new(),
        toml: plan.toml.clone(),
        seed_override: None,
        measured_by: None,
        per_point: plan.games[0].rules.domain().scale().per_point(),
        course: plan.course,
    };
    drop(JournalWriter::open(&folder.path().join(format!("{stem}.jsonl")), &header).unwrap());
    folder
}

fn evolution_goes_on(folder: &Path, file: &str, purpose: Purpose, extend: bool) -> Result<(), String> {
    let options = EvolutionOptions { purpose, extend, ..EvolutionOptions::default() };
    EvolutionSession::plan(plan_of(file), None, folder, &options).map(drop).map_err(|error| error.to_string())
}

fn plan_of(file: &str) -> EvolutionPlan {
    EvolutionPlan::parse(file, "a.toml", None).unwrap_or_else(|error| panic!("{error}: {file}"))
}

/// The keys of a schema that are no earlier spellings.
fn today(keys: &Json) -> impl Iterator<Item = (&String, &Json)> {
    keys.as_object().unwrap().iter().filter(|(_, row)| row["deprecated"].is_null())
}

#[test]
fn every_key_of_an_evolution_and_of_its_scores() {
    bind_half();
    evouct::registry::add_games();
    evouct::registry::add_game::<Nim>();
    let schema = evouct::offline::evolution_schema();
    let test = |base: &str, section: &str, key: &str, row: &Json, value: Option<&str>, word: &str| {
        let file = changed(base, section, key, row, value);
        for (stem, purpose) in [("evolution", Purpose::Evolution), ("scores", Purpose::Scores(Split::Training))] {
            // Only scores know this section.
            let class = if (section, stem) == ("score", "evolution") { "may change" } else { class(row) };
            let folder = begun_evolution(base, stem);
            check(class, word, &file, |extend| evolution_goes_on(folder.path(), &file, purpose, extend));
        }
    };
    for (key, row) in today(&schema["properties"]) {
        let fixed = &Json::Null;
        match key.as_str() {
            "preset" => test(EVOLUTION, "", key, row, None, "[[opponent]]"),
            "rules" => test(EVOLUTION, "rules", "two_tile_city", fixed, Some("2"), "[rules]"),
            "player" => test(EVOLUTION, "player", "iterations", fixed, Some("6"), "[[player]]"),
            "openings" => {
                let [none, opened] =
                    ["", "openings = { plies = 2 }"].map(|openings| with(NIM, openings, NIM_EVOLUTION));
                test(&opened, "", key, row, Some("{ plies = 3 }"), key);
                test(&none, "", key, row, Some("{ plies = 2 }"), key);
            }
            "at_limit" => test(&with(EVOLUTION, "max_plies = 90", ""), "", key, row, None, key),
            "python" => test(EVOLUTION, "", key, row, PYTHON, "half"),
            "opponent" => test(EVOLUTION, "opponent", "kind", fixed, Some("\"mcts\""), "[[opponent]]"),
            "evolve" => {
                for (key, row) in today(&row["properties"]) {
                    let alone = EVOLUTION.split("[[proposer]]").next().unwrap();
                    let top =
                        |algorithm: &str| alone.replace("[evolve]", &format!("[evolve]\nalgorithm = \"{algorithm}\""));
                    match key.as_str() {
                        "generations" => {
                            test(alone, "evolve", key, row, None, key);
                            // A longer evolution of these would have gone another way from the start.
                            let constants = alone.replace("[evolve]", "[evolve]\ncma_samples = 4");
                            for (base, word) in [(EVOLUTION, "[[proposer]]"), (&constants, "cma_samples")] {
                                let file = changed(base, "evolve", key, row, None);
                                let folder = begun_evolution(base, "evolution");
                                check("fixed", &format!("it cannot be extended ({word}"), &file, |extend| {
                                    evolution_goes_on(folder.path(), &file, Purpose::Evolution, extend)
                                });
                            }
                        }
                        "offspring" => test(&top("plus"), "evolve", key, row, None, key),
                        "lag" => test(&top("steady-state"), "evolve", key, row, None, key),
                        "cma_samples" => test(EVOLUTION, "evolve", key, row, Some("4"), key),
                        "second" => {
                            let two = format!("{alone}[[stage]]\nmeasure = \"games\"\ndecks = 2\n");
                            test(&two, "evolve", key, row, Some("\"twm\""), key);
                        }
                        "over" | "scale_decks" => test(GAMES, "evolve", key, row, None, key),
                        "game" => {
                            let other = Some("[{ game = \"hex\" }, { game = \"othello\" }]");
                            test(GAMES, "evolve", key, row, other, key);
                        }
                        "functions" => test(EVOLUTION, "evolve", key, row, Some("[\"add\", \"mul\"]"), key),
                        "seeds" => test(EVOLUTION, "evolve", key, row, Some("[\"Q + 1\"]"), key),
                        "trees" => test(EVOLUTION, "evolve", key, row, Some("[\"final\"]"), key),
                        "terminals" => test(EVOLUTION, "evolve", key, row, Some("[\"Q\", \"n\"]"), key),
                        _ => test(EVOLUTION, "evolve", key, row, None, key),
                    }
                }
            }
            "stage" => {
                for (key, row) in row["items"]["properties"].as_object().unwrap() {
                    match key.as_str() {
                        "decks" => test(EVOLUTION, "stage", key, row, Some("3"), "[[stage]]"),
                        "block" => test(EVOLUTION, "stage", key, row, None, "[[stage]]"),
                        // They need a bank. Another evolution has another hash.
                        _ => {
                            let replay = EVOLUTION
                                .replace("[[stage]]", "[[stage]]\nmeasure = \"replay\"\npositions = 9\n[[stage]]");
                            let replay = replay.replace("[evolve]", "[evolve]\nbank = \"b\"");
                            let value = if key == "measure" { "\"regret\"" } else { "8" };
                            let other = changed(&replay, "stage", key, row, Some(value));
                            assert!(
                                plan_of(&replay).hash("") != plan_of(&other).hash("") && class(row) == "fixed",
                                "{key}"
                            );
                        }
                    }
                }
            }
            "score" => {
                for (key, row) in today(&row["properties"]) {
                    test(EVOLUTION, "score", key, row, None, key);
                }
            }
            "proposer" => {
                for (key, row) in row["items"]["properties"].as_object().unwrap() {
                    let value = Some("[\"false\"]").filter(|_| key == "command");
                    test(EVOLUTION, "proposer", key, row, value, "[[proposer]]");
                }
            }
            _ => test(EVOLUTION, "", key, row, None, key),
        }
    }
}

#[test]
fn every_key_of_a_bank() {
    bind_half();
    let scratch = Scratch::new();
    let folder = scratch.path("bank");
    succeed(&["bank", &scratch.write("bank.toml", BANK), "--out", &folder]);
    evouct::registry::add_games();
    let test = |section: &str, key: &str, row: &Json, value: Option<&str>| {
        let file = changed(BANK, section, key, row, value);
        check(class(row), "another recipe", &file, |_| {
            let recipe = Recipe::parse(&file, "a.toml").unwrap_or_else(|error| panic!("{error}: {file}"));
            BankBuild::plan(recipe, Path::new(&folder)).map(drop).map_err(|error| error.to_string())
        });
    };
    let schema = evouct::offline::bank_schema();
    for (key, row) in schema["properties"].as_object().unwrap().iter().filter(|(_, row)| row["deprecated"].is_null()) {
        match key.as_str() {
            "rules" => test("rules", "two_tile_city", &Json::Null, Some("2")),
            "python" => test("", key, row, PYTHON),
            "player" | "value" => test(key, "iterations", &Json::Null, Some("3")),
            _ => test("", key, row, None),
        }
    }
}

#[test]
fn every_option_of_a_tuning() {
    evouct::registry::add_games();
    let file = league("", 3);
    let folder = tempfile::tempdir().unwrap();
    let options = TuningOptions {
        player: Some("mcts:iterations=1".to_owned()),
        over: vec!["iterations=5..50".to_owned()],
        constraints: vec!["iterations > 6".to_owned()],
        budget: 2_000,
        method: TuningMethod::of_name("surface").unwrap(),
    };
    let experiment = |file: &str| Experiment::parse_with(file, "a.toml", Overrides::default(), 1).unwrap();
    Tuning::new(experiment(&file), options.clone(), folder.path()).unwrap().record().unwrap();
    let refused = |file: &str, options: TuningOptions, word: &str| {
        let tuning = Tuning::new(experiment(file), options, folder.path()).unwrap();
        let problem = tuning.is_recorded().unwrap_err().to_string();
        assert!(problem.contains(word) && !problem.contains('\n'), "{word}: {problem}");
    };
    let recorded = serde_json::to_value(&options).unwrap();
    for key in recorded.as_object().unwrap().keys() {
        let options = options.clone();
        match key.as_str() {
            "player" => {
                refused(&file, TuningOptions { player: Some("mcts:iterations=2".to_owned()), ..options }, "player was ")
            }
            "over" => {
                refused(&file, TuningOptions { over: vec!["iterations=5..60".to_owned()], ..options }, "over was ")
            }
            "where" | "constraints" => {
                refused(&file, TuningOptions { constraints: Vec::new(), ..options }, "where was ")
            }
            "budget" => refused(&file, TuningOptions { budget: 3_000, ..options }, "budget was "),
            "method" => refused(&file, TuningOptions { method: TuningMethod::default(), ..options }, "method was "),
            _ => panic!("what may become of {key}?"),
        }
    }
    refused(&file.replace("seed = 1", "seed = 2"), options.clone(), "seed was 1 and is 2");
    let swapped = file.replace("iterations = 2", "iterations = 9").replace("iterations = 3", "iterations = 2");
    refused(
        &swapped.replace("iterations = 9", "iterations = 3"),
        options.clone(),
        "the opponents stand in another order",
    );
    refused(&(file.clone() + "[[player]]\nkind = \"random\"\n"), options.clone(), "player random");
    // What a tuning does not use.
    let other = file.replace("decks = 40", "decks = 41\nabout = \"b\"");
    assert!(Tuning::new(experiment(&other), options, folder.path()).unwrap().is_recorded().unwrap());
}

/// Two processes begin at once: the second one to have the lock finds the header of the first.
#[test]
fn a_file_of_another_header_is_refused_under_its_lock() {
    evouct::registry::add_games();
    let folder = begun_evolution(EVOLUTION, "evolution");
    let other = begun_evolution(&EVOLUTION.replace("seed = 1", "seed = 2"), "evolution");
    let held = begun_evolution(&EVOLUTION.replace("[evolve]", "[evolve]\nheld_out_decks = 9"), "evolution");
    let file = |folder: &tempfile::TempDir| folder.path().join("evolution.jsonl");
    let header = EvolutionHeader::of_file(&file(&folder)).unwrap().unwrap();
    assert!(JournalWriter::open(&file(&folder), &header).is_ok());
    for (folder, word) in [(&other, "its seed is 2, now 1"), (&held, "its held_out_decks is 9, now 600")] {
        let before = std::fs::read(file(folder)).unwrap();
        let refused = JournalWriter::open(&file(folder), &header).unwrap_err().to_string();
        assert!(refused.contains(word), "{refused}");
        assert_eq!(std::fs::read(file(folder)).unwrap(), before);
    }
}
