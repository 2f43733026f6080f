//! What the report keeps of a finished game, and of a failed one.

use crate::record::{Ended, GameRecord, SeatMetrics};

/// A finished game.
#[derive(Clone, Debug)]
pub(in crate::report) struct GameResult {
    /// The number of the deck, from 1.
    pub deck: u32,
    /// By seat; games of a league have two.
    pub seats: Vec<SeatResult>,
}

/// A seat of a finished game.
#[derive(Clone, Debug)]
pub(in crate::report) struct SeatResult {
    /// The index of the player in the experiment.
    pub player: usize,
    /// The final score.
    pub score: i32,
    /// Numbers of the game's own.
    pub metrics: SeatMetrics,
    /// Playouts, evolution included.
    pub playouts: u64,
    /// Positions visited by *-minimax.
    pub nodes: u64,
    /// Thinking time in seconds.
    pub seconds: f64,
}

impl GameResult {
    /// The result of a recorded game; `players` are the indices of its players by seat.
    pub(super) fn of(record: &GameRecord, players: &[usize]) -> GameResult {
        let seat = |(seat, &player): (usize, &usize)| SeatResult {
            player,
            score: record.scores.get(seat).copied().map(i32::from).unwrap_or_default(),
            metrics: record.metrics.get(seat).cloned().unwrap_or_default(),
            playouts: record.playouts.get(seat).copied().unwrap_or_default(),
            nodes: record.nodes.get(seat).copied().unwrap_or_default(),
            seconds: record.run.seconds.get(seat).copied().unwrap_or_default(),
        };
        GameResult { deck: record.deck, seats: players.iter().enumerate().map(seat).collect() }
    }

    /// The score of a seat less the best score of the others.
    pub(in crate::report) fn difference(&self, seat: usize) -> f64 {
        let others = self.seats.iter().enumerate().filter(|(other, _)| *other != seat);
        let best = others.map(|(_, other)| other.score).max().unwrap_or_default();
        f64::from(self.seats[seat].score - best)
    }

    /// The players of a game of two: the one who goes first, and the other.
    pub(in crate::report) fn home_and_away(&self) -> [usize; 2] {
        [self.seats[0].player, self.seats[1].player]
    }
}

/// A failed game, in the words of its record.
#[derive(Clone, Debug)]
pub(in crate::report) struct FailedGame {
    pub id: String,
    pub ended: Ended,
    /// Names by seat.
    pub players: Vec<String>,
    pub message: String,
    /// A command that plays the game again.
    pub repeat: String,
}

impl FailedGame {
    pub(super) fn of(record: &GameRecord) -> FailedGame {
        FailedGame {
            id: record.id.clone(),
            ended: record.ended,
            players: record.run.players.clone(),
            message: record.run.message.clone().unwrap_or_default(),
            repeat: record.run.repeat.clone().unwrap_or_default(),
        }
    }
}
