//! Which file stands under a name, so that what another process does to it is noticed.

use super::read;
use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// A file at one moment: which one it is, how long it is, when it was last written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Device and inode; systems without them are taken to have one file for each name.
    file: (u64, u64),
    /// The length in bytes.
    pub length: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    /// The file that stands under a name now.
    ///
    /// # Errors
    /// If there is none, or it is no regular file.
    pub fn at(path: &Path) -> io::Result<Identity> {
        let metadata = std::fs::metadata(path)?;
        read::regular(&metadata)?;
        Ok(Identity::of(&metadata))
    }

    pub(super) fn of(metadata: &Metadata) -> Identity {
        Identity { file: number(metadata), length: metadata.len(), modified: metadata.modified().ok() }
    }

    /// Whether both are the same file, whatever was written to it.
    pub fn is_same_file(&self, other: &Identity) -> bool {
        self.file == other.file
    }
}

#[cfg(unix)]
fn number(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> (u64, u64) {
    (0, 0)
}
