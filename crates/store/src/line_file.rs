//! A file of lines that only grows: one writer, a lock, and no torn line.

use super::error::RecordError;
use super::line::is_torn_header;
use super::text::{Lines, MAX_LINE, RawLine};
use crate::disk::{self, DiskFile, FileIdentity};
use evouct_base::phrase::Phrase;
use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A process that only asks whether a file is being written locks it briefly: a writer retries this often, after this
/// time.
const LOCK_TRIES: usize = 10;
const LOCK_WAIT: Duration = Duration::from_millis(20);

/// A file that is open for appending lines, locked for as long as this lives.
#[derive(Debug)]
pub(crate) struct LineFile {
    path: PathBuf,
    file: DiskFile,
    /// The end of the last whole line.
    end: u64,
    /// The length of the file as it was found.
    found: u64,
}

impl Drop for LineFile {
    fn drop(&mut self) {
        self.file.unlock();
    }
}

impl LineFile {
    /// Opens a file, or creates it and its folder, and locks it. Nothing is written yet.
    ///
    /// # Errors
    /// If it cannot be opened, or another process writes it.
    pub(crate) fn open(path: &Path) -> Result<LineFile, RecordError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        if !folder.as_os_str().is_empty() {
            let made = disk::create_folder(folder);
            made.map_err(|error| RecordError::io(folder, "cannot make the run folder", error))?;
        }
        let failed = |error| RecordError::io(path, "cannot open the journal", error);
        let mut file = DiskFile::append_to(path).map_err(failed)?;
        lock(&file, path)?;
        let found = file.length().map_err(failed)?;
        let end = last_line_end(&mut file).map_err(failed)?;
        Ok(LineFile { path: path.to_owned(), file, end, found })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it has no whole line.
    pub(crate) fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// The length as it was found, in bytes.
    pub(crate) fn found(&self) -> u64 {
        self.found
    }

    /// Whether the first bytes of the file pass a test.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn starts(&mut self, passes: impl Fn(&[u8]) -> bool) -> Result<bool, RecordError> {
        let mut start = Vec::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| (&mut self.file).take(256).read_to_end(&mut start));
        read.map_err(|error| RecordError::io(&self.path, "cannot open the journal", error))?;
        Ok(passes(&start))
    }

    /// Removes what follows the last whole line.
    ///
    /// # Errors
    /// If the file cannot be changed.
    pub(crate) fn cut_torn_line(&mut self) -> Result<(), RecordError> {
        let failed = |error| RecordError::io(&self.path, "cannot repair the journal", error);
        if self.end == self.file.length().map_err(failed)? {
            return Ok(());
        }
        self.file.set_length(self.end).map_err(failed)
    }

    /// Writes the first line, and waits until it and the name of the file are on the disk.
    ///
    /// # Errors
    /// If that fails.
    pub(crate) fn begin(&mut self, line: &str) -> Result<(), RecordError> {
        self.write(line)?;
        self.sync()?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        disk::sync_folder(folder).map_err(|error| RecordError::io(&self.path, "cannot open the journal", error))
    }

    /// Appends a line, its end included.
    ///
    /// # Errors
    /// If it cannot be written, or is longer than any line that is read; what was written of it is removed, so that the
    /// file stays whole.
    pub(crate) fn write(&mut self, line: &str) -> Result<(), RecordError> {
        if line.len() as u64 > MAX_LINE {
            let problem = format!("a line of {} bytes is too long: a line has at most {MAX_LINE}", line.len());
            return Err(RecordError::folder(&self.path, problem));
        }
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // A torn line would be dropped on reading; removing it is cleaner. What another process has appended
            // would make this cut off lines.
            if self.file.length().is_ok_and(|length| length <= self.end + line.len() as u64) {
                drop(self.file.set_length(self.end));
            }
            return Err(RecordError::io(&self.path, "cannot write the journal", error));
        }
        self.end += line.len() as u64;
        Ok(())
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// If the disk refuses, or another process has changed the file or put another in its place: what was written may
    /// be lost.
    pub(crate) fn sync(&mut self) -> Result<(), RecordError> {
        self.file.sync().map_err(|error| RecordError::io(&self.path, "cannot write the journal", error))?;
        self.check_place()
    }

    /// Refuses a file that is not the one under its name, or is not as long as what was written.
    fn check_place(&self) -> Result<(), RecordError> {
        let disturbed = |what: String| Err(RecordError::Disturbed { path: self.path.clone(), what });
        let failed = |error| RecordError::io(&self.path, "cannot read the journal", error);
        let ours = self.file.identity().map_err(failed)?;
        match FileIdentity::at(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                disturbed("another process removed or renamed this file".to_owned())
            }
            Err(error) => Err(failed(error)),
            Ok(found) if found.file() != ours.file() => {
                disturbed("another process put another file in the place of this one".to_owned())
            }
            Ok(_) if ours.length != self.end => {
                disturbed(format!("another process changed this file: {} bytes, expected {}", ours.length, self.end))
            }
            Ok(_) => Ok(()),
        }
    }
}

/// Becomes the only writer of a file.
fn lock(file: &DiskFile, path: &Path) -> Result<(), RecordError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_WAIT),
            Err(TryLockError::Error(error)) => return Err(unlocked(path, error)),
        }
    }
    Err(RecordError::Locked { path: path.to_owned() })
}

/// That a file cannot be locked. Some file systems of clusters have no locks, unless they are mounted with them.
fn unlocked(path: &Path, error: io::Error) -> RecordError {
    const ENOLCK: i32 = if cfg!(target_os = "linux") { 37 } else { 77 };
    if error.kind() != io::ErrorKind::Unsupported && error.raw_os_error() != Some(ENOLCK) {
        return RecordError::io(path, "cannot lock the journal", error);
    }
    let advice = "or have this one mounted with locks (flock)";
    let problem = format!("cannot lock the journal: {error}; {}, {advice}", Phrase::OtherFileSystem);
    RecordError::folder(path, problem)
}

/// The end of the last complete line: everything after it was torn.
fn last_line_end(file: &mut DiskFile) -> io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = [0; 8192];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(part)?;
        if let Some(newline) = part.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + newline as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// The files of lines in a folder whose names begin with `stem`, plain or compressed, in the order of their names.
pub fn journals(folder: &Path, stem: &str) -> Result<Vec<PathBuf>, RecordError> {
    let failed = |error| RecordError::io(folder, "cannot read the run folder", error);
    let mut journals = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_journal = [".jsonl", ".jsonl.gz", ".jsonl.zst"].iter().any(|ending| name.ends_with(ending));
        if name.starts_with(stem) && is_journal {
            journals.push(path);
        }
    }
    // A link to a journal of the folder is no other journal.
    journals.sort_by_cached_key(|path| (path.is_symlink(), path.clone()));
    let mut seen = HashSet::new();
    journals
        .retain(|path| FileIdentity::at(path).ok().and_then(|found| found.file()).is_none_or(|file| seen.insert(file)));
    journals.sort();
    Ok(journals)
}

/// Whether a process is writing a journal now. False if the file system does not support locks.
pub fn is_being_written(path: &Path) -> bool {
    disk::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Holds a journal of this process while nothing is written, so that others see that it is being written; none if there is
/// no journal, or another process has it.
pub fn hold(path: &Path) -> Option<File> {
    disk::open(path).ok().filter(|file| file.try_lock().is_ok())
}

/// Whether a journal has been begun: a file without a whole header may be taken. One that cannot be read has been.
pub fn has_begun(path: &Path) -> bool {
    let mut first = Vec::new();
    match Lines::open(path).and_then(|mut lines| lines.next(&mut first)) {
        Ok(None) => false,
        Ok(Some(RawLine::Torn)) => !is_torn_header(&first),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_written_that_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut file = LineFile::open(&path).unwrap();
        file.write("first\n").unwrap();
        let line = "x".repeat(MAX_LINE as usize) + "\n";
        let refused = file.write(&line).unwrap_err().to_string();
        assert!(refused.ends_with("a line of 67108865 bytes is too long: a line has at most 67108864"), "{refused}");
        file.write("second\n").unwrap();
        file.sync().unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap(), "first\nsecond\n");
    }

    #[test]
    fn a_journal_that_is_held_is_being_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        assert!(hold(&path).is_none());
        std::fs::write(&path, "first\n").unwrap();
        let held = hold(&path);
        assert!(held.is_some() && is_being_written(&path) && hold(&path).is_none());
        drop(held);
        assert!(!is_being_written(&path));
    }

    #[test]
    fn a_file_system_without_locks_is_refused_with_advice() {
        let said = |error: io::Error| unlocked(Path::new("games.jsonl"), error).to_string();
        for code in if cfg!(target_os = "linux") { [37, 38, 95] } else { [77, 78, 45] } {
            let line = said(io::Error::from_raw_os_error(code));
            assert!(
                line.starts_with("games.jsonl: cannot lock the journal: ") && line.contains("another file system"),
                "{line}"
            );
        }
        assert!(!said(io::Error::from_raw_os_error(13)).contains("another file system"));
    }
}
