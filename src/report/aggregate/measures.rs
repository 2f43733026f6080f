//! The measures of a seat: with `formats/board.rs` the only place of the report that knows which game is played.

use super::game_result::GameResult;
use crate::record::FeatureMetrics;

/// A measure of a seat in a game.
pub(in crate::report) struct Measure {
    /// The name in `players.csv` and `report.json`.
    pub name: &'static str,
    /// What it measures, with its unit.
    pub about: &'static str,
    /// Its value for a seat, counted from 0.
    pub value: fn(&GameResult, usize) -> f64,
}

/// Turns in which a seat could be without a meeple, by seat: 36 and 35 turns less the first seven (Valdez Ameneyro et al.
/// 2020, Equation 5).
const MEEPLELESS_TURNS: [f64; 2] = [29.0, 28.0];
/// A seat has a meeple at least in its first seven turns.
const FIRST_TURNS: f64 = 7.0;

/// All measures of a seat.
pub(in crate::report) const MEASURES: [Measure; 17] = [
    measure("score", "final score", |game, seat| f64::from(game.seats[seat].score)),
    measure("difference", "final score less the opponent's", GameResult::difference),
    measure("playouts", "playouts, evolution included", |game, seat| game.seats[seat].playouts as f64),
    measure("nodes", "positions visited by *-minimax", |game, seat| game.seats[seat].nodes as f64),
    measure("seconds", "thinking time in seconds", |game, seat| game.seats[seat].seconds),
    measure("meeples", "meeples placed", |game, seat| f64::from(game.seats[seat].metrics.meeples)),
    measure("turns_with_meeple", "turns begun with a meeple in supply", turns_with_meeple),
    measure("twm", "turns_with_meeple / 29 for player 1, / 28 for player 2", |game, seat| {
        turns_with_meeple(game, seat) / MEEPLELESS_TURNS[seat]
    }),
    measure("twm_shifted", "the same after subtracting the first seven turns", |game, seat| {
        (turns_with_meeple(game, seat) - FIRST_TURNS) / MEEPLELESS_TURNS[seat]
    }),
    measure("city_meeples", "meeples placed in cities", |game, seat| meeples(game.seats[seat].metrics.city)),
    measure("city_points", "points from cities", |game, seat| points(game.seats[seat].metrics.city)),
    measure("road_meeples", "meeples placed on roads", |game, seat| meeples(game.seats[seat].metrics.road)),
    measure("road_points", "points from roads", |game, seat| points(game.seats[seat].metrics.road)),
    measure("field_meeples", "meeples placed on fields", |game, seat| meeples(game.seats[seat].metrics.field)),
    measure("field_points", "points from fields", |game, seat| points(game.seats[seat].metrics.field)),
    measure("monastery_meeples", "meeples placed in monasteries", |game, seat| {
        meeples(game.seats[seat].metrics.monastery)
    }),
    measure("monastery_points", "points from monasteries", |game, seat| points(game.seats[seat].metrics.monastery)),
];

/// The measures that every table of seats shows: name and heading.
pub(in crate::report) const COLUMNS: [(&str, &str); 8] = [
    ("score", "score"),
    ("difference", "difference"),
    ("meeples", "meeples"),
    ("twm", "twm"),
    ("city_points", "city"),
    ("road_points", "road"),
    ("field_points", "field"),
    ("monastery_points", "monastery"),
];

/// What the columns mean.
pub(in crate::report) const CAPTION: &str = "Means per game, by player and seat. twm is the share of turns that begin with a \
    meeple in supply, in the reading of Valdez Ameneyro et al. (2020), Equation 5, that fits their printed numbers. The columns \
    city to monastery are points. Metrics describe how a player plays; a metric that correlates with winning need not be its \
    cause.";

const fn measure(name: &'static str, about: &'static str, value: fn(&GameResult, usize) -> f64) -> Measure {
    Measure { name, about, value }
}

fn turns_with_meeple(game: &GameResult, seat: usize) -> f64 {
    f64::from(game.seats[seat].metrics.turns_with_meeple)
}

fn meeples(feature: FeatureMetrics) -> f64 {
    f64::from(feature.meeples)
}

fn points(feature: FeatureMetrics) -> f64 {
    f64::from(feature.points)
}
