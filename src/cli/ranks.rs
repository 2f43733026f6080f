//! `evouct run --backend mpi`: this process is one rank of an MPI world.

use super::Outcome;
use super::run::{Arguments, dry_run, play};
use super::signals;
use crate::error::Failure;
use crate::league::mpi::{World, follow_experiment};
use crate::panic::catch;
use std::io::Write;
use std::sync::Arc;

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let world = World::join().map_err(Failure::usage)?;
    let outcome = match (arguments.is_dry_run(), world.leads()) {
        (true, true) => arguments.plan().and_then(|session| dry_run(&session, out)),
        (true, false) => Ok(()),
        (false, leads) => {
            // A panic on one rank would leave all others waiting.
            catch(|| if leads { lead(&world, arguments, out) } else { follow(&world, arguments) }).unwrap_or_else(
                |message| {
                    eprintln!("evouct: internal error: {}", crate::escape::line(&message));
                    world.abort(1)
                },
            )
        }
    };
    match outcome {
        Err(failure) if world.is_at_work() => {
            if let Some(message) = failure.message() {
                eprintln!("evouct: {}", crate::escape::line(message));
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
        let threads = arguments.threads(u64::MAX);
        play(session, out, |session, stop, progress, each| session.lead(world, threads, stop, progress, each))
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
    // The exit code of rank 0 also reports an interruption: mpirun ends all ranks as soon as one exits with a code other than 0.
    let (threads, stop) = (arguments.threads(u64::MAX), signals::playing());
    follow_experiment(world, &experiment, threads, &stop).map(drop).map_err(Failure::failed)
}
