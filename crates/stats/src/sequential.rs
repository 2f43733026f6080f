//! The mirrored pairs of a match under a sequential test, counted in the order of the decks.
//!
//! A deck that repeats an earlier one is no evidence ([`Distinct`]), and a test that only repeats itself ends undecided.
//!
//! A league that is being played and the report of its records count with this type, so both stop at the same deck.

use super::distinct::{Distinct, Evidence, REPEATS};
use super::sprt::{PairCounts, Sprt, SprtDecision, SprtState};
use std::collections::BTreeMap;

/// Games of a deck: one from each seat.
const GAMES: usize = 2;

/// A sequential test with the results so far. Results may come in any order; each counts once all decks before its own
/// are complete, and none after the end of the test.
#[derive(Clone, Debug)]
pub struct SequentialPairs {
    test: Sprt,
    /// By deck: the tested player's score less the opponent's in each game, none for a game that failed.
    decks: BTreeMap<u32, Vec<Option<Evidence>>>,
    /// The first deck that is not complete.
    next: u32,
    pairs: PairCounts,
    distinct: Distinct,
    state: SprtState,
    decided_after: Option<u32>,
}

impl SequentialPairs {
    /// The test before the first result.
    ///
    /// ```
    /// use evouct_stats::distinct::Evidence;
    /// use evouct_stats::sequential::SequentialPairs;
    /// use evouct_stats::sprt::{EloModel, PairCounts, Sprt};
    /// let test = Sprt::new(EloModel::Logistic, 0.0, 10.0, 0.05, 0.05).unwrap();
    /// let mut pairs = SequentialPairs::new(test);
    /// // Deck 2 waits for deck 1.
    /// for (deck, game, difference) in [(2, 20, 3.0), (2, 21, 5.0), (1, 10, 4.0)] {
    ///     pairs.add(deck, Some(Evidence { game, difference }));
    /// }
    /// assert_eq!(pairs.pairs(), PairCounts::default());
    /// pairs.add(1, Some(Evidence { game: 11, difference: -1.0 }));
    /// assert_eq!(pairs.pairs(), PairCounts([0, 0, 1, 0, 1]));
    /// // Deck 3 has the games of deck 2 again.
    /// pairs.add(3, Some(Evidence { game: 20, difference: 3.0 }));
    /// pairs.add(3, Some(Evidence { game: 21, difference: 5.0 }));
    /// assert_eq!((pairs.pairs(), pairs.repeats()), (PairCounts([0, 0, 1, 0, 1]), 1));
    /// ```
    pub fn new(test: Sprt) -> SequentialPairs {
        let (pairs, distinct) = (PairCounts::default(), Distinct::default());
        let state = test.judge(pairs);
        SequentialPairs { test, decks: BTreeMap::new(), next: 1, pairs, distinct, state, decided_after: None }
    }

    /// Adds a game: its deck, from 1, and the tested player's score less the opponent's, none if the game failed. A
    /// deck with a failed game is complete but counts for neither side.
    pub fn add(&mut self, deck: u32, game: Option<Evidence>) {
        self.decks.entry(deck).or_default().push(game);
        while let Some(games) = self.decks.get(&self.next).filter(|games| games.len() >= GAMES && !self.is_over()) {
            if let [Some(first), Some(second)] = games[..]
                && self.distinct.adds([first.game, second.game])
            {
                self.pairs.add([first.difference, second.difference]);
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

    /// Whether no more games are needed: the test is decided, or only repeats itself.
    pub fn is_over(&self) -> bool {
        self.last_deck().is_some()
    }

    /// The deck after which no more games are needed.
    pub fn last_deck(&self) -> Option<u32> {
        self.decided_after.or_else(|| self.repeats_after())
    }

    /// The deck after which the test ended undecided, because the last [`REPEATS`] decks repeat earlier ones.
    pub fn repeats_after(&self) -> Option<u32> {
        (self.decided_after.is_none() && self.distinct.in_a_row() >= REPEATS).then(|| self.next - 1)
    }

    /// The decks that repeat earlier ones and do not count.
    pub fn repeats(&self) -> u64 {
        self.distinct.repeats()
    }

    /// The deck after which the test was decided.
    pub fn decided_after(&self) -> Option<u32> {
        self.decided_after
    }

    /// Pairs of games up to the deck that decides, without those that repeat earlier ones.
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

    fn games(deck: u32, differences: [Option<f64>; 2]) -> [Option<Evidence>; 2] {
        let game = u64::from(deck) << 1;
        [0, 1].map(|seat| differences[seat].map(|difference| Evidence { game: game + seat as u64, difference }))
    }

    #[test]
    fn a_deck_with_a_failed_game_counts_for_neither_side() {
        let mut pairs = SequentialPairs::new(Sprt::new(EloModel::Logistic, 0.0, 10.0, 0.05, 0.05).unwrap());
        let decks = [(1, [Some(2.0), None]), (2, [Some(2.0); 2])];
        for (deck, differences) in decks {
            games(deck, differences).into_iter().for_each(|game| pairs.add(deck, game));
        }
        pairs.add(3, games(3, [Some(1.0); 2])[0]);
        assert_eq!((pairs.pairs(), pairs.next()), (PairCounts([0, 0, 0, 0, 1]), 3));
    }

    #[test]
    fn nothing_counts_beyond_the_decision() {
        let mut pairs = SequentialPairs::new(Sprt::new(EloModel::Logistic, 0.0, 400.0, 0.05, 0.05).unwrap());
        let mut ahead = pairs.clone();
        let add = |pairs: &mut SequentialPairs, deck: u32| {
            games(deck, [Some(5.0); 2]).into_iter().for_each(|game| pairs.add(deck, game));
        };
        (1..=200).for_each(|deck| add(&mut pairs, deck));
        (1..=200).rev().for_each(|deck| add(&mut ahead, deck));
        let deck = pairs.decided_after().unwrap();
        assert!(deck < 200 && pairs.pairs() == PairCounts([0, 0, 0, 0, u64::from(deck)]));
        assert_eq!((ahead.decided_after(), ahead.pairs()), (Some(deck), pairs.pairs()));
    }

    #[test]
    fn a_test_that_only_repeats_itself_ends_undecided() {
        let none = SequentialPairs::new(Sprt::new(EloModel::Logistic, 0.0, 50.0, 0.05, 0.05).unwrap());
        // Deck 1 and 2 differ in one game, and the others repeat them; deck 20 has a game that is new.
        let course = |deck: u32| if deck == 20 { [40, 41] } else { [2, 3 + u64::from(deck % 2)] };
        let add = |pairs: &mut SequentialPairs, deck: u32| {
            course(deck).into_iter().for_each(|game| pairs.add(deck, Some(Evidence { game, difference: 1.0 })));
        };
        let (mut pairs, mut ahead) = (none.clone(), none);
        (1..=100).for_each(|deck| add(&mut pairs, deck));
        (1..=100).rev().for_each(|deck| add(&mut ahead, deck));
        for pairs in [pairs, ahead] {
            assert_eq!((pairs.pairs(), pairs.repeats()), (PairCounts([0, 0, 0, 0, 3]), 49));
            assert_eq!((pairs.decided_after(), pairs.repeats_after(), pairs.last_deck()), (None, Some(52), Some(52)));
            assert!(pairs.is_over() && pairs.state().decision == SprtDecision::Continue);
        }
    }
}
