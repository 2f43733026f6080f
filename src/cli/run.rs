//! `evouct run`: plays the missing games of an experiment, then reports.

use super::experiment_args::ExperimentArgs;
use super::phrases::{at_most, ended_early, failed_games, gone};
use super::place::{Helper, Place, play};
use super::play_args::WorkArgs;
use super::report::PrintArgs;
use super::{Outcome, core_time, programs, signals, warn};
use crate::error::Failure;
use crate::league::{End, ResumeOptions, Session, Status};
use crate::parameter::Value;
use crate::plural::counted;
use crate::record::Run;
use crate::wrap::wrapped_behind;
use clap::Args;
use std::cell::LazyCell;
use std::io::Write;
use std::sync::Arc;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: ExperimentArgs,
    #[command(flatten)]
    pub work: WorkArgs,
    /// Print what would be played and what it costs in core-hours, by a sample of a second, and record nothing
    #[arg(long)]
    dry_run: bool,
    /// Add players, games or printed numbers to the experiment recorded in the folder
    #[arg(long)]
    extend: bool,
    /// Continue with the records of another version of evouct
    #[arg(long)]
    allow_version: bool,
    /// Play failed games again
    #[arg(long)]
    retry_failed: bool,
    #[command(flatten)]
    print: PrintArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    // A rank that follows reads the file itself, and the handshake compares it with what rank 0 plays.
    let own = LazyCell::new(|| {
        let experiment = arguments.chosen.load().map(Arc::new);
        experiment.map_err(|failure| failure.message().unwrap_or_default().to_owned())
    });
    arguments.work.on_place(Helper::Games(&|_| own.clone()), |place| carry_out(arguments, place, out))
}

/// Plays what is missing, and reports.
fn carry_out(arguments: &Arguments, place: &mut dyn Place, out: &mut dyn Write) -> Outcome {
    let session = arguments.plan()?;
    if arguments.dry_run {
        return dry_run(&session, out);
    }
    let (folder, shard, experiment) = (session.folder().to_owned(), session.shard(), Arc::clone(session.experiment()));
    let (recorded, missing, failed) = (session.recorded(), session.missing(), session.failed);
    let stop = signals::playing();
    if missing > 0 {
        programs::check(&experiment.players, &stop)?;
    }
    let (played, end) = play(place, session, &stop, (recorded, recorded + missing), None);
    signals::played();
    if end.map_err(|error| ended_early(&error, played.games, "run"))? == End::Interrupted {
        let left = counted(missing.saturating_sub(played.games), "game");
        let at_most = at_most(experiment.sequential.is_some());
        let message = format!("interrupted with {at_most}{left} to play; the same command resumes the run");
        return Err(Failure::Interrupted(message));
    }
    let recorded = recorded + played.games;
    let failed = match shard {
        Some(shard) => {
            // Of the games that were asked for: another process may extend the run meanwhile.
            let found = Run::open(&folder).and_then(|run| Status::missing_of(&run, &experiment, shard));
            let missing = found.map_err(Failure::failed)?;
            if missing > 0 {
                return Err(gone(missing, &folder));
            }
            // The report covers all shards, and other shards may still be running.
            let (games, folder) = (counted(recorded, "game"), folder.display());
            writeln!(
                out,
                "shard {shard} is complete: {games} in {folder}; run `evouct report {folder}` when all shards are"
            )?;
            failed + played.failed
        }
        None => {
            let run = Run::open(&folder).map_err(Failure::failed)?;
            let report = super::report::make(&run, &arguments.print, out)?;
            if report.recorded() < recorded {
                return Err(gone(recorded - report.recorded(), &folder));
            }
            report.failures.len() as u64
        }
    };
    if failed > 0 {
        let next = match experiment.rounds {
            Some(_) => "they stay so, because later rounds were paired by them",
            None => "--retry-failed plays them again",
        };
        return Err(Failure::Failed(format!("{}; {next}", failed_games(failed))));
    }
    Ok(())
}

impl Arguments {
    /// The session: what to play, and in which folder.
    fn plan(&self) -> Result<Session, Failure> {
        let (experiment, part) = (self.chosen.load()?, &self.work.part);
        let (folder, seed) = (part.folder(&experiment.name), experiment.seed);
        let permissions =
            ResumeOptions { extend: self.extend, allow_version: self.allow_version, retry_failed: self.retry_failed };
        let session = Session::plan(experiment, &folder, part.shard()?, permissions).map_err(Failure::usage)?;
        let session = session.with_patience(self.work.patience());
        part.warn_of_whole(Some(seed));
        warn(&session.problems);
        Ok(session)
    }
}

fn dry_run(session: &Session, out: &mut dyn Write) -> Outcome {
    let experiment = session.experiment();
    let shard = session.shard().map_or(String::new(), |shard| format!(", shard {shard}"));
    writeln!(out, "{} in {}{shard}", experiment.name, session.folder().display())?;
    let (recorded, missing) = (session.recorded(), session.missing());
    let at_most = at_most(experiment.sequential.is_some() && missing > 0);
    writeln!(out, "{at_most}{}, {recorded} recorded, {at_most}{missing} to play", counted(recorded + missing, "game"))?;
    if missing > 0 {
        writeln!(out, "{}", core_time::of_games(experiment, missing, experiment.sequential.is_some()))?;
    }
    if let Some(openings) = &experiment.frame.openings {
        let decks = experiment.games_per_match;
        let distinct = openings.distinct(decks).map_err(Failure::Failed)?;
        let source = openings.source();
        writeln!(out, "openings {source}: {}, {distinct} distinct", counted(decks, "deck"))?;
    }
    if let Some(clock) = &experiment.clock {
        writeln!(out, "{} on the clock of each seat: the games cannot be repeated", clock.words())?;
    }
    let timed = experiment.players.iter().filter(|player| experiment.clock.is_none() && !player.spec.is_reproducible());
    let timed: Vec<&str> = timed.map(|player| player.name.as_str()).collect();
    if !timed.is_empty() {
        writeln!(out, "games of {} cannot be repeated", timed.join(", "))?;
    }
    for player in &experiment.players {
        let kind = player.spec.kind().name;
        let set = player.spec.parameters().rows().filter(|(_, value)| **value != Value::Unset);
        let values: Vec<String> = set.map(|(row, value)| format!("{}={value}", row.name)).collect();
        let name = format!("  {} ({}): ", player.name, player.identity.short());
        write!(out, "{}", wrapped_behind(&name, "    ", &format!("{kind} {}", values.join(" "))))?;
    }
    Ok(())
}
