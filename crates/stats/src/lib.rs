//! Statistics of league results: plain numbers in, numbers out.
//!
//! This module does not know games, player names or files, reads no clock and owns no random generator. A function that
//! needs random numbers takes the generator as a parameter, and test vectors fix how it is consumed, so that a result
//! can be repeated from its seed. Transcendental functions come from the `libm` crate and not from the platform, so the
//! same input gives the same digits on every machine.
//!
//! A *unit* is an independent observation: the deck where a deck is played twice with seats swapped (the unit's value
//! is the mean of the two games), else the game. Players are indices `0..players`.
//!
//! A statistic that does not exist is an [`Unavailable`] with the reason. No function here returns NaN or an infinity,
//! and none panics on any values (numbers of players and units are sizes of lists, which must fit in memory). Tests
//! are two-sided and intervals hold 95 % throughout.

#![warn(missing_docs, unreachable_pub)]

pub mod bootstrap;
pub mod correlation;
pub mod cycle;
pub mod describe;
mod distribution;
pub mod effect;
mod error;
pub mod extremes;
pub mod fisher;
pub mod holm;
pub mod permutation;
pub mod points;
pub mod proportion;
pub mod quantiles;
mod ranks;
pub mod ratings;
pub mod sequential;
pub mod sprt;
pub mod t_test;
pub mod wilcoxon;

pub use describe::{Interval, Summary};
pub use distribution::normal_quantile;
pub use error::Unavailable;

/// A difference is significant if its p-value, corrected where several are tested, is below this; the level of every
/// test and verdict.
pub const SIGNIFICANCE_LEVEL: f64 = 0.05;
