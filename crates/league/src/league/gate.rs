//! Which games of an experiment a sequential test still wants.

use super::looks::LeagueAtLooks;
use super::sprt_gate::SprtGate;
use crate::config::{Experiment, Sequential};
use crate::record::{FinishedGame, GameRecord};
use crate::schedule::{GameSpec, Shard};

/// The sequential test of an experiment with the games that are recorded.
pub(super) enum Gate {
    Sprt(SprtGate),
    Looks(Box<LeagueAtLooks>),
}

impl Gate {
    /// The test of an experiment that has one, for the whole run or a shard of it.
    pub(super) fn of(experiment: &Experiment, shard: Option<Shard>) -> Option<Gate> {
        match experiment.sequential? {
            Sequential::Sprt(_) => SprtGate::of(experiment, shard).map(Gate::Sprt),
            Sequential::Looks(_) => LeagueAtLooks::of(experiment).map(|looks| Gate::Looks(Box::new(looks))),
        }
    }

    /// Takes in a game that was recorded before; games may come in any order.
    pub(super) fn recall(&mut self, game: &GameRecord) {
        match self {
            Gate::Sprt(gate) => gate.recall(game),
            Gate::Looks(league) => league.recall(game),
        }
    }

    /// Judges what was recalled.
    pub(super) fn judge(&mut self) {
        if let Gate::Looks(league) = self {
            league.look();
        }
    }

    /// The pairs at looks, if that is the test.
    pub(super) fn looks(&self) -> Option<&LeagueAtLooks> {
        match self {
            Gate::Sprt(_) => None,
            Gate::Looks(league) => Some(league),
        }
    }

    /// Takes in a game that has just ended; returns those that can be recorded now.
    pub(super) fn push(&mut self, entry: FinishedGame) -> Vec<FinishedGame> {
        match self {
            Gate::Sprt(gate) => gate.push(entry),
            // No more is played than the look wants.
            Gate::Looks(_) => vec![entry],
        }
    }

    /// Whether a test of a match is decided, so that no more games are needed.
    pub(super) fn is_decided(&self) -> bool {
        match self {
            Gate::Sprt(gate) => gate.is_decided(),
            Gate::Looks(league) => league.pairs().missing() == 0,
        }
    }

    /// Which games are wanted now: of a test at looks those before the next look, and in a shard of a match those of the
    /// next decks.
    pub(super) fn wanted(&self) -> Box<dyn Fn(&GameSpec) -> bool + Send> {
        match self {
            Gate::Sprt(gate) if gate.is_decided() => Box::new(|_| false),
            Gate::Sprt(gate) => {
                let [_, last] = gate.decks();
                Box::new(move |game| game.deck <= last)
            }
            Gate::Looks(league) => {
                let league = league.clone();
                Box::new(move |game| league.wants(game))
            }
        }
    }

    /// What the games that are wanted now are called.
    pub(super) fn part(&self, decks: u32) -> String {
        match self {
            Gate::Sprt(gate) => {
                let [next, last] = gate.decks();
                format!("decks {next} to {}", last.min(decks))
            }
            Gate::Looks(league) => format!("look {}", league.pairs().taken() + 1),
        }
    }

    /// Whether a game may still be wanted.
    pub(super) fn may_want(&self, game: &GameSpec) -> bool {
        match self {
            Gate::Sprt(gate) => !gate.is_decided(),
            Gate::Looks(league) => league.may_want(game),
        }
    }
}
