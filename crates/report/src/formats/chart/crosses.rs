//! Points over two measured numbers, with an interval in both directions.

use super::layout::{Layout, in_both};
use super::{Axis, Chart, MARGIN, around, with_interval};
use crate::formats::drawing::{Drawing, Ink};

/// A point with its intervals.
pub(in crate::formats) struct Cross {
    /// What it is.
    pub name: String,
    /// Across and up.
    pub at: [f64; 2],
    /// Half the width of each interval.
    pub half: [Option<f64>; 2],
    /// Whether it has another colour than the other points.
    pub highlighted: bool,
}

impl Cross {
    fn interval(&self, axis: usize) -> Option<(f64, f64)> {
        self.half[axis].map(|half| (self.at[axis] - half, self.at[axis] + half))
    }
}

/// Points with intervals across and up, and a dashed line at 0.
pub(in crate::formats) fn crosses(x: &str, y: &str, crosses: &[Cross]) -> Drawing {
    in_both(|layout| crosses_in(layout, [x, y], crosses))
}

fn crosses_in(layout: Layout, titles: [&str; 2], crosses: &[Cross]) -> Drawing {
    let axis = |axis: usize, level: Option<f64>| {
        let ends = crosses.iter().flat_map(move |cross| {
            let (low, high) = cross.interval(axis).unwrap_or((cross.at[axis], cross.at[axis]));
            [low, high]
        });
        let values: Vec<f64> = ends.chain(level).collect();
        let [least, most] = [f64::min, f64::max].map(|end| values.iter().copied().reduce(end).unwrap_or(0.0));
        Axis::linear(titles[axis], around(least, most, 0.08), values)
    };
    let size = (layout.width(), 340.0);
    let mut chart = Chart::upright(size, layout.width() - MARGIN, [axis(0, None), axis(1, Some(0.0))], true);
    chart.level(0.0, 1.0);
    for cross in crosses {
        let (ink, [across, up]) = (Ink::Series(usize::from(cross.highlighted)), cross.at);
        if let Some((low, high)) = cross.interval(0) {
            chart.line(&[(low, up), (high, up)], ink, 2.0, 1.0);
        }
        if let Some((low, high)) = cross.interval(1) {
            chart.line(&[(across, low), (across, high)], ink, 2.0, 1.0);
        }
        let place = chart.at((across, up));
        chart.drawing.circle(place, ink);
        let said =
            [0, 1].map(|axis| format!("{} {}", titles[axis], with_interval(cross.at[axis], cross.interval(axis))));
        chart.drawing.read(place, format!("{}: {}", cross.name, said.join(", ")));
    }
    chart.drawing
}
