//! The JSON Schema of experiment files agrees with what the program reads.

use crate::program;
use jsonschema::Validator;
use program::{Said, Scratch, evouct, succeed};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The schema as a user gets it.
fn schema() -> Validator {
    schema_of("experiment")
}

fn schema_of(kind: &str) -> Validator {
    let schema: Value = serde_json::from_str(&succeed(&["schema", kind])).unwrap();
    jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("the schema itself is no schema: {error}"));
    jsonschema::validator_for(&schema).unwrap()
}

/// A TOML document as JSON.
fn json(toml: &str) -> Value {
    toml::from_str::<Value>(toml).unwrap()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            found.push(path);
        }
    }
}

#[test]
fn every_experiment_of_the_repository_is_valid() {
    let schemas = [schema(), schema_of("evolution"), schema_of("bank")];
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments"), &mut found);
    assert!(found.len() >= 20, "{found:?}");
    for path in found {
        let document = json(&std::fs::read_to_string(&path).unwrap());
        let schema = match (document.get("evolve"), document.get("value")) {
            (Some(_), _) => &schemas[1],
            (_, Some(_)) => &schemas[2],
            _ => &schemas[0],
        };
        let errors: Vec<String> =
            schema.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
    }
}

const SMALL: &str = "name = \"small\"\nseed = 1\n[rules]\nseats = 2\n[[player]]\nkind = \"siea-mcts\"\niterations = [100, 200]\n\
                     functions = [\"add\", \"mul\"]\n[[player]]\nkind = \"formula\"\nformula = \"Q + c / n\"\n";

#[test]
fn what_the_program_refuses_the_schema_refuses() {
    let schema = schema();
    assert!(schema.is_valid(&json(SMALL)));
    // What the package for Python writes.
    let python = |key: &str| json(&format!("{SMALL}[python.functions.half]\n{key} = 1\nsource = \"x / 2\"\n"));
    assert!(schema.is_valid(&python("arguments")) && !schema.is_valid(&python("argument")));
    for (right, wrong) in [
        ("seed", "sed"),
        ("seed = 1", "seed = -1"),
        ("seats = 2", "seats = 9"),
        ("seats = 2", "tiles = 2"),
        ("iterations", "iteratons"),
        ("[100, 200]", "[100, 0]"),
        ("[100, 200]", "[]"),
        ("\"mul\"", "\"pow\""),
        ("kind = \"formula\"", "kind = \"formla\""),
        ("kind = \"formula\"", "kind = \"mcts\""),
        ("name = \"small\"\n", ""),
        ("seed = 1", "seed = 1\ngame = \"chess\""),
        ("seed = 1", "seed = 1\nschedule = \"knockout\""),
        ("[rules]", "[paper]\nranking = [{ player = \"a\", pints = 3 }]\n[rules]"),
        ("[rules]", "[sequential]\nalpha = 0.1\n[rules]"),
    ] {
        assert!(SMALL.contains(right), "nothing to change: {right}");
        assert!(!schema.is_valid(&json(&SMALL.replacen(right, wrong, 1))), "{wrong:?} is valid");
    }
    // Earlier spellings are read, so they are valid.
    assert!(schema.is_valid(&json(&SMALL.replacen("iterations = [100, 200]", "evaluation = \"full\"", 1))));
}

/// What `evouct new` writes, in a folder of its own.
#[test]
fn a_new_file_is_valid_and_can_be_played() {
    let scratch = Scratch::new();
    let here = |arguments: &[&str]| Said::of(evouct(arguments).current_dir(scratch.path("")).output().unwrap());
    let new = here(&["new", "dice", "--game", "einstein"]);
    assert_eq!((new.code, new.out.as_str()), (Some(0), "wrote dice.toml; start it with `evouct run dice.toml`\n"));
    let text = scratch.read("dice.toml");
    assert!(schema().is_valid(&json(&text)));
    let played = here(&["run", "dice.toml", "--games-per-match", "1"]);
    assert_eq!(played.code, Some(0), "{}", played.err);
    assert!(played.out.contains("UCT K=0.5") && played.out.contains("SIEA-MCTS"), "{}", played.out);

    // The name of the file will do as well.
    let twice = here(&["new", "dice.toml"]);
    assert_eq!((twice.code, twice.err.trim()), (Some(2), "evouct: dice.toml exists; give another name"));
    assert_eq!(scratch.read("dice.toml"), text);
    assert_eq!(here(&["new", "a/b"]).code, Some(2));
    assert_eq!(here(&["new", ".toml"]).code, Some(2));
    assert!(!scratch.exists(".toml"));
    assert!(!scratch.exists("a"));

    let new = here(&["new", "grow", "--of", "evolution"]);
    assert_eq!((new.code, new.out.as_str()), (Some(0), "wrote grow.toml; start it with `evouct evolve grow.toml`\n"));
    assert!(schema_of("evolution").is_valid(&json(&scratch.read("grow.toml"))));
}

#[test]
fn shells_and_manuals_know_every_command() {
    let help = succeed(&["--help"]);
    let commands: Vec<&str> = help
        .split("\nOptions:")
        .next()
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = succeed(&["completions", shell]);
        let missing: Vec<&&str> = commands.iter().filter(|command| !text.contains(**command)).collect();
        assert!(missing.is_empty(), "{shell}: {missing:?}");
    }
    let scratch = Scratch::new();
    succeed(&["man", &scratch.path("pages")]);
    assert!(scratch.read("pages/evouct.1").contains("evouct"));
    for command in commands.iter().filter(|command| **command != "help") {
        assert!(scratch.read(&format!("pages/evouct-{command}.1")).contains("NAME"), "{command}");
    }
}
