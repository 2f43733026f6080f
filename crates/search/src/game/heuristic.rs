//! What only *-minimax needs of a game: the value of positions and an order of actions.

use super::Game;
use std::fmt::Debug;

/// The number of ranks that a [`Heuristic`] may give.
pub const RANKS: usize = 8;

/// What *-minimax needs of a game: the value of a position, and which actions to try first.
pub trait Heuristic<G: Game>: Debug + Send + Sync {
    /// The value of a position for a seat. Where all others are against the seat that searches, as with two seats, it is
    /// asked for that seat only, and the value for the others is its negation; in max^n it is asked for every seat.
    fn value(&self, state: &G, seat: usize) -> f64;

    /// The value of the position after an action. `scratch` is a position of the game that may be overwritten by
    /// [`clone_from`](Clone::clone_from).
    #[inline]
    fn value_after(&self, state: &G, action: G::Action, scratch: &mut G, seat: usize) -> f64 {
        scratch.clone_from(state);
        scratch.play(action);
        self.value(scratch, seat)
    }

    /// The values of the position after an action for the seats from the first, as many as fit. `scratch` is as in
    /// [`value_after`](Heuristic::value_after).
    fn values_after(&self, state: &G, action: G::Action, scratch: &mut G, values: &mut [f64]) {
        scratch.clone_from(state);
        scratch.play(action);
        for (seat, value) in values.iter_mut().enumerate() {
            *value = self.value(scratch, seat);
        }
    }

    /// The highest sum of the values of all seats in one position, if there is one with so many seats, at least two:
    /// what pruning in max^n needs. None unless a heuristic knows it.
    fn most_in_total(&self, _seats: usize) -> Option<f64> {
        None
    }

    /// The lead of a seat, on the scale of [`value`](Heuristic::value): the basis of dynamic bounds.
    fn lead(&self, state: &G, seat: usize) -> f64 {
        self.value(state, seat)
    }

    /// When an action is searched: those of rank 0 first, [`RANKS`] − 1 last, equal ones in the order of the game.
    fn rank(&self, state: &G, action: G::Action) -> usize;
}
