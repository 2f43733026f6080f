//! The journals of one kind in a folder, of which this process writes one.

use super::error::RecordError;
use super::journal::{JournalHeader, JournalWriter, claim};
use super::line_file::journals;
use super::shard::Shard;
use std::path::{Path, PathBuf};

/// The journals of one kind in a folder, `STEM*.jsonl`, of which this process writes one: that of its shard.
#[derive(Clone, Debug)]
pub struct Store<H> {
    folder: PathBuf,
    stem: &'static str,
    shard: Option<Shard>,
    /// The header of the journal of this process.
    pub header: H,
}

impl<H: JournalHeader> Store<H> {
    /// The journals in a folder whose names begin with `stem`. Nothing is read or written.
    pub fn new(folder: &Path, stem: &'static str, shard: Option<Shard>, header: H) -> Store<H> {
        Store { folder: folder.to_owned(), stem, shard, header }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The part of this process; none for all.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// Whether what has this place is in the part of this process.
    pub fn has(&self, place: u64) -> bool {
        self.shard.is_none_or(|shard| shard.has(place))
    }

    /// The journals that are there, in the order of their names.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn journals(&self) -> Result<Vec<PathBuf>, RecordError> {
        if self.folder.is_dir() { journals(&self.folder, self.stem) } else { Ok(Vec::new()) }
    }

    /// The journal of this process. A header never changes: what an extension adds goes to a journal of its own, and the
    /// one before it is complete.
    fn own(&self) -> Result<PathBuf, RecordError> {
        let is_extended = |path: &Path| matches!(H::of_file(path), Ok(Some(theirs)) if self.header.extends(&theirs));
        let stem = Shard::stem(self.stem, self.shard);
        let (mut own, mut number) = (self.folder.join(format!("{stem}.jsonl")), 0);
        while is_extended(&own) {
            // No process may write it still, and nobody else will cut off a line that its last writer has torn.
            JournalWriter::repair(&own)?;
            number += 1;
            own = self.folder.join(format!("{stem}-{number}.jsonl"));
        }
        Ok(own)
    }

    /// Begins the journal of this process, or goes on with it.
    ///
    /// # Errors
    /// As [`JournalWriter::open`]; if another process writes a journal that this one extends.
    pub fn open(&self) -> Result<JournalWriter, RecordError> {
        if self.journals()?.is_empty() {
            claim(&self.folder)?;
        }
        JournalWriter::open(&self.own()?, &self.header)
    }
}
