//! A match of two players that a sequential test may end, at the same deck for any order in which games end.
//!
//! A whole run releases games for recording in the order of the decks. Games played ahead wait in memory until the decks
//! before them are complete, and are dropped if those decide the test. So the records never hold a game beyond the
//! decision, with one thread or many, in one go or resumed.
//!
//! A shard has a part of the games of each deck. It records what it plays, a few decks ahead of the first one that is not
//! complete, so that no shard waits for the others game by game. What lies beyond the end is passed over when the
//! records are read ([`Run::games`](crate::record::Run::games)).

use crate::config::Experiment;
use crate::record::{FinishedGame, GameRecord, SprtMatch};
use crate::schedule::Shard;
use std::collections::BTreeMap;

/// Decks for each shard between the first one that is not complete and the last one that is played.
const AHEAD: u32 = 8;

pub(super) struct SprtGate {
    test: SprtMatch,
    /// How many decks a shard plays ahead; none for a whole run.
    ahead: Option<u32>,
    /// Games by deck that cannot be recorded yet.
    waiting: BTreeMap<u32, Vec<(GameRecord, FinishedGame)>>,
}

impl SprtGate {
    /// The test of an experiment, for the whole run or a shard of it.
    pub(super) fn of(experiment: &Experiment, shard: Option<Shard>) -> Option<SprtGate> {
        let ahead = shard.map(|shard| AHEAD.saturating_mul(shard.count()));
        Some(SprtGate { test: SprtMatch::of(experiment)?, ahead, waiting: BTreeMap::new() })
    }

    /// Takes in a game that was recorded before; games may come in any order.
    pub(super) fn recall(&mut self, game: &GameRecord) {
        self.test.add(game);
    }

    /// Takes in a game that has just ended; returns those that can be recorded now.
    pub(super) fn push(&mut self, entry: FinishedGame) -> Vec<FinishedGame> {
        if self.ahead.is_some() {
            return vec![entry];
        }
        let record = entry.record();
        self.waiting.entry(record.deck).or_default().push((record, entry));
        let mut ready = Vec::new();
        while let Some(games) = self.waiting.remove(&self.test.pairs().next()).filter(|_| !self.is_over()) {
            for (record, entry) in games {
                self.recall(&record);
                ready.push(entry);
            }
        }
        ready
    }

    /// Whether the test is over, so that no more games are needed.
    pub(super) fn is_over(&self) -> bool {
        self.test.pairs().is_over()
    }

    /// The decks that may be played now, from the first one that is not complete to the last one.
    pub(super) fn decks(&self) -> [u32; 2] {
        let next = self.test.pairs().next();
        [next, self.ahead.map_or(u32::MAX, |ahead| next.saturating_add(ahead - 1))]
    }
}
