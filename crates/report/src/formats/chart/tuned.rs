//! Charts of a tuning: estimates by round, and estimates over two parameters.

use super::layout::{Layout, in_both};
use super::{Axis, Chart, LABEL, MARGIN, range, tick, value};
use crate::formats::drawing::{Drawing, Ink};
use crate::formats::names::drawn_names;

/// The radius of a point over two parameters.
const RADIUS: f64 = 7.0;

/// The estimates of one candidate, round by round.
pub struct Track {
    /// Its name.
    pub name: String,
    /// The estimate after each round that it played.
    pub estimates: Vec<f64>,
    /// The number of its colour; none for a candidate in the background.
    pub colour: Option<usize>,
}

/// An estimate at a place of two axes.
pub struct Spot {
    /// Its name.
    pub name: String,
    /// Across and up.
    pub at: [f64; 2],
    /// The estimate.
    pub value: f64,
    /// What stands beside it; none for most.
    pub label: Option<String>,
}

/// An axis of a parameter.
pub struct Scale {
    /// The parameter.
    pub title: String,
    /// Whether it is logarithmic; all places must then be positive.
    pub is_logarithmic: bool,
    /// What stands at 0, 1, 2 …; none if the parameter is a number.
    pub names: Vec<String>,
}

impl Scale {
    fn axis<'a>(&'a self, names: &'a [String], places: impl Iterator<Item = f64> + Clone) -> Axis<'a> {
        if !names.is_empty() {
            let values = -0.6..names.len() as f64 - 0.4;
            return Axis { names, ..Axis::linear(&self.title, values, []) };
        }
        let [least, most] = [f64::min, f64::max].map(|end| places.clone().reduce(end).unwrap_or(1.0));
        if self.is_logarithmic {
            return Axis::logarithmic(&self.title, least * 0.7..most * 1.4);
        }
        let air = ((most - least) * 0.08).max(1e-9);
        Axis::linear(&self.title, least - air..most + air, places)
    }
}

/// Estimates over rounds, a line for each candidate that ends where the candidate left; those with a colour have a
/// legend and stand in front.
pub(in crate::formats) fn tracks(y: &str, tracks: &[Track]) -> Drawing {
    in_both(|layout| tracks_in(layout, y, tracks))
}

fn tracks_in(layout: Layout, y: &str, tracks: &[Track]) -> Drawing {
    let rounds = tracks.iter().map(|track| track.estimates.len()).max().unwrap_or_default().max(1) as f64;
    let values = || tracks.iter().flat_map(|track| track.estimates.iter().copied());
    let with_legend = tracks.iter().filter(|track| track.colour.is_some());
    let axes = [Axis::linear("after round", 0.8..rounds + 0.2, [1.0]), Axis::linear(y, range(values()), values())];
    let (mut chart, legend) = Chart::with_legend(layout, axes, with_legend.map(|track| &*track.name));
    let (behind, before): (Vec<&Track>, Vec<&Track>) = tracks.iter().partition(|track| track.colour.is_none());
    let mut row = 0;
    for track in behind.into_iter().chain(before) {
        let (ink, opacity) = track.colour.map_or((Ink::Text, 0.4), |colour| (Ink::Series(colour), 1.0));
        let points: Vec<(f64, f64)> =
            (1..).zip(&track.estimates).map(|(round, estimate)| (f64::from(round), *estimate)).collect();
        chart.line(&points, ink, if track.colour.is_some() { 2.5 } else { 1.0 }, opacity);
        for (round, estimate) in points {
            let place = chart.at((round, estimate));
            chart.drawing.disc(place, if track.colour.is_some() { 4.0 } else { 2.5 }, ink, opacity);
            let said = format!("{}: {} after round {round}", track.name, value(estimate));
            chart.drawing.read(place, said);
        }
        if track.colour.is_some() {
            let (key, name, place) = legend.row(row);
            chart.drawing.line(key, ink, 2.5, 1.0);
            chart.drawing.text(name, place, 0.0);
            row += 1;
        }
    }
    chart.drawing
}

/// Estimates over two parameters: blue above the middle of all, orange below it, the stronger the farther from it.
pub(in crate::formats) fn plane(scales: [&Scale; 2], spots: &[Spot]) -> Drawing {
    in_both(|layout| plane_in(layout, scales, spots))
}

fn plane_in(layout: Layout, [x, y]: [&Scale; 2], spots: &[Spot]) -> Drawing {
    let names = [x, y].map(|scale| drawn_names(&scale.names, LABEL));
    let places = |axis: usize| spots.iter().map(move |spot| spot.at[axis]);
    let axes = [x.axis(&names[0], places(0)), y.axis(&names[1], places(1))];
    let mut chart = Chart::upright((layout.width(), 340.0), layout.width() - MARGIN, axes, true);
    let mut values: Vec<f64> = spots.iter().map(|spot| spot.value).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.get(values.len() / 2).copied().unwrap_or_default();
    let most = values.iter().map(|value| (value - middle).abs()).fold(f64::MIN_POSITIVE, f64::max);
    for spot in spots {
        let distance = spot.value - middle;
        let ink = Ink::Series(usize::from(distance < 0.0));
        let place = chart.at((spot.at[0], spot.at[1]));
        chart.drawing.disc(place, RADIUS, ink, 0.2 + 0.8 * distance.abs() / most);
        let of = |scale: &Scale, at: f64| {
            let name = scale.names.get(at as usize).cloned();
            format!("{} {}", scale.title, name.unwrap_or_else(|| tick(at)))
        };
        let said = format!("{}, {}: {}", of(x, spot.at[0]), of(y, spot.at[1]), value(spot.value));
        chart.drawing.read(place, format!("{} ({said})", spot.name));
    }
    // Beside its point, and before all others: those of a parameter with names stand one above another.
    for (spot, label) in spots.iter().filter_map(|spot| Some((spot, spot.label.as_ref()?))) {
        let (across, up) = chart.at((spot.at[0], spot.at[1]));
        let (side, anchor) = if across > layout.width() / 2.0 { (-1.0, 1.0) } else { (1.0, 0.0) };
        chart.drawing.text(label.clone(), (across + side * (RADIUS + 4.0), up), anchor);
    }
    chart.drawing
}
