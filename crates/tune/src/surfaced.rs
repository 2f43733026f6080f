//! The surface of a tuning in its result: slices through the best candidate, and the path of the recommendation.

use super::method::Model;
use super::selection::Selection;
use super::tuning::Tuning;
use evouct_base::parameter::Value;
use evouct_stats::surface::Surface;
use evouct_stats::{Interval, normal_quantile};
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// Values of each slice.
const SLICE: usize = 41;

/// What the surface has for a player, in points per game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// The expected mean score difference.
    pub mean: f64,
    /// Its interval with a probability of 95 %, given that the surface is as smooth as the fit says.
    pub interval: Interval,
}

/// The surface of a tuning.
#[derive(Clone, Debug, Serialize)]
pub struct SurfaceOutcome {
    /// The length of each parameter: over much less, strength hardly changes. Large where the parameter does not matter.
    /// Of a range it is a share of it, on its scale; two values of a list are at distance 1.
    pub lengths: Map<String, Json>,
    /// The standard deviation of the strength of players about its mean, in points per game.
    pub amplitude: f64,
    /// The standard deviation of a deck, pooled over the candidates, in points per game.
    pub deck_sd: f64,
    /// What was recommended after each round.
    pub path: Vec<PathRow>,
    /// Strength over each range, where the other parameters have the values of the best candidate.
    pub slices: Vec<SliceRow>,
}

/// What was recommended after a round.
#[derive(Clone, Debug, Serialize)]
pub struct PathRow {
    /// The round, from 1.
    pub round: usize,
    /// The candidate.
    pub candidate: String,
    /// Its value by the results until then.
    #[serde(flatten)]
    pub predicted: Predicted,
}

/// Strength over a parameter.
#[derive(Clone, Debug, Serialize)]
pub struct SliceRow {
    /// The parameter.
    pub parameter: &'static str,
    /// Its values.
    pub at: Vec<f64>,
    /// What the surface has for them.
    pub predicted: Vec<Predicted>,
}

impl Predicted {
    fn new(mean: f64, sd: f64) -> Predicted {
        let half = normal_quantile(0.975) * sd;
        Predicted { mean, interval: Interval { low: mean - half, high: mean + half } }
    }

    fn at(surface: &Surface, place: usize) -> Predicted {
        Predicted::new(surface.mean(place), surface.sd(place))
    }
}

/// The surface, and what it has for each candidate; none for the other methods, or without results. `best` is the best candidate.
pub(super) fn surface(tuning: &Tuning, selection: &Selection, best: usize) -> Option<(SurfaceOutcome, Vec<Predicted>)> {
    if tuning.options.method.model() != Model::Surface {
        return None;
    }
    let candidates = &tuning.candidates;
    let coordinate = |(over, value): (usize, &Value)| tuning.overs[over].choice.coordinate(value).unwrap_or_default();
    let of_best: Vec<f64> = candidates[best].tuned.iter().map(|(_, value)| value).enumerate().map(coordinate).collect();
    let mut others: Vec<Vec<f64>> = Vec::new();
    let mut rows: Vec<SliceRow> = Vec::new();
    for (place, over) in tuning.overs.iter().enumerate() {
        if !over.choice.is_range() {
            continue;
        }
        let mut at: Vec<f64> = Vec::new();
        for step in 0..SLICE {
            let value = over.choice.value(step as f64 / (SLICE - 1) as f64);
            let number = number(&value);
            // Whole numbers and rounded ones repeat.
            if at.last() != Some(&number) {
                at.push(number);
                let mut row = of_best.clone();
                row[place] = coordinate((place, &value));
                others.push(row);
            }
        }
        rows.push(SliceRow { parameter: over.parameter.name, at, predicted: Vec::new() });
    }
    let (surface, variance) = selection.rounds.surface(&selection.standings, &others)?;
    let mut place = candidates.len() - 1;
    for row in &mut rows {
        row.predicted = (place..place + row.at.len()).map(|place| Predicted::at(&surface, place)).collect();
        place += row.at.len();
    }
    let smoothness = surface.smoothness();
    let name = |place: usize| tuning.overs[place].parameter.name.to_owned();
    let path = selection.rounds.path().iter().map(|step| PathRow {
        round: step.round,
        candidate: candidates[step.candidate].name.clone(),
        predicted: Predicted::new(step.mean, step.sd),
    });
    let outcome = SurfaceOutcome {
        lengths: smoothness
            .lengths
            .iter()
            .enumerate()
            .map(|(place, length)| (name(place), Json::from(*length)))
            .collect(),
        amplitude: smoothness.amplitude,
        deck_sd: variance.sqrt(),
        path: path.collect(),
        slices: rows,
    };
    let predicted = (0..candidates.len() - 1).map(|place| Predicted::at(&surface, place)).collect();
    Some((outcome, predicted))
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Count(number) => *number as f64,
        Value::Real(number) => *number,
        _ => 0.0,
    }
}
