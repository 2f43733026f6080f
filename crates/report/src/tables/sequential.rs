//! The sequential test of a match of two players.

use super::league::League;
use crate::aggregate::game_result::{FailedGame, GameResult};
use evouct_league::config::Sequential;
use evouct_stats::distinct::Evidence;
use evouct_stats::sequential::SequentialPairs;
use evouct_stats::sprt::{EloModel, PairCounts, SprtDecision};
use serde::Serialize;

/// A sequential probability ratio test on mirrored pairs, in the order of the decks.
#[derive(Clone, Debug, Serialize)]
pub struct SequentialTest {
    /// The tested player: the first of the file.
    pub player: String,
    /// The other.
    pub opponent: String,
    /// How Elo is meant.
    pub elo: EloModel,
    /// Elo of the null hypothesis.
    pub elo0: f64,
    /// Elo of the alternative.
    pub elo1: f64,
    /// Probability of accepting the alternative under the null hypothesis.
    pub alpha: f64,
    /// Probability of accepting the null hypothesis under the alternative.
    pub beta: f64,
    /// Distinct decks in which the tested player scored 0, ½, 1, 1½, 2 points, up to the decision.
    pub pairs: PairCounts,
    /// Log-likelihood ratio there.
    pub llr: f64,
    /// H0 is accepted at or below.
    pub lower: f64,
    /// H1 is accepted at or above.
    pub upper: f64,
    /// The decision.
    pub decision: SprtDecision,
    /// The deck after which it was decided; none while it is undecided.
    pub decided_after: Option<u32>,
    /// Decks that repeat earlier ones and do not count; absent where there are none.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub repeats: u64,
    /// The deck after which it ended undecided, because it only repeats itself; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_after: Option<u32>,
}

impl SequentialTest {
    /// Whether no more games are needed.
    pub(super) fn is_over(&self) -> bool {
        self.decided_after.is_some() || self.repeats_after.is_some()
    }

    /// The unit of the hypotheses.
    pub(super) fn unit(&self) -> &'static str {
        match self.elo {
            EloModel::Logistic => "Elo",
            EloModel::Normalised => "normalised Elo",
        }
    }
}

impl League<'_> {
    /// The sequential test of a match of two with mirrored decks.
    pub(super) fn sequential(&self, failures: &[FailedGame]) -> Option<SequentialTest> {
        let Some(Sequential::Sprt(test)) = self.experiment.sequential else { return None };
        let mut counted = SequentialPairs::new(test.test().ok()?);
        let evidence = |game: &GameResult, seat| Evidence { game: game.course, difference: game.difference(seat) };
        self.games_of(0).for_each(|(game, seat)| counted.add(game.deck, Some(evidence(game, seat))));
        let decks = failures.iter().map(|failed| failed.deck).chain(self.lost_on_time.iter().map(|game| game.deck));
        decks.for_each(|deck| counted.add(deck, None));
        let state = counted.state();
        Some(SequentialTest {
            player: self.name(0),
            opponent: self.name(1),
            elo: test.model,
            elo0: test.elo0,
            elo1: test.elo1,
            alpha: test.alpha,
            beta: test.beta,
            pairs: counted.pairs(),
            llr: state.llr,
            lower: state.lower,
            upper: state.upper,
            decision: state.decision,
            decided_after: counted.decided_after(),
            repeats: counted.repeats(),
            repeats_after: counted.repeats_after(),
        })
    }
}
