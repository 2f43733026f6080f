//! Writing a journal without losing records, and reading one that was cut off.

use super::finished_game::FinishedGame;
use super::schema::{FORMAT, GameRecord, Header};
use evouct_store::line::{Content, bound_json, decode, encode, is_bound_to, is_torn_header};
use evouct_store::{Binding, LineFile, Lines, RawLine, RecordError};
use std::path::Path;
use std::time::Duration;

/// How long a written line may wait for the disk.
const SYNC_EVERY: Duration = Duration::from_secs(3);

/// The only writer of a journal: it holds a lock on the file for as long as it lives.
#[derive(Debug)]
pub struct JournalWriter {
    file: LineFile,
    /// The experiment that lines are bound to.
    of: Binding,
    synced: Duration,
}

impl JournalWriter {
    /// Opens a journal for appending, a new one with this header. The folder is created if needed; a torn last line is
    /// cut off.
    ///
    /// # Errors
    /// If another run writes it, if it is of another experiment or no journal at all, or if it cannot be opened.
    pub fn open(path: &Path, header: &Header) -> Result<JournalWriter, RecordError> {
        let mut file = LineFile::open(path)?;
        let of = header.binding();
        if !file.is_empty() {
            let theirs = read_header(path)?.map(|header| header.binding());
            if let Some(theirs) = theirs.filter(|theirs| *theirs != of) {
                let problem = format!("this journal is of {}, not of {}", theirs.words(), of.words());
                return Err(RecordError::folder(path, problem));
            }
        } else if !file.starts(is_torn_header)? {
            return Err(RecordError::folder(path, "this file is not a journal and is not overwritten"));
        }
        file.cut_torn_line()?;
        if file.is_empty() {
            file.begin(&encode("header", header))?;
        }
        Ok(JournalWriter { file, of, synced: Duration::ZERO })
    }

    /// The length of the journal as it was found, in bytes; 0 for a new one.
    pub fn found(&self) -> u64 {
        self.file.found()
    }

    /// Cuts off the torn last line of a journal that no process is writing.
    ///
    /// # Errors
    /// If it is being written, or cannot be changed.
    pub fn repair(path: &Path) -> Result<(), RecordError> {
        LineFile::open(path)?.cut_torn_line()
    }

    /// Appends a game; `now` is the time since the journal was opened.
    ///
    /// # Errors
    /// If it cannot be written; what was written of it is taken back, so that the journal stays whole. If it is of
    /// another experiment.
    pub fn append(&mut self, game: &FinishedGame, now: Duration) -> Result<(), RecordError> {
        if !is_bound_to(game.line(), &self.of) {
            let problem = format!("the game {} is of another experiment than {}", game.id(), self.of.words());
            return Err(RecordError::folder(self.file.path(), problem));
        }
        self.file.write(game.line())?;
        if now.saturating_sub(self.synced) >= SYNC_EVERY { self.sync(now) } else { Ok(()) }
    }

    /// Appends a game that is JSON already. It is synced by [`sync`](JournalWriter::sync) alone.
    pub(super) fn append_json(&mut self, json: &str) -> Result<(), RecordError> {
        let line = bound_json("game", json, &self.of);
        self.file.write(&line)
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn sync(&mut self, now: Duration) -> Result<(), RecordError> {
        self.synced = now;
        self.file.sync()
    }
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
            RawLine::Line => read_line(&self.buffer).unwrap_or_else(Line::Damaged),
            RawLine::Torn => Line::Torn,
            RawLine::TooLong => Line::Damaged("longer than any line of a journal".to_owned()),
            RawLine::Unreadable(why) => Line::Unreadable(why),
        };
        Ok(Some((self.number, line)))
    }

    /// Where the line that was read last begins, in the text that is not compressed.
    pub(super) fn offset(&self) -> u64 {
        self.lines.begins()
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
        Content::Entry(..) => return Err("an entry of another file, not a game".to_owned()),
    })
}

/// The format whose lines were not bound to their experiment.
pub(super) const UNBOUND: u32 = 1;
/// What can be done about a journal that has lost its header.
const SALVAGE: &str = "; `evouct repair` saves what can be read";

/// The header of a journal; none if the run was cut off before writing it.
pub(super) fn read_header(path: &Path) -> Result<Option<Header>, RecordError> {
    let mut reader = JournalReader::open(path)?;
    let wrong = |problem: String| Err(RecordError::folder(path, problem));
    match reader.next_line()? {
        None => Ok(None),
        Some((_, Line::Torn)) if is_torn_header(reader.bytes()) => Ok(None),
        Some((_, Line::Torn)) => wrong("this file is not a journal".to_owned()),
        Some((_, Line::Header(header))) if (UNBOUND..=FORMAT).contains(&header.format) => Ok(Some(*header)),
        Some((_, Line::Header(header))) => {
            let found = header.format;
            wrong(format!("journal format {found} is not {UNBOUND} to {FORMAT}, which this version reads"))
        }
        Some((_, Line::Damaged(why))) => wrong(format!("line 1 is not the header of a journal: {why}{SALVAGE}")),
        Some((_, Line::Unreadable(why))) => wrong(format!("the header cannot be read: {why}{SALVAGE}")),
        Some((_, Line::Game(..))) => wrong(format!("line 1 is a game, not the header of a journal{SALVAGE}")),
    }
}
