//! Where a command plays or measures: on threads of this process, or on the ranks of an MPI world.

use super::Outcome;
use super::play_args::{Backend, ThreadArgs, WorkArgs};
use super::progress::Shown;
#[cfg(feature = "mpi")]
use super::ranks;
use crate::config::Experiment;
use crate::error::Failure;
use crate::league::{End, Executor, Games, Session, SessionError, Threads};
use crate::offline::{BankGames, Blocks, EvolutionSession, Recipe};
use crate::record::FinishedGame;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Where a command works.
pub(super) trait Place {
    /// The number of threads, on all ranks together.
    fn threads(&self) -> usize;

    /// What plays so many games of a league.
    fn games(&mut self, missing: u64) -> &mut dyn Executor<Games>;

    /// What makes so many games of a bank.
    fn bank(&mut self, missing: u64) -> &mut dyn Executor<BankGames>;

    /// What computes the blocks of an evolution.
    fn blocks(&mut self) -> &mut dyn Executor<Blocks>;
}

/// Threads of this process.
struct Local {
    asked: ThreadArgs,
    threads: Threads,
}

impl Local {
    /// As many threads as there are units at most.
    fn granted(&mut self, units: u64) -> &mut Threads {
        self.threads = Threads::of(self.asked.granted(units));
        &mut self.threads
    }
}

impl Place for Local {
    fn threads(&self) -> usize {
        self.asked.granted(u64::MAX)
    }

    fn games(&mut self, missing: u64) -> &mut dyn Executor<Games> {
        self.granted(missing)
    }

    fn bank(&mut self, missing: u64) -> &mut dyn Executor<BankGames> {
        self.granted(missing)
    }

    fn blocks(&mut self) -> &mut dyn Executor<Blocks> {
        self.granted(u64::MAX)
    }
}

/// How a rank that helps finds what rank 0 does.
#[cfg_attr(not(feature = "mpi"), expect(dead_code, reason = "without MPI no rank helps"))]
pub(super) enum Helper<'a> {
    /// The experiment with this text, or why this rank has it not.
    Games(&'a dyn Fn(&str) -> Result<Arc<Experiment>, String>),
    /// The recipe of a bank.
    Bank(&'a Recipe),
    /// A session of its own of the evolution of a seed.
    Measurements(&'a dyn Fn(u64) -> Result<EvolutionSession, Failure>),
}

impl WorkArgs {
    /// Works where it is asked for: `lead` does all of it on threads of this process, or leads ranks that help.
    #[cfg_attr(not(feature = "mpi"), expect(unused_variables, reason = "without MPI no rank helps"))]
    pub(super) fn on_place(&self, helper: Helper, lead: impl FnOnce(&mut dyn Place) -> Outcome) -> Outcome {
        let asked = self.part.threads;
        match self.backend {
            Backend::Local => lead(&mut Local { asked, threads: Threads::of(1) }),
            #[cfg(feature = "mpi")]
            Backend::Mpi => ranks::on_ranks(asked.granted(u64::MAX), self.patience(), helper, lead),
            #[cfg(not(feature = "mpi"))]
            Backend::Mpi => {
                let build = "cargo build --release --features mpi";
                Err(Failure::Usage(format!("--backend mpi needs a build with the feature mpi: {build}")))
            }
        }
    }
}

/// Games that a command has played, and those among them that failed.
#[derive(Clone, Copy, Default)]
pub(super) struct Played {
    pub games: u64,
    pub failed: u64,
}

/// Plays the missing games of a session, and shows so many of all as recorded. A failed game is an error in the log, under
/// the name of its stage if there are several.
pub(super) fn play(
    place: &mut dyn Place,
    session: Session,
    stop: &Arc<AtomicBool>,
    (recorded, all): (u64, u64),
    stage: Option<&str>,
) -> (Played, Result<End, SessionError>) {
    let mut progress = Shown::new("games", recorded as usize, all as usize);
    let mut played = Played::default();
    let of = stage.map_or(String::new(), |stage| format!("{stage}: "));
    let executor = place.games(session.missing());
    let end = session.play_by(executor, stop, &mut progress, &mut |game: &FinishedGame| {
        played.games += 1;
        if let Some(message) = game.failure() {
            played.failed += 1;
            tracing::error!("{of}game {} failed: {message}", game.id());
        }
        if let Some(message) = game.fault() {
            tracing::warn!("{of}game {}: {message}", game.id());
        }
    });
    progress.finish();
    (played, end)
}
