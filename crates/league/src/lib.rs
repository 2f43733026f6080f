//! Leagues between players: experiments from TOML, schedules, games on threads and MPI ranks, and the journal that is
//! the only truth about a run.
//!
//! ```
//! use evouct_league::config::{Experiment, Overrides};
//! use evouct_league::league::{ResumeOptions, Sample, Session, Verifier};
//! use evouct_league::record::Run;
//! use std::sync::Arc;
//!
//! evouct_carcassonne::add();
//! let text = r#"
//! name = "first"
//! games_per_match = 1
//! [[player]]
//! kind = "random"
//! [[player]]
//! kind = "flat-mc"
//! iterations = 5
//! "#;
//! let experiment = Experiment::parse(text, "first.toml", Overrides::default()).unwrap();
//! let folder = tempfile::tempdir().unwrap();
//! let session = Session::plan(experiment, folder.path(), None, ResumeOptions::default()).unwrap();
//! assert_eq!(session.missing(), 2);
//! session.play(1, &Arc::default(), &mut (), |_| {}).unwrap();
//!
//! let run = Run::open(folder.path()).unwrap();
//! let experiment = run.experiment().unwrap();
//! let sample = Sample { games: 1, ..Sample::default() };
//! let replayed = Verifier::new(&experiment).replay_all(&run, &sample).unwrap();
//! assert_eq!((replayed.games, replayed.wrong.len(), replayed.sample.len()), (2, 0, 1));
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod cluster;
pub mod config;
pub mod export;
pub mod league;
pub mod record;
pub mod schedule;
pub mod series;
