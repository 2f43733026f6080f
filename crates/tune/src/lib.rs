//! Tuning: parameters of one player, selected by successive halving, by a fitted surface or by CMA-ES.
//!
//! Halving: K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016,
//! after Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013: all candidates
//! play the same small number of decks; the better half goes on with twice the decks, until two or three are left.
//!
//! A surface: a Gaussian process over many candidates says which of them play next ([`TuningMethod`]). CMA-ES: candidates are
//! drawn from a distribution, whose centre follows the better ones.
//!
//! A tuning is a [series](evouct_league::series) of leagues. [`SearchRange`] says what is tuned, candidates are drawn from a key,
//! [`TuningRounds`] share the budget, [`Tuning`] knows the stages and what follows from their results ([`Course`]). The
//! best of many noisy estimates is too good on average, so the [`TuningOutcome`] rests on a held-out stage, whose decks no
//! earlier stage can have.
//!
//! ```
//! use evouct_league::config::{Experiment, Overrides};
//! use evouct_tune::{Tuning, TuningOptions, plan, summary, write};
//!
//! evouct_carcassonne::add();
//! let text = "name = \"rater\"\n[[player]]\nkind = \"one-ply\"\n[[player]]\nkind = \"random\"\n";
//! let experiment = Experiment::parse(text, "rater.toml", Overrides::default()).unwrap();
//! let options = TuningOptions { player: None, over: vec!["rating=dv,dm,cl".to_owned()], budget: 160, ..Default::default() };
//! let folder = std::env::temp_dir().join(format!("evouct-tune-{}", std::process::id()));
//! let tuning = Tuning::new(experiment, options, &folder).unwrap();
//! assert!(plan(&tuning).contains("held-out"));
//!
//! let outcome = tuning.play(1).unwrap();
//! assert_eq!(outcome.candidates.len(), 3);
//! assert!(summary(&outcome).contains("Result: "));
//! assert!(write(&tuning, &outcome).unwrap().contains(&"tuned.toml".to_owned()));
//! # std::fs::remove_dir_all(folder).unwrap();
//! ```

#![warn(missing_docs, unreachable_pub)]

mod candidates;
mod centres;
mod compared;
mod constraint;
mod course;
mod distribution;
mod drawn;
mod error;
mod figures;
mod files;
mod fitted;
mod games;
mod halving;
mod method;
mod methods;
mod outcome;
mod over;
mod page;
mod planted;
mod play;
mod points;
mod recorded;
mod rounds;
mod scores;
mod selection;
mod standing;
mod surface;
mod surfaced;
mod tables;
mod text;
mod tuning;

pub use candidates::Candidate;
pub use centres::{CentreRow, DistributionOutcome};
pub use compared::{compare_tunings, ended};
pub use course::{Course, Group};
pub use drawn::DistributionStep;
pub use error::TuneError;
pub use files::{documents, write};
pub use fitted::Recommended;
pub use method::{IsLegal, Kept, Model, Rounds, Space, Start, TuningAlgorithm};
pub use methods::{METHODS, TuningMethod};
pub use outcome::{CandidateRow, Comparison, Finding, GameComparison, TuningOutcome};
pub use over::{Choice, SearchRange};
pub use planted::Planted;
pub use play::PlayOptions;
pub use rounds::{FEWEST_DECKS, HeldOutPlan, MAX_BUDGET, RoundPlan, TuningRounds};
pub use standing::CandidateStanding;
pub use surfaced::{PathRow, Predicted, SliceRow, SurfaceOutcome};
pub use text::{plan, summary, tuning_tables};
pub use tuning::{Tuning, TuningOptions};
