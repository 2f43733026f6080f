//! Why a tuning cannot start or continue.

use evouct_base::phrase::Phrase;
use evouct_base::plural::{counted, is_or_are};
use evouct_league::config::ConfigErrors;
use evouct_league::league::SessionError;
use evouct_league::schedule::Shard;
use evouct_store::RecordError;
use std::path::PathBuf;

/// Why a tuning cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// An `--over` that makes no sense.
    #[error("{} {over}: {problem}", Phrase::Over)]
    Over {
        /// As it was given.
        over: String,
        /// What is wrong.
        problem: String,
    },
    /// A `--where` that makes no sense.
    #[error("{} {constraint}: {problem}", Phrase::Where)]
    Where {
        /// As it was given.
        constraint: String,
        /// What is wrong.
        problem: String,
    },
    /// There is no such player.
    #[error("{} {name}: {hint}", Phrase::Player)]
    Player {
        /// As it was given.
        name: String,
        /// The nearest name, or all.
        hint: String,
    },
    /// The experiment cannot be tuned.
    #[error("{0}")]
    Experiment(String),
    /// The budget decides nothing.
    #[error(
        "{} {budget} is too small to decide among {contestants} players: {fewest} decks in the first round and {fewest} held-out \
         decks take at least {least} games",
        Phrase::Budget
    )]
    Budget {
        /// Games given.
        budget: u64,
        /// Players of the first round.
        contestants: usize,
        /// The fewest decks that decide anything.
        fewest: u64,
        /// The smallest budget that would do.
        least: u64,
    },
    /// The budget is too small for the rounds of a surface or of CMA-ES.
    #[error(
        "{} {budget} is too small for {rounds} and {fewest} held-out decks take at least {least} games",
        Phrase::Budget
    )]
    RoundsBudget {
        /// Games given.
        budget: u64,
        /// The method, and the fewest rounds that it needs.
        rounds: String,
        /// The fewest held-out decks.
        fewest: u64,
        /// The smallest budget that would do.
        least: u64,
    },
    /// The folder holds another tuning.
    #[error("{}: this folder holds another tuning: {}{hint}", folder.display(), differences.join("; "))]
    OtherTuning {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        differences: Vec<String>,
        /// Whether an extension would add it.
        extends: bool,
        /// How to continue.
        hint: String,
    },
    /// The folder holds something else.
    #[error("{}: {problem}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The folder holds something else, or records or the plan cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An experiment of the tuning cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigErrors),
    /// A stage cannot be played.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A shard cannot play failed games again: the next round may have begun.
    #[error("shard {0} cannot play failed games again; leave out {part} or {retry}", part = Phrase::Shard, retry = Phrase::RetryFailed)]
    RetryInShard(Shard),
    /// The tuning was asked to stop. What was played is recorded.
    #[error("interrupted in {group}; the same command resumes the tuning")]
    Interrupted {
        /// The name of the group of stages.
        group: String,
    },
    /// A shard is complete, and games of other shards are missing.
    #[error(
        "shard {shard} of {group} is complete; {} of other shards {} missing (see `evouct status {}`); run this command \
         again when they are recorded",
        counted(*missing, "game"), is_or_are(*missing), folder.display()
    )]
    Waiting {
        /// The shard.
        shard: Shard,
        /// The name of the group of stages.
        group: String,
        /// Games of the group that are missing.
        missing: u64,
        /// The folder.
        folder: PathBuf,
    },
    /// Another process changed the folder while the tuning was played.
    #[error("{}: {problem}: another process changed the folder; the same command plays what is missing", folder.display())]
    Disturbed {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

impl TuneError {
    /// Whether the folder holds another tuning that no extension makes to this one, so that another folder would do.
    pub fn is_other(&self) -> bool {
        matches!(self, TuneError::OtherTuning { extends: false, .. })
    }

    /// The same where several games share a budget.
    pub(super) fn of_games(self, games: u64) -> TuneError {
        match self {
            TuneError::Budget { budget, contestants, fewest, least } => {
                TuneError::Budget { budget: budget * games, contestants, fewest, least: least * games }
            }
            TuneError::RoundsBudget { budget, rounds, fewest, least } => {
                TuneError::RoundsBudget { budget: budget * games, rounds, fewest, least: least * games }
            }
            other => other,
        }
    }
}
