//! Faults: why a player lost a game before its end.

use evouct_base::named::Named;
use std::fmt;

/// Why a player lost its game before the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FaultReason {
    /// Its program cannot be started, or did not say that it is ready. Such a game has no result.
    NotStarted,
    /// Its program ended, or closed its output.
    Ended,
    /// It did not answer in time.
    NoAnswer,
    /// Its answer was not one of the protocol's.
    Garbage,
    /// A line of its answer was too long.
    TooLong,
    /// Its move is not legal.
    IllegalMove,
    /// It exceeded the clock of the game. The only fault of players of evouct itself.
    OutOfTime,
}

impl FaultReason {
    /// Whether a game that was lost so says something about strength: by the clock it says something about speed.
    pub fn shows_strength(self) -> bool {
        self != FaultReason::OutOfTime
    }
}

impl Named for FaultReason {
    const NAMES: &'static [(&'static str, FaultReason)] = &[
        ("not-started", FaultReason::NotStarted),
        ("ended", FaultReason::Ended),
        ("no-answer", FaultReason::NoAnswer),
        ("garbage", FaultReason::Garbage),
        ("too-long", FaultReason::TooLong),
        ("illegal-move", FaultReason::IllegalMove),
        ("out-of-time", FaultReason::OutOfTime),
    ];
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
