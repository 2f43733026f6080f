//! What the tables hold.

use crate::record::{DecisionLog, GameRecord};
use serde_json::Value as Json;

/// The tables and what a row of each is.
pub const TABLES: [(&str, &str); 4] = [
    ("games", "a game"),
    ("seats", "a seat of a game"),
    ("turns", "a decision of a game"),
    ("formulas", "a decision that evolved a formula"),
];

/// The type of a column. Every value may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    Whole,
    Real,
    Text,
    Flag,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Whole(i64),
    Real(f64),
    Text(String),
    Flag(bool),
    Absent,
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
    metrics: Vec<String>,
    /// What searches leave behind, by name.
    traces: Vec<String>,
}

impl Layout {
    /// The layout of the games of a run, by its first one.
    pub(super) fn of(game: &GameRecord) -> Layout {
        let mut metrics = Vec::new();
        if let Some(first) = game.metrics.first() {
            paths(first, "", &mut metrics);
        }
        let traces = game.search.first().map_or(Vec::new(), |trace| trace.keys().cloned().collect());
        Layout { seats: game.seats.len(), metrics, traces }
    }

    /// The columns of each table.
    pub(super) fn columns(&self) -> [Columns; 4] {
        use ColumnType::{Flag, Real, Text, Whole};
        let named = |columns: &[(&str, ColumnType)]| -> Columns {
            columns.iter().map(|(name, of)| ((*name).to_owned(), *of)).collect()
        };
        let games = named(&[
            ("game", Text),
            ("deck", Whole),
            ("ended", Text),
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
            ("score", Whole),
            ("difference", Whole),
            ("playouts", Whole),
            ("nodes", Whole),
            ("seconds", Real),
        ]);
        seats.extend(self.metrics.iter().chain(&self.traces).map(|name| (name.clone(), Real)));
        let mut turns = named(&[("game", Text), ("turn", Whole), ("seat", Whole)]);
        turns.extend((0..self.seats).map(|seat| (format!("virtual_score_{seat}"), Whole)));
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
            let difference = score.zip(others.max()).map(|(score, best)| i64::from(score) - i64::from(best));
            let mut row = vec![
                text(&game.id),
                whole(game.deck),
                count(seat),
                game.run.players.get(seat).map_or(Cell::Absent, text),
                text(identity),
                score.map_or(Cell::Absent, |score| Cell::Whole(score.into())),
                difference.map_or(Cell::Absent, Cell::Whole),
                game.playouts.get(seat).map_or(Cell::Absent, |playouts| wide(*playouts)),
                game.nodes.get(seat).map_or(Cell::Absent, |nodes| wide(*nodes)),
                real(game.run.seconds.get(seat).copied()),
            ];
            let metrics = game.metrics.get(seat);
            row.extend(self.metrics.iter().map(|path| real(metrics.and_then(|metrics| at(metrics, path)))));
            let trace = game.search.get(seat);
            row.extend(self.traces.iter().map(|name| real(trace.and_then(|trace| trace.get(name)).copied())));
            row
        };
        game.seats.iter().enumerate().map(row).collect()
    }

    fn turns(&self, game: &GameRecord) -> Vec<Vec<Cell>> {
        let row = |((turn, scores), (mover, _)): ((usize, &Vec<i32>), (usize, usize))| {
            let mut row = vec![text(&game.id), count(turn), count(mover)];
            row.extend(
                (0..self.seats).map(|seat| scores.get(seat).map_or(Cell::Absent, |score| Cell::Whole((*score).into()))),
            );
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

/// The paths of the numbers in a JSON object: `city_points` is `points` of `city`.
fn paths(json: &Json, prefix: &str, found: &mut Vec<String>) {
    match json {
        Json::Object(entries) => {
            for (key, value) in entries {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}_{key}") };
                paths(value, &path, found);
            }
        }
        Json::Number(_) => found.push(prefix.to_owned()),
        _ => {}
    }
}

/// The number at a path of [`paths`].
fn at(json: &Json, path: &str) -> Option<f64> {
    let Json::Object(entries) = json else { return json.as_f64().filter(|_| path.is_empty()) };
    entries.iter().find_map(|(key, value)| {
        let rest = path.strip_prefix(key.as_str())?;
        match rest.strip_prefix('_') {
            Some(rest) => at(value, rest),
            None if rest.is_empty() => value.as_f64(),
            None => None,
        }
    })
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
    use super::{at, paths};
    use serde_json::json;

    #[test]
    fn numbers_of_nested_objects_have_paths() {
        let metrics = json!({ "city": { "points": 4, "a_b": 1 }, "turns": 36, "note": "x" });
        let mut found = Vec::new();
        paths(&metrics, "", &mut found);
        assert_eq!(found, ["city_a_b", "city_points", "turns"]);
        assert_eq!(at(&metrics, "city_a_b"), Some(1.0));
        assert_eq!(at(&metrics, "turns"), Some(36.0));
        assert_eq!(at(&metrics, "city"), None);
        assert_eq!(at(&metrics, "tur"), None);
    }
}
