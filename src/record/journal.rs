//! Writing a journal so that nothing is lost, and reading one that was torn.

use super::finished_game::FinishedGame;
use super::line::{Content, decode, encode};
use super::run::RecordError;
use super::schema::{GameRecord, Header};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a written line may wait for the disk.
const SYNC_EVERY: Duration = Duration::from_secs(3);
/// No line is longer: a game of ours has a few hundred kilobytes at most.
const MAX_LINE: u64 = 256 << 20;
/// Somebody who only asks whether a journal is being written holds it for a moment: so often, and so long, a writer waits.
const LOCK_TRIES: usize = 10;
const LOCK_WAIT: Duration = Duration::from_millis(20);

/// The only writer of a journal: it holds a lock on the file for as long as it lives.
#[derive(Debug)]
pub struct JournalWriter {
    path: PathBuf,
    file: File,
    /// The end of the last whole line.
    end: u64,
    /// The length of the file as it was found.
    found: u64,
    synced: Duration,
}

impl JournalWriter {
    /// Opens a journal for appending, a new one with this header. The folder is made if need be; a torn last line is cut
    /// off.
    ///
    /// # Errors
    /// If another run writes it, or it cannot be opened.
    pub fn open(path: &Path, header: &Header) -> Result<JournalWriter, RecordError> {
        let failed = |error| RecordError::io(path, "cannot open the journal", error);
        if let Some(folder) = path.parent() {
            let made = std::fs::create_dir_all(folder);
            made.map_err(|error| RecordError::io(folder, "cannot make the run folder", error))?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        lock(&file, path)?;
        let found = file.metadata().map_err(failed)?.len();
        let end = last_line_end(&mut file).map_err(failed)?;
        file.set_len(end).map_err(failed)?;
        let mut writer = JournalWriter { path: path.to_owned(), file, end, found, synced: Duration::ZERO };
        if end == 0 {
            writer.write(&encode("header", header))?;
            writer.sync(Duration::ZERO)?;
        }
        Ok(writer)
    }

    /// The length of the journal as it was found, in bytes; 0 for a new one.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Cuts off the torn last line of a journal that nobody writes.
    ///
    /// # Errors
    /// If it is being written, or cannot be changed.
    pub fn mend(path: &Path) -> Result<(), RecordError> {
        let failed = |error| RecordError::io(path, "cannot mend the journal", error);
        let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(failed)?;
        lock(&file, path)?;
        let end = last_line_end(&mut file).map_err(failed)?;
        file.set_len(end).map_err(failed)
    }

    /// Appends a game; `now` is the time since the journal was opened.
    ///
    /// # Errors
    /// If it cannot be written; what was written of it is taken back, so that the journal stays whole.
    pub fn append(&mut self, game: &FinishedGame, now: Duration) -> Result<(), RecordError> {
        self.write(game.line())?;
        if now.saturating_sub(self.synced) >= SYNC_EVERY { self.sync(now) } else { Ok(()) }
    }

    fn write(&mut self, line: &str) -> Result<(), RecordError> {
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // A torn line would be dropped on reading; if it can be taken back, so much the better.
            drop(self.file.set_len(self.end));
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
        self.file.sync_data().map_err(|error| RecordError::io(&self.path, "cannot write the journal", error))
    }
}

/// Becomes the only writer of a file.
fn lock(file: &File, path: &Path) -> Result<(), RecordError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_WAIT),
            Err(TryLockError::Error(error)) => return Err(RecordError::io(path, "cannot lock the journal", error)),
        }
    }
    Err(RecordError::Locked { path: path.to_owned() })
}

/// Whether somebody is writing a journal now. False where the file system does not tell.
pub fn is_being_written(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// The end of the last line that ends: everything after it was torn.
fn last_line_end(file: &mut File) -> std::io::Result<u64> {
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
    /// A game.
    Game(Box<GameRecord>),
    /// A line that cannot be read, and why.
    Damaged(String),
    /// The last line, without its end: the run was cut off while writing it.
    Torn,
}

/// Reads a journal line by line, plain, `.gz` or `.zst`.
pub struct JournalReader {
    path: PathBuf,
    lines: Box<dyn BufRead>,
    number: usize,
    buffer: Vec<u8>,
}

impl JournalReader {
    /// Opens a journal.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Result<JournalReader, RecordError> {
        Ok(JournalReader { path: path.to_owned(), lines: open_text(path)?, number: 0, buffer: Vec::new() })
    }

    /// The next line with its number, from 1.
    ///
    /// # Errors
    /// If the file cannot be read on.
    pub fn next_line(&mut self) -> Result<Option<(usize, Line)>, RecordError> {
        self.buffer.clear();
        let read = (&mut self.lines).take(MAX_LINE).read_until(b'\n', &mut self.buffer);
        let read = read.map_err(|error| RecordError::io(&self.path, "cannot read the journal", error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.buffer.last() != Some(&b'\n') {
            return Ok(Some((self.number, Line::Torn)));
        }
        let line = std::str::from_utf8(&self.buffer).map_err(|_| "not text").and_then(|text| decode(text.trim_end()));
        let line = match line {
            Ok(Content::Header(json)) => serde_json::from_str(json).map(|header| Line::Header(Box::new(header))),
            Ok(Content::Game(json)) => serde_json::from_str(json).map(|game| Line::Game(Box::new(game))),
            Err(why) => Ok(Line::Damaged(why.to_owned())),
        };
        Ok(Some((self.number, line.unwrap_or_else(|error| Line::Damaged(error.to_string())))))
    }
}

/// Opens a text file, decompressing by its ending.
fn open_text(path: &Path) -> Result<Box<dyn BufRead>, RecordError> {
    let failed = |error| RecordError::io(path, "cannot read", error);
    let file = File::open(path).map_err(failed)?;
    let buffered = BufReader::with_capacity(1 << 16, file);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("gz") => Ok(Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(buffered)))),
        Some("zst") => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(buffered);
            let decoder = decoder.map_err(|error| failed(std::io::Error::other(error.to_string())))?;
            Ok(Box::new(BufReader::new(decoder)))
        }
        _ => Ok(Box::new(buffered)),
    }
}

/// The lines of a text file, plain, `.gz` or `.zst`.
///
/// # Errors
/// If it cannot be opened; each line may fail to be read.
pub fn read_lines(path: &Path) -> Result<impl Iterator<Item = Result<String, RecordError>>, RecordError> {
    let path = path.to_owned();
    let lines = open_text(&path)?.lines();
    Ok(lines.map(move |line| line.map_err(|error| RecordError::io(&path, "cannot read", error))))
}
