//! Playing from look to look: what is wanted before the next one, and shards that wait for one another.

use super::super::gate::Gate;
use super::super::local::End;
use super::{Session, SessionError};
use crate::record::Run;
use crate::schedule::{GameSpec, Shard};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a shard looks for games of other shards.
const POLL: Duration = Duration::from_secs(1);

impl Session {
    /// Plays what is missing by `play`, which plays what is wanted before the next look; without looks once.
    pub(in super::super) fn play_looks(
        mut self,
        stop: &AtomicBool,
        mut play: impl FnMut(&mut Session) -> Result<End, SessionError>,
    ) -> Result<End, SessionError> {
        loop {
            if self.missing() == 0 {
                return self.restate();
            }
            let end = match self.shard {
                Some(shard) if self.wanted == 0 => self.wait(shard, stop)?,
                _ => play(&mut self)?,
            };
            if end == End::Interrupted || self.experiment.looks().is_none() {
                return Ok(end);
            }
            self.asked.extend(std::mem::take(&mut self.asking));
            self.look()?;
        }
    }

    /// Waits until other shards have recorded games, where the own ones of a look are played.
    fn wait(&self, shard: Shard, stop: &AtomicBool) -> Result<End, SessionError> {
        let mut waited = Duration::ZERO;
        while Run::lengths(&self.folder) == self.lengths {
            if stop.load(Ordering::Relaxed) {
                return Ok(End::Interrupted);
            }
            if waited >= self.patience {
                return Err(self.waiting(shard));
            }
            std::thread::sleep(POLL);
            waited += POLL;
        }
        Ok(End::Done)
    }

    /// That a look needs games of other shards.
    fn waiting(&self, shard: Shard) -> SessionError {
        let looks = self.gate.as_ref().and_then(Gate::looks);
        let is_wanted = |game: &GameSpec| {
            looks.is_some_and(|looks| looks.wants(game)) && !self.played.contains(&game.id(&self.experiment))
        };
        SessionError::Waiting {
            shard,
            look: looks.map_or(0, |looks| looks.pairs().taken() + 1),
            missing: self.schedule.clone().games().filter(is_wanted).count() as u64,
            folder: self.folder.clone(),
        }
    }
}
