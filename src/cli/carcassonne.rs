//! `evouct carcassonne`: what is for Carcassonne only. The same commands without `carcassonne` are earlier spellings.

use super::{Outcome, branching, features, positions, rules};
use clap::{Args, Subcommand};
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the rules against recorded games, or count positions
    Rules(rules::Arguments),
    /// Count the legal moves at each ply of the games of a run
    Branching(branching::Arguments),
    /// Count meeples and points by occupied feature in the games of a run
    Features(features::Arguments),
    /// Compare the decisions of players in recorded positions, and their cost
    Positions(positions::Arguments),
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match &arguments.command {
        Command::Rules(arguments) => rules::run(arguments, out),
        Command::Branching(arguments) => branching::run(arguments, out),
        Command::Features(arguments) => features::run(arguments, out),
        Command::Positions(arguments) => positions::run(arguments, out),
    }
}
