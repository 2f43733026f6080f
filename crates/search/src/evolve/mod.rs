//! Evolution of the selection formula during the game: EA-p-MCTS, EA-MCTS and SIEA-MCTS.
//!
//! Galván, Simpson and Valdez Ameneyro (2022), sections IV-C to IV-E. Once per decision, when every action at the root
//! has been tried, a (1 + λ) evolution strategy with subtree mutation starts from UCT and evolves the formula by which
//! the rest of the search selects. An individual's fitness is the mean reward of playouts that it chooses; the rewards
//! themselves are its semantics. [`evolve()`] runs it over any [`Search`](crate::search::Search); [`EvolutionSettings`]
//! holds every reading of the sources. Individuals, survival, semantics and operators are those of [`evouct_gp`].

mod evaluation;
mod log;
mod strategy;

pub use evaluation::{EvoTree, FitnessPlayout, PartialFitnessPlayout, SeedConstant, Variant};
pub use log::EvolutionLog;
pub use strategy::{EvolutionSettings, Evolved, ParentFitness, Returned, evolve};
