//! The log of one evolution.

use serde::{Deserialize, Serialize};

/// The evolution of one decision, as it goes into the record of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvolutionLog {
    /// The resulting formula, in infix. It contains `c` only if `c` is drawn at every use.
    pub formula: String,
    /// Its nodes.
    pub nodes: usize,
    /// Its depth; a leaf has 0.
    pub depth: usize,
    /// The best fitness after evaluating the seed (if it is evaluated) and after each generation.
    pub fitness: Vec<f64>,
    /// Generations in which several individuals shared the best fitness.
    pub ties: usize,
    /// Generations in which one of the equals was within (α, β) of the parent.
    pub in_range: usize,
    /// Generations in which semantics made the choice.
    pub by_semantics: usize,
    /// Generations in which an offspring took the parent's place.
    pub replaced: usize,
    /// Playouts spent.
    pub playouts: u64,
}
