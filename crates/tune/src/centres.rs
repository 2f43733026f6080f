//! The distribution of a tuning by CMA-ES in its result: the path of the best guess.

use super::candidates::Candidate;
use super::drawn::DistributionStep;
use super::method::Model;
use super::over::Choice;
use super::selection::Selection;
use super::tuning::Tuning;
use evouct_stats::Interval;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// The distribution of a tuning by CMA-ES.
#[derive(Clone, Debug, Serialize)]
pub struct DistributionOutcome {
    /// The distribution after each round with results.
    pub path: Vec<CentreRow>,
}

/// The distribution after a round.
#[derive(Clone, Debug, Serialize)]
pub struct CentreRow {
    /// The round, from 1.
    pub round: usize,
    /// The best guess by the rounds until then: the mean of the last centres.
    pub candidate: String,
    /// The mean score difference of the round's candidates over the opponents, in points per game. They stand about the
    /// centre before the round, and most of them are worse than it.
    pub mean: f64,
    /// Its 95 % t-interval over the candidates; none for one with results.
    pub interval: Option<Interval>,
    /// Where the best guess is: of a range the share of the way through it, on its scale; of a list the value.
    pub at: Map<String, Json>,
    /// How wide the distribution is: of a range the standard deviation as a share of it, of a list the probability of its
    /// likeliest value.
    pub spread: Map<String, Json>,
}

/// The distribution; none for the other methods.
pub(super) fn distribution(
    tuning: &Tuning,
    candidates: &[Candidate],
    selection: &Selection,
) -> Option<DistributionOutcome> {
    let row = |step: &DistributionStep| {
        let candidate = &candidates[step.candidate];
        let names = || tuning.overs.iter().map(|over| over.parameter.name.to_owned());
        let at = tuning.overs.iter().zip(&candidate.tuned).map(|(over, (_, value))| match over.choice {
            Choice::List(_) => value.to_json(),
            Choice::Range { .. } => over.choice.coordinate(value).into(),
        });
        CentreRow {
            round: step.round,
            candidate: candidate.name.clone(),
            mean: step.players.mean().unwrap_or_default(),
            interval: step.players.interval().ok(),
            at: names().zip(at).collect(),
            spread: names().zip(step.spread.iter().map(|spread| Json::from(*spread))).collect(),
        }
    };
    let is_drawn = tuning.options.method.model() == Model::Distribution;
    is_drawn.then(|| DistributionOutcome { path: selection.rounds.steps().iter().map(row).collect() })
}
