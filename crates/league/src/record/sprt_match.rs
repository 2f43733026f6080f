//! A match of two under a sequential test, by its records: which deck ends it.

use super::schema::GameRecord;
use crate::config::{Experiment, Sequential};
use evouct_stats::distinct::Evidence;
use evouct_stats::sequential::SequentialPairs;

/// The test of a match with the games that are recorded. What it says does not depend on their order.
#[derive(Clone, Debug)]
pub struct SprtMatch {
    pairs: SequentialPairs,
    /// The short identity of the tested player, the first of the experiment.
    tested: String,
}

impl SprtMatch {
    /// The test of an experiment that has one, before the first game.
    pub fn of(experiment: &Experiment) -> Option<SprtMatch> {
        let Some(Sequential::Sprt(hypotheses)) = experiment.sequential else { return None };
        // The configuration has checked the ranges.
        let test = hypotheses.test().ok()?;
        let tested = experiment.players.first()?.identity.short();
        Some(SprtMatch { pairs: SequentialPairs::new(test), tested })
    }

    /// Adds a game, each once and in any order.
    pub fn add(&mut self, game: &GameRecord) {
        self.pairs.add(game.deck, self.evidence(game));
    }

    /// The decks so far.
    pub fn pairs(&self) -> &SequentialPairs {
        &self.pairs
    }

    /// The game with the tested player's score minus the opponent's.
    fn evidence(&self, game: &GameRecord) -> Option<Evidence> {
        let seat = game.seats.iter().position(|seat| *seat == self.tested)?;
        let [own, other] = [*game.scores.get(seat)?, *game.scores.get(1 - seat)?];
        let difference = f64::from(own) - f64::from(other);
        game.shows_strength().then(|| Evidence { game: game.course(), difference })
    }
}
