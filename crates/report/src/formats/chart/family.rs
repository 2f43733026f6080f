//! A chart of descent: individuals at their places, joined with their parents.

use super::layout::{Layout, in_both};
use super::{Axis, Chart, range};
use crate::formats::drawing::{Drawing, Ink, Place};

/// The radii of the first individual and of the others.
const RADII: [f64; 2] = [7.0, 4.5];

/// An individual of a chart of descent.
pub(in crate::formats) struct Kin {
    /// Its place on the two axes.
    pub at: (f64, f64),
    /// The places of its parents in the list.
    pub parents: Vec<usize>,
    /// How it was made: its colour, which the legend names.
    pub made: &'static str,
    /// What is read off.
    pub said: String,
}

/// Individuals over two axes, each joined with its parents. The first is the largest.
pub(in crate::formats) fn family(titles: [&str; 2], kin: &[Kin]) -> Drawing {
    in_both(|layout| family_in(layout, titles, kin))
}

fn family_in(layout: Layout, [x, y]: [&str; 2], kin: &[Kin]) -> Drawing {
    let mut made: Vec<&str> = kin.iter().map(|each| each.made).collect();
    made.sort_unstable();
    made.dedup();
    let [across, up] = [0, 1].map(|axis| kin.iter().map(move |each| [each.at.0, each.at.1][axis]));
    let axes = [Axis::linear(x, range(across.clone()), across), Axis::linear(y, range(up.clone()), up)];
    let (mut chart, legend) = Chart::with_legend(layout, axes, made.iter().copied());
    for each in kin {
        let parents = each.parents.iter().filter_map(|parent| kin.get(*parent));
        parents.for_each(|parent| chart.line(&[parent.at, each.at], Ink::Text, 1.0, 0.5));
    }
    let ink = |each: &Kin| Ink::Series(made.iter().position(|known| *known == each.made).unwrap_or_default());
    for (number, each) in kin.iter().enumerate() {
        let place = chart.at(each.at);
        chart.drawing.disc(place, RADII[usize::from(number > 0)], ink(each), 1.0);
        chart.drawing.read(place, each.said.clone());
    }
    for row in 0..made.len() {
        let ([start, end], name, place) = legend.row(row);
        let middle: Place = ((start.0 + end.0) / 2.0, start.1);
        chart.drawing.disc(middle, RADII[1], Ink::Series(row), 1.0);
        chart.drawing.text(name, place, 0.0);
    }
    chart.drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_individual_is_joined_with_each_parent() {
        let kin = |at, parents: &[usize], made| Kin { at, parents: parents.to_vec(), made, said: "one".to_owned() };
        let all =
            [kin((3.0, 2.0), &[1, 2], "crossover"), kin((2.0, 1.0), &[2], "mutation"), kin((1.0, 0.0), &[], "seed")];
        let file = family(["generation", "gain"], &all).file();
        // Three individuals and three rows of the legend; lines of descent alone are half transparent.
        assert_eq!((file.matches("<circle").count(), file.matches("opacity=\"0.5\"").count()), (6, 3), "{file}");
        assert!(file.contains("r=\"7\"") && file.contains(">crossover</text>"), "{file}");
        // Each is read off in both layouts.
        assert_eq!(family(["generation", "gain"], &all).on_page("").into_string().matches(" one\n").count(), 2 * 3);
    }
}
