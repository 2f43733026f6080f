//! Why an evolution ends early.

use super::fitness::measure::MeasureError;
use evouct_base::plural::{counted, is_or_are};
use evouct_league::league::{PoolError, StartError};
use evouct_store::RecordError;

/// Why an evolution ends early.
#[derive(Debug, thiserror::Error)]
pub enum EvolutionError {
    /// Files cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The journal cannot be opened, or another process writes it: nothing was started.
    #[error(transparent)]
    Folder(RecordError),
    /// Threads cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The workers of a pool cannot measure.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The plan does not fit its bank.
    #[error("{0}")]
    Plan(String),
    /// Ranks cannot work together.
    #[cfg(feature = "mpi")]
    #[error(transparent)]
    World(#[from] evouct_league::league::mpi::WorldError),
    /// A player of a genome failed.
    #[error("the formula {0}")]
    Measure(MeasureError),
    /// An operator, an algorithm or an executor that a program has added failed.
    #[error("{0}")]
    Method(String),
    /// It was asked to stop.
    #[error("interrupted; the same command resumes the evolution")]
    Interrupted,
    /// Measurements of other shards are missing.
    #[error("waiting for other shards: {} missing; the same command resumes this shard", missing_of(*missing))]
    Waiting {
        /// Measurements of others, or answers of proposers, that are missing.
        missing: usize,
    },
}

impl EvolutionError {
    /// Whether the folder holds another evolution or other scores, so that another folder would do.
    pub fn is_other(&self) -> bool {
        matches!(self, EvolutionError::Record(error) | EvolutionError::Folder(error) if error.is_other())
    }
}

fn missing_of(missing: usize) -> String {
    format!("{} {}", counted(missing, "measurement"), is_or_are(missing))
}
