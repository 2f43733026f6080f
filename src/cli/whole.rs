//! Whether an input has all its games: a script must not take the result of a part for that of the whole.

use super::Outcome;
use crate::error::Failure;
use crate::league;
use std::path::Path;

/// That what was printed or written is of a part of the games, and what plays the others.
pub(super) fn interim(folder: &Path, why: &str) -> Failure {
    Failure::Failed(format!("{}: interim results: {why}", folder.display()))
}

/// Fails if games of a run are missing.
pub(super) fn check(folder: &Path, missing: u64) -> Outcome {
    check_all([(folder, missing)])
}

/// Fails in one line if games of any of these runs are missing.
pub(super) fn check_all<'a>(runs: impl IntoIterator<Item = (&'a Path, u64)>) -> Outcome {
    let parts = runs.into_iter().filter_map(|(folder, missing)| league::interim(folder, missing));
    match parts.collect::<Vec<_>>() {
        parts if parts.is_empty() => Ok(()),
        parts => Err(Failure::Failed(format!("{}; `evouct run` goes on", parts.join("; ")))),
    }
}
