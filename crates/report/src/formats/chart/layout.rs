//! The two layouts of a chart, and where its legend stands.

use super::{BESIDE, LETTER, MARGIN};
use crate::formats::drawing::{Drawing, Place};
use crate::formats::names::drawn_names;

/// From the end of a chart to the names of its legend.
const LEGEND: f64 = 38.0;
/// From one row of a legend to the next.
const ROW: f64 = 18.0;

/// How much room a chart has: the page shows the layout that suits its width.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// A desk, and paper: names stand beside the chart.
    Wide,
    /// A phone: names stand above or below what they name.
    Narrow,
}

impl Layout {
    /// The width of a drawing. Its texts are legible on a screen as wide.
    pub(super) fn width(self) -> f64 {
        match self {
            Layout::Wide => 560.0,
            Layout::Narrow => 340.0,
        }
    }
}

/// A chart in both layouts.
pub(super) fn in_both(draw: impl Fn(Layout) -> Drawing) -> Drawing {
    draw(Layout::Wide).with_narrow(draw(Layout::Narrow))
}

/// The legend of a chart: beside it, below a narrow one.
pub(super) struct Legend {
    names: Vec<String>,
    layout: Layout,
    /// The height of the chart that it belongs to.
    pub height: f64,
    /// Where that chart ends.
    pub right: f64,
}

impl Legend {
    /// The legend of a chart that is as high as this where the legend is short.
    pub(super) fn new<'a>(layout: Layout, height: f64, names: impl Iterator<Item = &'a str>) -> Legend {
        let names: Vec<String> = names.map(str::to_owned).collect();
        let end = layout.width() - MARGIN;
        match layout {
            Layout::Wide => {
                let names = drawn_names(&names, super::LABEL);
                let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
                let right = (end - LEGEND - LETTER * longest as f64).clamp(2.0 * BESIDE, 400.0 - MARGIN);
                let height = height.max(ROW * names.len() as f64 + 30.0);
                Legend { names, layout, height, right }
            }
            Layout::Narrow => {
                let room = ((end - LEGEND) / LETTER) as usize;
                Legend { names: drawn_names(&names, room), layout, height, right: end }
            }
        }
    }

    /// The height of the drawing, with a legend below the chart.
    pub(super) fn whole_height(&self) -> f64 {
        match self.layout {
            Layout::Wide => self.height,
            Layout::Narrow => self.height + ROW * self.names.len() as f64 + MARGIN,
        }
    }

    /// The ends of the line of a row, and its name with its place.
    pub(super) fn row(&self, row: usize) -> ([Place; 2], &str, Place) {
        let (left, top) = match self.layout {
            Layout::Wide => (self.right, 16.0),
            Layout::Narrow => (0.0, self.height + MARGIN),
        };
        let middle = top + ROW * row as f64;
        ([(left + 12.0, middle), (left + 32.0, middle)], &self.names[row], (left + LEGEND, middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_legend_end_within_the_figure_and_are_told_apart() {
        let long = ["Node priors, tuned on Star2.5 (400)", "Node priors, tuned on Star2.5 (800)"];
        for names in [&["a", "UCT"][..], &["Structure by hand (400)"], &long] {
            for layout in [Layout::Wide, Layout::Narrow] {
                let legend = Legend::new(layout, 300.0, names.iter().copied());
                let shown: Vec<&str> = (0..names.len()).map(|row| legend.row(row).1).collect();
                assert!(shown.windows(2).all(|pair| pair[0] != pair[1]), "{shown:?}");
                for row in 0..names.len() {
                    let ([_, key], name, (left, middle)) = legend.row(row);
                    let end = left + LETTER * name.chars().count() as f64;
                    assert!(key.0 < left && end <= layout.width() - MARGIN + 1e-9, "{name}: {end}");
                    assert!(middle < legend.whole_height(), "{name}: {middle}");
                }
                assert!(legend.right > 300.0, "{shown:?}: {}", legend.right);
            }
        }
    }
}
