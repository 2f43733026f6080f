//! Playing step by step where results say what is wanted next: from look to look, from round to round, and in shards of a
//! match from deck to deck. Shards wait for one another.

use super::super::gate::StoppingRule;
use super::super::job::End;
use super::super::local::Progress;
use super::{Session, SessionError};
use crate::record::Run;
use crate::schedule::{GameSpec, Shard};
use evouct_store::hold;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a shard looks for games of other shards.
const POLL: Duration = Duration::from_secs(1);
/// So long it waits before it says so.
const QUIET: Duration = Duration::from_secs(10);

/// Counts the games of all steps together.
struct OfAllSteps<'a> {
    progress: &'a mut dyn Progress,
    /// Games of the steps before.
    before: usize,
    /// Games of the step that is being played.
    step: usize,
}

impl Progress for OfAllSteps<'_> {
    fn tick(&mut self, games_done: usize) {
        self.step = games_done;
        self.progress.tick(self.before + games_done);
    }
}

impl Session {
    /// Plays what is missing by `play`, which plays what is wanted now; without steps once.
    pub(in super::super) fn play_steps(
        mut self,
        stop: &AtomicBool,
        progress: &mut dyn Progress,
        mut play: impl FnMut(&mut Session, &mut dyn Progress) -> Result<End, SessionError>,
    ) -> Result<End, SessionError> {
        let has_steps = self.has_steps();
        let mut progress = OfAllSteps { progress, before: 0, step: 0 };
        loop {
            if self.missing() == 0 {
                return self.restate();
            }
            let end = match self.shard {
                Some(shard) if self.wanted == 0 => self.wait(shard, stop)?,
                _ => play(&mut self, &mut progress)?,
            };
            progress.before += std::mem::take(&mut progress.step);
            if end == End::Interrupted || !has_steps {
                return Ok(end);
            }
            self.asked.extend(std::mem::take(&mut self.asking));
            self.look()?;
        }
    }

    /// Waits until other shards have recorded games, where the own ones of a step are played.
    fn wait(&self, shard: Shard, stop: &AtomicBool) -> Result<End, SessionError> {
        // Others must not take this shard for one that has ended.
        let _held = hold(&self.journal);
        let mut waited = Duration::ZERO;
        while Run::lengths(&self.folder) == self.lengths {
            if stop.load(Ordering::Relaxed) {
                return Ok(End::Interrupted);
            }
            if waited >= self.patience {
                return Err(self.waiting(shard));
            }
            if waited == QUIET {
                tracing::warn!("{}", self.waiting(shard));
            }
            std::thread::sleep(POLL);
            waited += POLL;
        }
        Ok(End::Done)
    }

    /// That a step needs games of other shards.
    fn waiting(&self, shard: Shard) -> SessionError {
        let wanted = self.gate.as_ref().map(StoppingRule::wanted);
        let is_wanted = |game: &GameSpec| {
            wanted.as_ref().is_some_and(|is_wanted| is_wanted(game))
                && !self.played.contains(&game.id(&self.experiment))
        };
        SessionError::Waiting {
            shard,
            part: self.gate.as_ref().map_or(String::new(), |gate| gate.part(self.experiment.games_per_match)),
            missing: self.schedule.clone().games().filter(is_wanted).count() as u64,
            folder: self.folder.clone(),
        }
    }
}
