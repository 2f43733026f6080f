//! A search as it is seen while it runs.

use super::child::Child;

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct SearchProgress<Action> {
    /// The actions at the root with their statistics.
    pub children: Vec<Child<Action>>,
    /// Playouts so far, evolution included.
    pub playouts: u64,
    /// Positions that a search without playouts has visited so far.
    pub nodes: u64,
    /// The formula that selects in the tree, in infix, if one does.
    pub formula: Option<String>,
}

impl<Action> SearchProgress<Action> {
    /// Adds what another search of the same position has found.
    pub fn add(&mut self, other: &SearchProgress<Action>) {
        for (child, further) in self.children.iter_mut().zip(&other.children) {
            let sum = child.mean * child.visits + further.mean * further.visits;
            child.visits += further.visits;
            child.mean = sum / child.visits.max(1.0);
        }
        self.playouts += other.playouts;
        self.nodes += other.nodes;
    }
}

/// Sees a search while it runs, and changes nothing of it.
pub trait Observer<Action> {
    /// Is told after each iteration, by a search without playouts after some hundred positions and each action at the
    /// root; `progress` computes what was found so far.
    fn look(&self, progress: &dyn Fn() -> SearchProgress<Action>);
}

/// An observer that also sees what searches of the same position found before.
pub struct After<'a, Action> {
    /// Who sees it.
    pub observer: &'a dyn Observer<Action>,
    /// What the earlier searches found together.
    pub before: SearchProgress<Action>,
}

impl<Action: Clone> Observer<Action> for After<'_, Action> {
    fn look(&self, progress: &dyn Fn() -> SearchProgress<Action>) {
        self.observer.look(&|| {
            let mut all = self.before.clone();
            all.add(&progress());
            all
        });
    }
}
