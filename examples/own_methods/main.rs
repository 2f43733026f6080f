//! Methods of your own: an algorithm and an operator of evolution, a tree policy and a tuning method, each in a file beside
//! this one.
//!
//!     cargo run --release --example own_methods -- evolve examples/own_methods/evolution.toml
//!
//! A program adds them before it reads a file, and gets every command: see `docs/manual/own-methods.md`.

mod algorithm;
mod operator;
mod policy;
mod tuning;

use algorithm::Restarts;
use evouct::einstein::Einstein;
use operator::Blend;
use policy::ucb_v;
use std::process::ExitCode;
use std::sync::Arc;
use tuning::Thirds;

fn main() -> ExitCode {
    evouct::offline::add_algorithm(&Restarts).expect("its name and keys are new");
    evouct::offline::add_operator(Arc::new(Blend)).expect("its name is new");
    evouct::registry::add_kind(ucb_v::<Einstein>());
    evouct::tune::METHODS.add(&Thirds).expect("its name is new");
    evouct::cli::main()
}
