//! Which file stands under a name, so that what another process does to it is noticed.

use super::read;
use std::fs::Metadata;
use std::io;
use std::path::Path;

/// A file at one moment: which one it is, how long it is, when it was last written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileIdentity {
    /// Device and inode; none on systems without them.
    file: Option<(u64, u64)>,
    /// The length in bytes.
    pub length: u64,
    /// Seconds and nanoseconds of the last change; none on systems that do not say so here.
    changed: Option<(i64, i64)>,
}

impl FileIdentity {
    /// The file that stands under a name now.
    ///
    /// # Errors
    /// If there is none, or it is no regular file.
    pub fn at(path: &Path) -> io::Result<FileIdentity> {
        let metadata = std::fs::metadata(path)?;
        read::regular(&metadata)?;
        Ok(FileIdentity::of(&metadata))
    }

    pub(super) fn of(metadata: &Metadata) -> FileIdentity {
        let (file, changed) = numbers(metadata);
        FileIdentity { file, length: metadata.len(), changed }
    }

    /// What all names of the file have in common: device and inode; none on systems without them.
    pub fn file(&self) -> Option<(u64, u64)> {
        self.file
    }
}

/// Device and inode of a file; seconds and nanoseconds of its last change.
type Numbers = (Option<(u64, u64)>, Option<(i64, i64)>);

#[cfg(unix)]
fn numbers(metadata: &Metadata) -> Numbers {
    use std::os::unix::fs::MetadataExt;
    (Some((metadata.dev(), metadata.ino())), Some((metadata.mtime(), metadata.mtime_nsec())))
}

#[cfg(not(unix))]
fn numbers(_: &Metadata) -> Numbers {
    (None, None)
}
