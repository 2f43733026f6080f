//! One member of the population.

use evouct_gp::Tree;

/// A formula that has been evaluated.
#[derive(Clone, Debug)]
pub struct Individual {
    /// The formula.
    pub tree: Tree,
    /// The mean reward of its playouts, for the seat that decides.
    pub fitness: f64,
    /// Its semantic vector.
    pub semantics: Vec<f64>,
}
