//! Genetic programming over selection formulas: expression trees that replace UCT.
//!
//! A [`Tree`] is a formula. Its terminals are the statistics of a child in the search tree (Galván et al. 2022, section
//! V-A): its mean reward `Q`, its visits `n`, its parent's visits `N`, a constant `c` that is bound when the formula is
//! used, and numbers. Functions are `+ - * /`, `ln` and `sqrt`, protected so that every tree has a value. Given formulas
//! may also use `min` and `max` and further statistics: the [`Column`]s, and numbers that a game gives for a move
//! ([`Tree::parse_over`]). [`Program`] evaluates one for all children of a node at once.
//!
//! This crate is the kernel of every evolution, in play and before play, and depends on no game or search. A [`Genome`]
//! has formulas for several purposes, and an [`Individual`] a genome and its fitness. [`Variation`] makes new genomes by
//! its [`Operator`]s, and [`Selection`] chooses the next parents, by [`Semantics`] among equals. Functions
//! ([`Function::add`]) and operators can be yours, and terminals ([`Statistic`]) where you evaluate formulas yourself.
//!
//! ```
//! use evouct_base::seed::Key;
//! use evouct_gp::{Genome, Inputs, LnRule, Mutation, Tree, Variation, simplify};
//!
//! let tree: Tree = "Q + 2 * 0.5 * sqrt(2 * ln(N) / n)".parse()?;
//! let inputs = Inputs { mean: 3.0, visits: 4.0, parent: 1.0, constant: 0.5 };
//! assert_eq!(tree.evaluate(inputs, LnRule::Abs), 3.0);
//!
//! let short = simplify(&tree, LnRule::Abs);
//! assert_eq!(short.to_string(), "Q + sqrt(2 * ln(N) / n)");
//! assert_eq!(short.latex(), r"Q + \sqrt{\frac{2 \ln N}{n}}");
//!
//! // The operators of evolution before play, each with its usual weight.
//! let operators = Variation::operators().map(|operator| (operator.clone(), operator.weight())).to_vec();
//! let variation = Variation { operators, max_nodes: 20, ..Variation::from(Mutation::default()) };
//! let mut rng = Key::experiment(1).stream();
//! let parents = [Genome::of(short), Genome::of(Tree::uct())];
//! for _ in 0..100 {
//!     let (child, _operator) = variation.offspring([&parents[0], &parents[1]], &mut rng);
//!     assert!(child != parents[0] && child.largest() <= 20);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs, unreachable_pub)]

mod cma_es;
mod code;
mod creator;
mod decisions;
mod export;
mod fade;
mod genome;
mod growth;
mod individual;
mod inputs;
mod latex;
mod move_part;
mod mutation;
mod neighbours;
mod operator;
mod order;
mod parameters;
mod pareto;
mod parse;
mod parts;
mod primitive;
mod print;
mod program;
#[cfg(test)]
mod registry_tests;
mod rows;
mod semantics;
mod sets;
mod simplify;
mod steps;
mod structure;
mod summands;
mod survival;
mod sympy;
mod terminal;
mod tree;
mod variation;

pub use cma_es::{CmaEs, Covariance};
pub use code::{NamedFormula, c_source, numpy};
pub use creator::{CONSTANTS, Creator, Terminals};
pub use decisions::Decisions;
pub use fade::Fade;
pub use genome::{Genome, Slot};
pub use growth::{Grow, Prune};
pub use individual::{Individual, RANDOM, SEED, Sampled, parents_by};
pub use inputs::Inputs;
pub use mutation::{ConstantMutation, Mutation};
pub use operator::{Constant, Crossover, Hoist, Operator, Point, Subtree, Toggle, in_one_slot};
pub use order::{InducedOrder, OrderName};
pub use parameters::{Formulas, Genomes};
pub use pareto::{crowded_order, fronts};
pub use parse::ParseError;
pub use primitive::{AddedFunction, Function, Latex, Laws, LnRule, Node, OfEquals, Precedence, Primitive};
pub use program::{ColumnValues, Program, Scratch};
pub use semantics::{Semantics, distance, mean_magnitude};
pub use sets::{ConstantSet, FunctionSet};
pub use simplify::simplify;
pub use summands::{Summand, Summands};
pub use survival::{Selection, SemanticCriterion, SemanticSelection, Strategy, SurvivalCandidate, Survivor};
pub use sympy::{sympy, sympy_definitions};
pub use terminal::{Column, Needs, Scope, Statistic, Terminal};
pub use tree::Tree;
pub use variation::Variation;
