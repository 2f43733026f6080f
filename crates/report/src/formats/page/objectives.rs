//! The chart of two objectives on the page of an evolution.

use crate::formats::chart::crosses::{Cross, crosses};
use crate::formats::figure::PageFigure;
use crate::tables::objectives::{ObjectiveMean, Objectives};

/// The chart of the finalists and the reference.
pub(super) fn objectives_figure(objectives: &Objectives) -> PageFigure {
    let cross = |name: &str, gain: ObjectiveMean, value: ObjectiveMean, highlighted: bool| Cross {
        name: name.to_owned(),
        at: [value.mean, gain.mean],
        half: [value.half, gain.half],
        highlighted,
    };
    let reference = ObjectiveMean { mean: 0.0, half: None };
    let all: Vec<Cross> = [cross("reference", reference, objectives.reference, true)]
        .into_iter()
        .chain(objectives.finalists.iter().map(|row| cross(&row.formula.to_string(), row.gain, row.value, false)))
        .collect();
    let half = |half: Option<f64>| half.map_or(String::new(), |half| half.to_string());
    let rows = all.iter().map(|cross| {
        let [value, gain] = cross.at;
        let [value_half, gain_half] = cross.half.map(half);
        vec![gain.to_string(), gain_half, value.to_string(), value_half, cross.name.clone()]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let caption = format!(
        "Finalists of the front of two objectives, by games of the last stage: gain over the reference against {}. Bars: 95 %, not \
         corrected for their number. Orange: the reference, which has no gain by definition.",
        objectives.metric
    );
    let metric = objectives.metric;
    let drawing = crosses(metric, "gain, points per game", &all);
    PageFigure::new("objectives", caption, drawing, &format!("gain gain_half {metric} {metric}_half formula"), rows)
}
