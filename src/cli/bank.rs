//! `evouct bank`: makes a bank of positions.

use super::play_args::ThreadArgs;
use super::progress::Shown;
use super::{Outcome, signals, warn};
use crate::clock::WallClock;
use crate::error::Failure;
use crate::league::End;
use crate::named::Named;
use crate::offline::{Bank, BankBuild, BankError, Recipe, Split};
use crate::plural::counted;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// Recipe of the bank (TOML): the games, the positions, and the player whose search values the moves
    recipe: PathBuf,
    /// The folder of the bank [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let recipe = Recipe::load(&arguments.recipe).map_err(Failure::usage)?;
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(&recipe.name));
    let build = BankBuild::plan(recipe, &folder).map_err(Failure::usage)?;
    warn(&build.problems);
    let (games, missing) = (build.games(), build.missing());
    if missing > 0 {
        let threads = arguments.threads.granted(missing as u64);
        let stop = signals::playing();
        let mut progress = Shown::new(games - missing, games);
        let end = build.make(threads, &stop, &mut progress, &WallClock::start());
        progress.finish();
        signals::played();
        if end.map_err(failure)? == End::Interrupted {
            return Err(Failure::Interrupted("interrupted; the same command resumes the bank".to_owned()));
        }
    }
    let bank = Bank::open(&folder).map_err(Failure::failed)?;
    let count = |split: &Split| bank.positions(*split).len();
    let splits: Vec<String> = Split::NAMES.iter().map(|(name, split)| format!("{} {name}", count(split))).collect();
    let games = counted(games, "game");
    writeln!(out, "bank of {games} in {}: positions {}", folder.display(), splits.join(", "))?;
    writeln!(out, "digest {}", bank.digest)?;
    Ok(())
}

/// Opens a bank whole: without lines that cannot be read, which would leave a bank of other positions.
pub(super) fn open_whole(path: &Path) -> Result<Bank, Failure> {
    let bank = Bank::open(path).map_err(Failure::usage)?;
    if let Some(first) = bank.problems.first() {
        let lines: u64 = bank.problems.iter().map(|problem| problem.lines).sum();
        let damaged = counted(lines, "damaged line");
        let problem =
            format!("the bank has {damaged} ({first}); `evouct bank` with its recipe makes their games again");
        return Err(Failure::Usage(problem));
    }
    Ok(bank)
}

fn failure(error: BankError) -> Failure {
    match error {
        BankError::Folder(_) | BankError::Start(_) => Failure::usage(error),
        error => Failure::failed(error),
    }
}
