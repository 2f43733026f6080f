//! Journals that are read whole: those of offline evolution and banks of positions.

use super::binding::Binding;
use super::error::RecordError;
use super::journal::{JournalHeader, JournalReader, Line};
use super::problems::{Problem, Problems};
use super::repair::SALVAGE;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// What a journal holds.
#[derive(Clone, Debug)]
pub struct Entries<H, E> {
    /// The header; none if the file has no whole line.
    pub header: Option<H>,
    /// The entries that are bound to the header, in the order of the file.
    pub entries: Vec<E>,
    /// Lines that could not be read, or are bound to something else: a list of bounded length.
    pub problems: Vec<Problem>,
}

impl<H: JournalHeader, E: DeserializeOwned> Entries<H, E> {
    /// Reads a journal, plain, `.gz` or `.zst`.
    ///
    /// # Errors
    /// If it cannot be read, or its first line is no header.
    pub fn read(path: &Path) -> Result<Entries<H, E>, RecordError> {
        let mut reader = JournalReader::<H, E>::open(path)?;
        let (mut header, mut entries, mut problems): (Option<(H, Binding)>, _, _) =
            (None, Vec::new(), Problems::default());
        while let Some((number, line)) = reader.next_line()? {
            let place = || format!("{}:{number}", path.display());
            let ignored = match (line, &header) {
                (Line::Header(found), None) if number == 1 => {
                    let of = found.binding();
                    header = Some((*found, of));
                    continue;
                }
                (Line::Record(entry, of), Some((_, ours))) => {
                    let Some(of) = of.filter(|of| of != ours) else {
                        entries.push(*entry);
                        continue;
                    };
                    format!("it is of {}, this file is of {}", of.words(), ours.words())
                }
                (Line::Header(_) | Line::Record(..), _) => {
                    return Err(RecordError::folder(path, "the first line, and no other, is a header"));
                }
                (Line::Damaged(why) | Line::Unreadable(why), _) if number == 1 => {
                    return Err(RecordError::folder(path, format!("the header cannot be read: {why}{SALVAGE}")));
                }
                (Line::Damaged(why) | Line::Unreadable(why), _) => why,
                (Line::Torn, _) => "the line was cut off".to_owned(),
            };
            problems.add(&place, || format!("this line is ignored: {ignored}"));
        }
        Ok(Entries { header: header.map(|(header, _)| header), entries, problems: problems.finish() })
    }

    /// Reads a journal that is to go on under this header.
    ///
    /// # Errors
    /// As [`read`](Entries::read), or if there is an objection to its header.
    pub fn read_under(path: &Path, header: &H) -> Result<Entries<H, E>, RecordError> {
        let read = Entries::read(path)?;
        match read.header.as_ref().and_then(|theirs| header.objection(theirs, path)) {
            Some(problem) => Err(RecordError::Other { path: path.to_owned(), problem }),
            None => Ok(read),
        }
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
