//! Distinct evidence: a game counts once.
//!
//! In a game without chance, players without chance repeat the same game, however often it is played. **The rule:** two
//! games between the same players on the same seats with the same course are one piece of evidence. A unit of a test (a
//! deck with its games, or a game) whose games are those of an earlier unit adds nothing: the sample of a test is its
//! distinct units, each once.

use std::collections::HashSet;

/// So many units in a row that repeat earlier ones end a sequential test. If more than a tenth of what is still to come
/// were new, so many repeats in a row would have a probability below 4 % (0.9³²).
pub const REPEATS: u64 = 32;

/// A finished game as evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// What the players, their seats and the course of the game are, as a hash: see
    /// `evouct_league::record::GameRecord::course`.
    pub game: u64,
    /// The first player's score less the second's.
    pub difference: f64,
}

/// The units that were seen, by their games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distinct {
    seen: HashSet<Vec<u64>>,
    repeats: u64,
    in_a_row: u64,
}

impl Distinct {
    /// Whether a unit adds evidence: no earlier one has the same games, in any order.
    ///
    /// ```
    /// use evouct_stats::distinct::Distinct;
    /// let mut distinct = Distinct::default();
    /// assert_eq!([[1, 2], [1, 3], [2, 1]].map(|games| distinct.adds(games)), [true, true, false]);
    /// assert_eq!((distinct.repeats(), distinct.in_a_row()), (1, 1));
    /// ```
    pub fn adds(&mut self, games: impl IntoIterator<Item = u64>) -> bool {
        let mut games: Vec<u64> = games.into_iter().collect();
        games.sort_unstable();
        let is_new = self.seen.insert(games);
        self.repeats += u64::from(!is_new);
        self.in_a_row = if is_new { 0 } else { self.in_a_row + 1 };
        is_new
    }

    /// The units that repeat earlier ones.
    pub fn repeats(&self) -> u64 {
        self.repeats
    }

    /// Of these, the last ones without a new one after them.
    pub fn in_a_row(&self) -> u64 {
        self.in_a_row
    }
}
