//! What only *-minimax needs of a game: the value of positions and an order of actions.

use super::Game;
use std::fmt::Debug;

/// The number of ranks that a [`Heuristic`] may give.
pub const RANKS: usize = 8;

/// What *-minimax needs of a game for two seats: the value of a position, and which actions to try first.
pub trait Heuristic<G: Game>: Debug + Send + Sync {
    /// The value of a position for the searching seat. The value for the other seat is its negation.
    fn value(&self, state: &G, seat: usize) -> f64;

    /// The value of the position after an action. `scratch` is a position of the game that may be overwritten by
    /// [`clone_from`](Clone::clone_from).
    #[inline]
    fn value_after(&self, state: &G, action: G::Action, scratch: &mut G, seat: usize) -> f64 {
        scratch.clone_from(state);
        scratch.play(action);
        self.value(scratch, seat)
    }

    /// The lead of a seat, on the scale of [`value`](Heuristic::value): the basis of dynamic bounds.
    fn lead(&self, state: &G, seat: usize) -> f64 {
        self.value(state, seat)
    }

    /// When an action is searched: those of rank 0 first, [`RANKS`] − 1 last, equal ones in the order of the game.
    fn rank(&self, state: &G, action: G::Action) -> usize;
}
