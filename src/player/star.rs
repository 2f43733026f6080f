//! Players of expectimax and *-minimax.

use super::contract::{Decision, Player, Position};
use crate::game::{Game, Heuristic};
use crate::search::{Budget, Meter, Star, StarSettings};
use std::time::Duration;

/// A player of expectimax or *-minimax. It draws no random numbers.
pub(super) struct StarPlayer<H> {
    heuristic: H,
    settings: StarSettings,
    budget: Budget,
    used: Duration,
}

impl<H> StarPlayer<H> {
    pub(super) fn new(heuristic: H, settings: StarSettings, budget: Budget) -> Self {
        StarPlayer { heuristic, settings, budget, used: Duration::ZERO }
    }
}

impl<G: Game, H: Heuristic<G>> Player<G> for StarPlayer<H> {
    fn decide(&mut self, position: &Position<G>) -> Decision<G::Action> {
        let started = position.clock.now();
        let mut meter = Meter::start(&self.budget, position.clock, self.used, position.turns_left);
        let mut found = Star::new(&self.heuristic, self.settings, &mut meter).search(position.state);
        let action = found.children[found.best].action;
        if !position.explain {
            found.children.clear();
        }
        self.used += position.clock.now().saturating_sub(started);
        Decision { action, playouts: 0, nodes: found.nodes, evolution: None, considered: found.children }
    }
}
