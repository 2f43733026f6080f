//! The chart of the tested differences between players.

use super::chart::rows::{Difference, differences as drawn};
use super::figure::PageFigure;
use super::picture::{ROWS, Section, ends_of};
use crate::tables::captions;
use crate::tables::pairs::PairRow;
use crate::tables::report::Report;
use evouct_base::table::{Cell, Digits};

/// The tested differences of the pairs as tables show them. None without a test.
pub(super) fn differences(report: &Report) -> Option<PageFigure> {
    let tested = |row: PairRow| {
        let test = row.paired.ok()?;
        let interval = test.interval.map(|ends| (ends.low, ends.high));
        Some((row.units, Difference { pair: [row.a, row.b], value: test.difference, interval, holm: row.holm }))
    };
    let pairs: Vec<(u64, Difference)> = report.shown_pairs().into_iter().filter_map(tested).collect();
    if pairs.is_empty() {
        return None;
    }
    let data: Vec<Vec<String>> = (pairs.iter())
        .map(|(units, row)| {
            let [a, b] = row.pair.clone();
            let cells = [a, b, units.to_string(), row.value.to_string()];
            let holm = Cell::number(row.holm, Digits::SCORE).fields().concat();
            cells.into_iter().chain(ends_of(row.interval)).chain([holm]).collect()
        })
        .collect();
    let left_out = match pairs.len() {
        0..=ROWS => String::new(),
        count => format!(" The first {ROWS} of {count} pairs are drawn; the data file has all."),
    };
    let shown: Vec<Difference> = pairs.into_iter().take(ROWS).map(|(_, row)| row).collect();
    let caption = format!("{}{left_out}", captions::differences(report));
    let columns = format!("a b {} difference low high holm_p", report.unit());
    let drawing = drawn("score difference per game", &shown);
    Some(PageFigure::new("differences", caption, drawing, &columns, data).of(Section::Significance))
}
