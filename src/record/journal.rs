//! Writing a journal without losing records, and reading one that was cut off.

use super::binding::Binding;
use super::finished_game::FinishedGame;
use super::line::{Content, bound, decode, encode, is_torn_header};
use super::run::{RecordError, read_header};
use super::schema::{GameRecord, Header};
use super::text::{Lines, Raw};
use crate::disk::{self, DiskFile};
use std::fs::TryLockError;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a written line may wait for the disk.
const SYNC_EVERY: Duration = Duration::from_secs(3);
/// A process that only asks whether a journal is being written locks it briefly: a writer retries this often, after this
/// time.
const LOCK_TRIES: usize = 10;
const LOCK_WAIT: Duration = Duration::from_millis(20);

/// The only writer of a journal: it holds a lock on the file for as long as it lives.
#[derive(Debug)]
pub struct JournalWriter {
    path: PathBuf,
    file: DiskFile,
    /// The experiment that lines are bound to.
    of: Binding,
    /// The end of the last whole line.
    end: u64,
    /// The length of the file as it was found.
    found: u64,
    synced: Duration,
}

impl JournalWriter {
    /// Opens a journal for appending, a new one with this header. The folder is created if needed; a torn last line is cut
    /// off.
    ///
    /// # Errors
    /// If another run writes it, if it is of another experiment or no journal at all, or if it cannot be opened.
    pub fn open(path: &Path, header: &Header) -> Result<JournalWriter, RecordError> {
        let failed = |error| RecordError::io(path, "cannot open the journal", error);
        let folder = path.parent().unwrap_or(Path::new(""));
        if !folder.as_os_str().is_empty() {
            let made = disk::create_folder(folder);
            made.map_err(|error| RecordError::io(folder, "cannot make the run folder", error))?;
        }
        let mut file = DiskFile::append_to(path).map_err(failed)?;
        lock(&file, path)?;
        let found = file.length().map_err(failed)?;
        let end = last_line_end(&mut file).map_err(failed)?;
        let of = Binding::of(header);
        if end > 0 {
            let theirs = read_header(path)?.map(|header| Binding::of(&header));
            if let Some(theirs) = theirs.filter(|theirs| *theirs != of) {
                let problem = format!("this journal is of {}, not of {}", theirs.words(), of.words());
                return Err(RecordError::folder(path, problem));
            }
        } else if !starts_as_header(&mut file).map_err(failed)? {
            return Err(RecordError::folder(path, "this file is no journal and is not overwritten"));
        }
        if end != found {
            file.set_length(end).map_err(failed)?;
        }
        let mut writer = JournalWriter { path: path.to_owned(), file, of, end, found, synced: Duration::ZERO };
        if end == 0 {
            writer.write(&encode("header", header))?;
            writer.sync(Duration::ZERO)?;
            disk::sync_folder(folder).map_err(failed)?;
        }
        Ok(writer)
    }

    /// The length of the journal as it was found, in bytes; 0 for a new one.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Cuts off the torn last line of a journal that no process is writing.
    ///
    /// # Errors
    /// If it is being written, or cannot be changed.
    pub fn mend(path: &Path) -> Result<(), RecordError> {
        let failed = |error| RecordError::io(path, "cannot mend the journal", error);
        let mut file = DiskFile::append_to(path).map_err(failed)?;
        lock(&file, path)?;
        let end = last_line_end(&mut file).map_err(failed)?;
        if end == file.length().map_err(failed)? { Ok(()) } else { file.set_length(end).map_err(failed) }
    }

    /// Appends a game; `now` is the time since the journal was opened.
    ///
    /// # Errors
    /// If it cannot be written; what was written of it is taken back, so that the journal stays whole.
    pub fn append(&mut self, game: &FinishedGame, now: Duration) -> Result<(), RecordError> {
        self.write(&game.line(&self.of))?;
        if now.saturating_sub(self.synced) >= SYNC_EVERY { self.sync(now) } else { Ok(()) }
    }

    /// Appends a game that is JSON already. It is synced by [`sync`](JournalWriter::sync) alone.
    pub(super) fn append_json(&mut self, json: &str) -> Result<(), RecordError> {
        let line = bound(json, &self.of);
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> Result<(), RecordError> {
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // A torn line would be dropped on reading; removing it is cleaner.
            drop(self.file.set_length(self.end));
            return Err(RecordError::io(&self.path, "cannot write the journal", error));
        }
        self.end += line.len() as u64;
        Ok(())
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn sync(&mut self, now: Duration) -> Result<(), RecordError> {
        self.synced = now;
        self.file.sync().map_err(|error| RecordError::io(&self.path, "cannot write the journal", error))
    }
}

/// Becomes the only writer of a file.
fn lock(file: &DiskFile, path: &Path) -> Result<(), RecordError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_WAIT),
            Err(TryLockError::Error(error)) => return Err(RecordError::io(path, "cannot lock the journal", error)),
        }
    }
    Err(RecordError::Locked { path: path.to_owned() })
}

/// Whether a process is writing a journal now. False if the file system does not support locks.
pub fn is_being_written(path: &Path) -> bool {
    disk::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Whether a file without a whole line is empty or begins as a header does. Nothing else is ever overwritten.
fn starts_as_header(file: &mut DiskFile) -> std::io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    file.take(256).read_to_end(&mut start)?;
    Ok(is_torn_header(&start))
}

/// The end of the last complete line: everything after it was torn.
fn last_line_end(file: &mut DiskFile) -> std::io::Result<u64> {
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

/// A line of a journal.
#[derive(Debug)]
pub enum Line {
    /// The header.
    Header(Box<Header>),
    /// A game, and the experiment that it is bound to; none in format 1.
    Game(Box<GameRecord>, Option<Binding>),
    /// A line that cannot be read, and why.
    Damaged(String),
    /// The last line, without its end: the run was cut off while writing it.
    Torn,
    /// A compressed file is damaged or cut off here; nothing after it can be read.
    Unreadable(String),
}

/// Reads a journal line by line, plain, `.gz` or `.zst`.
pub struct JournalReader {
    lines: Lines,
    number: usize,
    buffer: Vec<u8>,
}

impl JournalReader {
    /// Opens a journal.
    ///
    /// # Errors
    /// If it cannot be opened, or is not a regular file.
    pub fn open(path: &Path) -> Result<JournalReader, RecordError> {
        Ok(JournalReader { lines: Lines::open(path)?, number: 0, buffer: Vec::new() })
    }

    /// The next line with its number, from 1.
    ///
    /// # Errors
    /// If the file cannot be read on.
    pub fn next_line(&mut self) -> Result<Option<(usize, Line)>, RecordError> {
        let Some(raw) = self.lines.next(&mut self.buffer)? else { return Ok(None) };
        self.number += 1;
        let line = match raw {
            Raw::Line => read_line(&self.buffer).unwrap_or_else(Line::Damaged),
            Raw::Torn => Line::Torn,
            Raw::TooLong => Line::Damaged("longer than any line of a journal".to_owned()),
            Raw::Unreadable(why) => Line::Unreadable(why),
        };
        Ok(Some((self.number, line)))
    }

    /// The bytes of the line that was read last; nothing of a line that is too long.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer
    }
}

/// Reads the bytes of a line, its end left out.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read_line(bytes: &[u8]) -> Result<Line, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "not text")?;
    let said = |error: serde_json::Error| error.to_string();
    Ok(match decode(text.trim_end())? {
        Content::Header(json) => Line::Header(Box::new(serde_json::from_str(json).map_err(said)?)),
        Content::Game(json, of) => Line::Game(Box::new(serde_json::from_str(json).map_err(said)?), of),
    })
}
