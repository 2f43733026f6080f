//! A decision in a log.

/// A decision that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Ply<Action, Outcome> {
    /// The seat that decided.
    pub seat: usize,
    /// The outcome of chance that it acted on: the last one before it, unless another seat has decided since.
    pub drawn: Option<Outcome>,
    /// What it decided.
    pub action: Action,
}
