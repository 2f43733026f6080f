//! Faults: why a player outside of evouct lost a game.

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
}

impl Named for FaultReason {
    const NAMES: &'static [(&'static str, FaultReason)] = &[
        ("not-started", FaultReason::NotStarted),
        ("ended", FaultReason::Ended),
        ("no-answer", FaultReason::NoAnswer),
        ("garbage", FaultReason::Garbage),
        ("too-long", FaultReason::TooLong),
        ("illegal-move", FaultReason::IllegalMove),
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
