//! Players of flat Monte Carlo.

use super::contract::{Decision, Player, Position};
use crate::game::{Game, Playout};
use crate::search::{Budget, Flat, Meter, Reward, Shares};
use crate::seed::search_rng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// A player of flat Monte Carlo.
pub(super) struct FlatPlayer<P> {
    shares: Shares,
    budget: Budget,
    reward: Reward,
    playout: P,
    stream: ChaCha8Rng,
    used: Duration,
}

impl<P> FlatPlayer<P> {
    pub(super) fn new(shares: Shares, budget: Budget, reward: Reward, playout: P, stream: ChaCha8Rng) -> Self {
        FlatPlayer { shares, budget, reward, playout, stream, used: Duration::ZERO }
    }
}

impl<G: Game, P: Playout<G>> Player<G> for FlatPlayer<P> {
    fn decide(&mut self, position: &Position<G>) -> Decision<G::Action> {
        let started = position.clock.now();
        let mut meter = Meter::start(&self.budget, position.clock, self.used, position.turns_left);
        let mut search = Flat::new(position.state, self.reward, self.playout, search_rng(&mut self.stream));
        let chosen = search.search(self.shares, &mut meter);
        let action = search.children()[chosen].action;
        let considered = if position.explain { search.children().to_vec() } else { Vec::new() };
        self.used += position.clock.now().saturating_sub(started);
        Decision { action, playouts: search.playouts(), nodes: 0, evolution: None, considered }
    }
}
