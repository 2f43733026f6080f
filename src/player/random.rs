//! The random player.

use super::contract::{Decision, Player, Position};
use crate::carcassonne::{Policy, State};
use crate::seed::{SearchRng, search_rng};
use rand::Rng;

/// Plays a random move by one of the playout policies.
pub(super) struct Random {
    policy: Policy,
    rng: SearchRng,
}

impl Random {
    pub(super) fn new(policy: Policy, stream: &mut impl Rng) -> Random {
        Random { policy, rng: search_rng(stream) }
    }
}

impl Player<State> for Random {
    fn decide(&mut self, position: &Position<State>) -> Decision<crate::carcassonne::Move> {
        let action = position.state.random_move(self.policy, &mut self.rng).expect("a seat is to play");
        Decision { action, playouts: 0, nodes: 0, evolution: None, considered: Vec::new() }
    }
}
