//! What several commands say in the same words.

use crate::plural::{counted, is_or_are};

/// That games failed.
pub(super) fn failed_games(failed: u64) -> String {
    format!("{} failed and {} recorded", counted(failed, "game"), is_or_are(failed))
}

/// That games which were played are not lost.
pub(super) fn safe(played: u64) -> String {
    format!("{} {} safe", counted(played, "game"), is_or_are(played))
}

/// That lines of a journal are unusable.
pub(super) fn unread(lines: u64) -> String {
    format!("{} cannot be read or {} left out", counted(lines, "line"), is_or_are(lines))
}

/// That things differ from what they should be.
pub(super) fn differing(number: u64, noun: &str) -> String {
    format!("{} {}", counted(number, noun), if number == 1 { "differs" } else { "differ" })
}
