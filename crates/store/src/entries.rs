//! Files of entries: the journals of offline evolution and banks of positions.
//!
//! As a journal of games, such a file has a header line and then one entry per line, each with a checksum over the
//! entry and the [`Binding`] that it belongs to. It only grows, has one writer at a time, and a torn last line is
//! dropped.

use super::binding::Binding;
use super::error::RecordError;
use super::line::{Content, bound, decode, encode, is_torn_header};
use super::line_file::LineFile;
use super::problems::{Problem, Problems};
use super::text::{Lines, RawLine};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::path::Path;
use std::time::Duration;

/// How long a written line may wait for the disk.
const SYNC_EVERY: Duration = Duration::from_secs(3);

/// The header of a file of entries.
pub trait EntryHeader: DeserializeOwned {
    /// What the entries of the file are bound to.
    fn binding(&self) -> Binding;

    /// Why a file that begins with another header cannot go on under this one, in words; none if it can.
    fn objection(&self, theirs: &Self, file: &Path) -> Option<String>;
}

/// The only writer of a file of entries.
#[derive(Debug)]
pub struct EntryWriter {
    file: LineFile,
    of: Binding,
    synced: Duration,
}

impl EntryWriter {
    /// Opens a file for appending, a new one with this header, whose first key must be `format`. The folder is created
    /// if needed; a torn last line is cut off.
    ///
    /// # Errors
    /// If another process writes it, if it is something else or begins with a header to which there is an objection, or
    /// if it cannot be opened.
    pub fn open<H: EntryHeader + Serialize>(path: &Path, header: &H) -> Result<EntryWriter, RecordError> {
        let mut file = LineFile::open(path)?;
        // Another process may have begun it since it was read.
        if let Some(problem) = header_of(path)?.and_then(|theirs: H| header.objection(&theirs, path)) {
            return Err(RecordError::folder(path, problem));
        }
        if file.is_empty() && !file.starts(is_torn_header)? {
            return Err(RecordError::folder(path, "this file is something else and is not overwritten"));
        }
        file.cut_torn_line()?;
        if file.is_empty() {
            file.begin(&encode("header", header))?;
        }
        Ok(EntryWriter { file, of: header.binding(), synced: Duration::ZERO })
    }

    /// Appends an entry; `now` is the time since the file was opened.
    ///
    /// # Errors
    /// If it cannot be written, or is longer than any line that is read; the file stays whole.
    pub fn append(&mut self, entry: &impl Serialize, now: Duration) -> Result<(), RecordError> {
        self.file.write(&bound("entry", entry, &self.of))?;
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

/// What a file of entries holds.
#[derive(Clone, Debug)]
pub struct Entries<H, E> {
    /// The header; none if the file has no whole line.
    pub header: Option<H>,
    /// The entries that are bound to the header, in the order of the file.
    pub entries: Vec<E>,
    /// Lines that could not be read, or are bound to something else: a list of bounded length.
    pub problems: Vec<Problem>,
}

impl<H: EntryHeader, E: DeserializeOwned> Entries<H, E> {
    /// Reads a file, plain, `.gz` or `.zst`.
    ///
    /// # Errors
    /// If it cannot be read, or its first line is no header.
    pub fn read(path: &Path) -> Result<Entries<H, E>, RecordError> {
        let mut lines = Lines::open(path)?;
        let (mut header, mut entries, mut problems): (Option<(H, Binding)>, _, _) =
            (None, Vec::new(), Problems::default());
        let (mut buffer, mut number) = (Vec::new(), 0_u64);
        while let Some(raw) = lines.next(&mut buffer)? {
            number += 1;
            let place = || format!("{}:{number}", path.display());
            let is_torn = matches!(raw, RawLine::Torn);
            let line = match raw {
                RawLine::Line => read_line::<H, E>(&buffer),
                RawLine::Torn => Err("the line was cut off".to_owned()),
                RawLine::TooLong => Err("longer than any line of such a file".to_owned()),
                RawLine::Unreadable(why) => Err(why),
            };
            match (line, &header) {
                (Ok(Line::Header(found)), None) if number == 1 => {
                    let of = found.binding();
                    header = Some((found, of));
                }
                (Ok(Line::Entry(of, entry)), Some((_, ours))) if of == *ours => entries.push(entry),
                (Ok(Line::Entry(of, _)), Some((_, ours))) => problems.add(&place, || {
                    format!("this line is ignored: it is of {}, this file is of {}", of.words(), ours.words())
                }),
                (Ok(_), _) => return Err(RecordError::folder(path, "the first line, and no other, is a header")),
                (Err(why), _) if number == 1 && !is_torn => {
                    return Err(RecordError::folder(path, format!("the header cannot be read: {why}")));
                }
                (Err(why), _) => problems.add(&place, || format!("this line is ignored: {why}")),
            }
        }
        Ok(Entries { header: header.map(|(header, _)| header), entries, problems: problems.finish() })
    }
}

/// The header of a file, plain, `.gz` or `.zst`; none if the file has no whole line.
///
/// # Errors
/// If the file cannot be read, or its first line is no header.
pub fn header_of<H: EntryHeader>(path: &Path) -> Result<Option<H>, RecordError> {
    let mut buffer = Vec::new();
    let line = match Lines::open(path)?.next(&mut buffer)? {
        None | Some(RawLine::Torn) => return Ok(None),
        Some(RawLine::Line) => read_line::<H, IgnoredAny>(&buffer),
        Some(RawLine::TooLong) => Err("longer than any line of such a file".to_owned()),
        Some(RawLine::Unreadable(why)) => Err(why),
    };
    match line {
        Ok(Line::Header(header)) => Ok(Some(header)),
        Ok(Line::Entry(..)) => Err(RecordError::folder(path, "the first line, and no other, is a header")),
        Err(why) => Err(RecordError::folder(path, format!("the header cannot be read: {why}"))),
    }
}

enum Line<H, E> {
    Header(H),
    Entry(Binding, E),
}

fn read_line<H: DeserializeOwned, E: DeserializeOwned>(bytes: &[u8]) -> Result<Line<H, E>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "not text")?;
    let said = |error: serde_json::Error| error.to_string();
    match decode(text)? {
        Content::Header(json) => Ok(Line::Header(serde_json::from_str(json).map_err(said)?)),
        Content::Entry(json, of) => Ok(Line::Entry(of, serde_json::from_str(json).map_err(said)?)),
        Content::Game(..) => Err("a game of a league".to_owned()),
    }
}

/// The digest of entries: the hash of their JSON texts in sorted order, so that it does not depend on the order of
/// arrival.
pub fn digest_of_entries<E: Serialize>(entries: impl Iterator<Item = E>) -> String {
    let mut texts: Vec<String> =
        entries.map(|entry| serde_json::to_string(&entry).expect("entries are plain data")).collect();
    texts.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(text.as_bytes()).update(b"\n");
    }
    hasher.finalize().to_hex().to_string()
}
