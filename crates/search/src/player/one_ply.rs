//! A player that looks one ply ahead.

use super::contract::{Decision, Player, PlayerView};
use crate::game::Game;
use crate::search::Child;
use evouct_base::sampling::random_highest;
use evouct_base::seed::{Key, SearchRng, search_rng};

/// The value of an action in a position; the last argument is a position of the game that may be overwritten.
pub type ActionValue<G> = fn(&G, <G as Game>::Action, &mut G) -> f64;

/// Plays the action with the highest value, a random one among equals, without any search.
#[derive(Clone, Debug)]
pub struct OnePly<G: Game> {
    /// What an action is worth to the seat that plays it.
    pub value: ActionValue<G>,
    rng: SearchRng,
}

impl<G: Game> OnePly<G> {
    /// A player for one game. Players with equal values and keys decide alike.
    pub fn new(value: ActionValue<G>, key: Key) -> OnePly<G> {
        OnePly { value, rng: search_rng(&mut key.stream()) }
    }
}

impl<G: Game> Player<G> for OnePly<G> {
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action> {
        let mut actions = Vec::new();
        position.state.actions(&mut actions);
        let mut after = position.state.clone();
        let values: Vec<f64> = actions.iter().map(|action| (self.value)(position.state, *action, &mut after)).collect();
        let action = actions[random_highest(values.iter().copied(), &mut self.rng)];
        let child = |(action, mean): (&G::Action, &f64)| Child::new(*action, 1.0, *mean);
        let considered = if position.explain { actions.iter().zip(&values).map(child).collect() } else { Vec::new() };
        Decision { nodes: actions.len() as u64, considered, ..Decision::of(action) }
    }

    fn reads_log(&self) -> bool {
        false
    }

    fn settings(&self) -> String {
        format!("{:?}", self.value)
    }
}
