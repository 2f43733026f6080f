//! `--backend mpi`: this process is one rank of an MPI world that plays a run, a tuning or an evolution.

use super::run::{Arguments, dry_run, play};
use super::{Outcome, evolve, programs, signals, stderr, tune};
use crate::config::{Contender, Experiment, Overrides};
use crate::error::Failure;
use crate::league::mpi::{World, follow_experiment};
use crate::offline::Ranks;
use crate::panic::catch;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// `evouct run`.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    on_ranks(|world| match (arguments.is_dry_run(), world.leads()) {
        (true, true) => arguments.plan().and_then(|session| dry_run(&session, out)),
        (true, false) => Ok(()),
        (false, true) => lead(world, arguments, out),
        (false, false) => {
            let own = arguments.load().map(Arc::new).map_err(|failure| words(&failure));
            // The handshake compares it with what rank 0 plays.
            follow(world, arguments.play.threads.granted(u64::MAX), |_| own.clone())
        }
    })
}

/// `evouct tune`. Only rank 0 knows what comes next; it tells the others.
pub(super) fn tune(arguments: &tune::Arguments, out: &mut dyn Write) -> Outcome {
    on_ranks(|world| {
        if !world.leads() {
            return follow(world, arguments.play.threads.granted(u64::MAX), |text| {
                let read = Experiment::parse(text, "experiment of rank 0", Overrides::default());
                read.map(Arc::new).map_err(|error| error.to_string())
            });
        }
        let outcome = tune::play(arguments, out, |session, stop, progress, each| {
            session.lead(world, arguments.play.threads.granted(u64::MAX), stop, progress, each)
        });
        if !world.is_at_work() {
            world.end_series().map_err(Failure::usage)?;
        }
        outcome
    })
}

/// `evouct evolve`. Every rank has the plan and the bank; rank 0 takes the course of the evolution.
pub(super) fn evolve(arguments: &evolve::Arguments, out: &mut dyn Write) -> Outcome {
    on_ranks(|world| {
        if world.leads() {
            let outcome = evolve::carry_out(arguments, out, |session| Ranks::new(world, session, arguments.threads()));
            if !world.is_at_work() {
                world.end_series().map_err(Failure::usage)?;
            }
            return outcome;
        }
        let stop = signals::playing();
        match arguments.session() {
            Ok(session) => {
                let opponents = session.evolution().opponents.clone();
                let start = || start(&opponents, &stop);
                session.follow(world, arguments.threads(), &stop, start).map_err(Failure::failed)
            }
            // Rank 0 reports the error, once for all ranks.
            Err(failure) => {
                while world.next_experiment().map_err(Failure::failed)?.is_some() {
                    world.decline(&words(&failure)).map_err(Failure::failed)?;
                }
                Ok(())
            }
        }
    })
}

/// Joins the world of ranks and does this in it. An error while ranks are at work ends all of them.
fn on_ranks(act: impl FnOnce(&World) -> Outcome) -> Outcome {
    let world = World::join().map_err(Failure::usage)?;
    // A panic on one rank would leave all others waiting.
    let outcome = catch(|| act(&world)).unwrap_or_else(|message| {
        stderr::error(&format!("internal error: {message}"));
        world.abort(1)
    });
    match outcome {
        Err(failure) if world.is_at_work() => {
            if let Some(message) = failure.message() {
                stderr::error(message);
            }
            world.abort(1)
        }
        outcome => outcome,
    }
}

fn lead(world: &World, arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let outcome = arguments.plan().and_then(|session| {
        tracing::info!("{} ranks", world.size());
        // The games are for all ranks: how many this one plays is not known.
        let threads = arguments.play.threads.granted(u64::MAX);
        play(session, arguments.print(), out, |session, stop, progress, each| {
            session.lead(world, threads, stop, progress, each)
        })
    });
    if !world.is_at_work() {
        world.end_series().map_err(Failure::usage)?;
    }
    outcome
}

/// Plays the experiments that rank 0 announces, until there are no more. `read` finds the experiment from its text.
fn follow(world: &World, threads: usize, read: impl Fn(&str) -> Result<Arc<Experiment>, String>) -> Outcome {
    let stop = signals::playing();
    while let Some(text) = world.next_experiment().map_err(Failure::failed)? {
        match read(&text).and_then(|experiment| start(&experiment.players, &stop).map(|()| experiment)) {
            // Rank 0 knows how it ended and decides what comes next. Its exit code also reports an interruption: mpirun
            // ends all ranks as soon as one exits with a code other than 0.
            Ok(experiment) => {
                follow_experiment(world, &experiment, threads, &stop).map_err(Failure::failed)?;
            }
            // Rank 0 reports the error, once for all ranks.
            Err(problem) => world.decline(&problem).map_err(Failure::failed)?,
        }
    }
    Ok(())
}

/// Starts the programs among these players, which rank 0 has named and started before. A rank that is stopped meanwhile
/// takes part all the same: so rank 0 learns of the stop.
fn start(players: &[Contender], stop: &AtomicBool) -> Result<(), String> {
    match programs::start_unnamed(players, stop) {
        Err(Failure::Interrupted(_)) => Ok(()),
        started => started.map_err(|failure| words(&failure)),
    }
}

fn words(failure: &Failure) -> String {
    failure.message().unwrap_or_default().to_owned()
}
