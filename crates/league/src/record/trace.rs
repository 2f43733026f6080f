//! The actions that players considered, in `thoughts*.jsonl` beside the journal; not part of the digest.

use super::finished_game::FinishedGame;
use evouct_store::disk::DiskFile;
use evouct_store::{RecordError, journals, read_lines};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the names of files of traces begin with. The word is that of the first version.
pub(super) const TRACE_STEM: &str = "thoughts";

/// The actions considered at one decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionTrace {
    /// The game.
    pub id: String,
    /// The turn, from 0.
    pub turn: u32,
    /// The actions, in the order of the rules.
    pub considered: Vec<ConsideredMove>,
}

/// An action that was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsideredMove {
    /// The turn in notation.
    pub play: String,
    /// How often it was tried.
    pub visits: f64,
    /// Its mean reward; 0 if it was not tried.
    pub mean: f64,
    /// Whether `mean` is only an upper bound, because the search pruned the action.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub upper_bound: bool,
}

/// Appends traces to a file.
#[derive(Debug)]
pub struct TraceWriter {
    path: PathBuf,
    file: DiskFile,
}

impl TraceWriter {
    /// Opens the file of traces that belongs to a journal.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn beside(journal: &Path) -> Result<TraceWriter, RecordError> {
        let name = journal.file_name().and_then(|name| name.to_str()).unwrap_or("games.jsonl");
        let path = journal.with_file_name(name.replacen("games", TRACE_STEM, 1));
        let file = DiskFile::append_to(&path);
        let file = file.map_err(|error| RecordError::io(&path, "cannot open the file of traces", error))?;
        Ok(TraceWriter { path, file })
    }

    /// Appends the traces of a game.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, entry: &FinishedGame) -> Result<(), RecordError> {
        let written = self.file.write_all(entry.traces().as_bytes());
        written.map_err(|error| RecordError::io(&self.path, "cannot write the file of traces", error))
    }
}

/// The traces of these games, by game in the order of turns; a game without recorded traces is absent. Lines that
/// cannot be read are skipped: traces are for display, nothing is computed from them.
///
/// # Errors
/// If the folder or a trace file in it cannot be read.
pub fn traces(folder: &Path, games: &BTreeSet<String>) -> Result<BTreeMap<String, Vec<DecisionTrace>>, RecordError> {
    let mut found: BTreeMap<String, BTreeMap<u32, DecisionTrace>> = BTreeMap::new();
    if games.is_empty() {
        return Ok(BTreeMap::new());
    }
    for path in journals(folder, TRACE_STEM)? {
        for line in read_lines(&path)? {
            // A file that is being written, or was cut off, may end within a letter.
            let Ok(line) = line else { break };
            let id = line.strip_prefix("{\"id\":\"").and_then(|rest| rest.split_once('"')).map(|(id, _)| id);
            if !id.is_some_and(|id| games.contains(id)) {
                continue;
            }
            if let Ok(trace) = serde_json::from_str::<DecisionTrace>(&line) {
                found.entry(trace.id.clone()).or_default().insert(trace.turn, trace);
            }
        }
    }
    Ok(found.into_iter().map(|(id, turns)| (id, turns.into_values().collect())).collect())
}
