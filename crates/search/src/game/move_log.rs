//! The decisions of a game so far: what RAVE, tree re-use and playouts that learn need.

/// A decision that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Ply<Action, Outcome> {
    /// The seat that decided.
    pub seat: usize,
    /// What it had drawn: see [`MoveLog::drawn`].
    pub drawn: Option<Outcome>,
    /// What it decided.
    pub action: Action,
}

/// The decisions that led to a position, in their order.
pub trait MoveLog<Action, Outcome> {
    /// The outcome of chance that the seat to play acts on, if any. Two actions that look alike are the same
    /// only if the same outcome was drawn.
    fn drawn(&self) -> Option<Outcome>;

    /// The number of decisions made so far.
    fn plies(&self) -> usize;

    /// Decision number `number` of those made so far, from 0.
    fn ply(&self, number: usize) -> Ply<Action, Outcome>;

    /// What a decision has in common with decisions that RAVE may count as the same although the outcome drawn or the
    /// action differs, such as the place of a move: decisions of a seat with the same number are alike. None if the
    /// game defines nothing coarser than equality.
    fn likeness(&self, ply: Ply<Action, Outcome>) -> Option<u32> {
        let _ = ply;
        None
    }

    /// Adds all decisions from number `first` on to a list.
    fn plies_from(&self, first: usize, plies: &mut Vec<Ply<Action, Outcome>>) {
        plies.extend((first..self.plies()).map(|number| self.ply(number)));
    }
}
