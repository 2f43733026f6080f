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
mod column;
mod creator;
mod export;
mod genome;
mod latex;
mod mutation;
mod order;
mod parameters;
mod parse;
mod primitive;
mod print;
mod program;
mod sets;
mod simplify;
mod steps;
mod tree;
mod variation;

pub use code::{NamedFormula, c_source, numpy};
pub use column::{Column, Needs, Scope};
pub use creator::{CONSTANTS, Creator, Terminals};
pub use export::SYMPY_IMPORT;
pub use genome::{Genome, Slot};
pub use mutation::Mutation;
pub use order::{InducedOrder, OrderName};
pub use parameters::{Formulas, Genomes};
pub use parse::ParseError;
pub use primitive::{Function, LnRule, Node, Terminal};
pub use program::{ColumnValues, Inputs, Program, Scratch, ln_visits};
pub use sets::{ConstantSet, FunctionSet};
pub use simplify::simplify;
pub use tree::Tree;
pub use variation::{Operator, Variation};
