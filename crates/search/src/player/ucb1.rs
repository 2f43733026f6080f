//! UCB1 over a few ways to search.

use evouct_base::sampling::first_highest;

/// What is known of one way.
#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    plays: f64,
    sum: f64,
}

/// A bandit by UCB1 (Auer et al. 2002), with the natural logarithm and a factor in units of the reward.
#[derive(Clone, Debug, Default)]
pub(super) struct Ucb1 {
    arms: Vec<Arm>,
}

impl Ucb1 {
    /// A bandit with so many arms, at least one.
    pub(super) fn new(arms: usize) -> Ucb1 {
        Ucb1 { arms: vec![Arm::default(); arms] }
    }

    /// The arm to play: the first that was not played, else the first with the highest UCB1.
    pub(super) fn select(&self, exploration: f64) -> usize {
        let plays: f64 = self.arms.iter().map(|arm| arm.plays).sum();
        let bonus = |arm: &Arm| exploration * (libm::log(plays) / arm.plays).sqrt();
        let rate = |arm: &Arm| if arm.plays > 0.0 { arm.sum / arm.plays + bonus(arm) } else { f64::INFINITY };
        first_highest(self.arms.iter().map(rate))
    }

    /// Counts what an arm paid.
    pub(super) fn count(&mut self, arm: usize, reward: f64) {
        self.arms[arm].plays += 1.0;
        self.arms[arm].sum += reward;
    }

    /// The first arm with the most plays.
    pub(super) fn most_played(&self) -> usize {
        first_highest(self.arms.iter().map(|arm| arm.plays))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bandit_prefers_what_pays() {
        let mut bandit = Ucb1::new(3);
        for _ in 0..300 {
            let arm = bandit.select(0.7);
            bandit.count(arm, [0.2, 0.8, 0.5][arm]);
        }
        let plays: Vec<f64> = bandit.arms.iter().map(|arm| arm.plays).collect();
        assert!(plays[1] > 150.0 && plays[1] > plays[2] && plays[2] > plays[0]);
        assert!(plays.iter().all(|plays| *plays > 5.0));
        assert_eq!(bandit.most_played(), 1);
    }
}
