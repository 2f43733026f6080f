//! The time that a seat has under the clock of a game.

use std::time::Duration;

/// What the clock of a seat says before a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// Time for this decision and all later ones.
    pub left: Duration,
    /// What is added after the decision.
    pub increment: Duration,
    /// By how much the decision may exceed the time before the seat loses the game.
    pub margin: Duration,
}

impl TimeLeft {
    /// What a search may take: an equal share of the time for each of `turns_left` decisions, and the increment. The last
    /// `margin` of the time stays in reserve, because a search looks at the clock only between iterations.
    pub fn share(&self, turns_left: u32) -> Duration {
        let share = (self.left / turns_left.max(1)).saturating_add(self.increment);
        share.min(self.left.saturating_sub(self.margin))
    }

    /// How long the decision may take before the seat loses the game.
    pub fn limit(&self) -> Duration {
        self.left.saturating_add(self.margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_gets_its_share_and_the_increment_but_never_the_reserve() {
        let time = |left, increment| {
            let [left, increment, margin] = [left, increment, 100].map(Duration::from_millis);
            TimeLeft { left, increment, margin }
        };
        let share = |left, increment, turns| time(left, increment).share(turns).as_millis();
        assert_eq!(share(60_000, 500, 30), 2_500);
        assert_eq!(share(60_000, 0, 0), 59_900);
        assert_eq!(share(2_000, 5_000, 4), 1_900);
        assert_eq!([share(100, 500, 4), share(0, 500, 4)], [0, 0]);
        assert_eq!(time(2_000, 500).limit().as_millis(), 2_100);
        let endless = TimeLeft { left: Duration::MAX, increment: Duration::MAX, margin: Duration::MAX };
        assert_eq!((endless.share(50), endless.limit()), (Duration::ZERO, Duration::MAX));
    }
}
