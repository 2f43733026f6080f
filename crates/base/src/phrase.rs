//! What errors advise, and what they call the settings of a caller: a command line has options where a library has
//! fields. A program says once how it speaks; then the errors of all crates do.

use std::fmt;
use std::sync::{PoisonError, RwLock};

/// How this program speaks.
static WORDS: RwLock<fn(Phrase) -> Option<&'static str>> = RwLock::new(|_| None);

/// Part of an error that depends on who reads it: on a command line, in a library, in Python.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phrase {
    /// Advice to choose another folder.
    OtherFolder,
    /// Advice to choose a folder that does not exist yet.
    NewFolder,
    /// Advice to choose a folder on another file system.
    OtherFileSystem,
    /// Advice to choose fewer threads.
    FewerThreads,
    /// Advice to choose another player of a file.
    OtherPlayer,
    /// Advice to keep the number of decks that is recorded.
    SameDecks,
    /// That an extension adds to a run.
    ExtendRun,
    /// That an extension adds to an evolution.
    ExtendEvolution,
    /// That an extension adds to a tuning.
    ExtendTuning,
    /// That an extension records a text that changes no game.
    ExtendText,
    /// That a permission continues with the records of another version.
    AllowVersion,
    /// The permission to play failed games again.
    RetryFailed,
    /// The part of a process.
    Shard,
    /// The parameters to tune.
    Over,
    /// The constraints on their values.
    Where,
    /// The games of a tuning.
    Budget,
    /// The player to tune.
    Player,
    /// How a tuning finds the best candidate.
    Method,
}

impl Phrase {
    /// In the words of the library.
    fn plain(self) -> &'static str {
        match self {
            Phrase::OtherFolder => "choose another folder",
            Phrase::NewFolder => "choose a new folder",
            Phrase::OtherFileSystem => "choose a folder on another file system",
            Phrase::FewerThreads => "choose fewer threads",
            Phrase::OtherPlayer => "choose another player",
            Phrase::SameDecks => "the same decks",
            Phrase::ExtendRun | Phrase::ExtendEvolution | Phrase::ExtendTuning => "extend adds to it",
            Phrase::ExtendText => "extend records the new text",
            Phrase::AllowVersion => "allow_version continues with them",
            Phrase::RetryFailed => "retry_failed",
            Phrase::Shard => "the shard",
            Phrase::Over => "over",
            Phrase::Where => "where",
            Phrase::Budget => "budget",
            Phrase::Player => "player",
            Phrase::Method => "method",
        }
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = *WORDS.read().unwrap_or_else(PoisonError::into_inner);
        f.write_str(words(*self).unwrap_or(self.plain()))
    }
}

/// From now on errors of this process use these words; where there are none, those of the library. The last call counts.
pub fn speak(words: fn(Phrase) -> Option<&'static str>) {
    *WORDS.write().unwrap_or_else(PoisonError::into_inner) = words;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_says_its_own_words() {
        assert_eq!(Phrase::Over.to_string(), "over");
        speak(|_| Some("nothing"));
        speak(|phrase| (phrase == Phrase::Over).then_some("--over"));
        assert_eq!([Phrase::Over, Phrase::Shard].map(|phrase| phrase.to_string()), ["--over", "the shard"]);
    }
}
