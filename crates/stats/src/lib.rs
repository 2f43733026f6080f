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
//!
//! ```
//! use evouct_stats::holm::holm;
//! use evouct_stats::points::{Match, table};
//! use evouct_stats::ratings::{DEFAULT_PRIOR, Encounter, ratings};
//! use evouct_stats::{Summary, t_test};
//!
//! // Scores of two players on four decks.
//! let differences = t_test::differences(&[35.0, 47.0, 36.0, 49.0], &[34.0, 45.0, 33.0, 45.0]).unwrap();
//! let test = t_test::paired(&Summary::of(&differences)).unwrap();
//! assert!(test.p < 0.05 && test.interval.unwrap().low > 0.0);
//! // It is one of two tests.
//! let corrected = holm(&[Some(test.p), Some(0.2)]).unwrap();
//! assert!(corrected[0].unwrap() > 0.05);
//!
//! let m = Match { home: 0, away: 1, home_wins: 12, away_wins: 3, draws: 1, difference_sum: 150.0 };
//! assert_eq!(table(2, &[m]).unwrap()[0].points, 5);
//! let met = Encounter { a: 0, b: 1, a_score: 12.5, b_score: 3.5 };
//! assert!(ratings(2, &[met], DEFAULT_PRIOR).unwrap().elo[0] > 100.0);
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod bootstrap;
pub mod correlation;
pub mod cycle;
pub mod describe;
pub mod distinct;
mod distribution;
pub mod effect;
mod error;
pub mod extremes;
pub mod fisher;
pub mod holm;
pub mod looks;
pub mod mann_whitney;
pub mod median;
pub mod paired;
pub mod pairs_at_looks;
pub mod permutation;
pub mod points;
pub mod power;
pub mod proportion;
pub mod quantiles;
mod ranks;
pub mod ratings;
pub mod sequential;
pub mod sprt;
pub mod surface;
pub mod swiss;
pub mod t_test;
pub mod wilcoxon;

pub use describe::{Interval, Summary};
pub use distribution::normal_quantile;
pub use error::Unavailable;

/// A difference is significant if its p-value, corrected where several are tested, is below this; the level of every
/// test and verdict.
pub const SIGNIFICANCE_LEVEL: f64 = 0.05;
