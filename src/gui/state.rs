//! The state of the table as a page shows it.

use super::game::Game;
use super::inner::Inner;
use super::levels::{Level, level_of, levels};
use super::seats;
use super::table::Table;
use crate::domain::AnyDomain;
use crate::panic::catch;
use crate::parameter::{Parameter, Value as Given};
use crate::registry;
use crate::search::SearchColumn;
use evouct_gp::Column;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The whole state: the game, the position at the cursor, and the analysis.
pub(super) fn state(inner: &Inner) -> Value {
    let game = &inner.game;
    let shown = position(game).unwrap_or_else(|problem| json!({ "problem": problem }));
    let colours = game.setup.rules.domain().colours();
    let seats: Vec<Value> = (0..game.setup.seats.len())
        .map(|seat| {
            let spec = &game.setup.seats[seat].spec;
            let level = level_of(game.setup.rules.domain(), spec);
            json!({
                "name": game.name(seat),
                "colour": colours[seat % colours.len()],
                "player": spec.default_name(),
                "level": level.as_ref().map(|level| level.name),
                "about": level.map(|level| level.about),
                "kind": spec.kind().name,
                "parameters": texts(spec.parameters().given()),
                "person": game.is_person(seat),
                "peeks": spec.sees_deck(),
            })
        })
        .collect();
    let scale = game.setup.rules.domain().scale();
    let turns: Vec<Value> = game
        .turns
        .iter()
        .map(|turn| {
            let formula = turn.cost.as_ref().and_then(|cost| cost.evolution.as_ref()).map(|log| &log.formula);
            let scores = scale.json(&turn.scores);
            json!({ "seat": turn.seat, "play": turn.play, "words": turn.words, "scores": scores, "formula": formula })
        })
        .collect();
    let rules = &game.setup.rules;
    json!({
        "version": inner.version,
        "game": rules.domain().name(),
        "line": game.line,
        // Without points of its own a game is won, lost or drawn.
        "points": rules.domain().point().is_empty(),
        "seed": game.setup.seed.to_string(),
        "rules": rules.arguments(),
        "options": texts(rules.options().given()),
        "seats": seats,
        "turns": turns,
        "cursor": game.cursor,
        "toMove": game.seat_at(game.cursor),
        "over": game.to_move.is_none(),
        "undo": game.undo_to().is_some(),
        "redo": game.redo_to().is_some(),
        "people": game.has_people(),
        "paused": inner.paused,
        "thinking": inner.thinking.is_some(),
        "failure": game.failure.as_ref().or(game.held.as_ref()),
        "saved": inner.saved,
        "position": shown,
        "analysis": analysis(inner),
    })
}

/// Parameters by name, each as the text that a page may give for it.
fn texts<'a>(given: impl Iterator<Item = (&'static Parameter, &'a Given)>) -> Value {
    given
        .map(|(row, value)| (row.name.to_owned(), Value::from(value.to_string())))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The analysis; null without one.
pub(super) fn analysis(inner: &Inner) -> Value {
    inner.analysis.as_ref().map_or(Value::Null, |analysis| analysis.json(&inner.game))
}

/// The position at the cursor. Without a person to play there is nothing to choose.
fn position(game: &Game) -> Result<Value, String> {
    let session = game.session_at(game.cursor)?;
    let scene = catch(|| session.scene())?;
    let (names, facts) = catch(|| session.facts())?;
    let mine = game.seat_at(game.cursor).is_some_and(|seat| game.is_person(seat));
    Ok(json!({ "scene": scene, "names": names, "facts": facts, "mine": mine }))
}

/// What the page needs for new games: games with their rules and first seats, and kinds of player with their parameters.
pub(super) fn choices(table: &Table) -> Value {
    let games: Vec<Value> = registry::games()
        .into_iter()
        .map(|game| {
            let kinds: Vec<Value> = game
                .kinds()
                .into_iter()
                .filter(|kind| !kind.is_program())
                .map(|kind| {
                    let rows: Vec<Value> = kind.table.iter().map(parameter).collect();
                    json!({ "name": kind.name, "about": kind.about, "person": kind.is_person(), "parameters": rows })
                })
                .collect();
            let rules: Vec<Value> = game.rules_table().iter().map(parameter).collect();
            let seats = seats::first(game, &BTreeMap::new(), &[]);
            let levels =
                levels(game).into_iter().map(|Level { name, about, .. }| json!({ "name": name, "about": about }));
            json!({
                "name": game.name(),
                "about": game.about(),
                "how": game.how_to_play(),
                "names": names_in_formulas(game),
                "seats": seats,
                "levels": levels.collect::<Vec<_>>(),
                "rules": rules,
                "kinds": kinds,
            })
        })
        .collect();
    json!({ "games": games, "named": table.named, "save": table.archive.folder.display().to_string() })
}

/// What formulas of the game may use, by name.
fn names_in_formulas(game: &dyn AnyDomain) -> Vec<(&'static str, &'static str)> {
    let statistics = SearchColumn::ALL.into_iter().filter_map(|column| match column.column() {
        Column::Declared(row) => Some((row.name, row.about)),
        Column::MoveNumber(_) => None,
    });
    let first = [("Q", "the mean reward of the move."), ("n", "its visits."), ("N", "the visits of the position.")];
    first.into_iter().chain(statistics).chain(game.move_numbers()).chain(game.ratings()).collect()
}

fn parameter(row: &Parameter) -> Value {
    let default = if row.text == Given::Unset { String::new() } else { row.text.to_string() };
    json!({
        "name": row.name,
        "about": row.about,
        "values": row.values.to_string(),
        "names": row.values.names(),
        "several": row.values.is_list(),
        "default": default,
    })
}
