//! The batch script of a bank of positions.

use super::super::Outcome;
use super::arguments::ScriptArgs;
use super::estimate::{Games, propose_for_games};
use super::submission::no_idle_shards;
use crate::cluster::{BatchJob, Work};
use crate::error::Failure;
use crate::offline::{BankBuild, Recipe};
use std::io::Write;

/// Writes or submits the script of `evouct bank`.
pub(super) fn run(arguments: &ScriptArgs, mut job: BatchJob, out: &mut dyn Write) -> Outcome {
    if !arguments.chosen.overrides().options().is_empty() || arguments.simulate || arguments.then_report {
        let problem = "a bank takes no --preset, --seed, --decks, --simulate or --then-report";
        return Err(Failure::Usage(problem.to_owned()));
    }
    if job.launcher.uses_mpi() {
        let problem = "a bank is made without MPI: --launcher array with --shards, or single with --cpus-per-task";
        return Err(Failure::Usage(problem.to_owned()));
    }
    let recipe = Recipe::load(&arguments.chosen.experiment).map_err(Failure::usage)?;
    let folder = arguments.folder(&recipe.name);
    let name = recipe.name.clone();
    let build = BankBuild::plan(recipe, &folder).and_then(|build| build.in_shards(None)).map_err(Failure::usage)?;
    if build.missing() == 0 {
        writeln!(out, "no games are missing in {}: no job is needed", folder.display())?;
        return Ok(());
    }
    let missing = build.missing() as u64;
    no_idle_shards(&mut job, missing, "game");
    // The players of a bank are no other programs.
    let calibrate = |threads, limit| build.calibrate(threads, limit);
    let notes = propose_for_games(arguments, &[], Games::exactly(missing), &mut job, calibrate)?;
    arguments.hand_over(&job, (Work::Positions, name, &folder), notes, out)
}
