//! The sequential test of a match of two players.

use super::league::League;
use crate::stats::sprt::{PairCounts, Sprt, SprtDecision};
use serde::Serialize;

/// A sequential probability ratio test on mirrored pairs, in the order of the decks.
#[derive(Clone, Debug, Serialize)]
pub struct SequentialTest {
    /// The tested player: the first of the file.
    pub player: String,
    /// The other.
    pub opponent: String,
    /// Elo of the null hypothesis.
    pub elo0: f64,
    /// Elo of the alternative.
    pub elo1: f64,
    /// Probability of accepting the alternative under the null hypothesis.
    pub alpha: f64,
    /// Probability of accepting the null hypothesis under the alternative.
    pub beta: f64,
    /// Decks in which the tested player scored 0, ½, 1, 1½, 2 points, up to the decision.
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
}

impl League<'_> {
    /// The sequential test of a match of two with mirrored decks.
    pub(super) fn sequential(&self) -> Option<SequentialTest> {
        let test = self.experiment.sequential?;
        let sprt = Sprt::new(test.elo0, test.elo1, test.alpha, test.beta).ok()?;
        let mut pairs = PairCounts::default();
        let mut state = sprt.judge(pairs);
        let mut decided_after = None;
        for games in self.decks() {
            let [first, second] = games[..] else { continue };
            pairs.add([first, second].map(|game| {
                let tested = game.seats.iter().position(|seat| seat.player == 0).unwrap_or_default();
                game.difference(tested)
            }));
            state = sprt.judge(pairs);
            if state.decision != SprtDecision::Continue {
                decided_after = Some(first.deck);
                break;
            }
        }
        Some(SequentialTest {
            player: self.name(0),
            opponent: self.name(1),
            elo0: test.elo0,
            elo1: test.elo1,
            alpha: test.alpha,
            beta: test.beta,
            pairs,
            llr: state.llr,
            lower: state.lower,
            upper: state.upper,
            decision: state.decision,
            decided_after,
        })
    }
}
