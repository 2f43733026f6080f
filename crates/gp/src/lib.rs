//! Genetic programming over selection formulas: expression trees that replace UCT.
//!
//! Terminals are the statistics of a child in the search tree (Galván et al. 2022, section V-A): its mean reward `Q`,
//! its visits `n`, its parent's visits `N`, a constant `c` that is bound when the formula is used, and numbers.
//! Functions are `+ - * /`, `ln` and `sqrt`, protected so that every tree has a value. Given formulas may also use
//! `min` and `max` and further statistics: the [`Column`]s, and numbers that a game gives for a move
//! ([`Tree::parse_over`]).
//!
//! This module does not depend on games or search. A [`Tree`] is a formula; [`Creator`] and [`Mutation`] make those of
//! evolution during a decision. A [`Genome`] has formulas for several purposes, and [`Variation`] makes new ones.
//! [`Program`] evaluates one for all children of a node at once, [`simplify()`] shortens one without changing any
//! value.

#![warn(missing_docs, unreachable_pub)]

mod code;
mod creator;
mod export;
mod genome;
mod individual;
mod latex;
mod mutation;
mod operator;
mod order;
mod parameters;
mod parse;
mod primitive;
mod print;
mod program;
mod semantics;
mod sets;
mod simplify;
mod steps;
mod survival;
mod terminal;
mod tree;
mod variation;

pub use code::{NamedFormula, c_source, numpy};
pub use creator::{CONSTANTS, Creator, Terminals};
pub use export::SYMPY_IMPORT;
pub use genome::{Genome, Slot};
pub use individual::{Individual, RANDOM, SEED, Sampled, parents_by};
pub use mutation::Mutation;
pub use operator::{Constant, Crossover, Hoist, Operator, Point, Subtree, Toggle, in_one_slot};
pub use order::{InducedOrder, OrderName};
pub use parameters::{Formulas, Genomes};
pub use parse::ParseError;
pub use primitive::{AddedFunction, Binding, Function, Latex, Laws, LnRule, Node, OfEquals, Primitive};
pub use program::{ColumnValues, Inputs, Program, Scratch, ln_visits};
pub use semantics::{Semantics, distance, mean_magnitude};
pub use sets::{ConstantSet, FunctionSet};
pub use simplify::simplify;
pub use survival::{Candidate, Selection, SemanticCriterion, SemanticSelection, Strategy, Survivor};
pub use terminal::{Column, Needs, Scope, Statistic, Terminal};
pub use tree::Tree;
pub use variation::Variation;
