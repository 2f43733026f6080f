//! `evouct league table`: an earlier spelling of `evouct points-table`.

use super::{Outcome, points_table};
use clap::{Args, Subcommand};
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compute the points table of a matrix of results
    Table(points_table::Arguments),
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let Command::Table(arguments) = &arguments.command;
    points_table::run(arguments, out)
}
