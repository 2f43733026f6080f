//! Evolution of the selection formula while the game is played: EA-p-MCTS, EA-MCTS and SIEA-MCTS.
//!
//! Galván, Simpson and Valdez Ameneyro (2022), sections IV-C to IV-E. Once a decision, when every action at the root has
//! been tried, a (1 + λ) evolution strategy with subtree mutation starts from UCT and evolves the formula by which the rest
//! of the search selects. An individual's fitness is the mean reward of playouts that it chooses; the rewards themselves
//! are its semantics. [`evolve()`] runs it over any [`Search`](crate::search::Search); [`Settings`] holds every reading of the sources.

mod evaluation;
mod individual;
mod log;
mod selection;
mod semantics;
mod strategy;

pub use evaluation::{Evaluation, EvoTree, PartialEvaluation, SeedConstant, Variant};
pub use individual::Individual;
pub use log::EvolutionLog;
pub use selection::{Form, Selected, Selection, SemanticRule, SemanticSelection};
pub use semantics::{Semantics, distance};
pub use strategy::{Evolved, ParentFitness, Returned, Settings, evolve};
