//! Which games of an experiment are wanted where that depends on results: by a sequential test, or by Swiss rounds.

use super::looks::LeagueAtLooks;
use super::sprt_gate::SprtGate;
use crate::config::{Experiment, Sequential};
use crate::record::{FinishedGame, GameRecord, SwissLeague};
use crate::schedule::{GameSpec, Shard};

/// The sequential test or the rounds of an experiment with the games that are recorded.
pub(super) enum StoppingRule {
    Sprt(Box<SprtGate>),
    Looks(Box<LeagueAtLooks>),
    Swiss(Box<SwissLeague>),
}

impl StoppingRule {
    /// The test or the rounds of an experiment that has them, for the whole run or a shard of it.
    pub(super) fn of(experiment: &Experiment, shard: Option<Shard>) -> Option<StoppingRule> {
        if experiment.rounds.is_some() {
            return SwissLeague::of(experiment).map(|league| StoppingRule::Swiss(Box::new(league)));
        }
        match experiment.sequential? {
            Sequential::Sprt(_) => SprtGate::of(experiment, shard).map(|gate| StoppingRule::Sprt(Box::new(gate))),
            Sequential::Looks(_) => LeagueAtLooks::of(experiment).map(|looks| StoppingRule::Looks(Box::new(looks))),
        }
    }

    /// Takes in a game that was recorded before; games may come in any order.
    pub(super) fn recall(&mut self, game: &GameRecord) {
        match self {
            StoppingRule::Sprt(gate) => gate.recall(game),
            StoppingRule::Looks(league) => league.recall(game),
            StoppingRule::Swiss(league) => league.recall(game),
        }
    }

    /// Judges what was recalled.
    pub(super) fn judge(&mut self) {
        match self {
            StoppingRule::Sprt(_) => {}
            StoppingRule::Looks(league) => league.look(),
            StoppingRule::Swiss(league) => league.advance(),
        }
    }

    /// The pairs at looks, if that is the test.
    pub(super) fn looks(&self) -> Option<&LeagueAtLooks> {
        match self {
            StoppingRule::Looks(league) => Some(league),
            _ => None,
        }
    }

    /// Takes in a game that has just ended; returns those that can be recorded now.
    pub(super) fn push(&mut self, entry: FinishedGame) -> Vec<FinishedGame> {
        match self {
            StoppingRule::Sprt(gate) => gate.push(entry),
            // No more is played than the look or the round wants.
            StoppingRule::Looks(_) | StoppingRule::Swiss(_) => vec![entry],
        }
    }

    /// How many games may still be wanted, by what was judged. None for a match whose test is open: it may want all games
    /// of the schedule.
    pub(super) fn missing(&self) -> Option<u64> {
        match self {
            StoppingRule::Sprt(gate) => gate.is_over().then_some(0),
            StoppingRule::Looks(league) => Some(league.pairs().missing()),
            StoppingRule::Swiss(league) => Some(league.swiss().missing()),
        }
    }

    /// Whether a test is over, or all rounds are complete, so that no more games are needed.
    pub(super) fn is_over(&self) -> bool {
        self.missing() == Some(0)
    }

    /// Which games are wanted now: those before the next look, those of the round, and in a shard of a match those of the
    /// next decks.
    pub(super) fn wanted(&self) -> Box<dyn Fn(&GameSpec) -> bool + Send> {
        match self {
            StoppingRule::Sprt(gate) if gate.is_over() => Box::new(|_| false),
            StoppingRule::Sprt(gate) => {
                let [_, last] = gate.decks();
                Box::new(move |game| game.deck <= last)
            }
            StoppingRule::Looks(league) => {
                let league = league.clone();
                Box::new(move |game| league.wants(game))
            }
            StoppingRule::Swiss(league) => {
                let league = league.clone();
                Box::new(move |game| league.wants(game))
            }
        }
    }

    /// The pairs of the round that is played, where there are rounds.
    pub(super) fn round(&self) -> Option<&[[usize; 2]]> {
        match self {
            StoppingRule::Sprt(_) | StoppingRule::Looks(_) => None,
            StoppingRule::Swiss(league) => Some(league.swiss().pairs()),
        }
    }

    /// What the games that are wanted now are called.
    pub(super) fn part(&self, decks: u32) -> String {
        match self {
            StoppingRule::Sprt(gate) => {
                let [next, last] = gate.decks();
                format!("decks {next} to {}", last.min(decks))
            }
            StoppingRule::Looks(league) => format!("look {}", league.pairs().taken() + 1),
            StoppingRule::Swiss(league) => format!("round {}", league.swiss().round()),
        }
    }

    /// Whether a game counts for nothing though it may be recorded: it is of a deck beyond the one that ends a match, or of
    /// a pair that no round has.
    pub(super) fn is_beyond(&self, game: &GameSpec) -> bool {
        match self {
            StoppingRule::Sprt(gate) => gate.is_over() && game.deck >= gate.decks()[0],
            StoppingRule::Looks(_) => false,
            StoppingRule::Swiss(league) => !league.has(&game.seats),
        }
    }

    /// How many games will be wanted of which it is not known yet who plays them.
    pub(super) fn later(&self) -> u64 {
        match self {
            StoppingRule::Sprt(_) | StoppingRule::Looks(_) => 0,
            StoppingRule::Swiss(league) => league.swiss().later(),
        }
    }

    /// Whether a game may still be wanted, as far as it is known who plays.
    pub(super) fn may_want(&self, game: &GameSpec) -> bool {
        match self {
            StoppingRule::Sprt(gate) => !gate.is_over(),
            StoppingRule::Looks(league) => league.may_want(game),
            StoppingRule::Swiss(league) => league.wants(game),
        }
    }
}
