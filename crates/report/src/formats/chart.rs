//! Charts, drawn by plotters as SVG.
//!
//! [`INK`] becomes `currentColor`, so that a chart takes the text colour of the page, light or dark. A chart in a file
//! of its own sets its colours. The background is transparent.

use super::readings::{Readings, detach};
use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// A placeholder for the colour of text; nothing else is drawn in it.
const INK: RGBColor = RGBColor(1, 2, 3);
/// Colours of series: those of Okabe and Ito (distinguishable with colour blindness) that contrast with white and with
/// black.
const SERIES: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 148, 108),
    RGBColor(190, 100, 155),
    RGBColor(180, 140, 0),
    RGBColor(70, 160, 215),
];
/// Narrow, so that the text is legible on a phone.
const WIDTH: u32 = 560;
/// Characters of a name that fit beside a chart.
const LABEL: usize = 24;

/// A line of a chart: its name, its points, and whether it is dashed.
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

/// A value with its interval, beside a name.
pub(super) struct Dot {
    pub name: String,
    pub value: f64,
    pub interval: Option<(f64, f64)>,
    /// The number of its colour.
    pub colour: usize,
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

/// An axis whose values span more than this ratio is logarithmic.
const LOGARITHMIC: f64 = 20.0;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Scale, RangedCoordf64>>;
type Drawn<T> = Result<T, Box<dyn std::error::Error>>;

/// The scale of a horizontal axis.
enum Scale {
    Linear(RangedCoordf64),
    Logarithmic(LogCoord<f64>),
}

impl Scale {
    fn new(values: Range<f64>, logarithmic: bool) -> Scale {
        if logarithmic { Scale::Logarithmic(values.log_scale().into()) } else { Scale::Linear(values.into()) }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, pixels: (i32, i32)) -> i32 {
        match self {
            Scale::Linear(scale) => scale.map(value, pixels),
            Scale::Logarithmic(scale) => scale.map(value, pixels),
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match self {
            Scale::Linear(scale) => scale.key_points(hint),
            Scale::Logarithmic(scale) => scale.key_points(hint),
        }
    }

    fn range(&self) -> Range<f64> {
        match self {
            Scale::Linear(scale) => scale.range(),
            Scale::Logarithmic(scale) => scale.range(),
        }
    }
}

/// Draws a chart. Only writing to a file could fail, and it draws into memory.
fn picture(height: u32, draw: impl FnOnce(&Area, &mut Readings) -> Drawn<()>) -> String {
    let mut svg = String::new();
    let mut readings = Readings::default();
    let drawn = {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw(&area, &mut readings).and_then(|()| Ok(area.present()?))
    };
    if let Err(error) = drawn {
        tracing::warn!("a chart could not be drawn: {error}");
    }
    let size = format!("<svg width=\"{WIDTH}\" height=\"{height}\" viewBox=");
    let svg = svg.replace("#010203", "currentColor").replacen(&size, "<svg class=\"chart\" role=\"img\" viewBox=", 1);
    readings.attach(&svg)
}

/// A value as a reader needs it: four significant digits.
fn value(value: f64) -> String {
    let size = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    tick(&format!("{value:.*}", (3 - size).clamp(0, 6) as usize).parse().unwrap_or(value))
}

/// A value with its interval, if it has one.
fn with_interval(mean: f64, interval: Option<(f64, f64)>) -> String {
    match interval {
        Some((low, high)) => format!("{} ({} to {})", value(mean), value(low), value(high)),
        None => value(mean),
    }
}

/// The chart as a file by itself.
pub(super) fn as_file(svg: &str) -> String {
    let style = "<svg style=\"color:#222;background:#fff\"";
    detach(svg).replacen("<svg class=\"chart\" role=\"img\"", style, 1)
}

fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

fn colour(number: usize) -> RGBColor {
    SERIES[number % SERIES.len()]
}

/// A name, shortened to fit.
fn short(name: &str) -> String {
    if name.chars().count() <= LABEL { name.to_owned() } else { name.chars().take(LABEL - 1).chain(['…']).collect() }
}

/// The label of a tick, without insignificant decimals.
fn tick(value: &f64) -> String {
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

/// An empty chart: two axes with titles, and lines of the grid at the ticks of the upright axis and, where `columns`,
/// of the other.
fn chart<'a, 'b>(
    area: &'a Area<'b>,
    (x, across): (&str, Scale),
    (y, up): (&str, Range<f64>),
    columns: bool,
) -> Drawn<Chart<'a, 'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(8).x_label_area_size(36).y_label_area_size(52);
    let mut chart = builder.build_cartesian_2d(across, up)?;
    let mut mesh = chart.configure_mesh();
    if !columns {
        mesh.disable_x_mesh();
    }
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.15))
        .axis_style(INK)
        .label_style(font(13))
        .axis_desc_style(font(13))
        .x_label_formatter(&tick)
        .y_label_formatter(&tick)
        .x_desc(x)
        .y_desc(y)
        .draw()?;
    Ok(chart)
}

/// Lines over a common axis, with a legend beside them.
pub(super) fn lines(x: &str, y: &str, series: &[Series], logarithmic: bool) -> String {
    let points = || series.iter().flat_map(|series| series.points.iter());
    let (across, up) = (range(points().map(|point| point.0)), range(points().map(|point| point.1)));
    let across = if logarithmic { 1.0..across.end.max(2.0) } else { across.start.max(0.0)..across.end };
    let legend = 18 * series.len() as i32 + 10;
    picture(320.max(legend as u32 + 20), |area, readings| {
        let (plot, key) = area.split_horizontally(400);
        let mut chart = chart(&plot, (x, Scale::new(across, logarithmic)), (y, up), true)?;
        for series in series {
            for point in &series.points {
                let said = format!("{}: {x} {}, {y} {}", series.name, tick(&point.0), value(point.1));
                readings.add(chart.backend_coord(point), said);
            }
            let style = colour(series.colour).stroke_width(2);
            if series.dashed {
                chart.draw_series(DashedLineSeries::new(series.points.iter().copied(), 6, 4, style))?;
            } else {
                chart.draw_series(LineSeries::new(series.points.iter().copied(), style))?;
            }
        }
        for (row, series) in (0..).zip(series) {
            let y = 16 + 18 * row;
            let (from, middle, to) = ((4, y), (14, y), (24, y));
            let style = colour(series.colour).stroke_width(2);
            if series.dashed {
                key.draw(&PathElement::new(vec![from, (11, y)], style))?;
                key.draw(&PathElement::new(vec![(17, y), to], style))?;
            } else {
                key.draw(&PathElement::new(vec![from, middle, to], style))?;
            }
            key.draw(&Text::new(short(&series.name), (30, y), font(13).pos(Pos::new(HPos::Left, VPos::Center))))?;
        }
        Ok(())
    })
}

/// Box plots side by side, and a line across them. The axes also reach over `others`: charts that are compared get the
/// same axes.
pub(super) fn boxes(x: &str, y: &str, boxes: &[BoxMark], others: &[BoxMark], line: Option<f64>) -> String {
    let all = || boxes.iter().chain(others);
    let values = all().flat_map(|each| each.numbers[1..6].iter().copied()).chain(line);
    let (across, up) = (range(all().map(|each| each.at)), range(values));
    picture(300, |area, readings| {
        let mut chart = chart(area, (x, Scale::new(across.clone(), false)), (y, up), false)?;
        for each in boxes {
            let [_, low, q1, median, q3, high, _] = each.numbers;
            let [least, first, middle, third, most] = [low, q1, median, q3, high].map(value);
            let said = format!(
                "{x} {}: median {middle}, quartiles {first} and {third}, whiskers {least} and {most}",
                tick(&each.at)
            );
            readings.add(chart.backend_coord(&(each.at, median)), said);
            let (left, at, right) = (each.at - 0.32, each.at, each.at + 0.32);
            let style = colour(0).stroke_width(1);
            chart.draw_series([
                PathElement::new(vec![(at, low), (at, q1)], style),
                PathElement::new(vec![(at, q3), (at, high)], style),
                PathElement::new(vec![(left, median), (right, median)], INK.stroke_width(2)),
            ])?;
            chart.draw_series([Rectangle::new([(left, q1), (right, q3)], colour(0).mix(0.35).filled())])?;
            chart.draw_series([Rectangle::new([(left, q1), (right, q3)], style)])?;
        }
        if let Some(value) = line {
            let ends = [(across.start, value), (across.end, value)];
            chart.draw_series(DashedLineSeries::new(ends, 6, 4, colour(1).stroke_width(2)))?;
        }
        Ok(())
    })
}

/// Values with intervals over a numeric axis, joined by a line, and a dashed line at 0.
pub(super) fn joined_marks(x: &str, y: &str, marks: &[Mark]) -> String {
    let (least, most) = places(marks);
    let logarithmic = least > 0.0 && most > least * LOGARITHMIC;
    let across = around(least, most, logarithmic);
    let up = range(marks.iter().flat_map(ends).chain([0.0]));
    picture(300, |area, readings| {
        let mut chart = chart(area, (x, Scale::new(across.clone(), logarithmic)), (y, up), true)?;
        read_marks(&chart, (x, y), marks, readings);
        let zero = [(across.start, 0.0), (across.end, 0.0)];
        chart.draw_series(DashedLineSeries::new(zero, 6, 4, colour(1).stroke_width(1)))?;
        let line = marks.iter().map(|mark| (mark.at, mark.value));
        chart.draw_series(LineSeries::new(line, colour(0).mix(0.5).stroke_width(1)))?;
        draw_marks(&mut chart, marks)
    })
}

/// Values with intervals over a number, as an SVG file by itself. All places must be positive if the axis is
/// logarithmic.
pub fn marks(x: &str, y: &str, marks: &[Mark], logarithmic: bool) -> String {
    let (least, most) = places(marks);
    let across = Scale::new(around(least, most, logarithmic), logarithmic);
    let up = range(marks.iter().flat_map(ends));
    let svg = picture(300, |area, _| draw_marks(&mut chart(area, (x, across), (y, up), true)?, marks));
    as_file(&svg)
}

fn draw_marks(chart: &mut Chart, marks: &[Mark]) -> Drawn<()> {
    for mark in marks {
        let style = colour(usize::from(mark.highlighted));
        if let Some((low, high)) = mark.interval {
            let bar = vec![(mark.at, low), (mark.at, high)];
            chart.draw_series([PathElement::new(bar, style.stroke_width(2))])?;
        }
        chart.draw_series([Circle::new((mark.at, mark.value), 4, style.filled())])?;
    }
    Ok(())
}

fn read_marks(chart: &Chart, (x, y): (&str, &str), marks: &[Mark], readings: &mut Readings) {
    for mark in marks {
        let said = format!("{x} {}: {y} {}", tick(&mark.at), with_interval(mark.value, mark.interval));
        readings.add(chart.backend_coord(&(mark.at, mark.value)), said);
    }
}

/// The value of a mark and the ends of its interval.
fn ends(mark: &Mark) -> [f64; 3] {
    let (low, high) = mark.interval.unwrap_or((mark.value, mark.value));
    [low, mark.value, high]
}

/// The first and the last place of marks.
fn places(marks: &[Mark]) -> (f64, f64) {
    let places = || marks.iter().map(|mark| mark.at);
    (places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max))
}

/// A range of places with a margin in their own scale, never empty.
fn around(least: f64, most: f64, logarithmic: bool) -> Range<f64> {
    if logarithmic {
        return least * 0.8..most * 1.25;
    }
    let air = ((most - least) * 0.05).max(1e-9);
    least - air..most + air
}

/// Values with intervals, one under another, the names beside them.
pub(super) fn dots(x: &str, dots: &[Dot]) -> String {
    let ends = dots.iter().flat_map(|dot| {
        let (low, high) = dot.interval.unwrap_or((dot.value, dot.value));
        [low, dot.value, high]
    });
    let across = range(ends);
    let rows = dots.len() as i32;
    picture(60 + 22 * dots.len().max(1) as u32, |area, readings| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(180)
            .build_cartesian_2d(across, -0.5..f64::from(rows) - 0.5)?;
        let name = |at: &f64| {
            let row = rows - 1 - at.round() as i32;
            let whole = (at - at.round()).abs() < 1e-6;
            dots.get(row as usize).filter(|_| whole).map_or(String::new(), |dot| short(&dot.name))
        };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(INK.mix(0.15))
            .axis_style(INK)
            .disable_y_axis()
            .label_style(font(13))
            .axis_desc_style(font(13))
            .y_labels(0)
            .x_label_formatter(&tick)
            .x_desc(x)
            .draw()?;
        for (row, dot) in dots.iter().enumerate() {
            let at = f64::from(rows - 1) - row as f64;
            if let Some((low, high)) = dot.interval {
                let line = vec![(low, at), (high, at)];
                chart.draw_series([PathElement::new(line, colour(dot.colour).stroke_width(2))])?;
            }
            chart.draw_series([Circle::new((dot.value, at), 4, colour(dot.colour).filled())])?;
            let (left, place) =
                (chart.plotting_area().get_pixel_range().0.start, chart.backend_coord(&(dot.value, at)));
            // A name stands beside the first of its rows.
            if row == 0 || dots[row - 1].name != dot.name {
                let style = font(13).pos(Pos::new(HPos::Right, VPos::Center));
                area.draw(&Text::new(name(&at), (left - 8, place.1), style))?;
            }
            readings.add(place, format!("{}: {}", dot.name, with_interval(dot.value, dot.interval)));
        }
        Ok(())
    })
}

/// A table of coloured cells: shares from 0 to 1, each with its text; rows and columns have the same names.
pub(super) fn heat(names: &[String], cells: &[Vec<Option<(f64, String)>>]) -> String {
    let side = (380 / names.len().max(1) as i32).clamp(8, 56);
    let (left, top) = (175, 30);
    let count = names.len() as i32;
    picture((top + side * count + 10) as u32, |area, readings| {
        for (row, name) in (0..).zip(names) {
            let middle = top + side * row + side / 2;
            let style = font(13).pos(Pos::new(HPos::Right, VPos::Center));
            area.draw(&Text::new(format!("{} ({})", short(name), row + 1), (left - 8, middle), style))?;
            let style = font(13).pos(Pos::new(HPos::Center, VPos::Bottom));
            area.draw(&Text::new(format!("({})", row + 1), (left + side * row + side / 2, top - 6), style))?;
        }
        for (row, line) in (0..).zip(cells) {
            for (column, cell) in (0..).zip(line) {
                let Some((share, text)) = cell else { continue };
                let corner = (left + side * column, top + side * row);
                let (number, strength) = if *share >= 0.5 { (0, share - 0.5) } else { (1, 0.5 - share) };
                let fill = colour(number).mix(0.08 + 1.1 * strength).filled();
                area.draw(&Rectangle::new([corner, (corner.0 + side - 2, corner.1 + side - 2)], fill))?;
                let said = format!("{} against {}: {text}", names[row as usize], names[column as usize]);
                readings.add((corner.0 + side / 2, corner.1 + side / 2), said);
                if side >= 34 {
                    let style = font(12).pos(Pos::new(HPos::Center, VPos::Center));
                    area.draw(&Text::new(text.clone(), (corner.0 + side / 2, corner.1 + side / 2), style))?;
                }
            }
        }
        Ok(())
    })
}
