//! The batch script of a tuning.

use super::super::{Outcome, tune};
use super::arguments::ScriptArgs;
use super::estimate::{Games, propose_for_games};
use super::submission::no_idle_shards;
use crate::cluster::{BatchJob, Work};
use crate::error::Failure;
use crate::league::calibrate;
use std::io::Write;
use std::sync::Arc;

/// Writes or submits the script of `evouct tune` with the arguments after --.
pub(super) fn run(arguments: &ScriptArgs, mut job: BatchJob, out: &mut dyn Write) -> Outcome {
    let chosen = &arguments.chosen;
    if arguments.simulate || chosen.overrides().games_per_match.is_some() {
        let problem = "--tune takes neither --simulate nor --decks; --games after -- says how many games";
        return Err(Failure::Usage(problem.to_owned()));
    }
    let out_of = arguments.out.iter().flat_map(|folder| ["--out".to_owned(), folder.display().to_string()]);
    let file = [chosen.experiment.display().to_string()];
    let options = chosen.overrides().options().into_iter().chain(arguments.run.iter().cloned()).chain(out_of);
    let words: Vec<String> = file.into_iter().chain(options).collect();
    let asked = tune::Arguments::parse(&words)?;
    let tuning = asked.load(None)?;
    tuning.check(asked.extend)?;
    let course = tuning.course().map_err(Failure::usage)?;
    let folder = tuning.folder();
    let Some(open) = course.open() else {
        writeln!(out, "no games are missing in {}: no job is needed", folder.display())?;
        return Ok(());
    };
    no_idle_shards(&mut job, open.count.missing(), "game");
    // Games of the first open stage stand for those of all.
    let (experiment, missing) =
        (Arc::new(open.stages[0].experiment.clone()), tuning.rounds().games() - course.recorded());
    let calibrate = |threads, limit| calibrate(&experiment, threads, limit);
    let notes = propose_for_games(arguments, &experiment.players, Games::exactly(missing), &mut job, calibrate)?;
    arguments.hand_over(&job, (Work::Rounds, format!("{}-tune", tuning.name()), folder), notes, out)
}
