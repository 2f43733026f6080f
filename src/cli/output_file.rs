//! Files that an option names for output.

use crate::disk::replace;
use crate::error::Failure;
use std::fs::{File, metadata};
use std::io::{Read, Write};
use std::path::Path;

/// Writes a text to the file that an option named. A file that is there is replaced if it begins as files of this kind
/// do, so that a mistake on the command line costs no journal and no experiment. What is not a regular file, such as a
/// pipe, is written to.
pub(super) fn write(path: &Path, text: &str, (kind, begins): (&str, &str)) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::Failed(format!("{}: cannot write {kind}: {error}", path.display()));
    let Ok(found) = metadata(path) else { return replace(path, text.as_bytes()).map_err(cannot) };
    if !found.is_file() {
        let mut file = File::options().write(true).open(path).map_err(cannot)?;
        return file.write_all(text.as_bytes()).map_err(cannot);
    }
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(begins.len() as u64).read_to_end(&mut start)).map_err(cannot)?;
    if found.len() > 0 && start != begins.as_bytes() {
        let problem = format!("{}: this file exists and is not {kind}; choose another name", path.display());
        return Err(Failure::Usage(problem));
    }
    // A link stays one: what it points to is replaced.
    let path = path.canonicalize().map_err(cannot)?;
    replace(&path, text.as_bytes()).map_err(cannot)
}

/// A page, and how it begins.
pub(super) const PAGE: (&str, &str) = ("an HTML page", "<!DOCTYPE html>");
/// A batch script, and how it begins.
pub(super) const SCRIPT: (&str, &str) = ("a script", "#!");
