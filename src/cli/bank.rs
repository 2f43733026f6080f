//! `evouct bank`: makes a bank of positions.

use super::place::{Helper, Place};
use super::play_args::WorkArgs;
use super::progress::Shown;
use super::{Outcome, core_time, signals, warn};
use crate::clock::WallClock;
use crate::error::Failure;
use crate::league::End;
use crate::named::Named;
use crate::offline::{Bank, BankBuild, BankError, Recipe, Split};
use crate::plural::{counted, is_or_are};
use crate::store::RecordError;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// Recipe of the bank (TOML): the games, the positions, and the player whose search values the moves
    recipe: PathBuf,
    #[command(flatten)]
    work: WorkArgs,
    /// Print how many games are missing and what they cost in core-hours, by a sample of a second, and record nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let recipe = Recipe::load(&arguments.recipe).map_err(Failure::usage)?;
    arguments.work.on_place(Helper::Bank(&recipe), |place| carry_out(arguments, &recipe, place, out))
}

/// Makes what is missing of a bank.
fn carry_out(arguments: &Arguments, recipe: &Recipe, place: &mut dyn Place, out: &mut dyn Write) -> Outcome {
    let part = &arguments.work.part;
    let (folder, shard) = (part.folder(&recipe.name), part.shard()?);
    part.warn_of_whole(Some(recipe.seed));
    let plan = |shard| BankBuild::plan(recipe.clone(), &folder).and_then(|build| build.in_shards(shard));
    let build = plan(shard).map_err(Failure::usage)?;
    warn(&build.problems);
    let (games, missing) = (build.games(), build.missing());
    if arguments.dry_run {
        let recorded = games - missing;
        writeln!(out, "{} in {}", recipe.name, folder.display())?;
        writeln!(out, "{}, {recorded} recorded, {missing} to make", counted(games, "game"))?;
        if missing > 0 {
            let sample = |threads, limit| build.calibrate(threads, limit);
            writeln!(out, "{}", core_time::of_sample(&[], missing as u64, false, sample))?;
        }
        return Ok(());
    }
    if missing > 0 {
        let stop = signals::playing();
        let mut progress = Shown::new("games", games - missing, games);
        let end = build.make(place.bank(missing as u64), &stop, &mut progress, &WallClock::start());
        progress.finish();
        signals::played();
        if end.map_err(failure)? == End::Interrupted {
            return Err(Failure::Interrupted("interrupted; the same command resumes the bank".to_owned()));
        }
    }
    let whole = plan(None).map_err(Failure::failed)?;
    let (games, missing) = (whole.games(), whole.missing());
    if let Some(shard) = shard.filter(|_| missing > 0) {
        let (games, are) = (counted(missing, "game"), is_or_are(missing as u64));
        writeln!(out, "shard {shard} is complete; {games} of other shards {are} missing in {}", folder.display())?;
        return Ok(());
    }
    let gathered = whole.gather(&WallClock::start());
    let bank = match gathered.and_then(|()| Ok(Bank::open_whole(&folder)?)) {
        // Another shard ended at the same time.
        Err(BankError::Folder(RecordError::Locked { .. }) | BankError::Record(RecordError::BeingWritten { .. }))
            if let Some(shard) = shard =>
        {
            writeln!(out, "shard {shard} is complete; another process gathers the bank in {}", folder.display())?;
            return Ok(());
        }
        bank => bank.map_err(failure)?,
    };
    if bank.games as usize != games {
        let (file, found) = (bank.file.display(), bank.games);
        return Err(Failure::Failed(format!("{file}: the bank has {found} of {}", counted(games, "game"))));
    }
    let count = |split: &Split| bank.positions(*split).len();
    let splits: Vec<String> = Split::NAMES.iter().map(|(name, split)| format!("{} {name}", count(split))).collect();
    let games = counted(games, "game");
    writeln!(out, "bank of {games} in {}: positions {}", folder.display(), splits.join(", "))?;
    writeln!(out, "digest {}", bank.digest)?;
    Ok(())
}

fn failure(error: BankError) -> Failure {
    match error {
        BankError::Player { .. } | BankError::Record(_) => Failure::failed(error),
        error => Failure::usage(error),
    }
}
