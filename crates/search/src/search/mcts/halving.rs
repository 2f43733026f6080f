//! Sequential halving at the root: iterations go to the root's actions in equal shares, and after each round the better
//! half of the actions goes on.
//!
//! Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013. With K actions there are ⌈log₂ K⌉
//! rounds, each with an equal share of the budget. Every action is tried once before the first round can end, so the
//! method is defined for budgets below K·log₂ K as well. Below the root the tree policy selects.

use super::super::settings::RootRule;
use super::{Edge, Search};
use crate::game::{Game, Playout};
use evouct_base::sampling::{below, first_highest};

/// The state of the rounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Halving {
    /// Places of the actions that are still in, the best of the last round first.
    alive: Vec<usize>,
    /// Rounds in all, at least 1, and those that are over.
    rounds: u32,
    over: u32,
    /// Whose turn it is among those that are in.
    next: usize,
}

impl Halving {
    /// Begins with all of `actions` actions.
    pub(super) fn begin(&mut self, actions: usize) {
        self.alive.clear();
        self.alive.extend(0..actions);
        self.rounds = actions.next_power_of_two().trailing_zeros().max(1);
        (self.over, self.next) = (0, 0);
    }

    /// The place of the action to try next, if `left` of the budget is left and these are the means.
    fn next(&mut self, left: f64, means: &[f64]) -> usize {
        // The share is a rounded quotient: a round ends at its last iteration, not one later.
        let spent = 1.0 - left + 1e-9;
        while self.alive.len() > 1 && spent >= f64::from(self.over + 1) / f64::from(self.rounds) {
            self.alive.sort_by(|a, b| means[*b].total_cmp(&means[*a]).then(a.cmp(b)));
            self.alive.truncate(self.alive.len().div_ceil(2));
            (self.over, self.next) = (self.over + 1, 0);
        }
        let place = self.alive[self.next % self.alive.len()];
        self.next += 1;
        place
    }
}

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// The edge at the root that sequential halving tries next; none if an action is untried and must not be tried.
    #[cold]
    pub(super) fn choose_by_halving(&mut self, expand: bool) -> Option<Edge> {
        let untried = self.work.tree.node(0).untried;
        if untried > 0 {
            return expand.then(|| {
                let choice = below(&mut self.rng, untried);
                Edge { index: self.work.tree.take_untried(0, choice), is_new: true }
            });
        }
        let (means, _) = self.work.tree.statistics(0);
        let place = self.halving.next(self.left, means);
        Some(Edge { index: self.work.tree.node(0).first + place, is_new: false })
    }

    /// The index of the root's action that sequential halving plays: the highest mean among those that are still in.
    pub(super) fn decide_by_halving(&self) -> usize {
        let (means, visits) = self.work.tree.statistics(0);
        let in_the_end = |place: usize| self.halving.alive.contains(&place) && visits[place] > 0.0;
        let value = |(place, mean): (usize, &f64)| if in_the_end(place) { *mean } else { f64::NEG_INFINITY };
        first_highest(means.iter().enumerate().map(value))
    }

    /// Whether the root is searched by sequential halving.
    #[inline]
    pub(super) fn halves(&self) -> bool {
        self.settings.root == RootRule::SequentialHalving
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each action of a root with these means gets of a budget.
    fn shares(means: &[f64], budget: u32) -> (Vec<u32>, Vec<usize>) {
        let mut halving = Halving::default();
        halving.begin(means.len());
        let mut shares = vec![0; means.len()];
        for spent in 0..budget {
            shares[halving.next(1.0 - f64::from(spent) / f64::from(budget), means)] += 1;
        }
        (shares, halving.alive)
    }

    #[test]
    fn rounds_by_hand() {
        // Four actions, two rounds of twelve: 3 each, then 6 for the two best.
        assert_eq!(shares(&[0.0, 3.0, 1.0, 2.0], 24), (vec![3, 9, 3, 9], vec![1, 3]));
        // Five actions, three rounds of ten: 2 each, then 4, 3, 3 for three, then 5 for two. The last round is not
        // followed by another.
        assert_eq!(shares(&[5.0, 4.0, 3.0, 2.0, 1.0], 30), (vec![11, 10, 5, 2, 2], vec![0, 1]));
        assert_eq!(shares(&[1.0], 7), (vec![7], vec![0]));
        // Of equal means the first go on.
        assert_eq!(shares(&[1.0; 4], 8), (vec![3, 3, 1, 1], vec![0, 1]));
    }
}
