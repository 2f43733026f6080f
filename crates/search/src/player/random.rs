//! The random player.

use super::contract::{Decision, Player, PlayerView};
use crate::game::{Game, Playout, Uniform};
use evouct_base::seed::{Key, SearchRng, search_rng};

/// Plays a random action by a playout policy: by [`Uniform`], any legal action.
#[derive(Clone, Debug)]
pub struct Random<P = Uniform> {
    /// How an action is drawn.
    pub policy: P,
    rng: SearchRng,
}

impl<P> Random<P> {
    /// A player for one game.
    pub fn new(policy: P, key: Key) -> Random<P> {
        Random { policy, rng: search_rng(&mut key.stream()) }
    }
}

impl<G: Game, P: Playout<G>> Player<G> for Random<P> {
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action> {
        let action = self.policy.choose(position.state, &mut self.rng);
        Decision::of(action)
    }

    fn reads_log(&self) -> bool {
        false
    }

    fn settings(&self) -> String {
        format!("{:?}", self.policy)
    }
}
