//! Series: experiments that depend on one another, in the sub-folders of one folder.
//!
//! A series has a plan, which is written once ([`record_plan`]), and stages. A [`Stage`] is an ordinary run in a
//! sub-folder: it has journals, shards, resume and reports like any other run. The stages follow from the plan and from
//! the results of earlier stages: a process that reads the journals knows what comes next. A series has no other state,
//! so a killed process, another number of threads or another machine changes nothing.
//!
//! This module knows no purpose of a series. `evouct_tune` has one.

mod digest;
mod plan;
mod stage;

pub use digest::digest;
pub use plan::{read_plan, record_plan};
pub use stage::{Stage, StageCount};

use crate::record::RecordError;
use std::path::PathBuf;

/// Why a series cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SeriesError {
    /// Records cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A sub-folder holds another run.
    #[error("{}: this folder holds another experiment than the series plays here", .0.display())]
    OtherRun(PathBuf),
    /// The plan cannot be read or written.
    #[error("{}: {problem}", path.display())]
    Plan {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}
