//! `--backend mpi`: this process is one rank of an MPI world that plays a run, a tuning or an evolution.

use super::play_args::ThreadArgs;
use super::run::{Arguments, dry_run, play};
use super::{Outcome, evolve, programs, signals, stderr, tune};
use crate::config::{Experiment, Overrides};
use crate::error::Failure;
use crate::league::mpi::{World, follow_experiment};
use crate::offline::{EvolutionSession, Ranks};
use crate::panic::catch;
use std::io::Write;
use std::sync::Arc;

/// `evouct run`.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    on_ranks(|world| match (arguments.is_dry_run(), world.leads()) {
        (true, true) => arguments.plan().and_then(|session| dry_run(&session, out)),
        (true, false) => Ok(()),
        (false, true) => lead(world, arguments, out),
        (false, false) => follow(world, arguments),
    })
}

/// `evouct tune`. Only rank 0 knows what comes next; it tells the others.
pub(super) fn tune(arguments: &tune::Arguments, out: &mut dyn Write) -> Outcome {
    on_ranks(|world| {
        if !world.leads() {
            return follow_series(world, arguments.play.threads);
        }
        let outcome = tune::play(arguments, out, |stage, session, stop, progress, each| {
            world.announce(&stage.experiment.toml)?;
            let end = session.lead(world, arguments.play.threads.granted(u64::MAX), stop, progress, each);
            if !world.is_at_work() {
                // Ranks that were not admitted are waiting for an answer.
                world.dismiss()?;
            }
            end
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
        let started = |session: &EvolutionSession| programs::follow(&session.evolution().opponents, &stop);
        match arguments.session().and_then(|session| started(&session).map(|()| session)) {
            Ok(session) => session.follow(world, arguments.threads(), &stop).map_err(Failure::failed),
            // Rank 0 reports the error, once for all ranks.
            Err(failure) => {
                while world.next_experiment().map_err(Failure::failed)?.is_some() {
                    world.excuse(failure.message().unwrap_or_default()).map_err(Failure::failed)?;
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
        // Ranks that were not admitted are waiting for an answer.
        world.dismiss().map_err(Failure::usage)?;
    }
    outcome
}

fn follow(world: &World, arguments: &Arguments) -> Outcome {
    let experiment = match arguments.load() {
        Ok(experiment) => Arc::new(experiment),
        // Rank 0 reports the error, once for all ranks.
        Err(failure) => return world.excuse(failure.message().unwrap_or_default()).map_err(Failure::failed),
    };
    // The exit code of rank 0 also reports an interruption: mpirun ends all ranks as soon as one exits with a code
    // other than 0.
    let (threads, stop) = (arguments.play.threads.granted(u64::MAX), signals::playing());
    if let Err(failure) = programs::follow(&experiment.players, &stop) {
        return world.excuse(failure.message().unwrap_or_default()).map_err(Failure::failed);
    }
    follow_experiment(world, &experiment, threads, &stop).map(drop).map_err(Failure::failed)
}

/// Plays the experiments of a series that rank 0 names, until there are no more.
fn follow_series(world: &World, threads: ThreadArgs) -> Outcome {
    let (threads, stop) = (threads.granted(u64::MAX), signals::playing());
    while let Some(text) = world.next_experiment().map_err(Failure::failed)? {
        match Experiment::parse(&text, "experiment of rank 0", Overrides::default()) {
            Ok(experiment) => match programs::follow(&experiment.players, &stop) {
                Ok(()) => {
                    // Rank 0 knows how it ended and decides what comes next.
                    follow_experiment(world, &Arc::new(experiment), threads, &stop).map_err(Failure::failed)?;
                }
                Err(failure) => world.excuse(failure.message().unwrap_or_default()).map_err(Failure::failed)?,
            },
            Err(error) => world.excuse(&error.to_string()).map_err(Failure::failed)?,
        }
    }
    Ok(())
}
