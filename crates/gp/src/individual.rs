//! Individuals: formulas with their origin and fitness.

use super::genome::Genome;
use super::operator::Operator;

/// An individual of an evolution; `F` is its measured fitness.
#[derive(Clone, Debug)]
pub struct Individual<F> {
    /// Its number, from 0, in the order of birth.
    pub id: usize,
    /// Its formulas, by slot.
    pub genome: Genome,
    /// The generation of its birth, from 0.
    pub born: u32,
    /// The island of its birth.
    pub island: usize,
    /// Numbers ([`id`](Individual::id)) of its parents: none, one or two.
    pub parents: Vec<usize>,
    /// The name of the operator that made it, [`SEED`] or [`RANDOM`].
    pub operator: &'static str,
    /// Its measured fitness.
    pub fitness: F,
}

/// A fitness that was measured on a sample: the rewards of playouts, or cases.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The mean; higher is better.
    pub mean: f64,
    /// The semantic vector: a reward or value per playout or case, in their order.
    pub semantics: Vec<f64>,
}

/// The operator of individuals that were given.
pub const SEED: &str = "seed";
/// The operator of individuals that were made at random.
pub const RANDOM: &str = "random";

/// The parents of what an operator made of these two: the second one only if it gave material.
pub fn parents_by(operator: &dyn Operator, [parent, other]: [usize; 2]) -> Vec<usize> {
    if operator.crosses() { vec![parent, other] } else { vec![parent] }
}
