//! The mirrored pairs of a match under a sequential test, counted in the order of the decks.
//!
//! A league that is being played and the report of its records count with this type, so both stop at the same deck.

use super::sprt::{PairCounts, Sprt, SprtDecision, SprtState};
use std::collections::BTreeMap;

/// Games of a deck: one from each seat.
const GAMES: usize = 2;

/// A sequential test with the results so far. Results may come in any order; each counts once all decks before its own
/// are complete, and none after the decision.
#[derive(Clone, Debug)]
pub struct SequentialPairs {
    test: Sprt,
    /// By deck: the tested player's score difference in each game, none for a game that failed.
    decks: BTreeMap<u32, Vec<Option<f64>>>,
    /// The first deck that is not complete.
    next: u32,
    pairs: PairCounts,
    state: SprtState,
    decided_after: Option<u32>,
}

impl SequentialPairs {
    /// The test before the first result.
    ///
    /// ```
    /// use evouct_stats::sequential::SequentialPairs;
    /// use evouct_stats::sprt::{EloModel, PairCounts, Sprt};
    /// let test = Sprt::new(EloModel::Logistic, 0.0, 10.0, 0.05, 0.05).unwrap();
    /// let mut pairs = SequentialPairs::new(test);
    /// // Deck 2 waits for deck 1.
    /// for (deck, difference) in [(2, 3.0), (2, 5.0), (1, 4.0)] {
    ///     pairs.add(deck, Some(difference));
    /// }
    /// assert_eq!(pairs.pairs(), PairCounts::default());
    /// pairs.add(1, Some(-1.0));
    /// assert_eq!(pairs.pairs(), PairCounts([0, 0, 1, 0, 1]));
    /// ```
    pub fn new(test: Sprt) -> SequentialPairs {
        let pairs = PairCounts::default();
        SequentialPairs { test, decks: BTreeMap::new(), next: 1, pairs, state: test.judge(pairs), decided_after: None }
    }

    /// Adds a game: its deck, from 1, and the tested player's score less the opponent's, none if the game failed. A
    /// deck with a failed game is complete but counts for neither side.
    pub fn add(&mut self, deck: u32, difference: Option<f64>) {
        self.decks.entry(deck).or_default().push(difference);
        while let Some(games) = self.decks.get(&self.next).filter(|games| games.len() >= GAMES && !self.is_decided()) {
            if let [Some(first), Some(second)] = games[..] {
                self.pairs.add([first, second]);
                self.state = self.test.judge(self.pairs);
                self.decided_after = (self.state.decision != SprtDecision::Continue).then_some(self.next);
            }
            self.next += 1;
        }
    }

    /// The first deck that is not complete.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Whether the test is decided, so that no more games are needed.
    pub fn is_decided(&self) -> bool {
        self.decided_after.is_some()
    }

    /// The deck after which the test was decided.
    pub fn decided_after(&self) -> Option<u32> {
        self.decided_after
    }

    /// The pairs that count.
    pub fn pairs(&self) -> PairCounts {
        self.pairs
    }

    /// The state of the test after these pairs.
    pub fn state(&self) -> SprtState {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprt::EloModel;

    #[test]
    fn a_deck_with_a_failed_game_counts_for_neither_side() {
        let mut pairs = SequentialPairs::new(Sprt::new(EloModel::Logistic, 0.0, 10.0, 0.05, 0.05).unwrap());
        for (deck, difference) in [(1, Some(2.0)), (1, None), (2, Some(2.0)), (2, Some(2.0)), (3, Some(1.0))] {
            pairs.add(deck, difference);
        }
        assert_eq!((pairs.pairs(), pairs.next()), (PairCounts([0, 0, 0, 0, 1]), 3));
    }

    #[test]
    fn nothing_counts_beyond_the_decision() {
        let mut pairs = SequentialPairs::new(Sprt::new(EloModel::Logistic, 0.0, 400.0, 0.05, 0.05).unwrap());
        let mut ahead = pairs.clone();
        for deck in 1..=200 {
            for difference in [5.0, 5.0] {
                pairs.add(deck, Some(difference));
            }
        }
        for deck in (1..=200).rev() {
            for difference in [5.0, 5.0] {
                ahead.add(deck, Some(difference));
            }
        }
        let deck = pairs.decided_after().unwrap();
        assert!(deck < 200 && pairs.pairs() == PairCounts([0, 0, 0, 0, u64::from(deck)]));
        assert_eq!((ahead.decided_after(), ahead.pairs()), (Some(deck), pairs.pairs()));
    }
}
