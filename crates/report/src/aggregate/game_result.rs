//! What the report keeps of a finished game, and of a failed one.

use evouct_league::record::{Ended, GameRecord};
use evouct_platform::domain::{AnyDomain, ScoreScale};
use std::collections::BTreeMap;

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameResult {
    /// The number of the deck, from 1.
    pub deck: u32,
    /// By seat.
    pub seats: Vec<SeatResult>,
    /// Draws of chance that no seat could act on.
    pub unused: u64,
    /// How its scores become points.
    pub scale: ScoreScale,
    /// Its course: see [`GameRecord::course`].
    pub course: u64,
    /// Whether the deck repeats an earlier one of the same players: [`Aggregate`](super::Aggregate) says so once all
    /// games are known. Such games are played, and no evidence.
    pub repeats: bool,
}

/// The unit that a value is of.
#[derive(Clone, Copy, Debug)]
pub struct OfDeck {
    /// The deck.
    pub deck: u32,
    /// Whether the value is of games that repeat earlier ones. A unit of such values alone is no evidence.
    pub repeats: bool,
}

/// A seat of a finished game.
#[derive(Clone, Debug)]
pub struct SeatResult {
    /// The index of the player in the experiment.
    pub player: usize,
    /// The final score, as the record has it: see [`GameResult::points`].
    pub score: i32,
    /// The columns of the game: see [`AnyInfo::columns`](evouct_platform::domain::AnyInfo::columns).
    pub columns: Vec<f64>,
    /// What searches left behind, by name.
    pub search: BTreeMap<String, f64>,
    /// Decisions; 0 if the record has no virtual scores.
    pub decisions: u64,
    /// Playouts, evolution included.
    pub playouts: u64,
    /// Positions visited by *-minimax.
    pub nodes: u64,
    /// Thinking time in seconds.
    pub seconds: f64,
}

impl GameResult {
    /// The result of a recorded game; `players` are the indices of its players by seat.
    ///
    /// # Errors
    /// If the record's metrics are not those of the game.
    pub(super) fn of(record: &GameRecord, players: &[usize], domain: &dyn AnyDomain) -> Result<GameResult, String> {
        let columns = |seat: usize| {
            let metrics = record.metrics.get(seat).ok_or_else(|| format!("seat {} has no metrics", seat + 1))?;
            domain.column_values(metrics, seat)
        };
        let columns: Vec<Vec<f64>> = (0..players.len()).map(columns).collect::<Result<_, _>>()?;
        let made = record.decisions();
        let seat = |(seat, (&player, columns)): (usize, (&usize, Vec<f64>))| SeatResult {
            player,
            score: record.scores.get(seat).copied().unwrap_or_default(),
            columns,
            search: record.search.get(seat).cloned().unwrap_or_default(),
            decisions: made.iter().filter(|(mover, _)| *mover == seat).count() as u64,
            playouts: record.playouts.get(seat).copied().unwrap_or_default(),
            nodes: record.nodes.get(seat).copied().unwrap_or_default(),
            seconds: record.run.seconds.get(seat).copied().unwrap_or_default(),
        };
        let seats = players.iter().zip(columns).enumerate().map(seat).collect();
        let is_unused = |word: &&str| domain.unused().is_some_and(|(_, mark)| word.starts_with(mark));
        let unused = record.moves.split(' ').filter(is_unused).count() as u64;
        let (scale, course) = (domain.scale(), record.course());
        Ok(GameResult { deck: record.deck, seats, unused, scale, course, repeats: false })
    }

    /// The score of a seat in points.
    pub fn points(&self, seat: usize) -> f64 {
        self.scale.points(self.seats[seat].score)
    }

    /// The score of a seat less the best score of the others, in points; 0 in a game of one seat.
    pub fn difference(&self, seat: usize) -> f64 {
        let own = self.seats[seat].score;
        let others = self.seats.iter().enumerate().filter(|(other, _)| *other != seat);
        let best = others.map(|(_, other)| other.score).max().unwrap_or(own);
        self.scale.difference(own, best)
    }

    /// The unit that its values are of.
    pub fn of_deck(&self) -> OfDeck {
        OfDeck { deck: self.deck, repeats: self.repeats }
    }

    /// The players by seat.
    pub fn players(&self) -> impl Iterator<Item = usize> {
        self.seats.iter().map(|seat| seat.player)
    }

    /// The players of a game of two: the one who goes first, and the other. None with another number of seats.
    pub fn home_and_away(&self) -> Option<[usize; 2]> {
        if let [home, away] = &self.seats[..] { Some([home.player, away.player]) } else { None }
    }
}

/// A failed game, in the words of its record.
#[derive(Clone, Debug)]
pub(crate) struct FailedGame {
    pub id: String,
    pub deck: u32,
    pub ended: Ended,
    /// Names by seat.
    pub players: Vec<String>,
    pub message: String,
    /// Short identities by seat.
    pub seats: Vec<String>,
}

impl FailedGame {
    pub(super) fn of(record: &GameRecord) -> FailedGame {
        FailedGame {
            id: record.id.clone(),
            deck: record.deck,
            ended: record.ended,
            players: record.run.players.clone(),
            message: record.run.message.clone().unwrap_or_default(),
            seats: record.seats.clone(),
        }
    }
}
