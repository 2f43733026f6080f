//! Files that an option names for output.

use crate::disk::{KEPT, hash, read_text, refuse_link, replace, replace_own};
use crate::error::Failure;
use crate::report::page::PageFigure;
use std::fs::{File, metadata, symlink_metadata};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The longest file that is looked at before it is replaced, in bytes; no page and no script is longer.
const MAX_STANDING: u64 = 1 << 28;

/// Writes the files of a folder, where they replace only what evouct wrote.
pub(super) fn write_all(folder: &Path, files: Vec<(String, Vec<u8>)>) -> Result<Vec<String>, Failure> {
    replace_own(folder, files, false).map_err(|(path, error)| unwritten(&path, &error))
}

/// The folder that an option names, or the one of this name in the run's.
///
/// # Errors
/// If the latter is a link: who made the run folder may not be who runs evouct.
pub(super) fn folder_of(run: &Path, named: Option<&PathBuf>, name: &str) -> Result<PathBuf, Failure> {
    let Some(named) = named else {
        let folder = run.join(name);
        refuse_link(&folder).map_err(|error| unwritten(&folder, &error))?;
        return Ok(folder);
    };
    Ok(named.clone())
}

/// Writes charts and their data, as files of this folder itself.
pub(super) fn write_figures(folder: &Path, charts: impl IntoIterator<Item = PageFigure>) -> Result<(), Failure> {
    let files = charts.into_iter().flat_map(PageFigure::documents);
    let files = files.map(|(name, bytes)| (name.trim_start_matches("figures/").to_owned(), bytes)).collect();
    write_all(folder, files).map(drop)
}

/// What a file that could not be written means for the exit code: a folder in which nothing may be written, or a file
/// that is not replaced, is a wrong argument.
pub(super) fn unwritten(path: &Path, error: &Error) -> Failure {
    let problem = format!("{}: cannot write: {error}", path.display());
    match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Failure::Usage(problem)
        }
        _ => Failure::Failed(problem),
    }
}

/// A kind of file.
pub(super) struct Kind {
    name: &'static str,
    /// What a comment begins and ends with.
    comment: (&'static str, &'static str),
}

/// A page.
pub(super) const PAGE: Kind = Kind { name: "an HTML page", comment: ("<!-- ", " -->") };
/// A batch script.
pub(super) const SCRIPT: Kind = Kind { name: "a script", comment: ("# ", "") };

impl Kind {
    /// The last line of a file that evouct writes: who changes the text above it does not change this.
    fn seal(&self, text: &str) -> String {
        let (begin, end) = self.comment;
        format!("{begin}evouct wrote the text above: {}{end}\n", hash(text.as_bytes()))
    }

    /// Whether evouct wrote this text as it is.
    fn is_sealed(&self, text: &str) -> bool {
        let lines = text.strip_suffix('\n').unwrap_or(text);
        let (above, seal) = text.split_at(lines.rfind('\n').map_or(0, |end| end + 1));
        seal == self.seal(above)
    }
}

/// Writes a text to the file that an option named, if evouct wrote what is there, or it is empty: a mistake on the
/// command line costs no journal and no experiment, and an edited script is kept. The file itself says that evouct
/// wrote it, since its folder may be anyone's. What is not a regular file, such as a pipe, is written to.
pub(super) fn write(path: &Path, text: &str, kind: &Kind) -> Result<(), Failure> {
    let cannot = |error: Error| Failure::Failed(format!("{}: cannot write {}: {error}", path.display(), kind.name));
    // A link stays one: what it points to is replaced.
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if metadata(&place).is_ok_and(|found| !found.is_file()) {
        let mut file = File::options().write(true).open(&place).map_err(cannot)?;
        return file.write_all(text.as_bytes()).map_err(cannot);
    }
    if place.file_name().is_none() {
        return Err(Failure::Usage(format!("{}: this is no name of a file", path.display())));
    }
    if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        // A mistake in the name of a folder makes none.
        metadata(folder).map_err(cannot)?;
    }
    if symlink_metadata(&place).is_ok() {
        match read_text(&place, MAX_STANDING) {
            Ok(standing) if standing.is_empty() || kind.is_sealed(&standing) => {}
            // Too long, or no text.
            Err(error) if !matches!(error.kind(), ErrorKind::FileTooLarge | ErrorKind::InvalidData) => {
                return Err(unwritten(&place, &error));
            }
            _ => return Err(unwritten(&place, &Error::new(ErrorKind::AlreadyExists, KEPT))),
        }
    }
    let mut text = text.to_owned();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text += &kind.seal(&text);
    replace(&place, text.as_bytes()).map_err(|error| unwritten(&place, &error))
}
