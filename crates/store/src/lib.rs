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
pub mod line;
mod line_file;
mod problems;
mod text;

pub use binding::Binding;
pub use entries::{Entries, EntryHeader, EntryWriter, digest_of_entries, header_of};
pub use error::RecordError;
pub use flipped_bit::restored;
pub use folder_kind::{BANK_FILE, BANK_SHARD_STEM, EVOLUTION_STEM, FolderKind, GAMES_STEM, SCORES_STEM, TUNING_PLAN};
pub use line_file::{LineFile, has_begun, is_being_written, journals};
pub use problems::{Problem, Problems};
pub use text::{Lines, MAX_LINE, RawLine, read_lines};

/// The version of evouct.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
