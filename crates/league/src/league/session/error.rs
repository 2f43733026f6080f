//! Why a run cannot start or go on.

use super::super::local::StartError;
use super::super::pool::PoolError;
use crate::schedule::Shard;
use evouct_base::phrase::Phrase;
use evouct_base::plural::{counted, is_or_are};
use evouct_store::{RecordError, VERSION};
use std::path::PathBuf;

/// Differences that are named; of more only their number is given.
const NAMED: usize = 4;

/// The first differences, and how many more there are.
fn several(differences: &[String]) -> String {
    let more = differences.len().saturating_sub(NAMED);
    let further = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("{}{further}", differences[..differences.len() - more].join("; "))
}

/// Why a run cannot start.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Records cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The folder holds another experiment.
    #[error("{}: this folder holds another experiment: {}{}", folder.display(), several(differences), hint)]
    OtherExperiment {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        differences: Vec<String>,
        /// Whether an extension would add it.
        extends: bool,
        /// How to continue.
        hint: String,
    },
    /// The folder was written by another version.
    #[error("{}: these records are of evouct {recorded}, this is {VERSION}; {}", folder.display(), Phrase::AllowVersion)]
    OtherVersion {
        /// The folder.
        folder: PathBuf,
        /// The version that wrote it.
        recorded: String,
    },
    /// Other shards may have gone on with the failures as they are.
    #[error(
        "{} changes what a test has shown, so it is for the whole run and not for a shard of it",
        Phrase::RetryFailed
    )]
    RetryInShard,
    /// Later rounds were paired with the failures as they are.
    #[error("{} changes results by which a Swiss schedule has paired its players", Phrase::RetryFailed)]
    RetryInRounds,
    /// A shard has played its part of what is wanted now, and others have not.
    #[error(
        "shard {shard} has played its part of {part} in {}, but {} missing; the same command goes on when the other \
         shards have played them",
        folder.display(),
        counted_are(*missing)
    )]
    Waiting {
        /// The shard.
        shard: Shard,
        /// Of what: a look, a round, or decks of a match.
        part: String,
        /// Games of other shards that belong to it.
        missing: u64,
        /// The folder.
        folder: PathBuf,
    },
    /// Threads cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The workers of a pool cannot play.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The ranks cannot play together.
    #[cfg(feature = "mpi")]
    #[error(transparent)]
    World(#[from] crate::league::mpi::WorldError),
}

impl SessionError {
    /// Whether the folder holds another experiment that no extension makes to this one, so that another folder would do.
    pub fn is_other(&self) -> bool {
        matches!(self, SessionError::OtherExperiment { extends: false, .. })
    }
}

/// So many games are.
fn counted_are(games: u64) -> String {
    format!("{} of other shards {}", counted(games, "game"), is_or_are(games))
}

#[cfg(test)]
mod tests {
    use super::several;

    #[test]
    fn of_many_differences_the_first_are_named() {
        let of = |count: usize| several(&vec!["d".to_owned(); count]);
        assert_eq!([of(1), of(4), of(6)], ["d", "d; d; d; d", "d; d; d; d; and 2 more"]);
    }
}
