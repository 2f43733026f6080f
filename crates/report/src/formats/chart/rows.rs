//! Charts of values with intervals, one under another, with names beside them.

use super::layout::{Layout, in_both};
use super::{Axis, Chart, LABEL, LETTER, MARGIN, ends, range, room_of, with_interval};
use crate::formats::drawing::{Drawing, Ink, Place};
use crate::formats::names::drawn_names;
use evouct_base::table::{Cell, PLAIN};
use evouct_stats::SIGNIFICANCE_LEVEL;
use std::ops::Range;

/// Characters of the names of a pair that fit beside a chart.
const PAIR: usize = 36;
/// The room of the mark of a significant difference.
const STAR: f64 = 12.0;

/// A value with its interval, beside a name.
pub struct Dot {
    /// The name.
    pub name: String,
    /// The value.
    pub value: f64,
    /// The ends of its interval.
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

/// The names of pairs, shortened until `room` characters hold the longest pair. A player has one name in all pairs, and
/// no two players have the same.
fn short_pairs(pairs: &[&[String; 2]], room: usize) -> Vec<String> {
    const BETWEEN: &str = " – ";
    let names: Vec<String> = pairs.iter().flat_map(|pair| pair.iter().cloned()).collect();
    let labels =
        |limit: usize| -> Vec<String> { drawn_names(&names, limit).chunks(2).map(|pair| pair.join(BETWEEN)).collect() };
    let least = (room - BETWEEN.chars().count()) / 2;
    let fit = |labels: &Vec<String>| labels.iter().all(|label| label.chars().count() <= room);
    (least..room).rev().map(labels).find(fit).unwrap_or_else(|| labels(least))
}

/// Values with intervals, one under another, with their names, and a dashed line at 0 where some are on each side.
pub(in crate::formats) fn dots(x: &str, dots: &[Dot]) -> Drawing {
    in_both(|layout| dots_in(layout, x, dots))
}

fn dots_in(layout: Layout, x: &str, dots: &[Dot]) -> Drawing {
    let values = || dots.iter().flat_map(|dot| ends(dot.value, dot.interval));
    let names: Vec<String> = dots.iter().map(|dot| dot.name.clone()).collect();
    let labels = drawn_names(&names, if layout == Layout::Wide { LABEL } else { room(layout) });
    let mut rows = Rows::new(layout, x, values, &labels, 0.0);
    rows.line_at_zero();
    for (row, dot) in dots.iter().enumerate() {
        let place = rows.mark(row, dot.value, dot.interval, Ink::Series(dot.colour));
        // A name stands beside the first of its rows.
        if row == 0 || dots[row - 1].name != dot.name {
            rows.label(&labels[row], place);
        }
        rows.chart.drawing.read(place, format!("{}: {}", dot.name, with_interval(dot.value, dot.interval)));
    }
    rows.chart.drawing
}

/// Differences with intervals, one under another, with the two names of each, and a dashed line at 0. Those that are
/// significant have the colour of the first series and a mark, the others the colour of text.
pub(in crate::formats) fn differences(x: &str, rows: &[Difference]) -> Drawing {
    in_both(|layout| differences_in(layout, x, rows))
}

fn differences_in(layout: Layout, x: &str, differences: &[Difference]) -> Drawing {
    let values = || differences.iter().flat_map(|row| ends(row.value, row.interval)).chain([0.0]);
    let pairs: Vec<&[String; 2]> = differences.iter().map(|row| &row.pair).collect();
    let labels = short_pairs(&pairs, if layout == Layout::Wide { PAIR } else { room(layout) });
    let mut rows = Rows::new(layout, x, values, &labels, STAR);
    rows.line_at_zero();
    for ((number, row), label) in differences.iter().enumerate().zip(&labels) {
        let is_significant = row.holm.is_some_and(|p| p < SIGNIFICANCE_LEVEL);
        let ink = if is_significant { Ink::Series(0) } else { Ink::Text };
        let place = rows.mark(number, row.value, row.interval, ink);
        rows.label(label, place);
        if is_significant {
            rows.chart.drawing.text("*", (rows.left - 9.0, place.1), 0.5);
        }
        let [a, b] = &row.pair;
        let holm = row.holm.map_or(String::new(), |p| format!(", Holm p {}", Cell::p(Some(p)).text(&PLAIN)));
        rows.chart.drawing.read(place, format!("{a} – {b}: {}{holm}", with_interval(row.value, row.interval)));
    }
    rows.chart.drawing
}

/// Characters of a label that stands above its row.
fn room(layout: Layout) -> usize {
    ((layout.width() - 2.0 * MARGIN) / LETTER) as usize
}

/// A chart of rows, one under another: their labels stand to the left, in a narrow one above.
struct Rows<'a> {
    chart: Chart<'a>,
    layout: Layout,
    count: usize,
    /// Where the axis begins.
    left: f64,
    /// The width of what stands between a label and the axis.
    between: f64,
}

impl<'a> Rows<'a> {
    /// A chart without a row that has room for these labels and, between them and the axis, for something of a width.
    fn new<V: Iterator<Item = f64>>(
        layout: Layout,
        x: &'a str,
        values: impl Fn() -> V,
        labels: &[String],
        between: f64,
    ) -> Rows<'a> {
        let count = labels.len().max(1);
        let (left, height) = match layout {
            Layout::Wide => (room_of(labels.iter()) + between, 22.0),
            Layout::Narrow => (2.0 * MARGIN + between, 42.0),
        };
        let axes = [Axis::linear(x, range(values()), values()), Axis::linear("", -0.5..count as f64 - 0.5, [])];
        let size = (layout.width(), 60.0 + height * count as f64);
        let chart = Chart::new(size, (left, layout.width() - MARGIN), axes, true);
        Rows { chart, layout, count, left, between }
    }

    /// A dashed line at 0, where the axis goes over it.
    fn line_at_zero(&mut self) {
        let across = &self.chart.x.values;
        if across.start < 0.0 && across.end > 0.0 {
            let Range { start, end } = self.chart.y.values;
            self.chart.dashed(&[(0.0, start), (0.0, end)], Ink::Series(1), 1.0);
        }
    }

    /// A value with its interval in a row, the first of which is at the top; returns its place.
    fn mark(&mut self, row: usize, value: f64, interval: Option<(f64, f64)>, ink: Ink) -> Place {
        let at = (self.count - 1 - row) as f64;
        if let Some((low, high)) = interval {
            self.chart.line(&[(low, at), (high, at)], ink, 2.0, 1.0);
        }
        let place = self.chart.at((value, at));
        self.chart.drawing.circle(place, ink);
        place
    }

    /// The label of the row of a mark.
    fn label(&mut self, label: &str, (_, y): Place) {
        match self.layout {
            Layout::Wide => self.chart.drawing.text(label, (self.left - MARGIN - self.between, y), 1.0),
            Layout::Narrow => self.chart.drawing.text(label, (MARGIN, y - 15.0), 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_of_a_pair_has_the_room_that_a_short_one_leaves() {
        let of = |a: usize, b: usize| short_pairs(&[&["a".repeat(a), "b".repeat(b)]], PAIR).remove(0);
        assert_eq!(of(3, 4), "aaa – bbbb");
        for (a, b, kept) in
            [(30, 3, [30, 3]), (40, 3, [30, 3]), (3, 40, [3, 30]), (40, 40, [16, 16]), (20, 20, [16, 16])]
        {
            let label = of(a, b);
            let (first, second) = label.split_once(" – ").unwrap();
            assert_eq!([first, second].map(|name| name.chars().count()), kept, "{label}");
            assert_eq!([first, second].map(|name| name.contains('…')), [a > kept[0], b > kept[1]], "{label}");
        }
    }

    #[test]
    fn names_that_differ_at_their_ends_are_told_apart() {
        let names = ["Node priors, tuned weights (400)", "Node priors, tuned weights (2800)", "Star2.5, 2800 nodes"];
        let names = names.map(str::to_owned);
        let pairs = [[0, 1], [0, 2], [1, 2]].map(|[a, b]: [usize; 2]| [names[a].clone(), names[b].clone()]);
        let labels = short_pairs(&pairs.iter().collect::<Vec<_>>(), PAIR);
        assert!(labels.iter().all(|label| label.chars().count() <= PAIR), "{labels:?}");
        let [first, second, third] = [&labels[0], &labels[1], &labels[2]].map(|label| label.split_once(" – ").unwrap());
        assert!(first.0 != first.1 && first.0 == second.0 && first.1 == third.0 && second.1 == third.1, "{labels:?}");
        let dot = |name: &String| Dot { name: name.clone(), value: 1.0, interval: None, colour: 0 };
        let drawn = dots("Elo", &names.iter().map(dot).collect::<Vec<_>>()).file();
        let texts: Vec<&str> = drawn.split("text-anchor=\"end\"").skip(1).collect();
        let texts: Vec<&str> = texts.iter().map(|text| text.split(['>', '<']).nth(1).unwrap()).collect();
        assert!(texts.len() == 3 && texts[0] != texts[1], "{texts:?}");
    }

    #[test]
    fn a_narrow_chart_has_its_names_above_the_rows() {
        let name = "n".repeat(30);
        let page = dots("Elo", &[Dot { name: name.clone(), value: 1.0, interval: None, colour: 0 }]).on_page("");
        let page = page.into_string();
        let (wide, narrow) = page.split_once("<svg class=\"chart narrow\"").unwrap();
        assert!(wide.contains("class=\"chart wide\"") && wide.contains("viewBox=\"0 0 560 "), "{wide}");
        assert!(!wide.contains(&format!(">{name}<")), "it is labels beside the chart");
        assert!(narrow.contains("viewBox=\"0 0 340 ") && narrow.contains("\"start\""), "{narrow}");
        assert!(narrow.contains(&format!(">{name}<")), "{narrow}");
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
