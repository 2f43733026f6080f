//! Game-tree search, written against the [`Game`](crate::game::Game) contract.
//!
//! Monte Carlo Tree Search is a handful of parts that combine freely: a [`Budget`], a [`TreePolicy`] that selects, a default
//! policy ([`Playout`](crate::game::Playout)), a [`Reward`], a way to treat chance ([`Chance`]) and a choice of the final
//! move ([`FinalMove`]). [`Search`] runs the four steps (Selection, Expansion, Playout, Backpropagation) over a [`Tree`].

mod budget;
mod mcts;
mod policy;
mod reward;
mod tree;

pub use budget::{Budget, Clock, Meter, Stopped};
pub use mcts::{Chance, Child, Descent, FinalMove, ParentVisits, Search, Settings, Workspace};
pub use policy::{Formula, Opponent, TreePolicy, UcbForm, Uct};
pub use reward::Reward;
pub use tree::Tree;
