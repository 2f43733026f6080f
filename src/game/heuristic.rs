//! What only *-minimax must know of a game: the value of positions and an order of actions.

use super::Game;

/// The number of ranks that a [`Heuristic`] may give.
pub const RANKS: usize = 8;

/// What *-minimax must know of a game for two seats: what a position is worth, and which actions to try first.
pub trait Heuristic<G: Game>: Send + Sync {
    /// What a position is worth to a seat that searches. It is taken to be worth the negative to the other.
    fn value(&self, state: &G, seat: usize) -> f64;

    /// What the position after an action is worth. `scratch` is some position of the game, and may be left as none: it is to be
    /// overwritten by [`clone_from`](Clone::clone_from).
    #[inline]
    fn value_after(&self, state: &G, action: G::Action, scratch: &mut G, seat: usize) -> f64 {
        scratch.clone_from(state);
        scratch.play(action);
        self.value(scratch, seat)
    }

    /// By how much a seat leads, on the scale of [`value`](Heuristic::value): where bounds are taken from.
    fn lead(&self, state: &G, seat: usize) -> f64 {
        self.value(state, seat)
    }

    /// When an action is searched: those of rank 0 first, [`RANKS`] − 1 last, equal ones in the order of the game.
    fn rank(&self, state: &G, action: G::Action) -> usize;
}
