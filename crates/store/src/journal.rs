//! A journal: a header line, then one record per line, each with a checksum. It only grows, has one writer at a time, and
//! a torn last line is dropped.

use super::binding::Binding;
use super::disk::OwnFiles;
use super::error::RecordError;
use super::line::{Content, Label, bound, decode, encode, is_bound_to, is_torn_header};
use super::line_file::LineFile;
use super::repair::SALVAGE;
use super::text::{Lines, RawLine};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::borrow::Cow;
use std::marker::PhantomData;
use std::path::Path;
use std::time::Duration;

/// How long a written line may wait for the disk.
const SYNC_EVERY: Duration = Duration::from_secs(3);

/// The header of a journal. Its first key is `format`.
pub trait JournalHeader: Serialize + DeserializeOwned {
    /// What its records are called in their lines.
    const LABEL: Label = Label::Entry;

    /// What the records of the journal are bound to.
    fn binding(&self) -> Binding;

    /// Why a journal that begins with another header cannot go on under this one, in words; none if it can.
    fn objection(&self, theirs: &Self, file: &Path) -> Option<String>;

    /// Whether this header is the other one with more to record: what stands under the other one stands under this one,
    /// too.
    fn extends(&self, _theirs: &Self) -> bool {
        false
    }

    /// The header of a journal, plain, `.gz` or `.zst`; none if the file has no whole line.
    ///
    /// # Errors
    /// If the file cannot be read, or its first line is no header that this version reads.
    fn of_file(path: &Path) -> Result<Option<Self>, RecordError> {
        let wrong = |problem: String| Err(RecordError::folder(path, problem));
        match JournalReader::<Self, IgnoredAny>::open(path)?.next_line()? {
            None | Some((_, Line::Torn)) => Ok(None),
            Some((_, Line::Header(header))) => Ok(Some(*header)),
            Some((_, Line::Record(..))) => wrong("the first line, and no other, is a header".to_owned()),
            Some((_, Line::Damaged(why) | Line::Unreadable(why))) => {
                wrong(format!("the header cannot be read: {why}{SALVAGE}"))
            }
        }
    }
}

/// What a line of a journal keeps.
pub trait JournalRecord {
    /// Its line in a journal with this binding, the end included.
    ///
    /// # Errors
    /// That it does not belong there.
    fn line_in(&self, of: &Binding) -> Result<Cow<'_, str>, String>;
}

/// Makes a folder ready for its first journal or plan. It comes before them: a folder that has them and no list of files
/// counts as one of an earlier version.
///
/// # Errors
/// If the folder cannot be written.
pub fn claim(folder: &Path) -> Result<(), RecordError> {
    OwnFiles::begin(folder).map_err(|(path, error)| RecordError::io(&path, "cannot make the run folder", error))
}

/// The only writer of a journal: it holds a lock on the file for as long as it lives.
#[derive(Debug)]
pub struct JournalWriter {
    file: LineFile,
    /// What lines are bound to.
    of: Binding,
    synced: Duration,
}

impl JournalWriter {
    /// Opens a journal for appending, a new one with this header. The folder is created if needed; a torn last line is
    /// cut off.
    ///
    /// # Errors
    /// If another process writes it, if it is no journal or begins with a header to which there is an objection, or if it
    /// cannot be opened.
    pub fn open<H: JournalHeader>(path: &Path, header: &H) -> Result<JournalWriter, RecordError> {
        let mut file = LineFile::open(path)?;
        if file.is_empty() {
            if !file.starts(is_torn_header)? {
                return Err(RecordError::folder(path, "this file is not a journal and is not overwritten"));
            }
        // Another process may have begun it since it was read.
        } else if let Some(problem) = H::of_file(path)?.and_then(|theirs| header.objection(&theirs, path)) {
            return Err(RecordError::folder(path, problem));
        }
        file.cut_torn_line()?;
        if file.is_empty() {
            file.begin(&encode("header", header))?;
        }
        Ok(JournalWriter { file, of: header.binding(), synced: Duration::ZERO })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
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

    /// Appends a record; `now` is the time since the journal was opened.
    ///
    /// # Errors
    /// If it belongs to another journal, cannot be written, or is longer than any line that is read; what was written of
    /// it is taken back, so that the journal stays whole.
    pub fn append(&mut self, record: &impl JournalRecord, now: Duration) -> Result<(), RecordError> {
        let line = record.line_in(&self.of).map_err(|problem| RecordError::folder(self.file.path(), problem))?;
        debug_assert!(is_bound_to(&line, &self.of), "{line}");
        self.file.write(&line)?;
        if now.saturating_sub(self.synced) >= SYNC_EVERY { self.sync(now) } else { Ok(()) }
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

/// The line of an entry.
pub fn entry(record: &impl Serialize, of: &Binding) -> Cow<'static, str> {
    Cow::Owned(bound(Label::Entry, record, of))
}

/// A line of a journal.
#[derive(Debug)]
pub enum Line<H, R> {
    /// The header.
    Header(Box<H>),
    /// A record, and what it is bound to; none in games of format 1.
    Record(Box<R>, Option<Binding>),
    /// A line that cannot be read, and why.
    Damaged(String),
    /// The last line, without its end: the process was cut off while writing it.
    Torn,
    /// A compressed file is damaged or cut off here; nothing after it can be read.
    Unreadable(String),
}

/// A line with its number, from 1.
pub type Numbered<H, R> = (usize, Line<H, R>);

/// Reads a journal line by line, plain, `.gz` or `.zst`.
pub struct JournalReader<H, R> {
    lines: Lines,
    number: usize,
    buffer: Vec<u8>,
    holds: PhantomData<fn() -> (H, R)>,
}

impl<H: JournalHeader, R: DeserializeOwned> JournalReader<H, R> {
    /// Opens a journal.
    ///
    /// # Errors
    /// If it cannot be opened, or is not a regular file.
    pub fn open(path: &Path) -> Result<JournalReader<H, R>, RecordError> {
        Ok(JournalReader { lines: Lines::open(path)?, number: 0, buffer: Vec::new(), holds: PhantomData })
    }

    /// The next line.
    ///
    /// # Errors
    /// If the file cannot be read on.
    pub fn next_line(&mut self) -> Result<Option<Numbered<H, R>>, RecordError> {
        let Some(raw) = self.lines.next(&mut self.buffer)? else { return Ok(None) };
        self.number += 1;
        let line = match raw {
            RawLine::Line => Line::read(&self.buffer).unwrap_or_else(Line::Damaged),
            RawLine::Torn => Line::Torn,
            RawLine::TooLong => Line::Damaged("longer than any line of a journal".to_owned()),
            RawLine::Unreadable(why) => Line::Unreadable(why),
        };
        Ok(Some((self.number, line)))
    }

    /// Where the line that was read last begins, in the text that is not compressed.
    pub fn offset(&self) -> u64 {
        self.lines.begins()
    }

    /// The bytes of the line that was read last; nothing of a line that is too long.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer
    }
}

impl<H: JournalHeader, R: DeserializeOwned> Line<H, R> {
    /// Reads the bytes of a line, its end left out.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Line<H, R>, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "not text")?;
        let said = |error: serde_json::Error| error.to_string();
        Ok(match decode(text.trim_end())? {
            Content::Header(json) => Line::Header(Box::new(serde_json::from_str(json).map_err(said)?)),
            Content::Record(label, json, of) if label == H::LABEL => {
                Line::Record(Box::new(serde_json::from_str(json).map_err(said)?), of)
            }
            Content::Record(label, ..) => return Err(label.elsewhere().to_owned()),
        })
    }
}
