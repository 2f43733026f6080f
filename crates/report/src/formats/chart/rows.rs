//! Charts of values with intervals, one under another, with names beside them.

use super::{Axis, Chart, LETTER, MARGIN, WIDTH, ends, range, short, with_interval, within};
use crate::formats::cell;
use crate::formats::drawing::{Drawing, Ink, Place};
use evouct_stats::SIGNIFICANCE_LEVEL;
use std::ops::Range;

/// Characters of the names of a pair that fit beside a chart.
const PAIR: usize = 36;

/// A value with its interval, beside a name.
pub(in crate::formats) struct Dot {
    pub name: String,
    pub value: f64,
    pub interval: Option<(f64, f64)>,
    /// The number of its colour.
    pub colour: usize,
}

/// A difference between two players with its interval.
pub(in crate::formats) struct Difference {
    /// The player whose value is higher if the difference is positive, and the other.
    pub pair: [String; 2],
    pub value: f64,
    pub interval: Option<(f64, f64)>,
    /// The p-value after Holm's correction; none where the difference was not tested.
    pub holm: Option<f64>,
}

/// The names of a pair, shortened to fit: a long one has the room that a short one leaves.
fn short_pair([a, b]: &[String; 2]) -> String {
    const BETWEEN: &str = " – ";
    let room = PAIR - BETWEEN.chars().count();
    let [of_a, of_b] = [a, b].map(|name| name.chars().count());
    let of_a = of_a.min((room - of_b.min(room / 2)).max(room / 2));
    format!("{}{BETWEEN}{}", within(a, of_a), within(b, room - of_a))
}

/// Values with intervals, one under another, the names beside them.
pub(in crate::formats) fn dots(x: &str, dots: &[Dot]) -> Drawing {
    let values = || dots.iter().flat_map(|dot| ends(dot.value, dot.interval));
    let left = 188.0;
    let mut chart = of_rows(x, values, dots.len(), left);
    for (row, dot) in dots.iter().enumerate() {
        let place = chart.row((row, dots.len()), dot.value, dot.interval, Ink::Series(dot.colour));
        // A name stands beside the first of its rows.
        if row == 0 || dots[row - 1].name != dot.name {
            chart.drawing.text(short(&dot.name), (left - 8.0, place.1), 1.0);
        }
        chart.drawing.read(place, format!("{}: {}", dot.name, with_interval(dot.value, dot.interval)));
    }
    chart.drawing
}

/// Differences with intervals, one under another, the two names beside each, and a dashed line at 0. Those that are
/// significant have the colour of the first series and a mark, the others the colour of text.
pub(in crate::formats) fn differences(x: &str, rows: &[Difference]) -> Drawing {
    let values = || rows.iter().flat_map(|row| ends(row.value, row.interval)).chain([0.0]);
    let labels: Vec<String> = rows.iter().map(|row| short_pair(&row.pair)).collect();
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or_default();
    let left = LETTER * longest as f64 + 30.0;
    let mut chart = of_rows(x, values, rows.len(), left);
    let Range { start, end } = chart.y.values;
    chart.dashed(&[(0.0, start), (0.0, end)], Ink::Series(1), 1.0);
    for ((number, row), label) in rows.iter().enumerate().zip(labels) {
        let is_significant = row.holm.is_some_and(|p| p < SIGNIFICANCE_LEVEL);
        let ink = if is_significant { Ink::Series(0) } else { Ink::Text };
        let place = chart.row((number, rows.len()), row.value, row.interval, ink);
        chart.drawing.text(label, (left - 20.0, place.1), 1.0);
        if is_significant {
            chart.drawing.text("*", (left - 9.0, place.1), 0.5);
        }
        let [a, b] = &row.pair;
        let holm = row.holm.map_or(String::new(), |p| format!(", Holm p {}", cell::p_value(p)));
        chart.drawing.read(place, format!("{a} – {b}: {}{holm}", with_interval(row.value, row.interval)));
    }
    chart.drawing
}

/// An empty chart of so many rows, one under another, whose names stand to the left of this place.
fn of_rows<V: Iterator<Item = f64>>(x: &str, values: impl Fn() -> V, rows: usize, left: f64) -> Chart<'_> {
    let rows = rows.max(1) as f64;
    let axes = [Axis::linear(x, range(values()), values()), Axis::linear("", -0.5..rows - 0.5, [])];
    Chart::new(60.0 + 22.0 * rows, (left, WIDTH - MARGIN), axes, true)
}

impl Chart<'_> {
    /// A value with its interval in a row of so many, the first of which is at the top; returns its place.
    fn row(&mut self, (row, of): (usize, usize), value: f64, interval: Option<(f64, f64)>, ink: Ink) -> Place {
        let at = (of - 1 - row) as f64;
        if let Some((low, high)) = interval {
            self.line(&[(low, at), (high, at)], ink, 2.0, 1.0);
        }
        let place = self.at((value, at));
        self.drawing.circle(place, ink);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_of_a_pair_has_the_room_that_a_short_one_leaves() {
        let of = |a: usize, b: usize| short_pair(&["a".repeat(a), "b".repeat(b)]);
        assert_eq!(of(3, 4), "aaa – bbbb");
        for (a, b, kept) in
            [(30, 3, [30, 3]), (40, 3, [30, 3]), (3, 40, [3, 30]), (40, 40, [17, 16]), (20, 20, [17, 16])]
        {
            let label = of(a, b);
            let (first, second) = label.split_once(" – ").unwrap();
            assert_eq!([first, second].map(|name| name.chars().count()), kept, "{label}");
            assert_eq!([first, second].map(|name| name.ends_with('…')), [a > kept[0], b > kept[1]], "{label}");
        }
    }

    #[test]
    fn differences_are_marked_where_they_are_significant() {
        let row =
            |holm| Difference { pair: ["a", "b"].map(str::to_owned), value: 2.0, interval: Some((1.0, 3.0)), holm };
        let shapes = |holm| differences("points", &[row(holm)]).file();
        let (shown, open, untested) = (shapes(Some(0.049)), shapes(Some(0.05)), shapes(None));
        assert!(shown.contains(">*</text>") && shown.contains("r=\"4\" fill=\"#0072b2\""), "{shown}");
        assert!(!open.contains(">*</text>") && open.contains("r=\"4\" fill=\"currentColor\""), "{open}");
        assert_eq!(open, untested);
        assert!(open.contains(">0</text>") && open.contains("stroke-dasharray"), "the line at 0: {open}");
        let page = differences("points", &[row(Some(0.2))]).on_page("").into_string();
        assert!(page.contains("a – b: 2 (1 to 3), Holm p 0.2000\n"), "{page}");
    }
}
