//! The games of an experiment, to be asked for each line of a journal.

use super::schema::GameRecord;
use crate::config::Experiment;
use crate::schedule::Schedule;
use std::collections::HashMap;

/// The games of an experiment.
#[derive(Debug)]
pub(super) struct Games {
    decks: u32,
    /// The players by their short identities.
    players: HashMap<String, usize>,
    schedule: Schedule,
}

impl Games {
    pub(super) fn of(experiment: &Experiment) -> Games {
        let short = experiment.players.iter().map(|player| player.identity.short());
        Games {
            decks: experiment.games_per_match,
            players: short.enumerate().map(|(index, short)| (short, index)).collect(),
            schedule: Schedule::of(experiment),
        }
    }

    /// Whether a record is of a game of the experiment: its deck, its seats, and the id that they make.
    pub(super) fn has(&self, game: &GameRecord) -> bool {
        let seats: Option<Vec<usize>> = game.seats.iter().map(|short| self.players.get(short).copied()).collect();
        let is_scheduled = seats.is_some_and(|seats| self.schedule.has(&seats));
        is_scheduled
            && (1..=self.decks).contains(&game.deck)
            && game.id == format!("{}-{}", game.deck, game.seats.join("-"))
    }
}
