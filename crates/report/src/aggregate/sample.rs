//! The games that a report shows move by move.

use evouct_league::record::{Ended, GameRecord};
use std::collections::{BTreeMap, BTreeSet};

/// Games in a sample; `evouct replay` shows any other.
const SAMPLE: usize = 12;

/// A sample of the finished games that does not depend on the order in which they are offered.
#[derive(Debug, Default)]
pub struct GameSample {
    /// By the hash of the id, which is independent of the players, the deck and the result.
    games: BTreeMap<[u8; 32], GameRecord>,
}

impl GameSample {
    /// Offers a game.
    pub(super) fn offer(&mut self, game: &GameRecord) {
        if !matches!(game.ended, Ended::Finished | Ended::Limit) {
            return;
        }
        let key = *blake3::hash(game.id.as_bytes()).as_bytes();
        let full = self.games.len() >= SAMPLE;
        if full && self.games.last_key_value().is_some_and(|(last, _)| *last < key) {
            return;
        }
        self.games.insert(key, game.clone());
        if full {
            self.games.pop_last();
        }
    }

    /// The games, by deck.
    pub fn games(&self) -> Vec<&GameRecord> {
        let mut games: Vec<&GameRecord> = self.games.values().collect();
        games.sort_by(|a, b| (a.deck, &a.id).cmp(&(b.deck, &b.id)));
        games
    }

    pub(super) fn ids(&self) -> BTreeSet<String> {
        self.games.values().map(|game| game.id.clone()).collect()
    }
}
