//! `evouct run`: plays the missing games of an experiment, then reports.

use super::experiment_args::ExperimentArgs;
use super::phrases::{at_most, ended_early, failed_games, gone};
use super::play_args::{Backend, Part, PlayArgs, shard, warn_of_whole};
use super::progress::{Each, Shown};
#[cfg(feature = "mpi")]
use super::ranks;
use super::report::PrintArgs;
use super::{Outcome, core_time, programs, signals, warn};
use crate::config::Experiment;
use crate::error::Failure;
use crate::league::{End, Permissions, Session, SessionError, Status};
use crate::parameter::Value;
use crate::plural::counted;
use crate::record::Run;
use crate::wrap::wrapped_behind;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: ExperimentArgs,
    /// The run folder [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub play: PlayArgs,
    /// Play part I of N, counted from 0, into a journal of its own; auto: the part of this task of a SLURM job array
    #[arg(long, value_name = "I/N|auto")]
    shard: Option<Part>,
    /// How long a shard under a sequential test or in Swiss rounds waits without news from the other shards, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "shard")]
    patience: u64,
    /// Play those pairs first whose difference is least decided: a run that is stopped early has its games there
    #[arg(long)]
    undecided_first: bool,
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
    match arguments.play.backend {
        Backend::Local => run_local(arguments, out),
        #[cfg(feature = "mpi")]
        Backend::Mpi => run_on_ranks(arguments, out),
        #[cfg(not(feature = "mpi"))]
        Backend::Mpi => Err(Backend::unavailable()),
    }
}

fn run_local(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let session = arguments.plan()?;
    if arguments.dry_run {
        return dry_run(&session, out);
    }
    let threads = arguments.play.threads.granted(session.missing());
    play(session, &arguments.print, out, |session, stop, progress, each| session.play(threads, stop, progress, each))
}

/// Plays on the ranks of an MPI world, of which this process is one.
#[cfg(feature = "mpi")]
fn run_on_ranks(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    // The games are for all ranks: how many this one plays is not known.
    let threads = arguments.play.threads.granted(u64::MAX);
    ranks::on_ranks(|world| match (arguments.dry_run, world.leads()) {
        (true, true) => arguments.plan().and_then(|session| dry_run(&session, out)),
        (true, false) => Ok(()),
        (false, true) => {
            let outcome = arguments.plan().and_then(|session| {
                tracing::info!("{} ranks", world.size());
                play(session, &arguments.print, out, |session, stop, progress, each| {
                    session.lead(world, threads, stop, progress, each)
                })
            });
            ranks::end_series(world, outcome)
        }
        (false, false) => {
            let own = arguments.load().map(Arc::new).map_err(|failure| ranks::words(&failure));
            // The handshake compares it with what rank 0 plays.
            ranks::follow(world, threads, |_| own.clone())
        }
    })
}

impl Arguments {
    /// The experiment.
    fn load(&self) -> Result<Experiment, Failure> {
        self.chosen.load()
    }

    /// The session: what to play, and in which folder.
    fn plan(&self) -> Result<Session, Failure> {
        let experiment = self.load()?;
        let folder = self.out.clone().unwrap_or_else(|| Path::new("runs").join(&experiment.name));
        let permissions =
            Permissions { extend: self.extend, allow_version: self.allow_version, retry_failed: self.retry_failed };
        let session = Session::plan(experiment, &folder, shard(self.shard)?, permissions).map_err(Failure::usage)?;
        let session = session.with_patience(Duration::from_secs(self.patience));
        let session = if self.undecided_first { session.undecided_first().map_err(Failure::usage)? } else { session };
        warn_of_whole(self.shard);
        warn(&session.problems);
        Ok(session)
    }
}

/// Plays, shows progress, reports.
fn play(
    session: Session,
    print: &PrintArgs,
    out: &mut dyn Write,
    play: impl FnOnce(Session, &Arc<AtomicBool>, &mut Shown, Each) -> Result<End, SessionError>,
) -> Outcome {
    let (folder, shard) = (session.folder().to_owned(), session.shard());
    let experiment = Arc::clone(session.experiment());
    let missing = session.missing() as usize;
    let stop = signals::playing();
    if missing > 0 {
        programs::check(&session.experiment().players, &stop)?;
    }
    let recorded = session.recorded() as usize;
    let mut progress = Shown::new(recorded, recorded + missing);
    let mut played = 0_usize;
    let mut failed = session.failed;
    let end = play(session, &stop, &mut progress, &mut |game| {
        played += 1;
        if let Some(message) = game.failure() {
            failed += 1;
            tracing::error!("game {} failed: {message}", game.id());
        }
        if let Some(message) = game.fault() {
            tracing::warn!("game {}: {message}", game.id());
        }
    });
    progress.finish();
    signals::played();
    match end {
        Ok(End::Done) => {}
        Ok(End::Interrupted) => {
            let left = counted(missing.saturating_sub(played), "game");
            let at_most = at_most(experiment.sequential.is_some());
            let message = format!("interrupted with {at_most}{left} to play; the same command resumes the run");
            return Err(Failure::Interrupted(message));
        }
        Err(error) => return Err(ended_early(&error, played as u64, "run")),
    }
    if let Some(shard) = shard {
        // Of the games that were asked for: another process may extend the run meanwhile.
        let found = Run::open(&folder).and_then(|run| Status::missing_of(&run, &experiment, shard));
        let missing = found.map_err(Failure::failed)?;
        if missing > 0 {
            return Err(gone(missing, &folder));
        }
        // The report covers all shards, and other shards may still be running.
        let folder = folder.display();
        writeln!(
            out,
            "shard {shard} is complete: {} in {folder}; run `evouct report {folder}` when all shards are",
            counted(recorded + played, "game")
        )?;
    } else {
        let run = Run::open(&folder).map_err(Failure::failed)?;
        let report = super::report::make(&run, print, out)?;
        failed = report.failures.len() as u64;
        let expected = (recorded + played) as u64;
        if report.recorded() < expected {
            return Err(gone(expected - report.recorded(), &folder));
        }
    }
    if failed > 0 {
        let next = match experiment.rounds {
            Some(_) => "they stay so, because later rounds were paired by them",
            None => "--retry-failed plays them again",
        };
        return Err(Failure::Failed(format!("{}; {next}", failed_games(failed))));
    }
    Ok(())
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
