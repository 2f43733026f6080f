//! The figures of an offline evolution.

use super::super::objectives::objectives_figure;
use crate::formats::chart::family::{Kin, family};
use crate::formats::chart::{Mark, Series, joined_marks, lines};
use crate::formats::figure::PageFigure;
use crate::formats::picture::points;
use crate::tables::evolved::{AncestorRow, EvolvedReport, FitnessRow, GainRow, TerminalRow};
use evouct_base::plural::noun_of;

/// Terminals and islands in a chart; more cannot be distinguished.
const CURVES: usize = 6;

/// Those that the evolution has data for.
pub(super) fn figures(report: &EvolvedReport) -> Vec<PageFigure> {
    let mut figures = Vec::new();
    if !report.fitness.is_empty() {
        figures.push(fitness(report));
    }
    if !report.front.is_empty() {
        figures.push(front(report));
    }
    figures.extend(report.second.as_ref().map(objectives_figure));
    if report.lineage.len() > 1 {
        figures.push(descent(report));
    }
    if !report.terminals.is_empty() {
        figures.push(terminals(report));
    }
    if !report.shape.is_empty() {
        figures.push(shape(report));
    }
    figures
}

fn fitness(report: &EvolvedReport) -> PageFigure {
    let islands = report.fitness.iter().map(|row| row.island).max().unwrap_or(0);
    let of = |island: usize| report.fitness.iter().filter(move |row| row.island == island);
    // Islands with the same curve share one, which has all of them in its name.
    let mut curves: Vec<(Series, Vec<usize>)> = Vec::new();
    for island in 1..=islands.min(CURVES) {
        for (name, dashed) in [("best", false), ("median", true)] {
            let value = |row: &FitnessRow| if dashed { row.median } else { row.best };
            let points: Vec<(f64, f64)> = of(island).map(|row| (f64::from(row.generation), value(row))).collect();
            match curves.iter_mut().find(|(known, _)| known.dashed == dashed && known.points == points) {
                Some((_, alike)) => alike.push(island),
                None => {
                    let curve = Series { name: name.to_owned(), points, dashed, colour: island - 1 };
                    curves.push((curve, vec![island]));
                }
            }
        }
    }
    let named = |(curve, alike): (Series, Vec<usize>)| {
        let numbers = alike.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let name = format!("{}, {} {numbers}", curve.name, noun_of(alike.len() as u64, "island"));
        Series { name, ..curve }
    };
    let series: Vec<Series> = curves.into_iter().map(named).collect();
    let rows = report.fitness.iter().map(|row| {
        let numbers = [row.best, row.median, row.nodes].map(|value| value.to_string());
        [row.generation.to_string(), row.island.to_string()].into_iter().chain(numbers).collect()
    });
    let left_out = if islands > CURVES { " The data file has the other islands." } else { "" };
    let caption = if report.is_climb {
        "Sum of steps by generation: the formula as it stands (solid) and the median of its neighbours (dashed). A step is what a \
             formula won in games against the one before it; the sum is not the gain over the start."
                .to_owned()
    } else {
        format!(
            "Training gain over the reference by generation: the best individual (solid) and the median (dashed). The best of \
                 many noisy values is too high; elites are measured again in each generation.{left_out}"
        )
    };
    let drawing = lines("generation", &gain_in(report), &series, false);
    PageFigure::new("fitness", caption, drawing, "generation island best median mean_nodes", rows)
}

/// The axis of gains.
fn gain_in(report: &EvolvedReport) -> String {
    format!("{}, {}", report.gain_in_training(), report.unit)
}

fn front(report: &EvolvedReport) -> PageFigure {
    let mark = |row: &GainRow| Mark {
        at: row.nodes as f64,
        value: row.gain,
        interval: row.half.map(|half| (row.gain - half, row.gain + half)),
        highlighted: false,
    };
    let marks: Vec<Mark> = report.front.iter().map(mark).collect();
    let rows = report.front.iter().map(|row| {
        let half = row.half.map_or(String::new(), |half| half.to_string());
        vec![row.nodes.to_string(), row.gain.to_string(), half, row.formula.to_string()]
    });
    let caption = if report.is_climb {
        "The steps of the climb: size against the sum of steps. Bars: 95 % of the last step."
    } else {
        "The front of size against training gain: no individual of the same size or smaller gains more. Bars: 95 % \
             of the estimate, not corrected for the choice of the best."
    }
    .to_owned();
    let drawing = joined_marks("nodes", &gain_in(report), &marks);
    PageFigure::new("front", caption, drawing, "nodes gain half_width formula", rows)
}

fn descent(report: &EvolvedReport) -> PageFigure {
    let place = |individual: &usize| report.lineage.iter().position(|row| row.individual == *individual);
    let kin = |row: &AncestorRow| Kin {
        at: (f64::from(row.born), row.gain),
        parents: row.parents.iter().filter_map(place).collect(),
        made: row.operator,
        said: format!(
            "individual {}, generation {}, {}: {} {:+.2}, {}",
            row.individual,
            row.born,
            row.operator,
            report.gain_in_training(),
            row.gain,
            row.formula
        ),
    };
    let kin: Vec<Kin> = report.lineage.iter().map(kin).collect();
    let rows = report.lineage.iter().map(|row| {
        let parents: Vec<String> = row.parents.iter().map(usize::to_string).collect();
        let numbers = [row.individual.to_string(), row.born.to_string(), row.island.to_string()];
        numbers
            .into_iter()
            .chain([row.operator.to_owned(), parents.join(" "), row.gain.to_string(), row.formula.to_string()])
            .collect()
    });
    let gain = match report.is_climb {
        true => "the sum of steps. The colour says how a formula was made.",
        false => {
            "the training gain. The colour says how an individual was made. Gains of a line rise by selection alone, too."
        }
    };
    let caption = format!(
        "The best individual (large) and its ancestors, each joined with its parents: the generation of birth and {gain}"
    );
    let drawing = family(["generation", &gain_in(report)], &kin);
    PageFigure::new("lineage", caption, drawing, "individual generation island operator parents gain formula", rows)
}

fn terminals(report: &EvolvedReport) -> PageFigure {
    let shares = |shares: &[f64]| -> Vec<(f64, f64)> {
        shares.iter().enumerate().map(|(place, share)| (place as f64 + 1.0, *share)).collect()
    };
    let series = |(colour, row): (usize, &TerminalRow)| Series {
        name: row.terminal.clone(),
        points: shares(&row.shares),
        dashed: false,
        colour,
    };
    let all: Vec<Series> = report.terminals.iter().enumerate().map(series).collect();
    // Terminals that are used alike share a curve, which has the names of all of them.
    let mut curves: Vec<Series> = Vec::new();
    for own in &all {
        match curves.iter_mut().find(|curve| curve.points == own.points) {
            Some(curve) => curve.name += &format!(", {}", own.name),
            None => curves.push(Series { colour: curves.len(), ..own.clone() }),
        }
    }
    let left_out = match curves.len() {
        count if count > CURVES => format!(" The {CURVES} highest of {count} curves; the data file has all."),
        _ => String::new(),
    };
    curves.truncate(CURVES);
    let caption = format!("Share of the individuals born in a generation that use a terminal.{left_out}");
    let drawing = lines("generation", "share", &curves, false);
    PageFigure::new("terminals", caption, drawing, "terminal generation share", points(&all))
}

fn shape(report: &EvolvedReport) -> PageFigure {
    let half = report.shape.len() / 2;
    let series: Vec<Series> = report
        .shape
        .iter()
        .enumerate()
        .map(|(place, curve)| Series {
            name: curve.name.clone(),
            points: curve.points.clone(),
            dashed: curve.is_reference,
            colour: place % half.max(1),
        })
        .collect();
    let (visits, deviation) = report.parent;
    let caption = format!(
        "Value of a child over its visits by the best formula and by the reference, for N = {visits}; what the game tells of a move \
         is 0, half of the game and of the budget are over, sd = {deviation}. A curve that falls faster with visits explores more."
    );
    let drawing = lines("visits n of the child", "value", &series, true);
    PageFigure::new("shape", caption, drawing, "curve visits value", points(&series))
}
