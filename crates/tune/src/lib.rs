//! Tuning: parameters of one player, selected by successive halving.
//!
//! K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016,
//! after Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013: all candidates
//! play the same small number of decks; the better half goes on with twice the decks, until two or three are left.
//!
//! A tuning is a [series](evouct_league::series) of leagues. [`Over`] says what is tuned, `candidates` are drawn from a key,
//! [`Halving`] shares the budget, [`Tuning`] knows the stages and what follows from their results ([`Course`]). The
//! best of many noisy estimates is too good on average, so the [`Outcome`] rests on a held-out stage, whose decks no
//! earlier stage can have.

#![warn(missing_docs, unreachable_pub)]

mod candidates;
mod course;
mod error;
mod files;
mod halving;
mod outcome;
mod over;
mod play;
mod scores;
mod text;
mod tuning;

pub use candidates::Candidate;
pub use course::{Course, Group};
pub use error::TuneError;
pub use files::write;
pub use halving::{FEWEST_DECKS, Halving, HeldOutPlan, MAX_BUDGET, RoundPlan};
pub use outcome::{CandidateRow, Comparison, Finding, Outcome};
pub use over::{Choice, Over};
pub use play::PlayOptions;
pub use text::{plan, summary};
pub use tuning::{Tuning, TuningOptions};
