//! How a command ends: exit codes, and the one line that says why.

use std::fmt;
use std::process::ExitCode;

/// Why a command did not simply succeed.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage or configuration: nothing was started. Exit code 2.
    Usage(String),
    /// Something failed and was recorded or said. Exit code 1.
    Failed(String),
    /// Interrupted, and can be resumed. Exit code 75.
    Interrupted(String),
    /// Whoever read the output went away: no failure.
    OutputClosed,
}

impl Failure {
    /// Wrong usage, said by an error.
    pub fn usage(error: impl fmt::Display) -> Failure {
        Failure::Usage(error.to_string())
    }

    /// A failure, said by an error.
    pub fn failed(error: impl fmt::Display) -> Failure {
        Failure::Failed(error.to_string())
    }

    /// The exit code: 0 done, 1 something failed and was recorded, 2 wrong usage or configuration, 75 interrupted and
    /// resumable (`EX_TEMPFAIL` of sysexits.h).
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::OutputClosed => 0,
            Failure::Failed(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Interrupted(_) => 75,
        })
    }

    /// The line that says why; none where there is nothing to say.
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
