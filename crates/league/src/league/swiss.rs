//! A league in Swiss rounds: which games the round wants that is being played.

use super::pair_games::{PairGames, SEATS, pair};
use crate::config::Experiment;
use crate::record::GameRecord;
use crate::schedule::GameSpec;
use evouct_stats::swiss::Swiss;
use std::collections::BTreeSet;

/// The rounds of a league with the games that are recorded.
#[derive(Clone, Debug)]
pub(super) struct SwissLeague {
    records: PairGames,
    swiss: Swiss,
    /// The pairs of the round that is being played.
    pairs: BTreeSet<[usize; SEATS]>,
}

impl SwissLeague {
    /// The league of an experiment with rounds, before the first game.
    pub(super) fn of(experiment: &Experiment) -> Option<SwissLeague> {
        let (players, rounds) = (experiment.players.len(), experiment.rounds? as usize);
        let games = u64::from(experiment.games_per_match) * experiment.seatings.count(SEATS);
        // The configuration has checked the number of rounds.
        let swiss = Swiss::new(players, rounds, games).ok()?;
        let pairs = swiss.pairs().iter().copied().collect();
        Some(SwissLeague { records: PairGames::of(experiment), swiss, pairs })
    }

    /// Takes in a recorded game, each once and in any order.
    pub(super) fn recall(&mut self, game: &GameRecord) {
        if let Some((seats, game)) = self.records.read(game, GameRecord::is_result) {
            self.swiss.add(seats, game.map(|game| game.difference));
        }
    }

    /// Goes on to the first round that is not complete.
    pub(super) fn advance(&mut self) {
        self.swiss.advance();
        self.pairs = self.swiss.pairs().iter().copied().collect();
    }

    /// Whether a game is one of the round.
    pub(super) fn wants(&self, game: &GameSpec) -> bool {
        pair(&game.seats).is_some_and(|pair| self.pairs.contains(&pair))
    }

    /// The rounds.
    pub(super) fn swiss(&self) -> &Swiss {
        &self.swiss
    }
}
