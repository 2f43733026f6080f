//! The one layer through which run folders are changed: every creation, write, sync, truncation, lock, rename and
//! removal.
//!
//! A test can make any one of these fail and lose what was not synced: see [`faults`]. Elsewhere the layer costs one
//! load of an atomic number for each call. Reading is here as well, so that nothing but regular files of a limited size
//! is read.

pub mod faults;
mod identity;
mod own_files;
mod read;
mod replacement;

pub use identity::FileIdentity;
pub use own_files::{KEPT, OwnFiles, Unwritten, hash, refuse_link, replace_own};
pub(crate) use read::read_bytes;
pub use read::{open, read_text};
pub use replacement::{Replacement, replace};

use faults::{DiskChange, check};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of a run folder that is being written.
#[derive(Debug)]
pub struct DiskFile {
    path: PathBuf,
    file: File,
}

impl DiskFile {
    /// Opens a file for reading and appending; it is created if need be.
    ///
    /// # Errors
    /// If it cannot be opened, or is not a regular file.
    pub fn append_to(path: &Path) -> io::Result<DiskFile> {
        if path.exists() {
            // Before it is opened: opening a FIFO waits for its other end.
            read::regular(&std::fs::metadata(path)?)?;
        }
        check(path, DiskChange::Create)?;
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        faults::opened(path, &file);
        Ok(DiskFile { path: path.to_owned(), file })
    }

    /// Creates a file that does not exist.
    ///
    /// # Errors
    /// If it cannot be created, or exists.
    pub fn create(path: &Path) -> io::Result<DiskFile> {
        check(path, DiskChange::Create)?;
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        faults::opened(path, &file);
        Ok(DiskFile { path: path.to_owned(), file })
    }

    /// The length in bytes.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// The file that is open, as it is now; its name may stand for another one.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn identity(&self) -> io::Result<FileIdentity> {
        Ok(FileIdentity::of(&self.file.metadata()?))
    }

    /// Cuts the file off.
    ///
    /// # Errors
    /// If that fails.
    pub fn set_length(&self, length: u64) -> io::Result<()> {
        check(&self.path, DiskChange::SetLength)?;
        self.file.set_len(length)?;
        faults::cut(&self.path, length);
        Ok(())
    }

    /// Waits until what was written is on the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn sync(&self) -> io::Result<()> {
        check(&self.path, DiskChange::Sync)?;
        self.file.sync_data()?;
        faults::synced(&self.path, &self.file);
        Ok(())
    }

    /// Locks the file, or reports that another process has locked it.
    ///
    /// # Errors
    /// As [`File::try_lock`].
    pub fn try_lock(&self) -> Result<(), TryLockError> {
        check(&self.path, DiskChange::Lock).map_err(TryLockError::Error)?;
        self.file.try_lock()
    }

    /// Gives the lock up, also for processes that were forked meanwhile: they have the same lock.
    pub fn unlock(&self) {
        // What is not locked stays so.
        let _ = self.file.unlock();
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = check(&self.path, DiskChange::Write) {
            // What a full disk leaves behind: a part of it.
            drop(self.file.write_all(&bytes[..bytes.len() / 2]));
            return Err(error);
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for DiskFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for DiskFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Creates a folder and those above it; no error if it exists.
///
/// # Errors
/// If it cannot be created.
pub fn create_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    check(path, DiskChange::CreateFolder)?;
    std::fs::create_dir_all(path)
}

/// Creates a folder for this process alone, and those above it; false if it exists.
///
/// # Errors
/// If it cannot be created.
pub fn claim_folder(path: &Path) -> io::Result<bool> {
    if let Some(above) = path.parent() {
        create_folder(above)?;
    }
    check(path, DiskChange::CreateFolder)?;
    match std::fs::create_dir(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Waits until the names in a folder are on the disk.
///
/// # Errors
/// If the disk refuses. File systems that do not sync folders are taken to need none.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    check(path, DiskChange::Sync)?;
    // The folder of `games.jsonl` is the current one.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    match File::open(path).and_then(|folder| folder.sync_all()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        Err(error) if cfg!(not(unix)) && error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        result => result,
    }
}

/// Gives a file another name; what had that name is gone.
///
/// # Errors
/// If that fails.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    check(to, DiskChange::Rename)?;
    std::fs::rename(from, to)?;
    faults::renamed(from, to);
    Ok(())
}

/// Removes a file.
///
/// # Errors
/// If that fails.
pub fn remove(path: &Path) -> io::Result<()> {
    check(path, DiskChange::Remove)?;
    std::fs::remove_file(path)?;
    faults::removed(path);
    Ok(())
}
