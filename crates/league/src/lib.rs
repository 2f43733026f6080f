//! Leagues between players: experiments from TOML, schedules, games on threads and MPI ranks, and the journal that is
//! the only truth about a run.
//!
//! ```
//! use evouct_league::config::{Experiment, Overrides};
//! use evouct_league::league::{Permissions, Session};
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
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
//! let session = Session::plan(experiment, folder.path(), None, Permissions::default()).unwrap();
//! assert_eq!(session.missing(), 2);
//! session.play(1, &Arc::new(AtomicBool::new(false)), &mut (), |_| {}).unwrap();
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod cluster;
pub mod config;
pub mod disk;
pub mod export;
pub mod league;
pub mod record;
pub mod schedule;
pub mod series;
