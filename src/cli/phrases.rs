//! What several commands say in the same words.

use crate::error::Failure;
use crate::league::SessionError;
use crate::plural::{counted, is_or_are};
use crate::store::RecordError;
use std::path::Path;

/// That games failed.
pub(super) fn failed_games(failed: u64) -> String {
    format!("{} failed and {} recorded", counted(failed, "game"), is_or_are(failed))
}

/// Before a number of games that a sequential test may make fewer.
pub(super) fn at_most(may_end: bool) -> &'static str {
    if may_end { "at most " } else { "" }
}

/// That games which were played are not lost.
fn safe(played: u64) -> String {
    format!("{} {} safe", counted(played, "game"), is_or_are(played))
}

/// Why a run or a tuning ended early, after so many games.
pub(super) fn ended_early(error: &SessionError, played: u64, what: &str) -> Failure {
    match error {
        SessionError::Record(RecordError::Disturbed { .. }) => {
            Failure::Failed(format!("{error}; the same command plays the games that are missing"))
        }
        SessionError::Waiting { .. } => Failure::Interrupted(error.to_string()),
        // The folder or the ranks are unusable.
        _ if played == 0 => Failure::usage(error),
        _ => Failure::Failed(format!("{error}; {}, the same command resumes the {what}", safe(played))),
    }
}

/// That games which were recorded are gone.
pub(super) fn gone(missing: u64, folder: &Path) -> Failure {
    let (games, are, folder) = (counted(missing, "recorded game"), is_or_are(missing), folder.display());
    Failure::Failed(format!(
        "{games} {are} missing in {folder}: another process changed its journals; the same command plays them again"
    ))
}

/// That records or measurements are wrong, and that lines of their journal are unusable, if any are.
pub(super) fn wrong_and_unread(wrong: impl Into<String>, lines: u64) -> String {
    let unread = (lines > 0).then(|| format!("{} {} ignored", counted(lines, "line"), is_or_are(lines)));
    [Some(wrong.into()), unread].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// That things differ from what they should be.
pub(super) fn differing(number: u64, noun: &str) -> String {
    format!("{} {}", counted(number, noun), if number == 1 { "differs" } else { "differ" })
}
