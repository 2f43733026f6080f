//! UCT whose exploration is tuned while it searches.

use crate::game::{Game, Playout};
use crate::search::{Meter, Search, TreePolicy, UcbForm, Uct};

/// UCT with a choice of values for its exploration. Each iteration plays with one of them, which a bandit selects by the rewards
/// of the iterations that played with it.
///
/// Self-adaptive MCTS of C. F. Sironi, J. Liu and M. H. M. Winands (IEEE Transactions on Games 12, 2020) and C. F. Sironi et al.
/// (EvoApplications 2018) tunes several parameters of MCTS in this way. With one parameter their allocation by combinations of
/// values is a multi-armed bandit; UCB1 selects here.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfAdaptive {
    /// The values, at least one.
    pub explorations: Vec<f64>,
    /// The form of UCT.
    pub form: UcbForm,
    /// The exploration of the bandit, in units of the reward.
    pub tuning: f64,
}

/// What is known of one value.
#[derive(Clone, Copy, Default)]
struct Arm {
    plays: f64,
    sum: f64,
}

impl SelfAdaptive {
    fn policy(&self, arm: usize) -> TreePolicy {
        TreePolicy::Uct(Uct { exploration: self.explorations[arm], form: self.form })
    }

    /// The value to play with: the first that was not played with, else the first with the highest UCB1.
    fn select(&self, arms: &[Arm]) -> usize {
        let plays: f64 = arms.iter().map(|arm| arm.plays).sum();
        let bonus = |arm: &Arm| self.tuning * (libm::log(plays) / arm.plays).sqrt();
        let rate = |arm: &Arm| if arm.plays > 0.0 { arm.sum / arm.plays + bonus(arm) } else { f64::INFINITY };
        let better = |best: usize, arm: usize| if rate(&arms[arm]) > rate(&arms[best]) { arm } else { best };
        (1..arms.len()).fold(0, better)
    }

    /// Runs the iterations of the first `part` trees' share. Returns the policy of the value with the most plays.
    pub(super) fn run<G: Game, P: Playout<G>>(
        &self,
        search: &mut Search<G, P>,
        meter: &mut Meter,
        part: u32,
    ) -> TreePolicy {
        let mut arms = vec![Arm::default(); self.explorations.len()];
        let policies: Vec<TreePolicy> = (0..arms.len()).map(|arm| self.policy(arm)).collect();
        while meter.allows_share(part.into(), search.tree_count().into()) {
            meter.count();
            let arm = self.select(&arms);
            arms[arm].sum += search.iterate(&policies[arm]);
            arms[arm].plays += 1.0;
            search.show(&policies[arm]);
        }
        let most = (1..arms.len()).fold(0, |best, arm| if arms[arm].plays > arms[best].plays { arm } else { best });
        self.policy(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bandit_prefers_what_pays() {
        let settings = SelfAdaptive { explorations: vec![0.5, 1.0, 2.0], form: UcbForm::Plain, tuning: 0.7 };
        let mut arms = vec![Arm::default(); 3];
        for _ in 0..300 {
            let arm = settings.select(&arms);
            arms[arm].plays += 1.0;
            arms[arm].sum += [0.2, 0.8, 0.5][arm];
        }
        assert!(arms[1].plays > 150.0 && arms[1].plays > arms[2].plays && arms[2].plays > arms[0].plays);
        assert!(arms.iter().all(|arm| arm.plays > 5.0));
    }
}
