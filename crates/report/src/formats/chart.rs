//! Charts: axes, lines, box plots, values with intervals, and tables of coloured cells. The background is transparent.

pub(in crate::formats) mod crosses;
pub(in crate::formats) mod family;
mod layout;
pub(crate) mod rows;
pub(crate) mod tuned;

use super::drawing::{Drawing, Ink, LETTERS, Place};
use super::names::drawn_names;
use layout::{Layout, Legend, in_both};
use std::ops::Range;

/// Room around a chart, and for the labels and the title of each axis.
const MARGIN: f64 = 8.0;
const BELOW: f64 = 44.0;
const BESIDE: f64 = 60.0;
/// The width of most letters, at most.
const LETTER: f64 = 0.58 * LETTERS;
/// Characters of a name that fit beside a chart.
const LABEL: usize = 24;
/// An axis whose values span more than this ratio is logarithmic.
const LOGARITHMIC: f64 = 20.0;
/// The same of an upright axis of sizes.
const TWO_DECADES: f64 = 100.0;

/// A line of a chart: its name, its points, and whether it is dashed.
#[derive(Clone)]
pub(super) struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    pub dashed: bool,
    /// The number of its colour.
    pub colour: usize,
}

/// A box of a chart: its place, and the seven numbers of a box plot.
pub(super) struct BoxMark {
    pub at: f64,
    pub numbers: [f64; 7],
}

/// A value with its interval at a place of an axis.
pub struct Mark {
    /// The place.
    pub at: f64,
    /// The value.
    pub value: f64,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// Whether it has another colour than the other marks.
    pub highlighted: bool,
}

/// An axis: its title, its values, and where the drawing has the first and the last of them.
struct Axis<'a> {
    title: &'a str,
    values: Range<f64>,
    is_logarithmic: bool,
    /// Whether it counts something: only whole numbers have ticks.
    is_count: bool,
    /// What stands at 0, 1, 2 … in place of numbers; none on an axis of numbers.
    names: &'a [String],
    ends: [f64; 2],
}

impl<'a> Axis<'a> {
    fn linear(title: &'a str, values: Range<f64>, shown: impl IntoIterator<Item = f64>) -> Axis<'a> {
        let is_count = shown.into_iter().all(|value| value.fract() == 0.0);
        Axis { title, values, is_logarithmic: false, is_count, names: &[], ends: [0.0; 2] }
    }

    fn logarithmic(title: &'a str, values: Range<f64>) -> Axis<'a> {
        Axis { title, values, is_logarithmic: true, is_count: false, names: &[], ends: [0.0; 2] }
    }

    /// The upright axis of these values: that of sizes is logarithmic where those above 0 span two decades.
    fn up<V: Iterator<Item = f64>>(title: &'a str, values: impl Fn() -> V, are_sizes: bool) -> Axis<'a> {
        let sizes = || values().filter(|value| *value > 0.0);
        let [least, most] = [f64::min, f64::max].map(|end| sizes().reduce(end).unwrap_or_default());
        if are_sizes && most > least * TWO_DECADES {
            return Axis::logarithmic(title, least * 0.7..most * 1.4);
        }
        Axis::linear(title, range(values()), values())
    }

    fn at(&self, value: f64) -> f64 {
        let scaled = |value: f64| if self.is_logarithmic { value.ln() } else { value };
        let [low, high] = [self.values.start, self.values.end].map(scaled);
        self.ends[0] + (scaled(value) - low) / (high - low) * (self.ends[1] - self.ends[0])
    }

    /// Values with their labels, as close as labels fit that take so much of the axis.
    fn ticks(&self, room: impl Fn(&str) -> f64) -> Vec<(f64, String)> {
        if !self.names.is_empty() {
            return self.names.iter().enumerate().map(|(place, name)| (place as f64, name.clone())).collect();
        }
        let Range { start, end } = self.values;
        let power = |value: f64| value.log10().floor() as i32;
        let finest = power((end - start) / 50.0);
        let steps = (finest..finest + 5).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
        let multiples = |step: f64| {
            ((start / step).ceil() as i64..=(end / step).floor() as i64).map(|number| number as f64 * step).collect()
        };
        let powers = |digits: &[f64], every: usize| {
            let powers = (power(start)..=power(end)).step_by(every).map(|power| 10_f64.powi(power));
            let all = powers.flat_map(|power| digits.iter().map(move |digit| digit * power));
            all.filter(|value| (start..=end).contains(value)).collect()
        };
        let choices: Vec<Vec<f64>> = match self.is_logarithmic {
            true => {
                [powers(&[1.0, 2.0, 5.0], 1)].into_iter().chain((1..9).map(|every| powers(&[1.0], every))).collect()
            }
            false => steps.filter(|step| !self.is_count || *step >= 1.0).map(multiples).collect(),
        };
        let labelled = |values: Vec<f64>| values.into_iter().map(|value| (value, tick(value))).collect();
        let fit = |ticks: &Vec<(f64, String)>| {
            ticks.windows(2).all(|pair| {
                let [(a, first), (b, second)] = pair else { return true };
                first != second && (self.at(*b) - self.at(*a)).abs() >= (room(first) + room(second)) / 2.0
            })
        };
        choices.into_iter().map(labelled).find(fit).unwrap_or_default()
    }
}

/// A chart with its two axes.
struct Chart<'a> {
    drawing: Drawing,
    x: Axis<'a>,
    y: Axis<'a>,
}

impl<'a> Chart<'a> {
    /// An empty chart: the axis below, and lines of the grid at its ticks where `columns`.
    fn new(
        size @ (_, height): Place,
        (left, right): (f64, f64),
        [mut x, mut y]: [Axis<'a>; 2],
        columns: bool,
    ) -> Chart<'a> {
        let bottom = height - BELOW;
        (x.ends, y.ends) = ([left, right], [bottom, MARGIN]);
        let mut drawing = Drawing::new(size);
        for (value, label) in x.ticks(|label| LETTER * (label.chars().count() + 2) as f64) {
            let at = x.at(value);
            if columns {
                drawing.line([(at, MARGIN), (at, bottom)], Ink::Text, 1.0, 0.15);
            }
            drawing.line([(at, bottom), (at, bottom + 5.0)], Ink::Text, 1.0, 1.0);
            drawing.text(label, (at, bottom + 14.0), 0.5);
        }
        drawing.line([(left, bottom), (right, bottom)], Ink::Text, 1.0, 1.0);
        drawing.text(x.title, ((left + right) / 2.0, height - 11.0), 0.5);
        Chart { drawing, x, y }
    }

    /// The same with the upright axis and its lines of the grid.
    fn upright(size @ (_, height): Place, right: f64, axes: [Axis<'a>; 2], columns: bool) -> Chart<'a> {
        let mut chart = Chart::new(size, (BESIDE, right), axes, columns);
        let Chart { drawing, y, .. } = &mut chart;
        for (value, label) in y.ticks(|_| 2.0 * LETTERS) {
            let at = y.at(value);
            drawing.line([(BESIDE, at), (right, at)], Ink::Text, 1.0, 0.15);
            drawing.line([(BESIDE - 5.0, at), (BESIDE, at)], Ink::Text, 1.0, 1.0);
            drawing.text(label, (BESIDE - 8.0, at), 1.0);
        }
        drawing.line([(BESIDE, MARGIN), (BESIDE, height - BELOW)], Ink::Text, 1.0, 1.0);
        drawing.turned_text(y.title, (MARGIN + 5.0, (MARGIN + height - BELOW) / 2.0));
        chart
    }

    /// The same beside the legend of these names, or above it.
    fn with_legend<'b>(
        layout: Layout,
        axes: [Axis<'a>; 2],
        names: impl Iterator<Item = &'b str>,
    ) -> (Chart<'a>, Legend) {
        let legend = Legend::new(layout, 320.0, names);
        let mut chart = Chart::upright((layout.width(), legend.height), legend.right, axes, true);
        chart.drawing.size.1 = legend.whole_height();
        (chart, legend)
    }

    fn at(&self, (x, y): (f64, f64)) -> Place {
        (self.x.at(x), self.y.at(y))
    }

    fn line(&mut self, points: &[(f64, f64)], ink: Ink, width: f64, opacity: f64) {
        let points: Vec<Place> = points.iter().map(|point| self.at(*point)).collect();
        self.drawing.line(points, ink, width, opacity);
    }

    fn dashed(&mut self, points: &[(f64, f64)], ink: Ink, width: f64) {
        let points: Vec<Place> = points.iter().map(|point| self.at(*point)).collect();
        self.drawing.dashed(points, ink, width);
    }

    /// A dashed line through the whole chart.
    fn level(&mut self, value: f64, width: f64) {
        let Range { start, end } = self.x.values;
        self.dashed(&[(start, value), (end, value)], Ink::Series(1), width);
    }

    fn marks(&mut self, marks: &[Mark]) {
        for mark in marks {
            let ink = Ink::Series(usize::from(mark.highlighted));
            if let Some((low, high)) = mark.interval {
                self.line(&[(mark.at, low), (mark.at, high)], ink, 2.0, 1.0);
            }
            let place = self.at((mark.at, mark.value));
            self.drawing.circle(place, ink);
            let (x, y) = (self.x.title, self.y.title);
            self.drawing
                .read(place, format!("{x} {}: {y} {}", tick(mark.at), with_interval(mark.value, mark.interval)));
        }
    }
}

/// A value as a reader needs it: four significant digits.
fn value(value: f64) -> String {
    let size = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    tick(format!("{value:.*}", (3 - size).clamp(0, 6) as usize).parse().unwrap_or(value))
}

/// A value with its interval, if it has one.
fn with_interval(mean: f64, interval: Option<(f64, f64)>) -> String {
    match interval {
        Some((low, high)) => format!("{} ({} to {})", value(mean), value(low), value(high)),
        None => value(mean),
    }
}

/// The label of a tick, without insignificant decimals.
fn tick(value: f64) -> String {
    // Rounding errors turn 0 into a tiny number.
    let value = (value * 1e6).round() / 1e6 + 0.0;
    value.to_string()
}

/// The range of values with a margin, never empty.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return 0.0..1.0;
    }
    // Values of one size need room; those within [0, 1] are drawn on that scale.
    let least = if low >= 0.0 && high <= 1.0 && high - low > 0.5 { 0.0 } else { 0.5 };
    let air = ((high - low) * 0.05).max(least);
    low - air..high + air
}

/// Numbers with a share of their spread on both sides. One alone stands in the middle of a unit.
fn around(least: f64, most: f64, share: f64) -> Range<f64> {
    let air = if most > least { (most - least) * share } else { 0.5 };
    least - air..most + air
}

/// Lines over a common axis, with a legend.
pub(super) fn lines(x: &str, y: &str, series: &[Series], logarithmic: bool) -> Drawing {
    in_both(|layout| lines_in(layout, [x, y], series, [logarithmic, false]))
}

/// The same of sizes: counts or times.
pub(super) fn lines_of_sizes(x: &str, y: &str, series: &[Series]) -> Drawing {
    in_both(|layout| lines_in(layout, [x, y], series, [false, true]))
}

fn lines_in(layout: Layout, [x, y]: [&str; 2], series: &[Series], [logarithmic, are_sizes]: [bool; 2]) -> Drawing {
    let points = || series.iter().flat_map(|series| series.points.iter());
    let across = range(points().map(|point| point.0));
    let across = match logarithmic {
        true => Axis::logarithmic(x, 1.0..across.end.max(2.0)),
        false => Axis::linear(x, across.start.max(0.0)..across.end, points().map(|point| point.0)),
    };
    let up = Axis::up(y, || points().map(|point| point.1), are_sizes);
    // A size of 0 has no place on a logarithmic axis.
    let lowest = if up.is_logarithmic { f64::MIN_POSITIVE } else { f64::NEG_INFINITY };
    let axes = [across, up];
    let (mut chart, legend) = Chart::with_legend(layout, axes, series.iter().map(|series| &*series.name));
    for (row, own) in series.iter().enumerate() {
        // Equal curves are drawn once; all their names have the key of the first.
        let is_equal = |other: &&Series| other.dashed == own.dashed && other.points == own.points;
        let first = series.iter().position(|other| is_equal(&other)).unwrap_or(row);
        let ink = Ink::Series(series[first].colour);
        let (key, name, place) = legend.row(row);
        if own.dashed {
            chart.drawing.dashed(key, ink, 2.0);
        } else {
            chart.drawing.line(key, ink, 2.0, 1.0);
        }
        chart.drawing.text(name, place, 0.0);
        if first < row {
            continue;
        }
        let names: Vec<&str> = series[row + 1..].iter().filter(is_equal).map(|other| &*other.name).collect();
        let names = [&[&*own.name], &names[..]].concat().join("; ");
        let points: Vec<(f64, f64)> = own.points.iter().copied().filter(|point| point.1 >= lowest).collect();
        for point in &points {
            let said = format!("{names}: {x} {}, {y} {}", tick(point.0), value(point.1));
            chart.drawing.read(chart.at(*point), said);
        }
        if own.dashed {
            chart.dashed(&points, ink, 2.0);
        } else {
            chart.line(&points, ink, 2.0, 1.0);
        }
    }
    chart.drawing
}

/// Box plots side by side, and a line across them. The axes also reach over `others`: charts that are compared get the
/// same axes.
pub(super) fn boxes(x: &str, y: &str, boxes: &[BoxMark], others: &[BoxMark], line: Option<f64>) -> Drawing {
    in_both(|layout| boxes_in(layout, [x, y], [boxes, others], line))
}

fn boxes_in(layout: Layout, [x, y]: [&str; 2], [boxes, others]: [&[BoxMark]; 2], line: Option<f64>) -> Drawing {
    let places = || boxes.iter().chain(others).map(|each| each.at);
    let values = || boxes.iter().chain(others).flat_map(|each| each.numbers[1..6].iter().copied()).chain(line);
    let axes = [Axis::linear(x, range(places()), places()), Axis::linear(y, range(values()), values())];
    let mut chart = Chart::upright((layout.width(), 300.0), layout.width() - MARGIN, axes, false);
    for each in boxes {
        let [_, low, q1, median, q3, high, _] = each.numbers;
        let [least, first, middle, third, most] = [low, q1, median, q3, high].map(value);
        let said = format!(
            "{x} {}: median {middle}, quartiles {first} and {third}, whiskers {least} and {most}",
            tick(each.at)
        );
        let (left, at, right) = (each.at - 0.32, each.at, each.at + 0.32);
        chart.drawing.read(chart.at((at, median)), said);
        let ink = Ink::Series(0);
        let (corner, end) = (chart.at((left, q3)), chart.at((right, q1)));
        chart.drawing.rectangle(corner, (end.0 - corner.0, end.1 - corner.1), ink, 0.35);
        chart.line(&[(left, q1), (right, q1), (right, q3), (left, q3), (left, q1)], ink, 1.0, 1.0);
        chart.line(&[(at, low), (at, q1)], ink, 1.0, 1.0);
        chart.line(&[(at, q3), (at, high)], ink, 1.0, 1.0);
        chart.line(&[(left, median), (right, median)], Ink::Text, 2.0, 1.0);
    }
    if let Some(value) = line {
        chart.level(value, 2.0);
    }
    chart.drawing
}

/// Values with intervals over a numeric axis, joined by a line, and a dashed line at 0.
pub(super) fn joined_marks(x: &str, y: &str, marks: &[Mark]) -> Drawing {
    let places = || marks.iter().map(|mark| mark.at);
    let least = places().fold(f64::INFINITY, f64::min);
    let logarithmic = least > 0.0 && places().any(|place| place > least * LOGARITHMIC);
    let joined: Vec<(f64, f64)> = marks.iter().map(|mark| (mark.at, mark.value)).collect();
    in_both(|layout| {
        let mut chart = of_marks(layout, [x, y], marks, [logarithmic, false], Some(0.0));
        chart.level(0.0, 1.0);
        chart.line(&joined, Ink::Series(0), 1.0, 0.5);
        chart.marks(marks);
        chart.drawing
    })
}

/// Values with intervals over a number, whose axis may be logarithmic: then all places must be positive. And whether the
/// values are sizes: counts or times.
pub(super) fn marks(x: &str, y: &str, marks: &[Mark], are: [bool; 2]) -> Drawing {
    in_both(|layout| {
        let mut chart = of_marks(layout, [x, y], marks, are, None);
        chart.marks(marks);
        chart.drawing
    })
}

/// An empty chart that has room for these marks and for a value.
fn of_marks<'a>(
    layout: Layout,
    [x, y]: [&'a str; 2],
    marks: &[Mark],
    [logarithmic, are_sizes]: [bool; 2],
    value: Option<f64>,
) -> Chart<'a> {
    let places = || marks.iter().map(|mark| mark.at);
    let [least, most] = [f64::min, f64::max].map(|end| places().reduce(end).unwrap_or_default());
    let across = match logarithmic {
        true => Axis::logarithmic(x, least * 0.8..most * 1.25),
        false => Axis::linear(x, around(least, most, 0.05), places()),
    };
    let values = || marks.iter().flat_map(|mark| ends(mark.value, mark.interval)).chain(value);
    let axes = [across, Axis::up(y, values, are_sizes)];
    Chart::upright((layout.width(), 300.0), layout.width() - MARGIN, axes, true)
}

/// A value and the ends of its interval.
fn ends(value: f64, interval: Option<(f64, f64)>) -> [f64; 3] {
    let (low, high) = interval.unwrap_or((value, value));
    [low, value, high]
}

/// The room that labels beside a chart need, with the gap between them and the chart.
fn room_of(labels: impl Iterator<Item = impl AsRef<str>>) -> f64 {
    let longest = labels.map(|label| label.as_ref().chars().count()).max().unwrap_or_default();
    LETTER * longest as f64 + 2.0 * MARGIN
}

/// A table of coloured cells: shares from 0 to 1, each with its text; rows and columns have the same names.
pub(super) fn heat(names: &[String], cells: &[Vec<Option<(f64, String)>>]) -> Drawing {
    let (short, width) = (drawn_names(names, LABEL), Layout::Wide.width());
    let (left, top) = (room_of(short.iter().map(|name| format!("{name} (00)"))), 30.0);
    let side = ((width - MARGIN - left) / names.len().max(1) as f64).floor().clamp(8.0, 56.0);
    let mut drawing = Drawing::new((width, top + side * names.len() as f64 + 10.0));
    for (row, name) in short.iter().enumerate() {
        let middle = side * row as f64 + side / 2.0;
        drawing.text(format!("{name} ({})", row + 1), (left - 8.0, top + middle), 1.0);
        drawing.text(format!("({})", row + 1), (left + middle, top - 12.0), 0.5);
    }
    for (row, line) in cells.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            let Some((share, text)) = cell else { continue };
            let corner = (left + side * column as f64, top + side * row as f64);
            let (number, strength) = if *share >= 0.5 { (0, share - 0.5) } else { (1, 0.5 - share) };
            drawing.rectangle(corner, (side - 2.0, side - 2.0), Ink::Series(number), 0.08 + 1.1 * strength);
            let middle = (corner.0 + side / 2.0, corner.1 + side / 2.0);
            drawing.read(middle, format!("{} against {}: {text}", names[row], names[column]));
            if side >= 34.0 {
                drawing.text(text.clone(), middle, 0.5);
            }
        }
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks(|label| 7.5 * (label.len() + 2) as f64).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn equal_curves_are_drawn_once_and_the_legend_names_all() {
        let curve = |name: &str, colour, end: f64| Series {
            name: name.to_owned(),
            points: vec![(1.0, 2.0), (2.0, end)],
            dashed: false,
            colour,
        };
        let page = |third| {
            let all = [curve("one", 0, 3.0), curve("two", 1, 3.0), curve("three", 2, third)];
            lines("generation", "gain", &all, false).file()
        };
        let (equal, other) = (page(3.0), page(4.0));
        assert!(["one", "two", "three"].iter().all(|name| equal.contains(&format!(">{name}</text>"))), "{equal}");
        // A curve and the keys of its names.
        let lines_in = |page: &str, colour: &str| page.matches(&format!("stroke=\"{colour}\"")).count();
        assert_eq!(["#0072b2", "#00946c"].map(|colour| lines_in(&equal, colour)), [4, 0]);
        assert_eq!(["#0072b2", "#00946c"].map(|colour| lines_in(&other, colour)), [3, 2]);
        let read = lines("generation", "gain", &[curve("one", 0, 3.0), curve("two", 1, 3.0)], false).on_page("");
        assert!(read.into_string().contains("one; two: generation 2, gain 3"));
    }

    #[test]
    fn ticks_are_round_numbers_as_close_as_their_labels_fit() {
        let ends = [60.0, 392.0];
        let turns = Axis { ends, ..Axis::linear("turn", 0.5..4.5, [1.0, 4.0]) };
        assert_eq!(labels(&turns), ["1", "2", "3", "4"], "a count has no half");
        let games = Axis { ends, ..Axis::linear("games", 0.0..20_000.0, [100.0]) };
        assert_eq!(labels(&games), ["0", "5000", "10000", "15000", "20000"]);
        let shares = Axis { ends, ..Axis::linear("share", -0.25..0.25, [0.1]) };
        assert_eq!(labels(&shares), ["-0.2", "-0.1", "0", "0.1", "0.2"]);
        let visits = Axis { ends, ..Axis::logarithmic("visits", 1.0..400.0) };
        assert_eq!(labels(&visits), ["1", "2", "5", "10", "20", "50", "100", "200"]);
        let wide = Axis { ends, ..Axis::logarithmic("c", 0.001..10_000.0) };
        assert_eq!(labels(&wide), ["0.001", "0.1", "10", "1000"]);
        assert_eq!((visits.at(1.0), visits.at(20.0), visits.at(400.0)), (60.0, 226.0, 392.0));
    }

    #[test]
    fn sizes_over_two_decades_are_on_a_logarithmic_axis() {
        let is_logarithmic =
            |values: &[f64], are_sizes| Axis::up("", || values.iter().copied(), are_sizes).is_logarithmic;
        assert!(is_logarithmic(&[1.0, 101.0], true) && !is_logarithmic(&[1.0, 101.0], false));
        assert!(
            !is_logarithmic(&[1.0, 99.0], true) && !is_logarithmic(&[0.0, 1e6], true) && !is_logarithmic(&[], true)
        );
        let series = [Series { name: "a".to_owned(), points: vec![(1.0, 2.0), (2.0, 5e4)], dashed: false, colour: 0 }];
        let file = lines_of_sizes("position", "nodes", &series).file();
        assert!([">10<", ">100<", ">1000<", ">10000<"].iter().all(|label| file.contains(label)), "{file}");
    }
}
