//! The value of a position to a seat, as the reward of a playout may be.

use super::{Game, MAX_SEATS};
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

/// The lead in points over the best opponent, as the scores stand; with one seat the points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PointLead;

impl<G: Game> Evaluation<G> for PointLead {
    fn value(&self, state: &G, seat: usize) -> f64 {
        let scores = state.scores();
        let others = (0..state.seats()).filter(|other| *other != seat).map(|other| scores[other]);
        f64::from(scores[seat] - others.max().unwrap_or(0))
    }

    /// The highest score of the game on either side; infinite if it knows none.
    fn bounds(&self, state: &G) -> [f64; 2] {
        let most = state.max_score().map_or(f64::INFINITY, f64::from);
        [-most, most]
    }

    fn most_seats(&self) -> usize {
        MAX_SEATS
    }
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
