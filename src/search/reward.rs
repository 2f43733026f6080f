//! What a playout is worth to each seat.

use crate::game::{MAX_SEATS, Scores};

/// The reward of a finished playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Reward {
    /// The seat's score less the best of the others', in points (Valdez Ameneyro et al. 2020, Equation 4).
    #[default]
    Difference,
    /// 1 for a win, 0 for a draw, -1 for a loss (R1 of Galván et al. 2022, Table III).
    Win,
}

impl Reward {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Reward); 2] = [("difference", Reward::Difference), ("win", Reward::Win)];

    /// The reward of each seat.
    #[inline]
    pub fn of(self, scores: &Scores, seats: usize) -> [f64; MAX_SEATS] {
        let mut rewards = [0.0; MAX_SEATS];
        for seat in 0..seats {
            let others = (0..seats).filter(|other| *other != seat).map(|other| scores[other]);
            let difference = scores[seat] - others.max().unwrap_or(0);
            rewards[seat] = match self {
                Reward::Difference => f64::from(difference),
                Reward::Win => f64::from(difference.signum()),
            };
        }
        rewards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_by_seat() {
        assert_eq!(Reward::Difference.of(&[57, 43, 0, 0, 0], 2)[..2], [14.0, -14.0]);
        assert_eq!(Reward::Win.of(&[57, 43, 0, 0, 0], 2)[..2], [1.0, -1.0]);
        assert_eq!(Reward::Difference.of(&[30, 43, 41, 0, 0], 3)[..3], [-13.0, 2.0, -2.0]);
        assert_eq!(Reward::Win.of(&[43, 43, 41, 0, 0], 3)[..3], [0.0, 0.0, -1.0]);
    }
}
