//! What the rounds of a tuning showed of its candidates.

use evouct_stats::Summary;

/// What is known of a candidate.
#[derive(Clone, Debug, Default)]
pub struct CandidateStanding {
    /// Its mean score difference over the opponents, by distinct deck of all its rounds.
    pub decks: Vec<f64>,
    /// Further decks, which repeat earlier ones.
    pub repeats: u64,
    /// Its games that failed.
    pub failed: u64,
    /// Rounds that it played.
    pub rounds: usize,
    /// The round of halving after which it left, from 1.
    pub left: Option<usize>,
    /// Its mean after each of its rounds.
    pub estimates: Vec<f64>,
}

impl CandidateStanding {
    /// The mean over its decks; below all numbers where it has none.
    pub fn mean(&self) -> f64 {
        Summary::of(&self.decks).mean().unwrap_or(f64::NEG_INFINITY)
    }
}

/// The results of a player in a round.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundResult {
    /// Its mean score difference, by deck that repeats none of this and earlier rounds.
    pub decks: Vec<f64>,
    /// Decks that do.
    pub repeats: u64,
    /// The mean over all its decks; none without one.
    pub mean: Option<f64>,
    /// Its games that failed.
    pub failed: u64,
}

impl RoundResult {
    /// The results of decks that are all distinct.
    pub(super) fn of(decks: Vec<f64>, failed: u64) -> RoundResult {
        RoundResult { mean: Summary::of(&decks).mean().ok(), decks, repeats: 0, failed }
    }
}
