//! A league in Swiss rounds: which games the round wants that is being played.

use super::pair_games::{PairGames, SEATS, pair};
use super::schema::GameRecord;
use crate::config::Experiment;
use crate::schedule::GameSpec;
use evouct_stats::swiss::Swiss;
use std::collections::BTreeSet;

/// The rounds of a league with the games that are recorded.
#[derive(Clone, Debug)]
pub(crate) struct SwissLeague {
    records: PairGames,
    swiss: Swiss,
    /// The pairs of the round that is being played.
    pairs: BTreeSet<[usize; SEATS]>,
    /// Those of all rounds so far.
    met: BTreeSet<[usize; SEATS]>,
}

impl SwissLeague {
    /// The league of an experiment with rounds, before the first game.
    pub(crate) fn of(experiment: &Experiment) -> Option<SwissLeague> {
        let (players, rounds) = (experiment.players.len(), experiment.rounds? as usize);
        let games = u64::from(experiment.games_per_match) * experiment.seatings.count(SEATS);
        // The configuration has checked the number of rounds.
        let swiss = Swiss::new(players, rounds, games).ok()?;
        let pairs: BTreeSet<[usize; SEATS]> = swiss.pairs().iter().copied().collect();
        Some(SwissLeague { records: PairGames::of(experiment), swiss, met: pairs.clone(), pairs })
    }

    /// Takes in a recorded game, each once and in any order.
    pub(crate) fn recall(&mut self, game: &GameRecord) {
        if let Some((seats, game)) = self.records.read(game, GameRecord::is_result) {
            self.swiss.add(seats, game.map(|game| game.difference));
        }
    }

    /// Goes on to the first round that is not complete.
    pub(crate) fn advance(&mut self) {
        self.swiss.advance();
        self.pairs = self.swiss.pairs().iter().copied().collect();
        self.met = self.swiss.paired().copied().collect();
    }

    /// Whether these players, by their places in the file, meet in a round that is paired.
    pub(crate) fn has(&self, seats: &[usize]) -> bool {
        pair(seats).is_some_and(|pair| self.met.contains(&pair))
    }

    /// The same of the players of a recorded game.
    pub(super) fn has_game(&self, game: &GameRecord) -> bool {
        self.records.read(game, GameRecord::is_result).is_some_and(|(seats, _)| self.has(&seats))
    }

    /// Whether a game is one of the round.
    pub(crate) fn wants(&self, game: &GameSpec) -> bool {
        pair(&game.seats).is_some_and(|pair| self.pairs.contains(&pair))
    }

    /// The rounds.
    pub(crate) fn swiss(&self) -> &Swiss {
        &self.swiss
    }
}
