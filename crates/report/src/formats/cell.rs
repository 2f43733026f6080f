//! Numbers as text, the same in all printed tables.

use crate::tables::cost::DecisionCost;
use crate::tables::grouped::grouped;
use crate::tables::mean_with_interval::MeanWithInterval;
use crate::tables::report::Report;
use evouct_base::plural::noun_of;
use evouct_stats::t_test::TTest;

/// Decimals of a score: two, none where a score has five digits or more.
fn decimals(value: f64) -> usize {
    if value.abs() < 10_000.0 { 2 } else { 0 }
}

/// A score without a sign.
pub(super) fn score(value: f64) -> String {
    format!("{value:.*}", decimals(value))
}

/// A score with its sign.
pub(super) fn signed(value: f64) -> String {
    format!("{value:+.*}", decimals(value))
}

/// `12.34 ± 1.20`.
pub(super) fn plus_minus(statistic: &MeanWithInterval, sign: bool) -> String {
    let decimals = decimals(statistic.mean);
    let mean = if sign { signed(statistic.mean) } else { format!("{:.decimals$}", statistic.mean) };
    match statistic.interval {
        Some(interval) => format!("{mean} ± {:.decimals$}", (interval.high - interval.low) / 2.0),
        None => mean,
    }
}

/// The difference of a test with its interval, which lies around it evenly if it is by Student's t.
pub(super) fn difference(test: &TTest) -> String {
    match test.interval {
        Some(ends) if test.exact => {
            format!("{} ({} … {})", signed(test.difference), signed(ends.low), signed(ends.high))
        }
        Some(ends) => format!("{} ± {:.2}", signed(test.difference), (ends.high - ends.low) / 2.0),
        None => signed(test.difference),
    }
}

/// The columns of a table. Those at these places are for a number of decks that is fixed in advance: a league that tests
/// at looks has nothing there, and goes without them.
pub(super) fn columns<T>(report: &Report, all: impl IntoIterator<Item = T>, fixed: &[usize]) -> Vec<T> {
    let is_shown = |place: &usize| report.looks.is_none() || !fixed.contains(place);
    all.into_iter().enumerate().filter(|(place, _)| is_shown(place)).map(|(_, column)| column).collect()
}

/// The columns of a table of tests, whose last one is Welch's: a Swiss schedule has nothing there.
pub(super) fn test_columns<T>(report: &Report, all: impl IntoIterator<Item = T>, fixed: &[usize]) -> Vec<T> {
    let mut shown = columns(report, all, fixed);
    shown.truncate(shown.len() - usize::from(report.rounds.is_some()));
    shown
}

/// The mark of an approximate p-value.
const APPROXIMATE: char = '≈';

/// A p-value that may be approximate, short.
pub(super) fn marked_p(p: f64, exact: bool) -> String {
    if exact { p_value(p) } else { format!("{APPROXIMATE}{}", p_value(p)) }
}

/// A p-value, short.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.0001 { "<0.0001".to_owned() } else { format!("{p:.4}") }
}

/// The headings of the columns of [`cost`].
pub(super) const COST: [&str; 3] = ["playouts", "time", "deck"];

/// Playouts or nodes per decision, time per decision, and whether the player sees the deck.
pub(super) fn cost(cost: &DecisionCost) -> [String; 3] {
    let effort = match (cost.playouts, cost.nodes) {
        (Some(playouts), _) => grouped(playouts.round() as u64),
        (None, Some(nodes)) => format!("{} nodes", compact(nodes)),
        (None, None) => "-".to_owned(),
    };
    let deck = if cost.sees_deck { "seen" } else { "hidden" };
    [effort, cost.seconds.map_or("-".to_owned(), duration), deck.to_owned()]
}

/// The same as a phrase: `400 playouts and 12 ms per decision, deck hidden`.
pub(super) fn cost_phrase(of: &DecisionCost) -> String {
    let [effort, time, deck] = cost(of);
    let effort = match (of.playouts, of.nodes) {
        (Some(playouts), _) => format!("{effort} {} and ", noun_of(playouts.round(), "playout")),
        (None, Some(_)) => format!("{effort} and "),
        (None, None) => String::new(),
    };
    format!("{effort}{time} per decision, deck {deck}")
}

/// A rating, without a sign of zero.
pub(super) fn rating(elo: f64) -> String {
    format!("{:+.0}", elo.round() + 0.0)
}

/// A count with three digits or a unit of thousands or millions: `950`, `12.4k`, `4.4M`.
fn compact(count: f64) -> String {
    match count {
        count if count >= 1e6 => format!("{:.1}M", count / 1e6),
        count if count >= 1e4 => format!("{:.1}k", count / 1e3),
        count => format!("{count:.0}"),
    }
}

/// A time in seconds with two significant digits and a unit.
fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        seconds if seconds >= 1.0 => (seconds, "s"),
        seconds if seconds >= 1e-3 => (seconds * 1e3, "ms"),
        seconds => (seconds * 1e6, "µs"),
    };
    if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_short() {
        let of = |playouts, nodes, seconds| cost(&DecisionCost { playouts, nodes, seconds, sees_deck: false });
        assert_eq!(of(Some(2830.2), Some(3.0), Some(0.0123)), ["2,830", "12 ms", "hidden"]);
        assert_eq!(of(None, Some(41_000.0), Some(2.3)), ["41.0k nodes", "2.3 s", "hidden"]);
        assert_eq!(compact(4_449_600.0), "4.4M");
        assert_eq!([rating(-0.2), rating(12.6), rating(-3.0)], ["+0", "+13", "-3"]);
        assert_eq!(of(None, None, None), ["-", "-", "hidden"]);
        assert_eq!(duration(0.000_004), "4.0 µs");
    }
}
