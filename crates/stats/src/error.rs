//! Why a statistic does not exist.

use serde::Serialize;

/// The reason why a statistic does not exist. Its text is one line in lower case and can follow "not available: ".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Unavailable {
    /// The sample is smaller than the statistic needs.
    #[error("needs at least {needed} values, found {found}")]
    TooFew {
        /// The smallest number of values that is enough.
        needed: u64,
        /// Number of values given.
        found: u64,
    },
    /// A value is NaN or infinite.
    #[error("a value is not a finite number")]
    NotFinite,
    /// Every value is finite, but a sum or a quotient of them is not.
    #[error("the values are too large or too far apart for double precision")]
    Overflow,
    /// Two lists that belong together by position differ in length.
    #[error("the lists differ in length, {left} and {right} values")]
    LengthMismatch {
        /// Length of the first list.
        left: usize,
        /// Length of the second list.
        right: usize,
    },
    /// The values do not vary, so a quantity in units of their spread has no value.
    #[error("the values do not vary")]
    NoVariance,
    /// The number of values depends on the values, which this statistic does not allow.
    #[error("the number of values depends on the results")]
    Stopped,
    /// Values of two players against opponents that are not the same, because they were chosen by results.
    #[error("the players met different opponents, chosen by results")]
    ChosenOpponents,
    /// A parameter is outside its range.
    #[error("{what} is out of range, expected {expected}")]
    OutOfRange {
        /// Name of the parameter.
        what: &'static str,
        /// Its range, in words.
        expected: &'static str,
    },
    /// An index names no player.
    #[error("player {player} does not exist, there are {players}")]
    UnknownPlayer {
        /// Index that was given, from 0.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A result of a player against itself.
    #[error("player {player} is set against itself")]
    SelfPlay {
        /// The index found on both sides.
        player: usize,
    },
    /// A result that may be given once was given twice.
    #[error("the match of {home} at home against {away} is given twice")]
    RepeatedMatch {
        /// Index of the home player.
        home: usize,
        /// Index of the away player.
        away: usize,
    },
    /// Without a prior no finite rating fits: the group never scored against the others (or never met them).
    #[error("players {group:?} never scored against the others, so their ratings have no finite difference")]
    Disconnected {
        /// Indices of the group, ascending; neither empty nor all players.
        group: Vec<usize>,
    },
    /// An iteration ended at its limit.
    #[error("no convergence within {iterations} iterations")]
    NotConverged {
        /// The limit.
        iterations: usize,
    },
    /// A statistic given as a closure has no finite value on the sample itself, or on none of its resamples.
    #[error("the statistic has no finite value on this sample")]
    Undefined,
}

impl Unavailable {
    /// Shorthand for [`Unavailable::TooFew`] when `found < needed`.
    pub(super) fn unless_enough(needed: u64, found: u64) -> Result<(), Unavailable> {
        if found < needed { Err(Unavailable::TooFew { needed, found }) } else { Ok(()) }
    }

    /// Shorthand for [`Unavailable::NotFinite`] when a value is NaN or infinite.
    pub(super) fn unless_finite(values: &[f64]) -> Result<(), Unavailable> {
        if values.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Unavailable::NotFinite) }
    }

    /// Shorthand for [`Unavailable::LengthMismatch`].
    pub(super) fn unless_same_length(left: &[f64], right: &[f64]) -> Result<(), Unavailable> {
        if left.len() == right.len() {
            Ok(())
        } else {
            Err(Unavailable::LengthMismatch { left: left.len(), right: right.len() })
        }
    }

    /// Checks a pair of player indices.
    pub(super) fn unless_opponents(a: usize, b: usize, players: usize) -> Result<(), Unavailable> {
        if let Some(player) = [a, b].into_iter().find(|&p| p >= players) {
            return Err(Unavailable::UnknownPlayer { player, players });
        }
        if a == b { Err(Unavailable::SelfPlay { player: a }) } else { Ok(()) }
    }

    /// Returns a computed number, or [`Unavailable::Overflow`] where it is not finite.
    pub(super) fn unless_overflowed(x: f64) -> Result<f64, Unavailable> {
        if x.is_finite() { Ok(x) } else { Err(Unavailable::Overflow) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_single_lower_case_lines() {
        let all = [
            Unavailable::TooFew { needed: 2, found: 1 },
            Unavailable::NotFinite,
            Unavailable::Overflow,
            Unavailable::LengthMismatch { left: 1, right: 2 },
            Unavailable::NoVariance,
            Unavailable::OutOfRange { what: "prior", expected: "0 or more" },
            Unavailable::UnknownPlayer { player: 3, players: 2 },
            Unavailable::SelfPlay { player: 1 },
            Unavailable::RepeatedMatch { home: 0, away: 1 },
            Unavailable::Disconnected { group: vec![0, 2] },
            Unavailable::NotConverged { iterations: 5 },
            Unavailable::Undefined,
        ];
        for reason in all {
            let text = reason.to_string();
            assert!(!text.contains('\n') && text == text.to_lowercase(), "{text}");
        }
    }

    #[test]
    fn serializes_with_its_name() {
        let json = serde_json::to_string(&Unavailable::TooFew { needed: 2, found: 1 }).unwrap();
        assert_eq!(json, r#"{"reason":"too_few","needed":2,"found":1}"#);
    }
}
