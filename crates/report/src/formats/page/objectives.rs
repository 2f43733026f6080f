//! Two objectives on the page of an evolution.

use super::table::{TableCell, p_value, shown, table};
use super::typeset;
use crate::formats::chart::crosses::{Cross, crosses};
use crate::formats::figure::PageFigure;
use crate::tables::objectives::{ObjectiveMean, Objectives, ObjectivesRow};
use maud::{Markup, html};

/// The finalists in both objectives.
pub(super) fn objectives(objectives: &Objectives, figure: &Markup) -> Markup {
    let signed = |estimate: &ObjectiveMean, decimals: usize| {
        let sign = if estimate.mean < 0.0 { "" } else { "+" };
        shown(format!("{sign}{}", estimate.text(decimals)), estimate.mean)
    };
    let cells = |row: &ObjectivesRow| -> Vec<TableCell> {
        let value = shown(row.value.text(3), row.value.mean);
        vec![
            typeset::genome_cell(&row.formula),
            signed(&row.gain, 2),
            value,
            signed(&row.difference, 3),
            p_value(row.holm_p),
        ]
    };
    let columns = ["formula", "gain", "second objective", "over the reference", "p of both"];
    let rows = objectives.finalists.iter().map(cells).collect();
    html! {
        (figure)
        (table("Two objectives", &columns, rows, "report.json"))
        p.said {
            "The second objective is " (objectives.metric) ", " (objectives.about) ", per game. The finalists are of the front of the \
             first stage; these are values of the last stage. The reference has " (objectives.reference.text(3)) "."
        }
    }
}

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
