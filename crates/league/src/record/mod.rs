//! Records of games: format, safe writing, reading.
//!
//! A run folder holds one or more journals, `games*.jsonl`: a header line, then one finished game per line, each with a
//! checksum. Everything else in the folder is derived from the journals.

mod by_results;
mod digest;
mod experiment_file;
mod finished_game;
mod games;
mod in_order;
mod journal;
mod lost_header;
pub(crate) mod pair_games;
mod repair;
mod run;
mod schema;
mod sprt_match;
mod swiss_league;
mod trace;
mod turn_scores;

pub use digest::canonical;
pub use digest::{Digest, Digester};
pub use experiment_file::{EXPERIMENT_FILE, check_experiment, has_experiment, write_experiment};
pub use finished_game::FinishedGame;
pub use repair::{Saved, SavedFile, repair};
pub use run::{Journal, Run, stamp};
pub use schema::{DecisionLog, Ended, FORMAT, GameRecord, Header, RecordedFault, RunInfo};
pub use sprt_match::SprtMatch;
pub(crate) use swiss_league::SwissLeague;
pub use trace::{ConsideredMove, DecisionTrace, TraceWriter, traces};
pub use turn_scores::TurnScores;
