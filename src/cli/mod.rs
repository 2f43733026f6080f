//! The command line: arguments in, library calls, text out. One file a subcommand, no logic of its own.

mod bench;
mod branching;
mod compare;
mod digest;
mod environment;
mod experiment_args;
mod expr;
mod league;
mod play;
mod players;
mod positions;
mod progress;
#[cfg(feature = "mpi")]
mod ranks;
mod replay;
mod report;
mod rules;
mod run;
mod serve;
mod slurm;
mod status;
mod verdicts;
mod verify;

use clap::{Parser, Subcommand};
use evouct::error::Failure;
use std::io::{Write, stdout};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// What a command comes to.
type Outcome = Result<(), Failure>;

/// Experiments in which game-playing search is improved by evolution.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// Say more on stderr; twice for even more (RUST_LOG overrides)
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play what is missing of an experiment, then report
    Run(run::Arguments),
    /// How far a run is, from its files
    Status(status::Arguments),
    /// Write, and submit, the batch script of an experiment
    Slurm(Box<slurm::Arguments>),
    /// Make the tables of a run folder anew
    Report(report::Arguments),
    /// Set two runs side by side
    Compare(compare::Arguments),
    /// Set the printed numbers of papers beside several runs, in Markdown
    Verdicts(verdicts::Arguments),
    /// Show a recorded game as text, SVG or HTML
    Replay(replay::Arguments),
    /// Show the report of a run as a live page on this machine
    Serve(serve::Arguments),
    /// Print the hash over everything reproducible in a run's records
    Digest(digest::Arguments),
    /// Hold a run's records against the rules, and play some of its games again
    Verify(verify::Arguments),
    /// Play one game
    Play(play::Arguments),
    /// List the kinds of player, or the parameters of one
    Players(players::Arguments),
    /// Parse, simplify, evaluate and export a selection formula
    Expr(expr::Arguments),
    /// Check the rules against recorded games, or count positions
    Rules(rules::Arguments),
    /// How many legal moves there were at each ply of a run's games
    Branching(branching::Arguments),
    /// What players decide in recorded positions, and what it costs them
    Positions(positions::Arguments),
    /// Points tables from matrices of results
    League(league::Arguments),
    /// Measure the speed on this machine
    Bench(bench::Arguments),
}

/// Runs the program.
pub(crate) fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let level = ["warn", "info", "debug"][usize::from(arguments.verbose).min(2)];
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false).init();

    let mut out = stdout().lock();
    let outcome = match arguments.command {
        Command::Run(arguments) => run::run(&arguments, &mut out),
        Command::Status(arguments) => status::run(&arguments, &mut out),
        Command::Slurm(arguments) => slurm::run(&arguments, &mut out),
        Command::Report(arguments) => report::run(&arguments, &mut out),
        Command::Compare(arguments) => compare::run(&arguments, &mut out),
        Command::Verdicts(arguments) => verdicts::run(&arguments, &mut out),
        Command::Replay(arguments) => replay::run(&arguments, &mut out),
        Command::Serve(arguments) => serve::run(&arguments, &mut out),
        Command::Digest(arguments) => digest::run(&arguments, &mut out),
        Command::Verify(arguments) => verify::run(&arguments, &mut out),
        Command::Play(arguments) => play::run(&arguments, &mut out),
        Command::Players(arguments) => players::run(&arguments, &mut out),
        Command::Expr(arguments) => expr::run(&arguments, &mut out),
        Command::Rules(arguments) => rules::run(&arguments, &mut out),
        Command::Branching(arguments) => branching::run(&arguments, &mut out),
        Command::Positions(arguments) => positions::run(&arguments, &mut out),
        Command::League(arguments) => league::run(&arguments, &mut out),
        Command::Bench(arguments) => bench::run(&arguments, &mut out),
    };
    let outcome = outcome.and_then(|()| Ok(out.flush()?));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                eprintln!("evouct: {message}");
            }
            failure.code()
        }
    }
}

/// Help and version go to stdout; anything wrong with the arguments is one line on stderr.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match write!(stdout(), "{error}") {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => Failure::from(error).code(),
        };
    }
    let text = error.to_string();
    // The first paragraph says what is wrong; a hint may follow. The rest is usage, which --help prints.
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let said: Vec<&str> =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")).collect();
    let said = said.join(" ");
    eprintln!("evouct: {} (see --help)", said.strip_prefix("error: ").unwrap_or(&said));
    ExitCode::from(2)
}
