//! Default policies: how a game is played outside the tree.

use super::{Game, MAX_SEATS, Scores, Turn};
use evouct_base::named::Named;
use evouct_base::sampling::below;
use rand::Rng;
use std::fmt::Debug;

/// A default policy: how a game is played to its end from a position outside the tree.
pub trait Playout<G: Game>: Clone + Debug + Send + Sync {
    /// Plays to the end and returns the scores.
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores;

    /// The action that the policy plays in a position where a seat is to play; unless a policy says otherwise, every
    /// legal action is equally likely.
    fn choose(&self, state: &G, rng: &mut impl Rng) -> G::Action {
        let mut actions = Vec::new();
        state.actions(&mut actions);
        actions[below(rng, actions.len())]
    }

    /// One of these legal actions, which differ in their second part only; unless a policy says otherwise, each equally
    /// likely.
    fn choose_among(&self, _state: &G, actions: &[G::Action], rng: &mut impl Rng) -> G::Action {
        actions[below(rng, actions.len())]
    }

    /// Learns from a simulation that began at `root` and ended at `end`, with the rewards of the search by seat. Most
    /// policies learn nothing.
    #[inline]
    fn learn(&mut self, _root: &G, _end: &G, _rewards: &[f64; MAX_SEATS]) {}

    /// Plays on until a seat has made one more decision. False if the game ends before.
    fn play_turn(&self, state: &mut G, rng: &mut impl Rng) -> bool {
        loop {
            match state.turn() {
                Turn::Terminal => return false,
                Turn::Chance => {
                    state.sample(rng);
                }
                Turn::Player(_) => {
                    let action = self.choose(state, rng);
                    state.play(action);
                    return true;
                }
            }
        }
    }
}

/// The default policy for any game: every legal action equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Uniform;

impl Named for Uniform {
    const NAMES: &'static [(&'static str, Uniform)] = &[("uniform", Uniform)];
}

impl<G: Game> Playout<G> for Uniform {
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores {
        let mut actions = Vec::new();
        loop {
            match state.turn() {
                Turn::Terminal => return state.scores(),
                Turn::Chance => {
                    state.sample(rng);
                }
                Turn::Player(_) => {
                    state.actions(&mut actions);
                    state.play(actions[below(rng, actions.len())]);
                }
            }
        }
    }
}
