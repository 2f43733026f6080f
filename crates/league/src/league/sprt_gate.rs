//! A match of two players that a sequential test may end, at the same deck for any order in which games end.
//!
//! Games are released for recording in the order of the decks. Games played ahead wait in memory until the decks before
//! them are complete, and are dropped if those decide the test. So the records never hold a game beyond the decision,
//! with one thread or many, in one go or resumed.

use crate::config::{Experiment, Hypotheses};
use crate::record::{FinishedGame, GameRecord};
use evouct_stats::sequential::SequentialPairs;
use std::collections::BTreeMap;

pub(super) struct SprtGate {
    pairs: SequentialPairs,
    /// The short identity of the tested player, the first of the experiment.
    tested: String,
    /// Games by deck that cannot be recorded yet.
    waiting: BTreeMap<u32, Vec<(GameRecord, FinishedGame)>>,
}

impl SprtGate {
    /// The test of these hypotheses on the match of an experiment.
    pub(super) fn of(experiment: &Experiment, hypotheses: &Hypotheses) -> Option<SprtGate> {
        // The configuration has checked the ranges.
        let test = hypotheses.test().ok()?;
        let tested = experiment.players.first()?.identity.short();
        Some(SprtGate { pairs: SequentialPairs::new(test), tested, waiting: BTreeMap::new() })
    }

    /// Takes in a game that was recorded before; games may come in any order.
    pub(super) fn recall(&mut self, game: &GameRecord) {
        self.pairs.add(game.deck, self.difference(game));
    }

    /// Takes in a game that has just ended; returns those that can be recorded now.
    pub(super) fn push(&mut self, entry: FinishedGame) -> Vec<FinishedGame> {
        let record = entry.record();
        self.waiting.entry(record.deck).or_default().push((record, entry));
        let mut ready = Vec::new();
        while let Some(games) = self.waiting.remove(&self.pairs.next()).filter(|_| !self.is_decided()) {
            for (record, entry) in games {
                self.recall(&record);
                ready.push(entry);
            }
        }
        ready
    }

    /// Whether the test is decided, so that no more games are needed.
    pub(super) fn is_decided(&self) -> bool {
        self.pairs.is_decided()
    }

    /// The tested player's score minus the opponent's.
    fn difference(&self, game: &GameRecord) -> Option<f64> {
        let seat = game.seats.iter().position(|seat| *seat == self.tested)?;
        let [own, other] = [*game.scores.get(seat)?, *game.scores.get(1 - seat)?];
        game.is_result().then_some(f64::from(own) - f64::from(other))
    }
}
