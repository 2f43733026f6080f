//! Pages that describe the program, in a folder.

use super::Outcome;
use crate::disk::create_folder;
use crate::error::Failure;
use std::io;
use std::path::Path;

/// Makes the folder, and the pages in it.
pub(super) fn write(folder: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> Outcome {
    create_folder(folder)
        .and_then(|()| make(folder))
        .map_err(|error| Failure::Failed(format!("cannot write the pages in {}: {error}", folder.display())))
}
