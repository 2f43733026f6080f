//! `--backend mpi`: this process is one rank of an MPI world that plays a run, a tuning, an evolution or a scoring.

use super::place::{Follower, Place};
use super::progress::{Each, Shown};
use super::{Outcome, programs, signals, stderr};
use crate::config::{Contender, Experiment};
use crate::error::Failure;
use crate::league::mpi::{World, follow_experiment};
use crate::league::{End, Session, SessionError};
use crate::offline::{EvolutionSession, Executor, Ranks};
use crate::panic::catch;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// All ranks of a world, led by this one.
struct AllRanks<'a> {
    world: &'a World,
    /// Threads of each rank.
    threads: usize,
}

impl Place for AllRanks<'_> {
    /// The other ranks are taken to have as many threads as this one.
    fn threads(&self) -> usize {
        self.threads * usize::try_from(self.world.size()).unwrap_or(1)
    }

    fn play(
        &self,
        session: Session,
        stop: &Arc<AtomicBool>,
        progress: &mut Shown,
        each: Each,
    ) -> Result<End, SessionError> {
        session.lead(self.world, self.threads, stop, progress, each)
    }

    fn executor(&self, session: &EvolutionSession) -> Box<dyn Executor + '_> {
        Box::new(Ranks::new(self.world, session, self.threads))
    }
}

/// Joins the world of ranks, and leads or follows there. An error while ranks are at work ends all of them.
pub(super) fn on_ranks(threads: usize, follower: Follower, lead: impl FnOnce(&dyn Place) -> Outcome) -> Outcome {
    let world = World::join().map_err(Failure::usage)?;
    let act = || match follower {
        _ if world.leads() => {
            tracing::info!("{} ranks", world.size());
            let outcome = lead(&AllRanks { world: &world, threads });
            if !world.is_at_work() {
                world.end_series().map_err(Failure::usage)?;
            }
            outcome
        }
        Follower::Games(read) => follow_games(&world, threads, read),
        Follower::Measurements(session) => follow_measurements(&world, threads, session),
    };
    // A panic on one rank would leave all others waiting.
    let outcome = catch(act).unwrap_or_else(|message| {
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

/// Measures genomes. Every rank has the plan and the bank; rank 0 alone knows which genomes there are.
fn follow_measurements(
    world: &World,
    threads: usize,
    session: impl Fn() -> Result<EvolutionSession, Failure>,
) -> Outcome {
    let stop = signals::playing();
    match session() {
        Ok(session) => {
            let opponents = session.evolution().opponents();
            let start = || start(&opponents, &stop);
            session.follow(world, threads, &stop, start).map_err(Failure::failed)
        }
        // Rank 0 reports the error, once for all ranks.
        Err(failure) => {
            while world.next_experiment().map_err(Failure::failed)?.is_some() {
                world.decline(&words(&failure)).map_err(Failure::failed)?;
            }
            Ok(())
        }
    }
}

/// Plays the experiments that rank 0 announces, until there are no more. `read` finds the experiment from its text.
fn follow_games(world: &World, threads: usize, read: impl Fn(&str) -> Result<Arc<Experiment>, String>) -> Outcome {
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

pub(super) fn words(failure: &Failure) -> String {
    failure.message().unwrap_or_default().to_owned()
}
