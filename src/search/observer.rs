//! A search as it is seen while it runs.

use super::mcts::Child;

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Progress<Action> {
    /// The actions at the root with their statistics.
    pub children: Vec<Child<Action>>,
    /// Playouts so far, evolution included.
    pub playouts: u64,
    /// Positions that a search without playouts has visited so far.
    pub nodes: u64,
    /// The formula that selects in the tree, in infix, if one does.
    pub formula: Option<String>,
}

/// Sees a search while it runs, and changes nothing of it.
pub trait Observer<Action> {
    /// Is told after each iteration, by a search without playouts after some hundred positions and each action at the root; `progress` computes what was found so far.
    fn look(&self, progress: &dyn Fn() -> Progress<Action>);
}
