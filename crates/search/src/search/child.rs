//! An action of a decision, as a search leaves it.

/// An action at the root with its statistics.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Child<Action> {
    /// The action.
    pub action: Action,
    /// How often it was tried.
    pub visits: f64,
    /// Its mean reward for the seat that decides; 0 if it was not tried.
    pub mean: f64,
    /// Whether `mean` is only an upper bound, because the search pruned the action: its value may be lower.
    pub upper_bound: bool,
}

impl<Action> Child<Action> {
    /// An action whose mean reward is known.
    pub fn new(action: Action, visits: f64, mean: f64) -> Child<Action> {
        Child { action, visits, mean, upper_bound: false }
    }
}
