//! What the tables hold.

use super::column::ColumnType;
use crate::record::{DecisionLog, GameRecord};
use evouct_base::named::Named;
use evouct_platform::domain::{RecordedMetrics, ScoreScale};
use evouct_store::disk::Replacement;
use serde_json::Value as Json;
use std::io;

/// The tables and what a row of each is.
pub const TABLES: [(&str, &str); 4] = [
    ("games", "a game"),
    ("seats", "a seat of a game"),
    ("turns", "a decision of a game"),
    ("formulas", "a decision that evolved a formula"),
];

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Whole(i64),
    Real(f64),
    Text(String),
    Flag(bool),
    Absent,
}

/// A table that is being written.
pub(super) trait TableWriter {
    /// Adds a row.
    fn add(&mut self, row: Vec<Cell>) -> io::Result<()>;

    /// Writes the rest of the file, which is not in its place yet.
    fn complete(self: Box<Self>) -> io::Result<Replacement>;
}

/// The columns of a table.
pub(super) type Columns = Vec<(String, ColumnType)>;

/// The rows of one game: `games`, `seats`, `turns`, `formulas`.
pub(super) type Rows = [Vec<Vec<Cell>>; 4];

/// The columns of the tables, which depend on the number of seats and on what the game counts.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    seats: usize,
    /// What the game counts of a seat, as paths into its metrics.
    metrics: Columns,
    /// What searches leave behind, by name.
    traces: Vec<String>,
    /// Scores are written in points.
    scale: ScoreScale,
}

impl Layout {
    /// The layout of the games of a run, by its first one.
    pub(super) fn of(game: &GameRecord, scale: ScoreScale) -> Layout {
        let mut metrics = Vec::new();
        if let Some(first) = game.metrics.first() {
            paths(&first.json(), "", &mut metrics);
        }
        let traces = game.search.first().map_or(Vec::new(), |trace| trace.keys().cloned().collect());
        Layout { seats: game.seats.len(), metrics, traces, scale }
    }

    /// The columns of each table.
    pub(super) fn columns(&self) -> [Columns; 4] {
        use ColumnType::{Flag, Real, Text, Whole};
        let named = |columns: &[(&str, ColumnType)]| -> Columns {
            columns.iter().map(|(name, of)| ((*name).to_owned(), *of)).collect()
        };
        let points = if self.scale.is_whole() { Whole } else { Real };
        let games = named(&[
            ("game", Text),
            ("deck", Whole),
            ("ended", Text),
            ("fault", Text),
            ("reproducible", Flag),
            ("turns", Whole),
            ("moves", Text),
            ("at", Whole),
            ("host", Text),
            ("evouct", Text),
        ]);
        let mut seats = named(&[
            ("game", Text),
            ("deck", Whole),
            ("seat", Whole),
            ("player", Text),
            ("identity", Text),
            ("score", points),
            ("difference", points),
            ("playouts", Whole),
            ("nodes", Whole),
            ("seconds", Real),
        ]);
        seats.extend(self.metrics.iter().cloned());
        seats.extend(self.traces.iter().map(|name| (name.clone(), Real)));
        let mut turns = named(&[("game", Text), ("turn", Whole), ("seat", Whole)]);
        turns.extend((0..self.seats).map(|seat| (format!("virtual_score_{seat}"), points)));
        let formulas = named(&[
            ("game", Text),
            ("turn", Whole),
            ("seat", Whole),
            ("player", Text),
            ("formula", Text),
            ("nodes", Whole),
            ("depth", Whole),
            ("fitness_of_seed", Real),
            ("fitness", Real),
            ("ties", Whole),
            ("in_range", Whole),
            ("by_semantics", Whole),
            ("replaced", Whole),
            ("playouts", Whole),
        ]);
        [games, seats, turns, formulas]
    }

    /// The rows of a game.
    pub(super) fn rows(&self, game: &GameRecord) -> Rows {
        [vec![self.game(game)], self.seats(game), self.turns(game), self.formulas(game)]
    }

    fn game(&self, game: &GameRecord) -> Vec<Cell> {
        let ended = serde_json::to_value(game.ended).ok();
        vec![
            text(&game.id),
            whole(game.deck),
            ended.as_ref().and_then(Json::as_str).map_or(Cell::Absent, text),
            game.fault.map_or(Cell::Absent, |fault| text(fault.reason.name())),
            Cell::Flag(game.reproducible),
            count(game.virtual_scores.len()),
            text(&game.moves),
            if game.run.at == 0 { Cell::Absent } else { wide(game.run.at) },
            text(&game.run.host),
            text(&game.run.evouct),
        ]
    }

    fn seats(&self, game: &GameRecord) -> Vec<Vec<Cell>> {
        let row = |(seat, identity): (usize, &String)| {
            let score = game.scores.get(seat).copied();
            let others = game.scores.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, score)| *score);
            let difference = score.zip(others.max()).map(|(score, best)| self.difference(score, best));
            let mut row = vec![
                text(&game.id),
                whole(game.deck),
                count(seat),
                game.run.players.get(seat).map_or(Cell::Absent, text),
                text(identity),
                score.map_or(Cell::Absent, |score| self.points(score)),
                difference.unwrap_or(Cell::Absent),
                game.playouts.get(seat).map_or(Cell::Absent, |playouts| wide(*playouts)),
                game.nodes.get(seat).map_or(Cell::Absent, |nodes| wide(*nodes)),
                real(game.run.seconds.get(seat).copied()),
            ];
            let metrics = game.metrics.get(seat).map(RecordedMetrics::json);
            row.extend(
                self.metrics
                    .iter()
                    .map(|(path, of)| metrics.as_ref().map_or(Cell::Absent, |of_seat| at(of_seat, path, *of))),
            );
            let trace = game.search.get(seat);
            row.extend(self.traces.iter().map(|name| real(trace.and_then(|trace| trace.get(name)).copied())));
            row
        };
        game.seats.iter().enumerate().map(row).collect()
    }

    fn points(&self, score: i32) -> Cell {
        self.difference(score, 0)
    }

    fn difference(&self, score: i32, other: i32) -> Cell {
        if self.scale.is_whole() {
            Cell::Whole(i64::from(score) - i64::from(other))
        } else {
            Cell::Real(self.scale.difference(score, other))
        }
    }

    fn turns(&self, game: &GameRecord) -> Vec<Vec<Cell>> {
        let row = |((turn, scores), (mover, _)): ((usize, &[i32]), (usize, usize))| {
            let mut row = vec![text(&game.id), count(turn), count(mover)];
            row.extend((0..self.seats).map(|seat| scores.get(seat).map_or(Cell::Absent, |score| self.points(*score))));
            row
        };
        game.virtual_scores.iter().enumerate().zip(game.decisions()).map(row).collect()
    }

    fn formulas(&self, game: &GameRecord) -> Vec<Vec<Cell>> {
        let movers = game.decisions();
        let row = |decision: &DecisionLog| {
            let log = &decision.log;
            let seat = movers.get(decision.turn as usize).map(|(seat, _)| *seat);
            vec![
                text(&game.id),
                whole(decision.turn),
                seat.map_or(Cell::Absent, count),
                seat.and_then(|seat| game.run.players.get(seat)).map_or(Cell::Absent, text),
                text(&log.formula),
                count(log.nodes),
                count(log.depth),
                real(log.fitness.first().copied()),
                real(log.fitness.last().copied()),
                count(log.ties),
                count(log.in_range),
                count(log.by_semantics),
                count(log.replaced),
                wide(log.playouts),
            ]
        };
        game.evolution.iter().map(row).collect()
    }
}

/// The paths of the numbers and flags in a JSON object, with their types: `city_points` is `points` of `city`.
fn paths(json: &Json, prefix: &str, found: &mut Columns) {
    match json {
        Json::Object(entries) => {
            for (key, value) in entries {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}_{key}") };
                paths(value, &path, found);
            }
        }
        Json::Number(_) => found.push((prefix.to_owned(), ColumnType::Real)),
        Json::Bool(_) => found.push((prefix.to_owned(), ColumnType::Flag)),
        Json::Null | Json::String(_) | Json::Array(_) => {}
    }
}

/// The value at a path of [`paths`].
fn at(json: &Json, path: &str, of: ColumnType) -> Cell {
    let found = json.as_object().into_iter().flatten().find_map(|(key, value)| {
        let rest = path.strip_prefix(key.as_str())?;
        match (rest.strip_prefix('_'), of) {
            // Another key may begin alike: `turns` and `turns_with_meeple`.
            (Some(rest), _) => Some(at(value, rest, of)).filter(|cell| *cell != Cell::Absent),
            (None, _) if !rest.is_empty() => None,
            (None, ColumnType::Flag) => value.as_bool().map(Cell::Flag),
            (None, _) => value.as_f64().map(Cell::Real),
        }
    });
    found.unwrap_or(Cell::Absent)
}

fn text(text: impl AsRef<str>) -> Cell {
    Cell::Text(text.as_ref().to_owned())
}

fn whole(number: u32) -> Cell {
    Cell::Whole(number.into())
}

fn wide(number: u64) -> Cell {
    i64::try_from(number).map_or(Cell::Absent, Cell::Whole)
}

fn count(number: usize) -> Cell {
    wide(number as u64)
}

fn real(number: Option<f64>) -> Cell {
    number.map_or(Cell::Absent, Cell::Real)
}

#[cfg(test)]
mod tests {
    use super::{Cell, ColumnType, at, paths};
    use serde_json::json;

    #[test]
    fn numbers_and_flags_of_nested_objects_have_paths() {
        let metrics =
            json!({ "city": { "points": 4, "a_b": 1 }, "reached": true, "turns": 36, "turns_b": 9, "note": "x" });
        let mut found = Vec::new();
        paths(&metrics, "", &mut found);
        let expected = [
            ("city_a_b", ColumnType::Real),
            ("city_points", ColumnType::Real),
            ("reached", ColumnType::Flag),
            ("turns", ColumnType::Real),
            ("turns_b", ColumnType::Real),
        ];
        assert_eq!(found, expected.map(|(path, of)| (path.to_owned(), of)));
        assert_eq!(at(&metrics, "city_a_b", ColumnType::Real), Cell::Real(1.0));
        assert_eq!(at(&metrics, "turns", ColumnType::Real), Cell::Real(36.0));
        assert_eq!(at(&metrics, "turns_b", ColumnType::Real), Cell::Real(9.0));
        assert_eq!(at(&metrics, "reached", ColumnType::Flag), Cell::Flag(true));
        // Another game may have nothing there, or something else.
        for path in ["city", "tur", "note", "reached", "nothing"] {
            assert_eq!(at(&metrics, path, ColumnType::Real), Cell::Absent, "{path}");
        }
    }
}
