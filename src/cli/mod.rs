//! The command line: arguments in, library calls, text out. One file per subcommand; what they compute is in the crates.

mod bank;
mod batch;
mod bench;
mod block_times;
mod branching;
mod carcassonne;
mod compare;
mod compare_printed;
mod completions;
mod core_time;
mod digest;
mod engine;
mod environment;
mod evolution_folder;
mod evolution_set;
mod evolve;
mod evolve_bar;
mod evolve_plan;
mod evolve_seeds;
mod experiment_args;
mod export;
mod expr;
mod features;
mod form;
mod formulas;
mod games;
#[cfg(feature = "browser")]
mod gui;
mod input_bank;
mod league;
mod man;
mod new;
mod notation;
mod output;
mod output_file;
mod pairs;
mod paper;
mod phrases;
mod place;
mod play;
mod play_args;
mod players;
mod points_table;
mod positions;
mod power;
mod programs;
mod progress;
#[cfg(feature = "mpi")]
mod ranks;
mod reference;
mod repair;
mod replay;
mod report;
mod rules;
mod run;
mod schema;
mod score;
#[cfg(feature = "browser")]
mod serve;
mod signals;
mod slurm;
mod standing;
mod status;
mod stderr;
mod tune;
mod verify;
mod whole;

use crate::error::Failure;
use crate::escape;
use crate::external::{end_programs, quit_programs};
use crate::panic;
use crate::phrase::speak;
use crate::stack;
use crate::store::Problem;
use crate::suggest::nearest;
use crate::wrap::wrapped_behind;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use output::Escaping;
use std::env;
use std::ffi::OsString;
use std::io::{IsTerminal, Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

/// The result of a command.
type Outcome = Result<(), Failure>;

/// Warns of what is wrong with the records of a run.
fn warn(problems: &[Problem]) {
    for problem in problems {
        tracing::warn!("{problem}");
    }
}

/// Experiments in which evolution improves game-playing search.
#[derive(Parser)]
#[command(version, about, max_term_width = 80)]
struct Arguments {
    /// Print more messages to stderr; repeat for more. RUST_LOG overrides: off, error, warn, info, debug or trace, or
    /// such levels by module, as in warn,evouct_report=debug
    #[arg(short, long, action = clap::ArgAction::Count, global = true, display_order = 900)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

/// The commands in groups: what each does, and the module that has its arguments and carries it out.
macro_rules! commands {
    ($($group:literal: $($(#[$about:meta])+ $name:ident: $module:ident $(if $feature:literal)?,)+)+) => {
        #[derive(Subcommand)]
        enum Command {
            $($($(#[$about])+ $(#[cfg(feature = $feature)])? $name(Box<$module::Arguments>),)+)+
        }

        /// The groups, each with the modules of its commands, which are called as the commands are, with `_` for `-`.
        const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$(stringify!($module)),+])),+];

        fn dispatch(command: Command, out: &mut dyn Write) -> Outcome {
            match command {
                $($($(#[cfg(feature = $feature)])? Command::$name(arguments) => $module::run(&arguments, out),)+)+
            }
        }
    };
}

commands! {
    "Start":
        /// Write a starter: an experiment, an evolution, or a game, player or program of your own
        New: new,
        /// List the kinds of player, or the parameters of one
        Players: players,
        /// List the games, or the rules and move numbers of one
        Games: games,
    "Play":
        /// Play one game
        Play: play,
        /// Play and analyse in the browser on this machine
        Gui: gui if "browser",
        /// Answer lines of the protocol for other programs, as one player
        Engine: engine,
    "Experiment":
        /// Run an experiment (or resume it) and print the report
        Run: run,
        /// Say how many decks the tests of a league need, and how long they take
        Power: power,
        /// Print the progress of a run, from its files
        Status: status,
        /// Check recorded games against the rules and replay a sample
        Verify: verify,
        /// Print the digest of a run: a hash over everything reproducible in its records
        Digest: digest,
        /// Save what can be read of a damaged run into a new folder
        #[command(alias = "mend")]
        Repair: repair,
    "Evolve and tune":
        /// Evolve formulas before play: over positions and games
        Evolve: evolve,
        /// Make a bank of positions for `evolve`
        Bank: bank,
        /// Measure formulas from a file or another program as `evolve` does, so that any optimiser can use it
        Score: score,
        /// Tune parameters of a player by successive halving, a fitted surface or CMA-ES, then test the winner on held-out decks
        Tune: tune,
    "Look":
        /// Rebuild the report of a run
        Report: report,
        /// Serve the report of a run as a live page on this machine
        Serve: serve if "browser",
        /// Compare runs with the first of them
        Compare: compare,
        /// Show a recorded game as text, SVG or HTML
        Replay: replay,
        /// Write the records of a run as long tables for data frames: CSV or Parquet
        Export: export,
        /// Write tables that fit a column, a paragraph of methods and references of a run, for a paper in LaTeX
        Paper: paper,
        /// Compare printed numbers of papers with runs, in Markdown
        #[command(alias = "verdicts")]
        ComparePrinted: compare_printed,
        /// Compute points tables from matrices of results
        PointsTable: points_table,
        /// Compute points tables from matrices of results: an earlier spelling of points-table
        #[command(hide = true)]
        League: league,
    "Formulas":
        /// Parse, simplify, evaluate and export a selection formula
        Expr: expr,
        /// Export the formulas of a run or an evolution with their protections: players, NumPy, C, LaTeX, SymPy
        Formulas: formulas,
    "Cluster and machine":
        /// Write, and optionally submit, a batch script for an experiment, an evolution, a tuning or a bank
        Batch: batch,
        /// Write, and optionally submit, a batch script for SLURM: the same as `batch --system slurm`
        Slurm: slurm,
        /// Measure the speed of Carcassonne and of search on this machine
        Bench: bench,
    "Carcassonne":
        /// Check rules, count moves and features, and compare decisions in positions
        Carcassonne: carcassonne,
        /// Check the rules of Carcassonne against recorded games, or count positions
        #[command(hide = true)]
        Rules: rules,
        /// Count the legal moves at each ply of the games of a run of Carcassonne
        #[command(hide = true)]
        Branching: branching,
        /// Count meeples and points by occupied feature in the games of a run
        #[command(hide = true)]
        Features: features,
        /// Compare the decisions of players in recorded positions of Carcassonne, and their cost
        #[command(hide = true)]
        Positions: positions,
    "Reference":
        /// Print the JSON Schema of experiment files, for editors
        Schema: schema,
        /// Write commands, keys of files, games, kinds of player and parameters as Markdown pages
        Reference: reference,
        /// Write the manual pages of all commands
        Man: man,
        /// Print completions of commands and options for a shell
        Completions: completions,
}

/// The command line of the program. Its help lists the commands in groups.
fn command() -> clap::Command {
    let command = Arguments::command();
    let mut listed = String::new();
    for (group, names) in GROUPS {
        listed.push_str(&format!("{group}:\n"));
        let commands = names.iter().filter_map(|name| command.find_subcommand(name.replace('_', "-")));
        for command in commands.filter(|command| !command.is_hide_set()) {
            let about = command.get_about().map_or(String::new(), ToString::to_string);
            listed.push_str(&wrapped_behind(&format!("  {:<15} ", command.get_name()), &" ".repeat(18), &about));
        }
        listed.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listed}`evouct COMMAND --help` has the options of a \
         command.\n\nOptions:\n{{options}}"
    );
    command.help_template(template)
}

/// What starts this program again.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The path of what starts this program again, if it is known.
fn program() -> Option<PathBuf> {
    PROGRAM.get().cloned().or_else(|| env::current_exe().ok().map(crate::cpu::for_any))
}

/// The arguments of a command line, the first of which is the name of the program. A number below 0 is a value and no
/// option, so that a value out of range is refused by its range.
fn parse(words: &[OsString]) -> Result<Arguments, clap::Error> {
    let command = command().mut_subcommands(|command| {
        command.mut_args(|arg| {
            let takes_value = !matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::Count);
            if takes_value { arg.allow_negative_numbers(true) } else { arg }
        })
    });
    Arguments::from_arg_matches(&command.try_get_matches_from(words)?)
}

/// Runs the program with the arguments of the process. `main` of evouct calls this, and so does a program that has
/// registered games or kinds of player of its own ([`registry`](crate::registry)).
pub fn main() -> ExitCode {
    if let Err(line) = crate::cpu::check() {
        stderr::say_plainly(line);
        return ExitCode::from(2);
    }
    crate::cpu::hand_over();
    let code = stack::on_own_stack(|| carry_out(&env::args_os().collect::<Vec<_>>()));
    // What a panic ends with.
    ExitCode::from(code.unwrap_or(101))
}

/// The same inside another program, such as Python: `program` is what starts this one again, and `arguments` are those
/// after its name. Returns the exit code. Signals are caught and the log is started, so call this once, and end the
/// process afterwards: threads of a run that was interrupted may still play.
pub fn main_within(program: PathBuf, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = [OsString::from("evouct")].into_iter().chain(arguments).collect();
    PROGRAM.get_or_init(|| program);
    carry_out(&words)
}

fn carry_out(words: &[OsString]) -> u8 {
    crate::registry::add_games();
    speak(stderr::option_of);
    let uncaught = signals::catch();
    let arguments = match parse(words) {
        Ok(arguments) => arguments,
        Err(error) => return usage(words, &error),
    };
    if let Err(line) = stderr::start_log(arguments.verbose) {
        stderr::error(&line);
        return 2;
    }
    let catches = |command: &Command| {
        matches!(
            command,
            Command::Run(_) | Command::Tune(_) | Command::Evolve(_) | Command::Score(_) | Command::Bank(_)
        )
    };
    if !catches(&arguments.command) {
        signals::leave();
    }
    for problem in uncaught {
        tracing::warn!("{problem}");
    }
    if let Some(problem) = crate::cpu::slower() {
        tracing::warn!("{problem}");
    }

    // Only drawings and, on a terminal, tables have colours.
    let colours = match arguments.command {
        Command::Play(_) | Command::Replay(_) => true,
        Command::Run(_)
        | Command::Report(_)
        | Command::Compare(_)
        | Command::PointsTable(_)
        | Command::League(_)
        | Command::Power(_)
        | Command::Score(_)
        | Command::Players(_)
        | Command::Games(_) => form::colour("auto"),
        _ => false,
    };
    let mut out = Escaping::new(stdout().lock(), stdout().is_terminal(), colours);
    let outcome = guarded(|| dispatch(arguments.command, &mut out));
    let flushed = out.flush();
    let outcome = outcome.and_then(|()| Ok(flushed?));
    // Threads of an interrupted command may still play: it kills all programs at once.
    if !matches!(outcome, Err(Failure::Interrupted(_))) {
        quit_programs();
    }
    end_programs();
    ended(outcome)
}

/// Writes the error line of a command, and gives its exit code.
fn ended(outcome: Outcome) -> u8 {
    let Err(failure) = outcome else { return 0 };
    if let Some(message) = failure.message() {
        stderr::error(message);
    }
    failure.code()
}

/// Runs a command; a panic, which is a bug of evouct or of what a program has registered, is an error as others are.
fn guarded(command: impl FnOnce() -> Outcome) -> Outcome {
    panic::catch(command).unwrap_or_else(|message| Err(Failure::Failed(format!("internal error: {message}"))))
}

/// Help and version go to stdout; an error in the arguments is one line on stderr.
fn usage(words: &[OsString], error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        let written = write!(stdout(), "{error}").and_then(|()| stdout().flush());
        return ended(written.map_err(Failure::from));
    }
    stderr::say(&format!("evouct: {} (see --help)", escape::line(&one_line(words, error))));
    2
}

/// An error in arguments, in one line.
fn one_line(words: &[OsString], error: &clap::Error) -> String {
    let text = error.to_string();
    // The first paragraph is the error; a hint may follow. The rest is usage, which --help prints.
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let said: Vec<&str> =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")).collect();
    let said = said.join(" ");
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            "a command is missing".to_owned()
        }
        ErrorKind::InvalidSubcommand => mistyped(words, error, plain(said.strip_prefix("error: ").unwrap_or(&said))),
        _ => plain(said.strip_prefix("error: ").unwrap_or(&said)),
    }
}

/// Words that people try, and the commands that do what they mean.
const MEANT: &[(&str, &str)] = &[
    ("list", "'games' or 'players'"),
    ("table", "'points-table'"),
    ("cluster", "'batch'"),
    ("open", "'gui' or 'report'"),
];

/// The error of an unknown command with the nearest one: clap names several in the order of its own, and none where
/// letters are swapped.
fn mistyped(words: &[OsString], error: &clap::Error, said: String) -> String {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand) else { return said };
    let commands = Arguments::command();
    // An unknown command of a command, such as of `rules`, is not one of these.
    let first = words.iter().skip(1).find(|word| !word.as_encoded_bytes().starts_with(b"-"));
    let is_first = first.is_some_and(|first| first == given.as_str());
    #[cfg(not(feature = "browser"))]
    if is_first && GROUPS.iter().any(|(_, names)| names.contains(&given.replace('-', "_").as_str())) {
        return format!("{given} needs a build with the feature browser: cargo build --release");
    }
    let listed = commands.get_subcommands().filter(|command| !command.is_hide_set());
    let near = nearest(given, listed.map(clap::Command::get_name).chain(MEANT.iter().map(|(word, _)| *word)));
    match near.filter(|_| is_first) {
        Some(name) => {
            let meant = MEANT.iter().find(|(word, _)| *word == name);
            let meant = meant.map_or_else(|| format!("'{name}'"), |(_, commands)| (*commands).to_owned());
            format!("{}; did you mean {meant}?", said.split("; did you mean").next().unwrap_or_default())
        }
        None => said,
    }
}

/// An error in the arguments as evouct says it: the nearest name is asked for, and numbers are described in words.
fn plain(said: &str) -> String {
    let said = match said.split_once(" tip: ") {
        None => said.to_owned(),
        Some((what, tip)) => match tip.split_once(": ") {
            Some((about, names)) if about.contains("similar") => {
                let names = names.split(" tip: ").next().unwrap_or_default();
                format!("{}; did you mean {}?", what.trim_end_matches(" found"), names.replace("', '", "' or '"))
            }
            // Nobody who misspells an option wants to pass it as a value.
            _ if tip.contains("as a value") => what.to_owned(),
            _ => format!("{what}; {tip}"),
        },
    };
    let words = [
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
        ("invalid float literal", "expected a number"),
    ];
    words
        .iter()
        .fold(said, |said, (theirs, ours)| said.replace(theirs, ours))
        .replace(" is not in ", " is not from ")
        .replace("..=", " to ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_command_is_an_error() {
        let failure = guarded(|| panic!("no such thing")).unwrap_err();
        assert!(failure.message().is_some_and(|message| message.starts_with("internal error: no such thing at ")));
        assert!(guarded(|| Ok(())).is_ok());
    }
}
