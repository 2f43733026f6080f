//! Flat Monte Carlo as a player.

use super::contract::{Decision, Player, PlayerView};
use crate::game::{Game, Playout, Uniform};
use crate::search::{Budget, Flat, Reward, RewardRule, Shares};
use evouct_base::seed::{Key, search_rng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// Flat Monte Carlo as a player of one game.
#[derive(Clone)]
pub struct FlatMonteCarlo<G: Game, P = Uniform> {
    /// How playouts are shared among the actions.
    pub shares: Shares,
    /// How long a decision may take.
    pub budget: Budget,
    /// What a playout is worth; the difference of scores unless it is changed.
    pub reward: Reward,
    /// What a playout is worth if the reward is not all; nothing unless it is changed.
    pub rule: Option<RewardRule<G>>,
    /// The default policy.
    pub playout: P,
    stream: ChaCha8Rng,
    used: Duration,
}

impl<G: Game, P> FlatMonteCarlo<G, P> {
    /// A player for one game. Players with equal settings and keys decide alike.
    pub fn new(shares: Shares, budget: Budget, playout: P, key: Key) -> FlatMonteCarlo<G, P> {
        let (stream, reward) = (key.stream(), Reward::default());
        FlatMonteCarlo { shares, budget, reward, rule: None, playout, stream, used: Duration::ZERO }
    }

    /// The same player with this reward.
    #[must_use]
    pub fn with_reward(self, reward: Reward) -> FlatMonteCarlo<G, P> {
        FlatMonteCarlo { reward, ..self }
    }

    /// The same player with this rule for rewards.
    #[must_use]
    pub fn with_rule(self, rule: Option<RewardRule<G>>) -> FlatMonteCarlo<G, P> {
        FlatMonteCarlo { rule, ..self }
    }
}

impl<G: Game, P: Playout<G>> Player<G> for FlatMonteCarlo<G, P> {
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action> {
        let started = position.clock.now();
        let mut meter = position.meter(&self.budget, self.used);
        let root = (position.state, position.log);
        let mut search = Flat::following(root, self.reward, self.playout.clone(), search_rng(&mut self.stream));
        search = search.with_rewards(self.rule.as_ref()).with_observer(position.observer);
        let chosen = search.search(self.shares, &mut meter);
        let action = search.children()[chosen].action;
        let considered = if position.explain { search.children().to_vec() } else { Vec::new() };
        self.used += position.clock.now().saturating_sub(started);
        Decision { playouts: search.playouts(), considered, ..Decision::of(action) }
    }

    fn settings(&self) -> String {
        format!("{:?} {:?} {:?} {:?} {:?}", self.shares, self.budget, self.reward, self.rule, self.playout)
    }
}
