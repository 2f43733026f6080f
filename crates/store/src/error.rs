//! Why records cannot be read or written.

use evouct_base::phrase::Phrase;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// Why records cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// An operation of the system failed.
    #[error("{}: {what}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operation.
        what: &'static str,
        /// The error of the system.
        error: io::Error,
    },
    /// Another run writes the journal.
    #[error("{}: another run is writing this journal; wait for it or {}", path.display(), Phrase::OtherFolder)]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// Another process writes a bank that is to be read whole.
    #[error("{}: this bank is being written by another process; wait for it", path.display())]
    BeingWritten {
        /// The bank.
        path: PathBuf,
    },
    /// Another process, which does not know of the lock, has changed a file while it was written.
    #[error("{}: {what} while it was written", path.display())]
    Disturbed {
        /// The file.
        path: PathBuf,
        /// What happened.
        what: String,
    },
    /// Another run writes games that are also of this one.
    #[error(
        "{}: another run is writing this journal, {theirs}, which has games of {ours}; wait for it or {}",
        path.display(), Phrase::OtherFolder
    )]
    Overlap {
        /// The other journal.
        path: PathBuf,
        /// What it holds, in words.
        theirs: String,
        /// What this run would play, in words.
        ours: String,
    },
    /// The folder is not a run folder.
    #[error("{}: {problem}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A journal is of another work than that which is asked for.
    #[error("{}: {problem}", path.display())]
    Other {
        /// The journal.
        path: PathBuf,
        /// In what they differ.
        problem: String,
    },
    /// A folder of a series holds another run.
    #[error("{}: this folder holds another experiment than the series plays here", .0.display())]
    OtherRun(PathBuf),
    /// The experiment in the header cannot be read.
    #[error(transparent)]
    Experiment(Box<dyn Error + Send + Sync>),
}

impl RecordError {
    /// A failure of the system: what could not be done with which file.
    pub fn io(path: &Path, what: &'static str, error: io::Error) -> RecordError {
        match error.kind() {
            io::ErrorKind::NotADirectory => {
                RecordError::folder(path, "this is a file; expected a folder, such as runs/NAME")
            }
            _ => RecordError::Io { path: path.to_owned(), what, error },
        }
    }

    /// Whether another folder would do.
    pub fn is_other(&self) -> bool {
        matches!(self, RecordError::Other { .. })
    }

    /// A folder or file that is not what it should be.
    pub fn folder(path: &Path, problem: impl Into<String>) -> RecordError {
        RecordError::Folder { path: path.to_owned(), problem: problem.into() }
    }
}
