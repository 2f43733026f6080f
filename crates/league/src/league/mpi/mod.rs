//! A league on the ranks of an MPI world.
//!
//! Rank 0 leads: it distributes games, is the only one to touch files, and plays on its threads like all others. The
//! other ranks follow: they ask for games, play them, and send back entries for the journal. Every message of a
//! follower is answered by one of the leader, and a follower sends nothing before it has the answer: so each side only
//! sends to one that is receiving, and no order of events can deadlock two ranks. No rank blocks inside MPI, where
//! waiting spins a core: both sides poll for messages and sleep in between.
//!
//! MPI ends all ranks if one dies. The journal survives, and the run resumes from it.

mod follow;
mod lead;
mod message;
mod pause;
mod supply;
mod world;

pub use follow::follow;
pub use lead::{Leader, lead};
pub use supply::{Listed, Supply};
pub use world::{World, WorldError};

use super::local::{End, Progress};
use super::session::{Session, SessionError, play_at};
use crate::config::Experiment;
use crate::record::{FORMAT, FinishedGame};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What all ranks must agree on to play an experiment together.
pub fn agreement(experiment: &Experiment) -> String {
    format!("journal format {FORMAT}, experiment {} {}, log {:?}", experiment.name, experiment.hash(), experiment.log)
}

impl Session {
    /// Plays what is missing on all ranks, as rank 0. The others hear of the experiment only if something is missing.
    ///
    /// # Errors
    /// If the ranks do not agree, or the journal cannot be written; games written so far are safe.
    pub fn lead(
        self,
        world: &World,
        threads: usize,
        stop: &Arc<AtomicBool>,
        progress: &mut dyn Progress,
        each: &mut dyn FnMut(&FinishedGame),
    ) -> Result<End, SessionError> {
        self.play_steps(stop, progress, |session, progress| {
            world.announce(&session.experiment().toml)?;
            let end = session.distribute(world, threads, stop, progress, each);
            if !world.is_at_work() {
                // Ranks that were not admitted are waiting for an answer.
                world.release()?;
            }
            end
        })
    }

    /// Plays what is wanted now.
    fn distribute(
        &mut self,
        world: &World,
        threads: usize,
        stop: &Arc<AtomicBool>,
        progress: &mut dyn Progress,
        each: &mut dyn FnMut(&FinishedGame),
    ) -> Result<End, SessionError> {
        let followers = world.handshake(&agreement(self.experiment()), threads)?;
        let (total, play) = (self.wanted(), play_at(self.experiment()));
        let (missing, order, mut keeper) = self.begin()?;
        let leader = Leader { world, followers, threads, stop: Arc::clone(stop) };
        let missing = Listed::of(missing, total);
        let of = self.experiment().binding();
        let check = |position: u64, entry: &FinishedGame| entry.check(&self.id(position), &of);
        let end = lead(leader, missing, play, progress, check, |entry: FinishedGame| {
            order.iter().for_each(|order| order.learn(&entry));
            Ok::<(), SessionError>(keeper.keep(entry, stop, each)?)
        });
        keeper.finish(end)
    }
}

/// Plays games for rank 0 as long as there are any.
///
/// # Errors
/// If messages cannot be read.
pub fn follow_experiment(
    world: &World,
    experiment: &Arc<Experiment>,
    threads: usize,
    stop: &Arc<AtomicBool>,
) -> Result<End, WorldError> {
    follow(world, &agreement(experiment), threads, stop, play_at(experiment), |_| Ok(()))
}
