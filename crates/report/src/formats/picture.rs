//! Where a report shows its figures, and their data as CSV.

use super::chart::Series;
use evouct_league::export::csv_table;

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
    /// A place that its page knows by the name of the figure.
    Named,
}

/// The ends of an interval for a CSV file; empty without one.
pub(super) fn ends_of(interval: Option<(f64, f64)>) -> [String; 2] {
    interval.map_or_else(Default::default, |(low, high)| [low.to_string(), high.to_string()])
}

/// The data of a picture as a CSV file: the names of its columns with spaces between, and its rows.
pub(super) fn table(columns: &str, rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
    csv_table(columns, rows).into_bytes()
}

/// The points of lines, a row each.
pub(super) fn points(series: &[Series]) -> Vec<Vec<String>> {
    let of = |series: &Series| {
        let row = |(at, value): &(f64, f64)| vec![series.name.clone(), at.to_string(), value.to_string()];
        series.points.iter().map(row).collect::<Vec<_>>()
    };
    series.iter().flat_map(of).collect()
}
