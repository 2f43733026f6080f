//! How a command ends: exit codes, and the error line.

use std::fmt;

/// Why a command did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// Usage or configuration error: nothing was started, retrying will not help. Exit code 2.
    Usage(String),
    /// Something failed and was recorded or reported. Exit code 1.
    Failed(String),
    /// Interrupted and resumable. Exit code 75.
    Interrupted(String),
    /// The reader closed the output: not a failure.
    OutputClosed,
}

impl Failure {
    /// A usage error with the message of `error`.
    pub fn usage(error: impl fmt::Display) -> Failure {
        Failure::Usage(error.to_string())
    }

    /// A failure with the message of `error`.
    pub fn failed(error: impl fmt::Display) -> Failure {
        Failure::Failed(error.to_string())
    }

    /// The exit code: 0 success, 1 a recorded failure, 2 a usage or configuration error, 75 interrupted and resumable
    /// (`EX_TEMPFAIL` of sysexits.h).
    pub fn code(&self) -> u8 {
        match self {
            Failure::OutputClosed => 0,
            Failure::Failed(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Interrupted(_) => 75,
        }
    }

    /// The error line, if there is one.
    pub fn message(&self) -> Option<&str> {
        match self {
            Failure::Usage(message) | Failure::Failed(message) | Failure::Interrupted(message) => Some(message),
            Failure::OutputClosed => None,
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Failed(format!("cannot write the output: {error}")),
        }
    }
}
