//! The measures of a seat: those of every game, and the columns of the game that is played.

use super::game_result::GameResult;
use evouct_platform::domain::AnyDomain;

/// A measure of a seat in a game.
#[derive(Clone, Debug)]
pub struct SeatMeasure {
    /// The name in `players.csv` and `report.json`.
    pub name: &'static str,
    /// What it measures, with its unit.
    pub about: &'static str,
    /// Its heading in the table of seats, where it stands there.
    pub heading: Option<&'static str>,
    source: Source,
}

/// Where a measure comes from.
#[derive(Clone, Debug)]
enum Source {
    /// What every record has.
    Record(fn(&GameResult, usize) -> f64),
    /// A column of the game.
    Column(usize),
    /// What searches left behind, by the name of the measure.
    Search,
}

impl SeatMeasure {
    /// Its value for a seat, counted from 0.
    pub fn value(&self, game: &GameResult, seat: usize) -> f64 {
        match self.source {
            Source::Record(value) => value(game, seat),
            Source::Search => game.seats[seat].search.get(self.name).copied().unwrap_or_default(),
            Source::Column(column) => game.seats[seat].columns.get(column).copied().unwrap_or_default(),
        }
    }
}

/// All measures of a seat.
pub(crate) fn measures(domain: &dyn AnyDomain) -> Vec<SeatMeasure> {
    let own = domain.columns().into_iter().enumerate().map(|(index, column)| SeatMeasure {
        name: column.name,
        about: column.about,
        heading: column.heading,
        source: Source::Column(index),
    });
    let every = [
        of_record("score", "final score", Some("score"), |game, seat| game.points(seat)),
        of_record(
            "difference",
            "final score minus the best of the other seats",
            Some("difference"),
            GameResult::difference,
        ),
        of_record("playouts", "playouts, evolution included", None, |game, seat| game.seats[seat].playouts as f64),
        of_record("nodes", "positions visited by *-minimax", None, |game, seat| game.seats[seat].nodes as f64),
        of_record("seconds", "thinking time in seconds", None, |game, seat| game.seats[seat].seconds),
    ];
    let search = domain.trace_columns().iter().map(|column| SeatMeasure {
        name: column.name,
        about: column.about,
        heading: column.heading,
        source: Source::Search,
    });
    every.into_iter().chain(own).chain(search).collect()
}

/// What the table of seats shows.
pub(crate) fn caption(domain: &dyn AnyDomain) -> String {
    let parts = [
        "Means per game, by player and seat.",
        domain.caption(),
        "Metrics describe how a player plays; a metric that correlates with winning need not be its cause.",
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn of_record(
    name: &'static str,
    about: &'static str,
    heading: Option<&'static str>,
    value: fn(&GameResult, usize) -> f64,
) -> SeatMeasure {
    SeatMeasure { name, about, heading, source: Source::Record(value) }
}
