//! Tables that commands print beside those of reports.

use super::block::{Block, Format, TextTable, print};
use super::cell;
use crate::tables::mean_with_interval::MeanWithInterval;
use evouct_stats::Summary;

/// A mean with half of its 95 % interval, as in the tables of reports: `12.34 ± 1.20`. Without it where there is one value.
pub fn plus_minus(units: &Summary) -> String {
    cell::plus_minus(&MeanWithInterval::of(units), false)
}

/// A table in a form, below its title. Columns from `numbers` on are numbers, those of `names` are shortened where the
/// table is too wide for a terminal.
pub fn listed(
    title: &str,
    header: &[&str],
    (numbers, names): (usize, &[usize]),
    rows: impl IntoIterator<Item = Vec<String>>,
    format: Format,
) -> String {
    let mut table = TextTable::new(title, header, numbers, names);
    rows.into_iter().for_each(|row| table.row(row));
    // Nothing stands above it.
    print(&[Block::Table(table)], format).trim_start_matches('\n').to_owned()
}
