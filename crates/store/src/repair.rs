//! Journals of entries in whose header one bit is wrong: they are copied, with the header as it was.
//!
//! Other damaged lines stay: readers leave them out, and the command that began the folder makes again what they held.

use super::disk::{self, DiskFile};
use super::error::RecordError;
use super::flipped_bit::{Behind, restored_json};
use super::journal::claim;
use super::line::{Content, decode, encode};
use super::line_file::journals;
use evouct_base::phrase::Phrase;
use serde_json::value::RawValue;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};

/// What a message about a damaged header says further.
pub const SALVAGE: &str = "; `evouct repair` saves what can be read";

/// A journal that was copied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopiedJournal {
    /// Its name.
    pub name: String,
    /// Whether one bit of its header was wrong.
    pub is_restored: bool,
}

/// Copies the journals of a folder whose names begin with `stem` into `out`, with whole headers. If all are whole, nothing is
/// written, and nothing returned, unless they are to be copied `always`.
///
/// # Errors
/// If `out` holds something or is in `folder`, if a header has more than one wrong bit, or if files cannot be read or
/// written.
pub fn copy_with_headers(
    folder: &Path,
    out: &Path,
    stem: &str,
    always: bool,
) -> Result<Vec<CopiedJournal>, RecordError> {
    check_repair_folder(folder, out)?;
    let mut copies = Vec::new();
    for path in journals(folder, stem)? {
        let mut text = Vec::new();
        let read = disk::open(&path).and_then(|mut file| file.read_to_end(&mut text));
        read.map_err(|error| RecordError::io(&path, "cannot read", error))?;
        let is_plain = path.extension().is_some_and(|ending| ending == "jsonl");
        let (header, rest) = if is_plain { header_of(&path, &text)? } else { (None, 0) };
        copies.push((path, header, text, rest));
    }
    if !always && copies.iter().all(|(_, header, ..)| header.is_none()) {
        return Ok(Vec::new());
    }
    claim(out)?;
    let copied = copies.into_iter().map(|(path, header, text, rest)| {
        let to = out.join(path.file_name().unwrap_or_default());
        let written = DiskFile::create(&to).and_then(|mut file| {
            file.write_all(header.as_deref().unwrap_or_default().as_bytes())?;
            file.write_all(&text[rest..])?;
            file.sync()
        });
        written.map_err(|error| RecordError::io(&to, "cannot write", error))?;
        let name = to.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(CopiedJournal { name, is_restored: header.is_some() })
    });
    copied.collect()
}

/// The header's line in place of a damaged one, and where the text goes on; none and 0 if it is whole.
fn header_of(path: &Path, text: &[u8]) -> Result<(Option<String>, usize), RecordError> {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let [first, second] = [(); 2].map(|()| lines.next().unwrap_or_default());
    let line = |bytes: &'_ [u8]| bytes.strip_suffix(b"\n").unwrap_or(bytes).to_vec();
    let is_whole =
        std::str::from_utf8(first).is_ok_and(|first| matches!(decode(first.trim_end()), Ok(Content::Header(_))));
    if is_whole || text.is_empty() {
        return Ok((None, 0));
    }
    let restored = restored_json(&line(first), &line(second)).and_then(|(json, behind)| {
        let json = RawValue::from_string(String::from_utf8(json).ok()?).ok()?;
        Some((encode("header", &json), behind))
    });
    let Some((header, behind)) = restored else {
        return Err(RecordError::folder(path, "more than one bit of the header is wrong"));
    };
    let rest = match behind {
        Behind::At(place) => place,
        Behind::Second => first.len(),
        Behind::Third => first.len() + second.len(),
    };
    Ok((Some(header), rest))
}

/// Whether what is saved of a damaged folder may go to `out`. The original is never changed: nothing is written into it,
/// nor over anything else.
///
/// # Errors
/// If `out` is in the folder or holds something, or if one of them cannot be read.
pub fn check_repair_folder(folder: &Path, out: &Path) -> Result<(), RecordError> {
    // What does not exist yet is made where the links above it lead.
    let absolute = |path: &Path| -> std::io::Result<PathBuf> {
        let mut at = PathBuf::new();
        for part in std::path::absolute(path)?.components() {
            if part == Component::ParentDir {
                at.pop();
                continue;
            }
            at.push(part);
            at = match at.canonicalize() {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => at,
                found => found?,
            };
        }
        Ok(at)
    };
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| RecordError::io(&path, "cannot read the folder", error)
    };
    let (folder_at, out_at) = (absolute(folder).map_err(unreadable(folder))?, absolute(out).map_err(unreadable(out))?);
    if out_at.starts_with(&folder_at) {
        return Err(RecordError::folder(out, "this is the damaged run's own folder, which is not changed"));
    }
    match std::fs::read_dir(out) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(RecordError::io(out, "cannot read the folder", error)),
        Ok(entries) => match entries.count() {
            0 => Ok(()),
            _ => Err(RecordError::folder(out, format!("this folder is not empty; {}", Phrase::NewFolder))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn any_wrong_bit_of_a_header_is_mended_in_the_copy() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("damaged");
        std::fs::create_dir(&folder).unwrap();
        let header = encode("header", &json!({"format": 2, "evolve": "x".repeat(30)}));
        let whole = header.clone() + "{\"sum\":\"0123456789abcdef\",\"entry\":{}}\n";
        for bit in (0..8 * header.len()).step_by(13) {
            let mut text = whole.clone().into_bytes();
            text[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(folder.join("evolution.jsonl"), &text).unwrap();
            let out = scratch.path().join(format!("out-{bit}"));
            let copied = copy_with_headers(&folder, &out, "evolution", false).unwrap();
            assert_eq!(copied, [CopiedJournal { name: "evolution.jsonl".to_owned(), is_restored: true }], "bit {bit}");
            assert_eq!(std::fs::read_to_string(out.join("evolution.jsonl")).unwrap(), whole, "bit {bit}");
        }
        let mut text = whole.into_bytes();
        text[40] ^= 3;
        std::fs::write(folder.join("evolution.jsonl"), &text).unwrap();
        let error = copy_with_headers(&folder, &scratch.path().join("none"), "evolution", false).unwrap_err();
        assert!(error.to_string().contains("more than one bit"), "{error}");
        assert!(!scratch.path().join("none").exists());
    }
}
