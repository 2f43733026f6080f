//! Files that an option names for output.

use crate::disk::replace_own;
use crate::error::Failure;
use std::fs::{File, metadata};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes the files of a folder, where they replace only what evouct wrote.
pub(super) fn write_all(folder: &Path, files: Vec<(String, Vec<u8>)>) -> Result<Vec<String>, Failure> {
    replace_own(folder, files, false).map_err(|(path, error)| unwritten(&path, &error))
}

/// What a file that could not be written means for the exit code: a folder in which nothing may be written, or a file
/// that is not replaced, is a wrong argument.
pub(super) fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    let problem = format!("{}: cannot write: {error}", path.display());
    match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Failure::Usage(problem)
        }
        _ => Failure::Failed(problem),
    }
}

/// Writes a text to the file that an option named, if evouct wrote what is there: a mistake on the command line costs no
/// journal and no experiment, and an edited script is kept. What is not a regular file, such as a pipe, is written to.
pub(super) fn write(path: &Path, text: &str, kind: &str) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::Failed(format!("{}: cannot write {kind}: {error}", path.display()));
    // A link stays one: what it points to is replaced.
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if metadata(&place).is_ok_and(|found| !found.is_file()) {
        let mut file = File::options().write(true).open(&place).map_err(cannot)?;
        return file.write_all(text.as_bytes()).map_err(cannot);
    }
    let name = place.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Failure::Usage(format!("{}: this is no name of a file", path.display())))?;
    let folder = place.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() {
        // A mistake in the name of a folder makes none.
        metadata(folder).map_err(cannot)?;
    }
    write_all(folder, vec![(name.to_owned(), text.as_bytes().to_vec())]).map(drop)
}

/// A page.
pub(super) const PAGE: &str = "an HTML page";
/// A batch script.
pub(super) const SCRIPT: &str = "a script";
