//! The JSON Schema of experiment files, generated from the tables that read them.

use super::experiment;
use super::frame::{self, OPENINGS};
use super::paper;
use super::python::{self, PYTHON};
use super::sequential;
use super::time_control;
use evouct_base::parameter::{Later, Parameter, Preset, Value, Values};
use evouct_platform::domain::{AnyDomain, KindInfo};
use evouct_platform::registry;
use serde_json::{Map, Value as Json, json};

/// What the schemas say of a key that may be extended.
const EXTENDS: &str = "may be extended";

/// The JSON Schema (draft 2020-12) of experiment files: for editors, which complete and check a file with it.
pub fn schema() -> Json {
    let about = [
        ("rules", "Options of the rules of the game."),
        ("player", "A player, or a sweep of players where a parameter has a list of values."),
        ("paper", "Printed numbers that the report compares with the results."),
        (
            "sequential",
            "A sequential test that may end matches early: of two players after every deck (elo1), or of all pairs at looks.",
        ),
    ];
    let mut sections: Map<String, Json> =
        about.iter().map(|(section, about)| ((*section).to_owned(), json!({ "description": about }))).collect();
    sections["sequential"] = object(&sequential::KEYS, &[]);
    sections["sequential"]["oneOf"] = json!([{ "required": ["elo1"] }, { "required": ["looks"] }]);
    sections["sequential"]["description"] = about[3].1.into();
    let mut openings = openings();
    // A list may get longer.
    openings["later"] = EXTENDS.into();
    sections.insert(OPENINGS.to_owned(), openings);
    sections.insert("clock".to_owned(), object(&time_control::KEYS, &[]));
    sections["clock"]["description"] =
        "The time of each seat for a game. A seat that exceeds it loses the game.".into();
    let mut schema = document("evouct experiment", &experiment::KEYS, sections, &["name", "player"], of_game);
    // Players that are added may have functions of their own.
    schema["properties"][PYTHON]["later"] = EXTENDS.into();
    schema
}

/// What the key `openings` may hold.
pub fn openings() -> Json {
    json!({
        "anyOf": [
            object(&frame::RANDOM_KEYS, &[]),
            { "type": "string" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ],
        "description":
            "The moves with which the games of a deck begin: random ones, a file with a list beside this one, or a list.",
    })
}

/// The schema of a kind of file that has a key `game`: its keys, its sections, and what the sections hold for each
/// game.
pub fn document(
    title: &str,
    keys: &[Parameter],
    sections: Map<String, Json>,
    required: &[&str],
    of_game: fn(&dyn AnyDomain) -> Json,
) -> Json {
    let games = registry::games();
    let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
    let mut properties = properties(keys, false);
    let mut game = json!({ "enum": names, "default": registry::default_game().name() });
    game["description"] = properties["game"]["description"].take();
    properties.insert("game".to_owned(), game);
    properties.insert(PYTHON.to_owned(), of_python());
    properties.extend(sections);
    let of_game = |game: &&'static dyn AnyDomain| {
        let mut condition = json!({ "properties": { "game": { "const": game.name() } } });
        if game.name() != registry::default_game().name() {
            condition["required"] = json!(["game"]);
        }
        json!({ "if": condition, "then": { "properties": of_game(*game) } })
    };
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
        "allOf": games.iter().map(of_game).collect::<Vec<_>>(),
    })
}

/// What the section of Python may hold.
fn of_python() -> Json {
    let part = json!({ "type": "object", "additionalProperties": object(&python::KEYS, &[]) });
    let [functions, operators] = python::PARTS;
    json!({
        "description": "Functions and operators of Python that formulas have, by name, as the package for Python writes them.",
        "type": "object",
        "properties": { functions: part, operators: part },
        "additionalProperties": false,
    })
}

/// Tables of players of a game.
pub fn players(game: &dyn AnyDomain) -> Json {
    let kinds = game.kinds();
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    json!({ "type": "array", "items": {
        "type": "object",
        "properties": { "kind": { "enum": names, "description": "The kind of player." } },
        "required": ["kind"],
        "allOf": kinds.iter().map(|kind| of_kind(kind)).collect::<Vec<_>>(),
    } })
}

/// What the sections of an experiment hold for a game.
fn of_game(game: &dyn AnyDomain) -> Json {
    let mut paper_table = object(&paper::KEYS, &[]);
    for (section, table) in [
        ("ranking", &paper::RANKING[..]),
        ("matches", &paper::MATCHES[..]),
        ("seats", paper::seat_keys(game)),
        ("positions", &paper::POSITIONS[..]),
        ("pairs", &paper::PAIRS[..]),
    ] {
        paper_table["properties"][section] = json!({ "type": "array", "items": object(table, &[]) });
    }
    json!({ "rules": object(game.rules_table(), &[]), "paper": paper_table, "player": players(game) })
}

/// The part of the schema for players of one kind.
fn of_kind(kind: &KindInfo) -> Json {
    let mut properties = properties(kind.table, true);
    properties.insert("kind".to_owned(), json!({ "const": kind.name, "description": kind.about }));
    properties.insert("name".to_owned(), json!({ "type": "string", "description": "Name of the player in tables." }));
    json!({
        "if": { "properties": { "kind": { "const": kind.name } }, "required": ["kind"] },
        "then": { "properties": properties, "additionalProperties": false },
    })
}

/// A table of these parameters and no other keys. It needs `further` keys, which are read otherwise.
pub fn object(table: &[Parameter], further: &[&str]) -> Json {
    let mut object = json!({ "type": "object", "properties": properties(table, false), "additionalProperties": false });
    let own = table.iter().filter(|row| row.required).map(|row| row.name);
    let required: Vec<&str> = own.chain(further.iter().copied()).collect();
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

/// The parameters by their names, earlier spellings too. With `sweeps` a list of values means one player per value.
fn properties(table: &[Parameter], sweeps: bool) -> Map<String, Json> {
    let mut properties = Map::new();
    for row in table {
        let mut one = values(&row.values);
        if let Some(names) = one.get_mut("enum").and_then(Json::as_array_mut) {
            names.extend(row.former.iter().map(|(was, _)| Json::from(*was)));
        }
        let mut schema =
            if sweeps { json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] }) } else { one };
        schema["description"] = row.about.into();
        if *row.default(Preset::Text) != Value::Unset {
            schema["default"] = row.default(Preset::Text).to_json();
        }
        match row.later {
            Later::Fixed => {}
            Later::Extends => schema["later"] = EXTENDS.into(),
            Later::Changes => schema["later"] = "may change".into(),
        }
        if let Some(was) = row.was {
            let mut earlier = schema.clone();
            earlier["deprecated"] = true.into();
            earlier["description"] = format!("Earlier spelling of {}. {}", row.name, row.about).into();
            properties.insert(was.to_owned(), earlier);
        }
        properties.insert(row.name.to_owned(), schema);
    }
    properties
}

fn values(values: &Values) -> Json {
    match values {
        Values::Count(least, u64::MAX) => json!({ "type": "integer", "minimum": least }),
        Values::Count(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Values::Real(f64::MIN, f64::MAX) => json!({ "type": "number" }),
        Values::Real(least, most) => json!({ "type": "number", "minimum": least, "maximum": most }),
        Values::Name(names) => json!({ "enum": names }),
        Values::Names(names) => {
            json!({ "type": "array", "items": { "enum": names }, "minItems": 1, "uniqueItems": true })
        }
        Values::Subset(names) => json!({ "type": "array", "items": { "enum": names }, "uniqueItems": true }),
        Values::Reals(least, most) => {
            json!({ "type": "array", "items": { "type": "number", "minimum": least, "maximum": most }, "minItems": 1 })
        }
        Values::NameOrReal(names, least, most) => {
            json!({ "anyOf": [{ "enum": names }, { "type": "number", "minimum": least, "maximum": most }] })
        }
        Values::Flag => json!({ "type": "boolean" }),
        Values::Text => json!({ "type": "string" }),
        Values::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Values::Language(language) if language.separator().is_none() => json!({ "type": "string" }),
        Values::Words | Values::Language(_) => {
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" }, "minItems": 1 }] })
        }
    }
}
