//! The batch script of a tuning.

use super::super::{Outcome, tune};
use super::arguments::Arguments;
use super::estimate::{Games, propose_for_games};
use super::submission::no_idle_shards;
use crate::cluster::{BatchRun, Job, Work};
use crate::error::Failure;
use crate::league::calibrate;
use std::io::Write;
use std::sync::Arc;

/// Writes or submits the script of `evouct tune` with the arguments after --.
pub(super) fn run(arguments: &Arguments, mut job: Job, out: &mut dyn Write) -> Outcome {
    let chosen = &arguments.chosen;
    if arguments.simulate || chosen.overrides().games_per_match.is_some() {
        let problem = "--tune takes neither --simulate nor --decks; --games after -- says how many games";
        return Err(Failure::Usage(problem.to_owned()));
    }
    let options = [chosen.overrides().options(), arguments.run.clone()].concat();
    let mut words = vec![chosen.experiment.display().to_string()];
    words.extend(options.iter().cloned());
    if let Some(folder) = &arguments.out {
        words.extend(["--out".to_owned(), folder.display().to_string()]);
    }
    let tuning = tune::Arguments::parse(&words)?.load(None)?;
    let course = tuning.course().map_err(Failure::usage)?;
    let folder = tuning.folder().display();
    let Some(open) = course.open() else {
        writeln!(out, "no games are missing in {folder}: no job is needed")?;
        return Ok(());
    };
    no_idle_shards(&mut job, open.count.missing(), "game");
    // Games of the first open stage stand for those of all.
    let (experiment, missing) =
        (Arc::new(open.stages[0].experiment.clone()), tuning.rounds().games() - course.recorded());
    let calibrate = |threads, limit| calibrate(&experiment, threads, limit);
    let notes = propose_for_games(arguments, &experiment.players, Games::exactly(missing), &mut job, calibrate)?;
    let run = BatchRun {
        work: Work::Rounds,
        name: format!("{}-tune", tuning.name()),
        file: words[0].clone(),
        folder: folder.to_string(),
        arguments: options,
        notes,
    };
    arguments.hand_over(&job, &run, out)
}
