//! Which games of an experiment a sequential test still wants.

use super::looks::LeagueAtLooks;
use super::sprt_gate::SprtGate;
use crate::config::{Experiment, Sequential};
use crate::record::{FinishedGame, GameRecord};
use crate::schedule::GameSpec;

/// The sequential test of an experiment with the games that are recorded.
pub(super) enum Gate {
    Sprt(SprtGate),
    Looks(Box<LeagueAtLooks>),
}

impl Gate {
    /// The test of an experiment that has one.
    pub(super) fn of(experiment: &Experiment) -> Option<Gate> {
        match experiment.sequential? {
            Sequential::Sprt(hypotheses) => SprtGate::of(experiment, &hypotheses).map(Gate::Sprt),
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

    /// Whether a game may still be wanted.
    pub(super) fn may_want(&self, game: &GameSpec) -> bool {
        match self {
            Gate::Sprt(gate) => !gate.is_decided(),
            Gate::Looks(league) => league.may_want(game),
        }
    }
}
