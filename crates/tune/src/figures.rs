//! The figures of a tuning: strength over each parameter and over pairs of them, and estimates by round.

use super::centres::{CentreRow, DistributionOutcome};
use super::method::Model;
use super::outcome::{CandidateRow, TuningOutcome};
use super::over::SearchRange;
use super::surfaced::{PathRow, Predicted, SliceRow};
use super::tables::mean;
use super::tuning::Tuning;
use evouct_base::parameter::Values;
use evouct_base::table::{Cell, Digits, Table};
use evouct_league::export::csv_file;
use evouct_report::page::{Mark, PageFigure, Scale, Spot, Track};
use evouct_stats::Interval;
use serde_json::{Map, Value as Json};

/// The title of estimates.
fn estimate(tuning: &Tuning) -> String {
    format!("{} over the opponents", tuning.unit())
}

/// The largest number of pairs of parameters with a figure.
const PAIRS: usize = 3;

/// All figures.
pub(super) fn figures(tuning: &Tuning, outcome: &TuningOutcome) -> Vec<PageFigure> {
    if let Some(distribution) = &outcome.distribution {
        return of_distribution(tuning, distribution);
    }
    let numeric = tuning.overs.iter().filter(|over| is_numeric(over));
    let mut figures: Vec<PageFigure> = numeric.map(|over| strength(tuning, over, outcome)).collect();
    let overs = &tuning.overs;
    let pairs = (0..overs.len()).flat_map(|a| (a + 1..overs.len()).map(move |b| [&overs[a], &overs[b]]));
    figures.extend(pairs.take(PAIRS).map(|pair| plane(pair, outcome)));
    if let Some(surface) = &outcome.surface {
        let slices = surface.slices.iter().map(|slice| of_slice(tuning, slice, &outcome.winner));
        figures.extend(slices.chain([path(tuning, &surface.path)]));
    } else if outcome.method.model() == Model::None && outcome.candidates.iter().any(|row| row.estimates.len() > 1) {
        figures.push(rounds(tuning, outcome));
    }
    figures
}

fn is_numeric(over: &SearchRange) -> bool {
    matches!(over.parameter.values, Values::Real(..) | Values::Count(..))
}

/// Candidates with a value of this parameter and an estimate, in the order of the values.
fn measured<'a>(parameter: &str, outcome: &'a TuningOutcome) -> Vec<(f64, &'a CandidateRow)> {
    let at = |row: &'a CandidateRow| Some((row.parameters.get(parameter)?.as_f64()?, row));
    let mut rows: Vec<_> = outcome.candidates.iter().filter(|row| row.mean.is_some()).filter_map(at).collect();
    rows.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    rows
}

fn strength(tuning: &Tuning, over: &SearchRange, outcome: &TuningOutcome) -> PageFigure {
    let parameter = over.parameter.name;
    let rows = measured(parameter, outcome);
    let mark = |(at, row): &(f64, &CandidateRow)| {
        let interval = row.interval.map(|ends| (ends.low, ends.high));
        Some(Mark { at: *at, value: row.mean?, interval, highlighted: row.is_default })
    };
    let marked: Vec<Mark> = rows.iter().filter_map(mark).collect();
    let is_logarithmic = over.choice.is_logarithmic() && marked.iter().all(|mark| mark.at > 0.0);
    let data = Table::of("strength", "", rows)
        .file(parameter, |(at, _)| Cell::mean(*at, Digits::SCORE))
        .file("decks", |(_, row)| Cell::Count(row.decks))
        .file("mean, low, high", |(_, row)| mean(row.mean, row.interval))
        .file("candidate", |(_, row)| Cell::name(&row.name));
    let csv = csv_file(&data.table());
    let name = format!("strength-{parameter}");
    let others =
        if tuning.overs.len() > 1 { " The candidates differ in their other tuned parameters too." } else { "" };
    let short = match outcome.method.model() == Model::Surface {
        true => "have more decks, because the surface was high or unknown there",
        false => "advanced, and their estimates are too high",
    };
    // By a surface the default plays held-out decks alone.
    let default = if marked.iter().any(|mark| mark.highlighted) { "; the default is orange" } else { "" };
    let caption = format!(
        "Estimates over {parameter} with 95 % intervals{default}.{others} Candidates with short intervals {short}."
    );
    PageFigure::of_marks([&name, &caption], [parameter, &estimate(tuning)], &marked, is_logarithmic, csv)
}

/// Estimates over two parameters; one without numbers is the axis below.
fn plane(pair: [&SearchRange; 2], outcome: &TuningOutcome) -> PageFigure {
    let [x, y] = if is_numeric(pair[0]) && !is_numeric(pair[1]) { [pair[1], pair[0]] } else { pair };
    let rows = || outcome.candidates.iter().filter(|row| row.mean.is_some());
    let scale = |over: &SearchRange| {
        let parameter = over.parameter.name;
        let mut names: Vec<String> = Vec::new();
        for row in rows().filter(|_| !is_numeric(over)) {
            let value = row.value(parameter);
            if !names.contains(&value) {
                names.push(value);
            }
        }
        let numbers = measured(parameter, outcome);
        let is_logarithmic = over.choice.is_logarithmic() && numbers.iter().all(|(at, _)| *at > 0.0);
        Scale { title: parameter.to_owned(), is_logarithmic, names }
    };
    let [across, up] = [x, y].map(scale);
    let spot = |row: &CandidateRow| {
        let place = |over: &SearchRange, scale: &Scale| match scale.names.is_empty() {
            true => row.parameters.get(over.parameter.name)?.as_f64(),
            false => Some(scale.names.iter().position(|name| *name == row.value(over.parameter.name))? as f64),
        };
        let label = match (row.is_default, row.name == outcome.winner) {
            (true, true) => Some("default, best".to_owned()),
            (true, false) => Some("default".to_owned()),
            (false, true) => Some("best".to_owned()),
            (false, false) => None,
        };
        Some(Spot { name: row.name.clone(), at: [place(x, &across)?, place(y, &up)?], value: row.mean?, label })
    };
    let spots: Vec<Spot> = rows().filter_map(spot).collect();
    let name = format!("plane-{}-{}", x.parameter.name, y.parameter.name);
    let caption = format!(
        "Estimates over {} and {}: blue above the median of all candidates, orange below it, the stronger the farther from \
         it. Pale and strong points alike are estimates with errors; candidates.csv has their intervals.",
        x.parameter.name, y.parameter.name
    );
    PageFigure::of_plane([&name, &caption], [&across, &up], &spots)
}

/// The surface over a parameter, where the others have the values of the best candidate.
fn of_slice(tuning: &Tuning, slice: &SliceRow, winner: &str) -> PageFigure {
    let parameter = slice.parameter;
    let over = tuning.overs.iter().find(|over| over.parameter.name == parameter);
    let points = || slice.at.iter().zip(&slice.predicted);
    let mark = |(at, predicted): (&f64, &Predicted)| {
        let Interval { low, high } = predicted.interval;
        Mark { at: *at, value: predicted.mean, interval: Some((low, high)), highlighted: false }
    };
    let marks: Vec<Mark> = points().map(mark).collect();
    let data = Table::of("surface", "", points())
        .file(parameter, |(at, _)| Cell::mean(**at, Digits::SCORE))
        .file("surface, low, high", |(_, predicted)| mean(Some(predicted.mean), Some(predicted.interval)));
    let csv = csv_file(&data.table());
    let caption = format!(
        "The surface over {parameter} with 95 % intervals, where the other tuned parameters have the values of {winner}. It \
         rests on the games of all rounds, and on the assumption that strength changes smoothly. Away from the best values it \
         rests on few games."
    );
    let is_logarithmic = over.is_some_and(|over| over.choice.is_logarithmic());
    PageFigure::of_marks(
        [&format!("surface-{parameter}"), &caption],
        [parameter, &estimate(tuning)],
        &marks,
        is_logarithmic,
        csv,
    )
}

/// The value of what was recommended after each round.
fn path(tuning: &Tuning, path: &[PathRow]) -> PageFigure {
    let mark = |row: &PathRow| {
        let Interval { low, high } = row.predicted.interval;
        Mark { at: row.round as f64, value: row.predicted.mean, interval: Some((low, high)), highlighted: false }
    };
    let marks: Vec<Mark> = path.iter().map(mark).collect();
    let data = Table::of("path", "", path)
        .file("round", |row| Cell::count(row.round))
        .file("candidate", |row| Cell::name(&row.candidate))
        .file("surface, low, high", |row| mean(Some(row.predicted.mean), Some(row.predicted.interval)));
    let csv = csv_file(&data.table());
    let caption = "What the surface has for the candidate that it recommended after each round, with 95 % intervals. The table \
                   of rounds names them. The highest point of a surface that is known with errors tends to be too high.";
    PageFigure::of_marks(["path", caption], ["round", &estimate(tuning)], &marks, false, csv)
}

/// What CMA-ES has after each round: its players, the best guess and the width of the distribution.
fn of_distribution(tuning: &Tuning, distribution: &DistributionOutcome) -> Vec<PageFigure> {
    let path = &distribution.path;
    let mark = |row: &CentreRow| {
        let interval = row.interval.map(|ends| (ends.low, ends.high));
        Mark { at: row.round as f64, value: row.mean, interval, highlighted: false }
    };
    let data = Table::of("path", "", path)
        .file("round", |row| Cell::count(row.round))
        .file("best guess", |row| Cell::name(&row.candidate))
        .file("mean, low, high", |row| mean(Some(row.mean), row.interval));
    let csv = csv_file(&data.table());
    let caption = "The mean of all players of each round, with 95 % intervals. They are spread about the best guess, so that most \
                   of them are worse than it, and come nearer to it from round to round.";
    let marks: Vec<Mark> = path.iter().map(mark).collect();
    let mut figures = vec![PageFigure::of_marks(["path", caption], ["round", &estimate(tuning)], &marks, false, csv)];
    let ranges = || tuning.overs.iter().filter(|over| over.choice.is_range());
    let by_round = |of: fn(&CentreRow) -> &Map<String, Json>| -> Vec<(String, Vec<(f64, f64)>)> {
        let line = |over: &SearchRange| {
            let at = |row: &CentreRow| Some((row.round as f64, of(row).get(over.parameter.name)?.as_f64()?));
            (over.parameter.name.to_owned(), path.iter().filter_map(at).collect())
        };
        ranges().map(line).collect()
    };
    let caption = "The best guess after each round, as a share of the way through each range on its scale.";
    figures.push(PageFigure::of_lines(["guess", caption], ["round", "share of the range"], &by_round(|row| &row.at)));
    let caption = "The standard deviation of the distribution after each round, as a share of each range. It has a lower bound, \
                   which falls with the rounds.";
    figures.push(PageFigure::of_lines(
        ["spread", caption],
        ["round", "share of the range"],
        &by_round(|row| &row.spread),
    ));
    figures
}

/// Estimates by round.
fn rounds(tuning: &Tuning, outcome: &TuningOutcome) -> PageFigure {
    let track = |row: &CandidateRow| {
        let colour = match row.name == outcome.winner {
            true => Some(0),
            false if row.is_default => Some(1),
            false => (row.name == outcome.challenger).then_some(2),
        };
        Track { name: row.label(), estimates: row.estimates.clone(), colour }
    };
    let tracks: Vec<Track> = outcome.candidates.iter().filter(|row| !row.estimates.is_empty()).map(track).collect();
    let caption = "The estimate of each candidate after each round, over all its decks until then. A line ends where the \
                   candidate left. Estimates of those that advance are too high, and tend to fall as decks are added.";
    PageFigure::of_tracks(["rounds", caption], &estimate(tuning), &tracks)
}
