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

/// That records or measurements are wrong, and that lines of their journal are unusable, if any are.
pub(super) fn wrong_and_unread(wrong: impl Into<String>, lines: u64) -> String {
    let unread = (lines > 0).then(|| format!("{} {} ignored", counted(lines, "line"), is_or_are(lines)));
    [Some(wrong.into()), unread].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// That things differ from what they should be.
pub(super) fn differing(number: u64, noun: &str) -> String {
    format!("{} {}", counted(number, noun), if number == 1 { "differs" } else { "differ" })
}
