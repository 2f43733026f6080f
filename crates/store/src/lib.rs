//! Folders of results: journals of checked lines with one writer each, and the one layer through which files change.
//!
//! A journal is a file of lines that only grows: a header, then one record per line, each with a checksum over the
//! record and the [`Binding`] that it belongs to. Everything else in a folder is derived from its journals.

#![warn(missing_docs, unreachable_pub)]

mod binding;
pub mod disk;
mod entries;
mod error;
mod flipped_bit;
mod folder_kind;
mod journal;
pub mod line;
mod line_file;
mod plan_file;
mod problems;
mod repair;
mod shard;
mod store;
mod text;

pub use binding::Binding;
pub use entries::{Entries, digest_of_entries};
pub use error::RecordError;
pub use flipped_bit::restored;
pub use folder_kind::{
    BANK_FILE, BANK_SHARD_STEM, BANK_STEM, EVOLUTION_STEM, FolderKind, GAMES_STEM, SCORES_STEM, SEEDS_PLAN, TUNING_PLAN,
};
pub use journal::{JournalHeader, JournalReader, JournalRecord, JournalWriter, Line, Numbered, claim, entry};
pub use line_file::{has_begun, hold, is_being_written, journals};
pub use plan_file::{copy_plan, read_plan, record_plan};
pub use problems::{Problem, Problems};
pub use repair::{CopiedJournal, SALVAGE, check_repair_folder, copy_with_headers};
pub use shard::Shard;
pub use store::Store;
pub use text::read_lines;

/// The version of evouct.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
