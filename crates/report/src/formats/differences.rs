//! The chart of the tested differences between players.

use super::chart::rows::{Difference, differences as drawn};
use super::csv::{number, table};
use super::pictures::{Picture, ROWS, Section, ends_of};
use crate::tables::captions;
use crate::tables::pairs::PairRow;
use crate::tables::report::Report;
use std::collections::BTreeMap;

/// The tested differences in the order of the ranking, the player first that is ahead; in a gauntlet those of the fixed
/// opponent from each contestant. None without a test.
pub(super) fn differences(report: &Report) -> Option<Picture> {
    let places: BTreeMap<&str, usize> =
        report.ranking.iter().enumerate().map(|(place, row)| (row.player.as_str(), place)).collect();
    let place = |player: &String| places.get(player.as_str()).copied().unwrap_or(usize::MAX);
    let ahead_first = |row: &PairRow| match &report.gauntlet {
        // The fixed opponent is the first of the file, and so of its pairs.
        Some(_) => row.clone(),
        None => row.stronger_first(),
    };
    let mut pairs: Vec<(u64, Difference)> = report
        .significance
        .iter()
        .filter(|row| row.paired.is_ok())
        .map(ahead_first)
        .filter_map(|row| {
            let test = row.paired.ok()?;
            let interval = Some((test.interval.low, test.interval.high));
            Some((row.units, Difference { pair: [row.a, row.b], value: test.difference, interval, holm: row.holm }))
        })
        .collect();
    pairs.sort_by_key(|(_, row)| {
        let [a, b] = [&row.pair[0], &row.pair[1]].map(place);
        (a.min(b), a.max(b))
    });
    if pairs.is_empty() {
        return None;
    }
    let csv = table(
        &format!("a b {} difference low high holm_p", report.unit()),
        pairs.iter().map(|(units, row)| {
            let [a, b] = row.pair.clone();
            let cells = [a, b, units.to_string(), row.value.to_string()];
            cells.into_iter().chain(ends_of(row.interval)).chain([number(row.holm)]).collect()
        }),
    );
    let left_out = match pairs.len() {
        0..=ROWS => String::new(),
        count => format!(" The first {ROWS} of {count} pairs are drawn; the data file has all."),
    };
    let shown: Vec<Difference> = pairs.into_iter().take(ROWS).map(|(_, row)| row).collect();
    Some(Picture {
        name: "differences".to_owned(),
        section: Section::Significance,
        caption: format!("{}{left_out}", captions::differences(report)),
        drawing: drawn("score difference per game", &shown),
        csv,
    })
}
