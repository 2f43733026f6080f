//! Why a series cannot be read or written.

use evouct_store::RecordError;
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
