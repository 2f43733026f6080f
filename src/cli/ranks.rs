//! `evouct run --backend mpi`: this process is one rank of an MPI world.

use super::Outcome;
use super::run::{Arguments, dry_run, play, stop_on_signals};
use evouct::error::Failure;
use evouct::league::mpi::{World, follow_experiment};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let world = World::join().map_err(Failure::usage)?;
    let outcome = match (arguments.is_dry_run(), world.leads()) {
        (true, true) => arguments.plan().and_then(|session| dry_run(&session, out)),
        (true, false) => Ok(()),
        (false, leads) => {
            // A panic on one rank would leave all others waiting: its message is printed by now.
            catch_unwind(AssertUnwindSafe(
                || if leads { lead(&world, arguments, out) } else { follow(&world, arguments) },
            ))
            .unwrap_or_else(|_| world.abort(1))
        }
    };
    match outcome {
        Err(failure) if world.is_at_work() => {
            if let Some(message) = failure.message() {
                eprintln!("evouct: {message}");
            }
            world.abort(1)
        }
        outcome => outcome,
    }
}

fn lead(world: &World, arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let outcome = arguments.plan().and_then(|session| {
        tracing::info!("{} ranks", world.size());
        let threads = arguments.threads();
        play(session, out, |session, stop, progress, each| session.lead(world, threads, stop, progress, each))
    });
    if !world.is_at_work() {
        // Whoever was not welcomed is waiting for an answer.
        world.dismiss().map_err(Failure::usage)?;
    }
    outcome
}

fn follow(world: &World, arguments: &Arguments) -> Outcome {
    let experiment = match arguments.load() {
        Ok(experiment) => Arc::new(experiment),
        // Rank 0 says it, once for all.
        Err(failure) => return world.excuse(failure.message().unwrap_or_default()).map_err(Failure::failed),
    };
    // Rank 0 also says that the run was interrupted, by its exit code: mpirun ends all ranks as soon as one exits with another
    // code than 0.
    follow_experiment(world, &experiment, arguments.threads(), &stop_on_signals()).map(drop).map_err(Failure::failed)
}
