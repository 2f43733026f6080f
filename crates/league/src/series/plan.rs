//! The plan of a series: a JSON file that is written once, before the first game.

use evouct_store::{RecordError, disk};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The largest plan that is read, in bytes.
const MAX_PLAN: u64 = 100_000_000;

/// Reads a plan; none if there is no such file.
///
/// # Errors
/// If it cannot be read, or is not a plan of this kind.
pub fn read_plan<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, RecordError> {
    if !path.exists() {
        return Ok(None);
    }
    let failed = |problem: String| RecordError::folder(path, problem);
    let text = disk::read_text(path, MAX_PLAN).map_err(|error| failed(format!("cannot read the plan: {error}")))?;
    serde_json::from_str(&text).map(Some).map_err(|error| failed(format!("this file is not a plan: {error}")))
}

/// Writes a plan, and its folder if need be. Processes that start at once may all write the same plan.
///
/// # Errors
/// If it cannot be written.
pub fn record_plan(path: &Path, plan: &impl Serialize) -> Result<(), RecordError> {
    let json = serde_json::to_string_pretty(plan).expect("a plan is plain data") + "\n";
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = disk::create_folder(folder)
        .and_then(|()| disk::replace(path, json.as_bytes()))
        .and_then(|()| disk::sync_folder(folder));
    written.map_err(|error| RecordError::io(path, "cannot write the plan", error))
}
