//! Methods of your own: a tree policy and a tuning method, each in a file beside this one.
//!
//!     cargo run --release --example own_methods -- players ucb-v --game einstein
//!
//! A program adds them before it reads a file, and gets every command: see `docs/manual/own-methods.md`.

mod policy;
mod tuning;

use evouct::einstein::Einstein;
use policy::ucb_v;
use std::process::ExitCode;
use tuning::Thirds;

fn main() -> ExitCode {
    evouct::registry::add_kind(ucb_v::<Einstein>());
    evouct::tune::METHODS.add(&Thirds).expect("its name is new");
    evouct::cli::main()
}
