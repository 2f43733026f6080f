//! `--backend mpi`: this process is one rank of an MPI world that works at a run, a tuning, a bank, an evolution or a scoring.

use super::place::{Helper, Place};
use super::{Outcome, programs, signals, stderr};
use crate::config::Contender;
use crate::error::Failure;
use crate::league::mpi::{Ranks, World, follow};
use crate::league::{Executor, Games};
use crate::offline::{BankGames, Blocks, EvolutionSession};
use crate::panic::catch;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// All ranks of a world, led by this one.
impl Place for Ranks<'_> {
    fn threads(&self) -> usize {
        Ranks::threads(self)
    }

    fn games(&mut self, _: u64) -> &mut dyn Executor<Games> {
        self
    }

    fn bank(&mut self, _: u64) -> &mut dyn Executor<BankGames> {
        self
    }

    fn blocks(&mut self) -> &mut dyn Executor<Blocks> {
        self
    }
}

/// Joins the world of ranks, and leads or helps there. An error while ranks are at work ends all of them.
pub(super) fn on_ranks(
    threads: usize,
    patience: Duration,
    helper: Helper,
    lead: impl FnOnce(&mut dyn Place) -> Outcome,
) -> Outcome {
    let world = World::join(patience, |lost| stderr::error(&lost.to_string())).map_err(Failure::usage)?;
    let act = || {
        if world.leads() {
            tracing::info!("{} ranks", world.size());
            let outcome = lead(&mut Ranks::new(&world, threads));
            if !world.is_at_work() {
                world.end_jobs().map_err(Failure::usage)?;
            }
            return outcome;
        }
        let stop = signals::playing();
        let helped = match helper {
            Helper::Games(read) => follow(&world, threads, &stop, |text| {
                let experiment = read(text)?;
                start(&experiment.players, &stop)?;
                Ok(Arc::new(Games::of(&experiment)))
            }),
            Helper::Bank(recipe) => follow(&world, threads, &stop, |_| Ok(Arc::new(BankGames::of(recipe)))),
            Helper::Measurements(session) => {
                // That of the seed that rank 0 named last.
                let mut at: Option<(u64, EvolutionSession)> = None;
                follow(&world, threads, &stop, |announcement| {
                    let seed = Blocks::announced_seed(announcement)?;
                    if at.as_ref().is_none_or(|(own, _)| *own != seed) {
                        let found = session(seed).map_err(|failure| words(&failure))?;
                        if at.is_none() {
                            start(&found.evolution().opponents(), &stop)?;
                        }
                        at = Some((seed, found));
                    }
                    let (_, session) = at.as_ref().ok_or("no evolution has begun")?;
                    Ok(Arc::new(session.blocks()))
                })
            }
        };
        helped.map_err(Failure::failed)
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
