//! The JSON Schemas of the files of offline evolution.

use super::game::GAME_KEYS;
use super::proposer::PROPOSER_KEYS;
use super::score_rule::SCORE_KEYS;
use super::stage::STAGE_KEYS;
use crate::{plan, positions::recipe};
use evouct_base::named::Named;
use evouct_gp::Slot;
use evouct_league::config::OPENINGS;
use evouct_league::config::schema::{document, object, openings, players};
use evouct_platform::domain::AnyDomain;
use serde_json::{Map, Value as Json, json};

/// The JSON Schema (draft 2020-12) of files of `evouct evolve`.
pub fn evolution_schema() -> Json {
    let mut evolve = object(plan::keys::evolve_keys(), &["seeds"]);
    evolve["description"] = "What evolves, and how.".into();
    let texts = |about: &str| json!({ "type": "array", "items": { "type": "string" }, "description": about });
    evolve["properties"]["trees"] = json!({
        "type": "array",
        "items": { "enum": Slot::names() },
        "uniqueItems": true,
        "description": "The formulas that may evolve; select always does.",
    });
    evolve["properties"]["terminals"] = texts("The terminals of formulas, numbers aside.");
    evolve["properties"]["seeds"] = texts("Genomes to start from; the first is the reference.");
    let mut game = object(&GAME_KEYS, &[]);
    game["properties"]["rules"] = json!({ "type": "object", "description": "Options of the rules of the game." });
    game["properties"][OPENINGS] = openings();
    game["properties"]["player"] =
        json!({ "type": "object", "description": "Parameters of the player that are others in this game." });
    game["properties"]["opponent"] = json!({
        "type": "array",
        "items": { "type": "object", "required": ["kind"] },
        "description": "The opponents in this game; those of the file unless given.",
    });
    evolve["properties"]["game"] = json!({
        "type": "array",
        "items": game,
        "minItems": 2,
        "description": "Games in which each formula is measured, in place of that of the file.",
    });
    let mut stage = object(&STAGE_KEYS, &["measure"]);
    let count = json!({ "type": "integer", "minimum": 1, "maximum": 1_000_000 });
    for key in ["positions", "decks"] {
        stage["properties"][key] = json!({
            "anyOf": [count, { "type": "array", "items": count, "minItems": 1 }],
            "description": "Units of each round; after each round the better half goes on.",
        });
    }
    let stages = json!({ "type": "array", "items": stage, "minItems": 1, "description": "Stages of fitness." });
    let mut score = object(&SCORE_KEYS, &[]);
    score["description"] = "Which genomes `evouct score` measures further.".into();
    let mut proposer = object(&PROPOSER_KEYS, &[]);
    proposer["description"] = "A program that proposes formulas.".into();
    let sections = Map::from_iter([
        ("proposer".to_owned(), json!({ "type": "array", "items": proposer })),
        ("evolve".to_owned(), evolve),
        ("stage".to_owned(), stages),
        ("score".to_owned(), score),
        (OPENINGS.to_owned(), openings()),
        ("rules".to_owned(), json!({ "description": "Options of the rules of the game." })),
        ("player".to_owned(), json!({ "description": "The player whose formulas evolve: kind formula." })),
        ("opponent".to_owned(), json!({ "description": "An opponent of the measure games." })),
    ]);
    let of_game = |game: &dyn AnyDomain| json!({ "rules": object(game.rules_table(), &[]), "player": players(game), "opponent": players(game) });
    document("evouct evolution", &plan::keys::KEYS, sections, &["name", "evolve", "player", "stage"], of_game)
}

/// The JSON Schema (draft 2020-12) of recipes of banks.
pub fn bank_schema() -> Json {
    let sections = Map::from_iter([
        ("rules".to_owned(), json!({ "description": "Options of the rules of the game." })),
        ("player".to_owned(), json!({ "description": "A player of the games that positions are taken from." })),
        ("value".to_owned(), json!({ "description": "The player whose search values the moves." })),
    ]);
    let of_game = |game: &dyn AnyDomain| json!({ "rules": object(game.rules_table(), &[]), "player": players(game), "value": players(game) });
    document("evouct bank", &recipe::KEYS, sections, &["name", "player", "value"], of_game)
}
