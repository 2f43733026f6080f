//! What players considered, in `thoughts*.jsonl` beside the journal: for reading, never for the digest.

use super::finished_game::Entry;
use super::run::RecordError;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What was considered at one decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thought {
    /// The game.
    pub id: String,
    /// The turn, from 0.
    pub turn: u32,
    /// The actions, in the order of the rules.
    pub considered: Vec<Considered>,
}

/// An action that was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Considered {
    /// The turn in notation.
    pub play: String,
    /// How often it was tried.
    pub visits: f64,
    /// Its mean reward; 0 where it was not tried.
    pub mean: f64,
}

/// Appends thoughts to a file.
#[derive(Debug)]
pub struct ThoughtsWriter {
    path: PathBuf,
    file: File,
}

impl ThoughtsWriter {
    /// Opens the file of thoughts that belongs to a journal.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn beside(journal: &Path) -> Result<ThoughtsWriter, RecordError> {
        let name = journal.file_name().and_then(|name| name.to_str()).unwrap_or("games.jsonl");
        let path = journal.with_file_name(name.replacen("games", "thoughts", 1));
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let file = file.map_err(|error| RecordError::io(&path, "cannot open the file of thoughts", error))?;
        Ok(ThoughtsWriter { path, file })
    }

    /// Appends the thoughts of a game.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, entry: &Entry) -> Result<(), RecordError> {
        let written = self.file.write_all(entry.thoughts().as_bytes());
        written.map_err(|error| RecordError::io(&self.path, "cannot write the file of thoughts", error))
    }
}
