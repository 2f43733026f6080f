//! Games to be watched: which ones a report holds, and what there is to see at each turn.

use crate::carcassonne::{Event, Film, NotationError, ReplayError, Rules, State, Transcript};
use crate::record::{ConsideredMove, DecisionTrace, Ended, GameRecord};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Games that a report holds; the rest is for `evouct replay`.
const SAMPLE: usize = 12;
/// Moves shown of what a search considered.
const BEST: usize = 6;

/// A sample of games that does not depend on the order in which they are offered.
#[derive(Debug, Default)]
pub struct Sample {
    /// By the hash of the id: in no order that has to do with who plays or on which deck.
    games: BTreeMap<[u8; 32], GameRecord>,
}

impl Sample {
    /// Offers a game.
    pub(in crate::report) fn offer(&mut self, game: GameRecord) {
        if game.ended != Ended::Finished {
            return;
        }
        let key = *blake3::hash(game.id.as_bytes()).as_bytes();
        let full = self.games.len() >= SAMPLE;
        if full && self.games.last_key_value().is_some_and(|(last, _)| *last < key) {
            return;
        }
        self.games.insert(key, game);
        if full {
            self.games.pop_last();
        }
    }

    /// The games, by deck.
    pub(in crate::report) fn games(&self) -> Vec<&GameRecord> {
        let mut games: Vec<&GameRecord> = self.games.values().collect();
        games.sort_by(|a, b| (a.deck, &a.id).cmp(&(b.deck, &b.id)));
        games
    }

    pub(in crate::report) fn ids(&self) -> BTreeSet<String> {
        self.games.values().map(|game| game.id.clone()).collect()
    }
}

/// Why a game cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// Its moves cannot be read.
    #[error("moves: {0}")]
    Notation(#[from] NotationError),
    /// Its moves are against the rules.
    #[error("moves: {0}")]
    Rules(#[from] ReplayError),
}

/// A game made ready to be watched.
pub struct Show {
    /// Its id, or the name of its file.
    pub id: String,
    /// The players, by seat.
    pub players: Vec<String>,
    /// The board after every turn.
    pub film: Film,
    /// What there is to tell, by turn.
    pub turns: Vec<Shown>,
}

/// What there is to tell of a turn.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// Whose turn it was, from 0.
    pub seat: usize,
    /// The tile.
    pub tile: String,
    /// The turn in notation.
    pub play: String,
    /// Tiles set aside before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<String>,
    /// Scores after it, by seat.
    pub scores: Vec<u16>,
    /// Virtual scores after it, by seat.
    #[serde(rename = "virtual")]
    pub virtual_scores: Vec<u16>,
    /// Meeples left after it, by seat.
    pub meeples: Vec<u8>,
    /// The formula in use, where one was evolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The moves that were tried most often, where thoughts were kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<ConsideredMove>,
    /// How many moves were considered.
    #[serde(skip_serializing_if = "is_zero")]
    pub considered: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Show {
    /// A recorded game.
    ///
    /// # Errors
    /// If its moves are not those of a game by these rules.
    pub fn of_record(rules: Rules, game: &GameRecord, thoughts: &[DecisionTrace]) -> Result<Show, ShowError> {
        let events = Transcript::parse_events(&game.moves, rules.tiles)?;
        let transcript = Transcript { rules, events, hand: None, scores: None };
        let mut show = Show::of_transcript(&game.id, &transcript)?;
        if game.run.players.len() == show.players.len() {
            show.players.clone_from(&game.run.players);
        }
        for decision in &game.evolution {
            if let Some(turn) = show.turns.get_mut(decision.turn as usize) {
                turn.formula = Some(decision.log.formula.clone());
            }
        }
        for thought in thoughts {
            if let Some(turn) = show.turns.get_mut(thought.turn as usize) {
                let mut best = thought.considered.clone();
                best.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(b.mean.total_cmp(&a.mean)));
                best.truncate(BEST);
                turn.considered = thought.considered.len();
                turn.best = best;
            }
        }
        Ok(show)
    }

    /// A game that is known by its moves alone.
    ///
    /// # Errors
    /// If they are against the rules.
    pub fn of_transcript(id: &str, transcript: &Transcript) -> Result<Show, ShowError> {
        let film = Film::new(transcript)?;
        let tiles = transcript.rules.tiles;
        let seats = usize::from(transcript.rules.seats);
        let mut aside = Vec::new();
        let mut turns: Vec<Shown> = Vec::new();
        for event in &transcript.events {
            match event {
                Event::SetAside(tile) => aside.push(tiles.kind(*tile).name.clone()),
                Event::Turn(turn) => {
                    let number = turns.len();
                    let after: &State = film.after(number + 1);
                    turns.push(Shown {
                        seat: number % seats,
                        tile: tiles.kind(turn.tile).name.clone(),
                        play: crate::carcassonne::write_turn(turn, tiles),
                        aside: std::mem::take(&mut aside),
                        scores: after.scores().to_vec(),
                        virtual_scores: after.virtual_scores()[..seats].to_vec(),
                        meeples: after.meeples_left()[..seats].to_vec(),
                        formula: None,
                        best: Vec::new(),
                        considered: 0,
                    });
                }
            }
        }
        let players = (1..=seats).map(|seat| format!("player {seat}")).collect();
        Ok(Show { id: id.to_owned(), players, film, turns })
    }
}
