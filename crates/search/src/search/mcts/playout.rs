//! The last two steps of an iteration: Playout and Backpropagation.

use super::super::reward_rule::RewardSource;
use super::{Search, Workspace};
use crate::game::{Game, MAX_SEATS, Playout};

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// Playouts and, if asked, Backpropagation.
    #[inline]
    pub(super) fn finish(&mut self, update: bool) -> f64 {
        let rewards = if self.settings.rollouts == 1 { self.play_out(update) } else { self.play_out_often(update) };
        if update {
            for step in &self.work.path {
                self.work.tree.visit(step.node);
                if let Some(edge) = step.edge {
                    self.work.tree.update(edge, rewards[step.mover]);
                }
            }
            if self.guidance.is_some() {
                self.update_further(&rewards);
            }
        }
        rewards[self.mover]
    }

    /// One playout; returns the rewards by seat.
    #[inline]
    fn play_out(&mut self, update: bool) -> [f64; MAX_SEATS] {
        self.playouts += 1;
        let state = self.work.state.as_mut().expect("the workspace has a position");
        let leaf = self.guidance.and_then(|guidance| guidance.leaf.as_ref());
        let source = RewardSource { rule: self.rewards, reward: self.settings.reward, bound: self.bound };
        let standing = leaf.map(|_| (state.phase().unwrap_or(0.0), source.of(state, &state.scores())));
        let scores = match self.log_root {
            None => self.playout.play_out(state, &mut self.rng),
            Some(_) => self.playout.play_out_logged(state, &mut self.work.log, &mut self.rng),
        };
        let mut rewards = source.of(state, &scores);
        if let (Some(program), Some(standing)) = (leaf, standing) {
            rewards = self.leaf_rewards(program, standing, rewards);
        }
        if update {
            let Workspace { state, log, .. } = &*self.work;
            let first = self.log_root.map_or(0, |mark| mark.plies());
            self.playout.learn(log, first, state.as_ref().expect("the workspace has a position"), &rewards);
        }
        if let (true, Some(amaf)) = (update, self.settings.amaf) {
            self.count_amaf(amaf, &rewards);
        }
        if update && self.learns {
            self.learn_moves(&rewards);
        }
        rewards
    }

    /// Several playouts from the same position; returns their mean rewards by seat.
    fn play_out_often(&mut self, update: bool) -> [f64; MAX_SEATS] {
        let (leaf, mark) = (self.state().clone(), self.work.log.mark());
        let mut means = [0.0; MAX_SEATS];
        for _ in 0..self.settings.rollouts {
            self.state().clone_from(&leaf);
            self.work.log.go_back(mark);
            for (mean, reward) in means.iter_mut().zip(self.play_out(update)) {
                *mean += reward / f64::from(self.settings.rollouts);
            }
        }
        means
    }
}
