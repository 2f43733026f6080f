//! Statistics of league results: plain numbers in, numbers out.
//!
//! Nothing here knows of games, players' names or files, reads a clock or owns a random generator: where chance is
//! needed the generator is a parameter, and the way it is consumed is fixed by test vectors, so that a result can be
//! repeated from its seed. Transcendental functions come from the `libm` crate and not from the platform, so the same
//! input gives the same digits on every machine.
//!
//! A *unit* is what is independent of its neighbours: the deck where a deck is played twice with seats swapped (then
//! the unit's value is the mean of the two games), else the game. Players are indices `0..players`.
//!
//! A statistic that does not exist is an [`Unavailable`] that says why. No function here returns NaN or an infinity,
//! and none panics on any values (numbers of players and units are sizes of lists, which must fit in memory). Tests
//! are two-sided and intervals hold 95 % throughout.

pub mod bootstrap;
pub mod correlation;
pub mod cycle;
pub mod describe;
mod distribution;
pub mod effect;
mod error;
pub mod fisher;
pub mod holm;
pub mod permutation;
pub mod points;
pub mod proportion;
pub mod quantiles;
mod ranks;
pub mod ratings;
pub mod sprt;
pub mod t_test;
pub mod wilcoxon;

pub use describe::{Interval, Summary};
pub use error::Unavailable;
