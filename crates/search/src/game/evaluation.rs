//! The value of a position to a seat, as the reward of a playout may be.

use super::Game;
use std::fmt::Debug;

/// What a position is worth to a seat: a reward of playouts, and a number of the moves that lead to it.
pub trait Evaluation<G: Game>: Debug + Send + Sync {
    /// The value of a position for a seat.
    fn value(&self, state: &G, seat: usize) -> f64;

    /// The lowest and the highest value that rewards are scaled by.
    fn bounds(&self, state: &G) -> [f64; 2];

    /// The most seats that it is defined for.
    fn most_seats(&self) -> usize;
}

impl<G: Game + 'static> Evaluation<G> for &'static dyn Evaluation<G> {
    fn value(&self, state: &G, seat: usize) -> f64 {
        (**self).value(state, seat)
    }

    fn bounds(&self, state: &G) -> [f64; 2] {
        (**self).bounds(state)
    }

    fn most_seats(&self) -> usize {
        (**self).most_seats()
    }
}
