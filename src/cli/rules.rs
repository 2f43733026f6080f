//! `evouct rules`: recorded games against the rules, and counts of positions.

use super::Outcome;
use super::phrases::differing;
use crate::carcassonne::{Base, Edition, Expanded, ImportedGame, ReplayError, Rules, State, Transcript, perft};
use crate::error::Failure;
use crate::plural::counted;
use crate::store::read_lines;
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Replay games recorded by other programs (JSON lines, also .gz and .zst) and compare every field
    Check {
        /// Files to check
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Count the positions after 1, 2, 3 ... plies; every draw tries each distinct tile once
    Perft {
        /// Number of plies
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=8))]
        depth: u32,
        /// Position in notation [default: the start for two players]
        #[arg(long)]
        position: Option<String>,
        /// Check a file of positions with their counts instead
        #[arg(long, conflicts_with_all = ["depth", "position"])]
        file: Option<PathBuf>,
    },
}

/// Mismatches that are printed for one file.
const SHOWN: usize = 20;

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match &arguments.command {
        Command::Check { files } => {
            // What is no file of recordings is a usage error, reported before anything is checked.
            for file in files {
                check_format(file)?;
            }
            let mut mismatches = 0;
            for file in files {
                mismatches += check(file, out)?;
            }
            if mismatches > 0 {
                return Err(Failure::Failed(format!("{} from the rules", differing(mismatches as u64, "game"))));
            }
            Ok(())
        }
        Command::Perft { file: Some(file), .. } => perft_file(file, out),
        Command::Perft { depth, position, file: None } => {
            let position = match position {
                Some(text) => Position::parse(text)?,
                None => Position::Base(Box::new(State::new(Rules::official(2)))),
            };
            for depth in 1..=*depth {
                writeln!(out, "{depth} {}", position.perft(depth))?;
            }
            Ok(())
        }
    }
}

/// A position of the base game, or with expansions.
enum Position {
    Base(Box<State>),
    Expanded(Box<State<Expanded>>),
}

impl Position {
    fn parse(text: &str) -> Result<Position, Failure> {
        let wrong = |error: &dyn std::fmt::Display| Failure::Usage(format!("position: {error}"));
        let transcript: Transcript = text.parse().map_err(|error| wrong(&error))?;
        if transcript.rules.are_of_the_base_game() {
            Ok(Position::Base(replay::<Base>(&transcript).map_err(|error| wrong(&error))?))
        } else {
            Ok(Position::Expanded(replay::<Expanded>(&transcript).map_err(|error| wrong(&error))?))
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        match self {
            Position::Base(state) => perft(state, depth),
            Position::Expanded(state) => perft(state, depth),
        }
    }
}

fn replay<E: Edition>(transcript: &Transcript) -> Result<Box<State<E>>, ReplayError> {
    transcript.replay_with(|_| ()).map(Box::new)
}

/// Refuses a file that does not begin with a recorded game: none of its lines could be compared.
fn check_format(file: &Path) -> Outcome {
    let refused = |at: usize, problem: String| Err(Failure::Usage(format!("{}:{at}: {problem}", file.display())));
    for (line, at) in read_lines(file).map_err(Failure::usage)?.zip(1..) {
        let line = line.map_err(Failure::usage)?;
        if line.starts_with("{\"sum\":") {
            return refused(at, "a journal of evouct; `evouct verify` is for its run folder".to_owned());
        }
        if !line.trim().is_empty() {
            return match recording(&line) {
                Ok(_) => Ok(()),
                Err(problem) => refused(at, format!("{problem}; docs/reference/recordings.md has the format")),
            };
        }
    }
    Err(Failure::Usage(format!("{}: no game is recorded here", file.display())))
}

/// The recorded game of a line.
fn recording(line: &str) -> Result<ImportedGame, String> {
    serde_json::from_str(line).map_err(|error| {
        let problem = error.to_string();
        // The number of the line is that of the file, not the 1 of the JSON.
        format!("not a recorded game: {}", problem.split(" at line ").next().unwrap_or_default())
    })
}

/// Checks one file; returns how many of its games differ.
fn check(file: &Path, out: &mut dyn Write) -> Result<usize, Failure> {
    let (mut games, mut turns, mut mismatches) = (0, 0, 0);
    for (number, line) in read_lines(file).map_err(Failure::usage)?.enumerate() {
        let line = line.map_err(Failure::failed)?;
        if line.trim().is_empty() {
            continue;
        }
        games += 1;
        match recording(&line).and_then(|game| game.check().map_err(|mismatch| mismatch.to_string())) {
            Ok(checked) => turns += checked,
            Err(problem) => {
                mismatches += 1;
                if mismatches <= SHOWN {
                    writeln!(out, "{}: game {} (line {}), {problem}", file.display(), games, number + 1)?;
                }
            }
        }
    }
    let [games, turns] = [counted(games, "game"), counted(turns, "turn")];
    writeln!(out, "{}: {games}, {turns} checked, {}", file.display(), counted(mismatches, "mismatch"))?;
    Ok(mismatches)
}

fn perft_file(file: &Path, out: &mut dyn Write) -> Outcome {
    let mut wrong = 0;
    for (number, line) in read_lines(file).map_err(Failure::usage)?.enumerate() {
        let line = line.map_err(Failure::failed)?;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut fields = line.split(';').map(str::trim);
        let position = Position::parse(fields.next().unwrap_or_default())?;
        for (recorded, depth) in fields.zip(1..) {
            let found = position.perft(depth).to_string();
            let verdict = if found == recorded { "ok".to_owned() } else { format!("recorded {recorded}") };
            wrong += usize::from(found != recorded);
            writeln!(out, "{}:{}: depth {depth}: {found} {verdict}", file.display(), number + 1)?;
            out.flush()?;
        }
    }
    if wrong > 0 { Err(Failure::Failed(format!("{wrong} counts differ"))) } else { Ok(()) }
}
