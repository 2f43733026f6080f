//! A picture of a report, and its data as CSV.

use super::chart::Series;
use super::csv::table;
use super::drawing::Drawing;

/// The largest number of rows in a chart of values beside names.
pub(super) const ROWS: usize = 60;

/// The section of the report that shows a chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    Matches,
    Ranking,
    Significance,
    Ratings,
    Games,
    Formulas,
    Searches,
    Paper,
}

/// A picture.
pub(super) struct Picture {
    /// The name of its files.
    pub name: String,
    pub section: Section,
    /// What it shows and does not show.
    pub caption: String,
    pub drawing: Drawing,
    pub csv: Vec<u8>,
}

/// The ends of an interval for a CSV file; empty without one.
pub(super) fn ends_of(interval: Option<(f64, f64)>) -> [String; 2] {
    interval.map_or_else(Default::default, |(low, high)| [low.to_string(), high.to_string()])
}

/// The points of lines, a row each.
pub(super) fn points(columns: &str, series: &[Series]) -> Vec<u8> {
    let rows = series.iter().flat_map(|series| {
        series.points.iter().map(|(at, value)| vec![series.name.clone(), at.to_string(), value.to_string()])
    });
    table(columns, rows)
}
