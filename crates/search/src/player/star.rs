//! Expectimax and *-minimax as a player.

use super::contract::{Decision, Player, PlayerView};
use crate::game::{Game, Heuristic};
use crate::search::{Budget, Star, StarSettings};
use std::time::Duration;

/// Expectimax or *-minimax as a player of one game. It draws no random numbers.
#[derive(Clone, Debug)]
pub struct StarPlayer<H> {
    /// What positions are worth, and which actions come first.
    pub heuristic: H,
    /// The options of the search.
    pub settings: StarSettings,
    /// How long a decision may take; iterations are positions visited.
    pub budget: Budget,
    used: Duration,
}

impl<H> StarPlayer<H> {
    /// A player for one game.
    pub fn new(heuristic: H, settings: StarSettings, budget: Budget) -> StarPlayer<H> {
        StarPlayer { heuristic, settings, budget, used: Duration::ZERO }
    }
}

impl<G: Game, H: Heuristic<G>> Player<G> for StarPlayer<H> {
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action> {
        let started = position.clock.now();
        let mut meter = position.meter(&self.budget, self.used);
        let search = Star::new(&self.heuristic, self.settings, &mut meter).with_observer(position.observer);
        let mut found = search.search(position.state);
        let action = found.children[found.best].action;
        if !position.explain {
            found.children.clear();
        }
        self.used += position.clock.now().saturating_sub(started);
        Decision { nodes: found.nodes, considered: found.children, ..Decision::of(action) }
    }

    fn reads_log(&self) -> bool {
        false
    }

    fn settings(&self) -> String {
        format!("{:?} {:?} {:?}", self.heuristic, self.settings, self.budget)
    }
}
