//! UCT whose exploration is tuned while it searches.

use super::ucb1::Ucb1;
use crate::game::{Game, Playout};
use crate::search::{Meter, Search, TreePolicy, UcbForm, Uct};

/// UCT with a choice of values for its exploration. Each iteration plays with one of them, which a bandit selects by
/// the rewards of the iterations that played with it.
///
/// Self-adaptive MCTS of C. F. Sironi, J. Liu and M. H. M. Winands (IEEE Transactions on Games 12, 2020) and C. F.
/// Sironi et al. (EvoApplications 2018) tunes several parameters of MCTS in this way. With one parameter their
/// allocation by combinations of values is a multi-armed bandit; UCB1 selects here.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfAdaptive {
    /// The values, at least one.
    pub explorations: Vec<f64>,
    /// The form of UCT.
    pub form: UcbForm,
    /// The exploration of the bandit, in units of the reward.
    pub tuning: f64,
}

impl SelfAdaptive {
    fn policy(&self, arm: usize) -> TreePolicy {
        TreePolicy::Uct(Uct { exploration: self.explorations[arm], form: self.form })
    }

    /// Runs the iterations of the first `part` trees' share. Returns the policy of the value with the most plays.
    pub(super) fn run<G: Game, P: Playout<G>>(
        &self,
        search: &mut Search<G, P>,
        meter: &mut Meter,
        part: u32,
    ) -> TreePolicy {
        let mut bandit = Ucb1::new(self.explorations.len());
        let policies: Vec<TreePolicy> = (0..self.explorations.len()).map(|arm| self.policy(arm)).collect();
        while meter.allows_share(part.into(), search.tree_count().into()) {
            let arm = bandit.select(self.tuning);
            bandit.count(arm, search.step(&policies[arm], meter));
        }
        self.policy(bandit.most_played())
    }
}
