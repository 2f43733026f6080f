//! The end of a search: the statistics of the root's actions and the one that is played.

use super::super::guidance::Guidance;
use super::super::observer::SearchProgress;
use super::super::policy::{Choice, TreePolicy};
use super::super::settings::FinalMove;
use super::Search;
use crate::game::{Game, Playout};
use crate::search::child::Child;
use evouct_base::sampling::first_highest;

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// The actions at the root with their statistics, over all trees, in the order of the actions.
    pub fn children(&self) -> Vec<Child<G::Action>> {
        let tree = &self.work.tree;
        let (means, _) = tree.statistics(0);
        let children = tree.actions(0).iter().zip(self.totals()).zip(means);
        children
            .map(|((action, (visits, sum)), mean)| {
                // With a single tree its mean is used as it is: the sum over visits could round differently.
                let mean = if self.trees == 1 { *mean } else { sum / visits.max(1.0) };
                Child::new(*action, visits, mean)
            })
            .collect()
    }

    /// Adds what another search of the same position found, with settings like this one's, to the statistics of the
    /// root.
    pub fn add_search(&mut self, found: &SearchProgress<G::Action>) {
        for (kept, child) in self.work.kept.iter_mut().zip(&found.children) {
            *kept = (kept.0 + child.visits, kept.1 + child.mean * child.visits);
        }
        self.trees += self.tree_count();
        self.playouts += found.playouts;
    }

    /// Visits and sums of rewards of the root's edges over all trees.
    pub(super) fn totals(&self) -> Vec<(f64, f64)> {
        let (means, visits) = self.work.tree.statistics(0);
        let kept = &self.work.kept;
        let total = |((kept, mean), visits): ((&(f64, f64), &f64), &f64)| (kept.0 + visits, kept.1 + mean * visits);
        kept.iter().zip(means).zip(visits).map(total).collect()
    }

    /// What the search has found so far.
    pub fn progress(&self, policy: &TreePolicy) -> SearchProgress<G::Action> {
        let formula = match policy {
            TreePolicy::Formula(formula) => Some(formula.program.tree().infix()),
            TreePolicy::Uct(_) | TreePolicy::Rave(_) | TreePolicy::Custom(_) => None,
        };
        SearchProgress { children: self.children(), playouts: self.playouts, nodes: 0, formula }
    }

    /// The index of the root's action that is played.
    pub fn decide(&mut self, policy: &TreePolicy) -> usize {
        debug_assert_eq!(self.check(), Ok(()));
        self.best_action(policy)
    }

    /// The same; the root of the tree may be a later position.
    pub(super) fn best_action(&mut self, policy: &TreePolicy) -> usize {
        if self.halves() {
            return self.decide_by_halving();
        }
        let by_guidance = |guidance: &&Guidance<G>| {
            guidance.final_move.is_some() || (self.settings.final_move == FinalMove::TreePolicy && self.trees == 1)
        };
        if let Some(guidance) = self.guidance.filter(by_guidance) {
            return self.decide_guided(guidance, policy);
        }
        let children = self.children();
        let tried = |value: f64, child: &Child<G::Action>| if child.visits > 0.0 { value } else { f64::NEG_INFINITY };
        match self.settings.final_move {
            FinalMove::Mean => first_highest(children.iter().map(|child| tried(child.mean, child))),
            FinalMove::Visits => {
                let most = children.iter().map(|child| child.visits).fold(0.0, f64::max);
                let among_most =
                    |child: &Child<G::Action>| if child.visits == most { child.mean } else { f64::NEG_INFINITY };
                first_highest(children.iter().map(among_most))
            }
            FinalMove::TreePolicy => {
                let root_playouts = if self.settings.root_playout { f64::from(self.trees) } else { 0.0 };
                let (means, visits): (Vec<f64>, Vec<f64>) =
                    children.iter().map(|child| (child.mean, child.visits.max(1.0))).unzip();
                let parent = children.iter().map(|child| child.visits).sum::<f64>() + root_playouts;
                let minimises = self.settings.opponent.minimises(self.mover, self.mover);
                let choice = Choice { means: &means, visits: &visits, amaf: self.work.tree.amaf(0), parent, minimises };
                let values = policy.values(choice, &mut self.work.values, &mut self.rng);
                first_highest(values.iter().zip(&children).map(|(value, child)| tried(*value, child)))
            }
        }
    }
}
