//! Reading thoughts back: those of a few games out of files that may be large.

use super::journal::read_lines;
use super::run::RecordError;
use super::trace::Thought;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What was considered in these games, by game in the order of turns; none for a game whose thoughts were not kept. Lines
/// that cannot be read are passed over: thoughts are for reading, nothing is computed from them.
///
/// # Errors
/// If the folder or a file of thoughts in it cannot be read.
pub fn thoughts(folder: &Path, games: &BTreeSet<String>) -> Result<BTreeMap<String, Vec<Thought>>, RecordError> {
    let mut found: BTreeMap<String, BTreeMap<u32, Thought>> = BTreeMap::new();
    if games.is_empty() {
        return Ok(BTreeMap::new());
    }
    for path in files(folder)? {
        for line in read_lines(&path)? {
            // A file that is being written, or was cut off, may end within a letter.
            let Ok(line) = line else { break };
            let id = line.strip_prefix("{\"id\":\"").and_then(|rest| rest.split_once('"')).map(|(id, _)| id);
            if !id.is_some_and(|id| games.contains(id)) {
                continue;
            }
            if let Ok(thought) = serde_json::from_str::<Thought>(&line) {
                found.entry(thought.id.clone()).or_default().insert(thought.turn, thought);
            }
        }
    }
    Ok(found.into_iter().map(|(id, turns)| (id, turns.into_values().collect())).collect())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let failed = |error| RecordError::io(folder, "cannot read the run folder", error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_text = [".jsonl", ".jsonl.gz", ".jsonl.zst"].iter().any(|ending| name.ends_with(ending));
        if name.starts_with("thoughts") && is_text {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Names and lengths of the journals of a folder: another text once something was recorded.
///
/// # Errors
/// If the folder cannot be read.
pub fn stamp(folder: &Path) -> Result<String, RecordError> {
    let failed = |error| RecordError::io(folder, "cannot read the run folder", error);
    let mut parts = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("games") && name.contains(".jsonl") {
            parts.push(format!("{name} {}", entry.metadata().map_err(failed)?.len()));
        }
    }
    parts.sort();
    Ok(parts.join("\n"))
}
