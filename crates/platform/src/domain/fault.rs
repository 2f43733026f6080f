//! Faults: why a player lost a game before its end.

use std::fmt;

evouct_base::named! {
    /// Why a player lost its game before the end.
    #[derive(PartialOrd, Ord)]
    pub enum FaultReason {
        /// Its program cannot be started, or did not say that it is ready. Such a game has no result.
        NotStarted = "not-started",
        /// Its program ended, or closed its output.
        Ended = "ended",
        /// It did not answer in time.
        NoAnswer = "no-answer",
        /// Its answer was not one of the protocol's.
        Garbage = "garbage",
        /// A line of its answer was too long.
        TooLong = "too-long",
        /// Its move is not legal.
        IllegalMove = "illegal-move",
        /// It exceeded the clock of the game. The only fault of players of evouct itself.
        OutOfTime = "out-of-time",
    }
}

impl FaultReason {
    /// Whether a game that was lost so says something about strength: by the clock it says something about speed.
    pub fn shows_strength(self) -> bool {
        self != FaultReason::OutOfTime
    }
}

/// A fault of a player, by which it loses its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub reason: FaultReason,
    /// What happened, in one line.
    pub message: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(reason: FaultReason, message: impl Into<String>) -> Fault {
        Fault { reason, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
