//! A match of two players that a sequential test may end, at the same deck for any order in which games end.
//!
//! Games are released for recording in the order of the decks. Games played ahead wait in memory until
//! the decks before them are complete, and are dropped if those decide the test. So the records never hold a game beyond the
//! decision, with one thread or many, in one go or resumed.

use crate::config::Experiment;
use crate::record::{Ended, FinishedGame, GameRecord};
use crate::stats::sprt::{PairCounts, Sprt, SprtDecision};
use std::collections::BTreeMap;

/// Games of a deck: one from each seat.
const GAMES: usize = 2;

pub(super) struct SprtGate {
    test: Sprt,
    /// The short identity of the tested player, the first of the experiment.
    tested: String,
    /// By deck: the tested player's score difference in each recorded game, none for a game that failed.
    decks: BTreeMap<u32, Vec<Option<f64>>>,
    waiting: BTreeMap<u32, Vec<(GameRecord, FinishedGame)>>,
    /// The first deck that is not complete.
    next: u32,
    pairs: PairCounts,
    decided: bool,
}

impl SprtGate {
    /// The test of an experiment that has one.
    pub(super) fn of(experiment: &Experiment) -> Option<SprtGate> {
        let test = experiment.sequential?;
        Some(SprtGate {
            // The configuration has checked the ranges.
            test: Sprt::new(test.elo0, test.elo1, test.alpha, test.beta).ok()?,
            tested: experiment.players.first()?.identity.short(),
            decks: BTreeMap::new(),
            waiting: BTreeMap::new(),
            next: 1,
            pairs: PairCounts::default(),
            decided: false,
        })
    }

    /// Takes in a game that was recorded before; games may come in any order.
    pub(super) fn recall(&mut self, game: &GameRecord) {
        let difference = self.difference(game);
        self.decks.entry(game.deck).or_default().push(difference);
        self.go_on();
    }

    /// Takes in a game that has just ended; returns those that can be recorded now.
    pub(super) fn push(&mut self, entry: FinishedGame) -> Vec<FinishedGame> {
        let record = entry.record();
        self.waiting.entry(record.deck).or_default().push((record, entry));
        let mut ready = Vec::new();
        while let Some(games) = self.waiting.remove(&self.next).filter(|_| !self.decided) {
            for (record, entry) in games {
                self.recall(&record);
                ready.push(entry);
            }
        }
        ready
    }

    /// Whether the test is decided, so that no more games are needed.
    pub(super) fn is_decided(&self) -> bool {
        self.decided
    }

    fn go_on(&mut self) {
        while let Some(games) = self.decks.get(&self.next).filter(|games| games.len() >= GAMES && !self.decided) {
            if let [Some(first), Some(second)] = games[..] {
                self.pairs.add([first, second]);
                self.decided = self.test.judge(self.pairs).decision != SprtDecision::Continue;
            }
            self.next += 1;
        }
    }

    /// The tested player's score minus the opponent's.
    fn difference(&self, game: &GameRecord) -> Option<f64> {
        let seat = game.seats.iter().position(|seat| *seat == self.tested)?;
        let [own, other] = [*game.scores.get(seat)?, *game.scores.get(1 - seat)?];
        (game.ended == Ended::Finished).then_some(f64::from(own) - f64::from(other))
    }
}
