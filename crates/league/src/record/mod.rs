//! Records of games: format, safe writing, reading.
//!
//! A run folder holds one or more journals, `games*.jsonl`: a header line, then one finished game per line, each with a
//! checksum. Everything else in the folder is derived from the journals.

mod binding;
mod by_results;
mod digest;
mod entries;
mod error;
mod experiment_file;
mod finished_game;
mod flipped_bit;
mod folder_kind;
mod in_order;
mod journal;
mod line;
mod line_file;
mod lost_header;
pub(crate) mod pair_games;
mod problems;
mod repair;
mod run;
mod scan;
mod schema;
mod sprt_match;
mod swiss_league;
mod text;
mod trace;
mod turn_scores;

pub use binding::Binding;
pub use digest::canonical;
pub use digest::{Digest, Digester};
pub use entries::{Entries, EntryHeader, EntryWriter, digest_of_entries, header_of};
pub use error::RecordError;
pub use experiment_file::{EXPERIMENT_FILE, check_experiment, has_experiment, write_experiment};
pub use finished_game::FinishedGame;
pub use folder_kind::{BANK_FILE, BANK_SHARD_STEM, EVOLUTION_STEM, FolderKind, SCORES_STEM, TUNING_PLAN};
pub use journal::{JournalReader, JournalWriter, Line, is_being_written};
pub use line_file::journals;
pub use problems::Problem;
pub use repair::{Saved, SavedFile, repair};
pub use run::{Journal, Run, stamp};
pub use schema::{DecisionLog, Ended, FORMAT, GameRecord, Header, RecordedFault, RunInfo, VERSION};
pub use sprt_match::SprtMatch;
pub(crate) use swiss_league::SwissLeague;
pub use text::read_lines;
pub use trace::{ConsideredMove, DecisionTrace, TraceWriter, traces};
pub use turn_scores::TurnScores;
