//! `experiment.toml`: the text of the experiment in the folder of its run, for people and for salvage.

use super::schema::Header;
use evouct_store::RecordError;
use evouct_store::disk::{self, OwnFiles, Unwritten};
use std::path::Path;

/// Its name.
pub const EXPERIMENT_FILE: &str = "experiment.toml";

fn failed((path, error): Unwritten) -> RecordError {
    RecordError::io(&path, "cannot write the experiment", error)
}

/// Refuses a file in its place that evouct did not write, or that was edited since.
///
/// # Errors
/// If there is one.
pub fn check_experiment(folder: &Path, header: &Header, adopts: bool) -> Result<(), RecordError> {
    let hash = disk::hash(header.toml.as_bytes());
    OwnFiles::of(folder, adopts).and_then(|own| own.check(EXPERIMENT_FILE, Some(&hash))).map_err(failed)
}

/// Whether the file in its place has the text of this experiment.
pub fn has_experiment(folder: &Path, header: &Header) -> bool {
    let found = disk::read_text(&folder.join(EXPERIMENT_FILE), header.toml.len() as u64);
    found.is_ok_and(|text| text == header.toml)
}

/// Writes the file of an experiment.
///
/// # Errors
/// As [`check_experiment`], or if it cannot be written.
pub fn write_experiment(folder: &Path, header: &Header, adopts: bool) -> Result<(), RecordError> {
    let file = (EXPERIMENT_FILE.to_owned(), header.toml.clone().into_bytes());
    disk::replace_own(folder, vec![file], adopts).map(drop).map_err(failed)
}
