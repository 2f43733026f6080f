//! Where a command plays or measures: on threads of this process, or on the ranks of an MPI world.

use super::Outcome;
use super::play_args::{Backend, ThreadArgs, WorkArgs};
use super::progress::{Each, Shown};
#[cfg(feature = "mpi")]
use super::ranks;
use crate::config::Experiment;
use crate::error::Failure;
use crate::league::{End, Session, SessionError};
use crate::offline::{EvolutionSession, Executor, Threads};
use crate::record::FinishedGame;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Where a command plays or measures.
pub(super) trait Place {
    /// The number of threads, on all ranks together.
    fn threads(&self) -> usize;

    /// Plays the missing games of a session.
    fn play(
        &self,
        session: Session,
        stop: &Arc<AtomicBool>,
        progress: &mut Shown,
        each: Each,
    ) -> Result<End, SessionError>;

    /// What computes the blocks of an evolution.
    fn executor(&self, session: &EvolutionSession) -> Box<dyn Executor + '_>;
}

/// Threads of this process.
impl Place for ThreadArgs {
    fn threads(&self) -> usize {
        self.granted(u64::MAX)
    }

    fn play(
        &self,
        session: Session,
        stop: &Arc<AtomicBool>,
        progress: &mut Shown,
        each: Each,
    ) -> Result<End, SessionError> {
        let threads = self.granted(session.missing());
        session.play(threads, stop, progress, each)
    }

    fn executor(&self, _: &EvolutionSession) -> Box<dyn Executor + '_> {
        Box::new(Threads(Place::threads(self)))
    }
}

/// How a rank that follows finds what rank 0 plays or measures.
#[cfg_attr(not(feature = "mpi"), expect(dead_code, reason = "without MPI no rank follows"))]
pub(super) enum Follower<'a> {
    /// The experiment with this text, or why this rank has it not.
    Games(&'a dyn Fn(&str) -> Result<Arc<Experiment>, String>),
    /// A session of its own.
    Measurements(&'a dyn Fn() -> Result<EvolutionSession, Failure>),
}

impl WorkArgs {
    /// Works where it is asked for: `lead` does all of it on threads of this process, or leads ranks that follow.
    #[cfg_attr(not(feature = "mpi"), expect(unused_variables, reason = "without MPI no rank follows"))]
    pub(super) fn on_place(&self, follower: Follower, lead: impl FnOnce(&dyn Place) -> Outcome) -> Outcome {
        match self.backend {
            Backend::Local => lead(&self.part.threads),
            #[cfg(feature = "mpi")]
            Backend::Mpi => ranks::on_ranks(Place::threads(&self.part.threads), follower, lead),
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
    place: &dyn Place,
    session: Session,
    stop: &Arc<AtomicBool>,
    (recorded, all): (u64, u64),
    stage: Option<&str>,
) -> (Played, Result<End, SessionError>) {
    let mut progress = Shown::new(recorded as usize, all as usize);
    let mut played = Played::default();
    let of = stage.map_or(String::new(), |stage| format!("{stage}: "));
    let end = place.play(session, stop, &mut progress, &mut |game: &FinishedGame| {
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
