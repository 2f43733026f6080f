//! Sums of the virtual scores after a turn.

use evouct_stats::Summary;

/// Virtual scores of a player in a seat after one of its turns, as records have them: sums of whole numbers, which are
/// exact in any order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TurnSums {
    pub games: u64,
    score: i64,
    difference: i64,
    squared_difference: i128,
}

impl TurnSums {
    /// Adds the score of the seat and the best score of the others.
    pub(super) fn add(&mut self, own: i32, best: i32) {
        let difference = i64::from(own) - i64::from(best);
        self.games += 1;
        self.score += i64::from(own);
        self.difference += difference;
        self.squared_difference += i128::from(difference).pow(2);
    }

    /// The mean score.
    pub(crate) fn score(&self) -> f64 {
        self.score as f64 / self.games as f64
    }

    /// The score less the best of the others.
    pub(crate) fn difference(&self) -> Summary {
        Summary::of_sums(self.games, self.difference, self.squared_difference)
    }
}
