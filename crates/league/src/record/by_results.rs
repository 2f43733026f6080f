//! Which recorded games belong to a run whose results decide what is played.

use super::schema::GameRecord;
use super::sprt_match::SprtMatch;
use super::swiss_league::SwissLeague;
use crate::config::Experiment;

/// What the results so far say of the games that belong to a run.
pub(crate) enum ByResults {
    /// Nothing: all games of the schedule do.
    All,
    /// Those up to the deck that ends the sequential test of a match.
    Match(Box<SprtMatch>),
    /// Those of the pairs of Swiss rounds.
    Rounds(Box<SwissLeague>),
}

impl ByResults {
    /// Of an experiment, before the first game.
    pub(super) fn of(experiment: &Experiment) -> ByResults {
        match (SwissLeague::of(experiment), SprtMatch::of(experiment)) {
            (Some(league), _) => ByResults::Rounds(Box::new(league)),
            (None, Some(test)) => ByResults::Match(Box::new(test)),
            (None, None) => ByResults::All,
        }
    }

    /// Takes in a recorded game, each once and in any order.
    pub(super) fn add(&mut self, game: &GameRecord) {
        match self {
            ByResults::All => {}
            ByResults::Match(test) => test.add(game),
            ByResults::Rounds(league) => league.recall(game),
        }
    }

    /// Whether a game belongs to the run.
    pub(super) fn has(&self, game: &GameRecord) -> bool {
        match self {
            ByResults::All => true,
            ByResults::Match(test) => test.pairs().last_deck().is_none_or(|last| game.deck <= last),
            ByResults::Rounds(league) => league.has_game(game),
        }
    }
}
