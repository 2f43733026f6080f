//! Files that evouct derives: what stands in their place is replaced only if evouct wrote it.
//!
//! A folder has a list of what was written into it: hashes and names, as `b3sum` prints them. A file whose contents the
//! list does not have was written by others, or edited since.

use super::replacement::remove_stale;
use super::{DiskFile, create_folder, replace, sync_folder};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::symlink_metadata;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The list of a folder.
const LIST: &str = ".evouct-files";
/// The largest list that is read, in bytes.
const MAX_LIST: u64 = 64 << 20;
/// Why a file is not replaced.
pub const KEPT: &str =
    "evouct did not write this file as it is now, and keeps it; move it or delete it, then run the command again";

/// What evouct has written into a folder.
#[derive(Debug)]
pub struct OwnFiles {
    folder: PathBuf,
    /// Hash and name of everything that was ever written.
    listed: BTreeSet<(String, String)>,
    /// Whether everything in the folder counts as written by evouct: there is no list, because an earlier version
    /// wrote it.
    is_adopted: bool,
}

/// A file that cannot be written, and why.
pub type Unwritten = (PathBuf, io::Error);

impl OwnFiles {
    /// The files of a folder. Without a list, `adopts` says whether they count as those of an earlier version.
    ///
    /// # Errors
    /// If the list cannot be read.
    pub fn of(folder: &Path, adopts: bool) -> Result<OwnFiles, Unwritten> {
        let listed = read(folder).map_err(|error| (folder.join(LIST), error))?;
        let is_adopted = adopts && listed.is_none();
        Ok(OwnFiles { folder: folder.to_owned(), listed: listed.unwrap_or_default(), is_adopted })
    }

    /// Makes a list for a folder that is new, before anything else is written there: files already there are not
    /// evouct's. A list that another process has made at the same time stays.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(folder: &Path) -> Result<(), Unwritten> {
        create_folder(folder).map_err(|error| (folder.to_owned(), error))?;
        let list = list_of(folder);
        list.and_then(|list| DiskFile::append_to(&list)?.sync()).map_err(|error| (folder.join(LIST), error))
    }

    /// Refuses a place where something stands that evouct did not write. `hash` is that of what is to be written: the
    /// same contents are no loss.
    ///
    /// # Errors
    /// If it is such a place, or cannot be read.
    pub fn check(&self, name: &str, hash: Option<&str>) -> Result<(), Unwritten> {
        let place = self.folder.join(name);
        let refused = |what: &str| Err((place.clone(), io::Error::new(io::ErrorKind::AlreadyExists, what.to_owned())));
        let above = place.parent().filter(|above| *above != self.folder);
        if above.is_some_and(|above| symlink_metadata(above).is_ok_and(|found| found.is_symlink())) {
            return refused("its folder is a link to another place; remove the link");
        }
        let Ok(found) = symlink_metadata(&place) else { return Ok(()) };
        if !found.is_file() {
            return refused("this is no regular file; move it away");
        }
        if self.is_adopted {
            return Ok(());
        }
        let standing = hash_of(&place).map_err(|error| (place.clone(), error))?;
        let is_known = |listed: &BTreeSet<(String, String)>| listed.contains(&(standing.clone(), name.to_owned()));
        // Another report of the folder may have written it since the list was read.
        if hash == Some(&standing)
            || is_known(&self.listed)
            || read(&self.folder).is_ok_and(|now| now.is_some_and(|now| is_known(&now)))
        {
            return Ok(());
        }
        refused(KEPT)
    }

    /// Lists what is about to be written, so that it is known after a crash.
    ///
    /// # Errors
    /// If the list cannot be written.
    pub fn add<'a>(&mut self, files: impl IntoIterator<Item = (String, &'a str)>) -> Result<(), Unwritten> {
        let list = list_of(&self.folder).map_err(|error| (self.folder.join(LIST), error))?;
        let files = files.into_iter().map(|(hash, name)| (hash, name.to_owned()));
        let new: Vec<(String, String)> = files.filter(|file| !self.listed.contains(file)).collect();
        let text: String = new.iter().map(|(hash, name)| format!("{hash}  {name}\n")).collect();
        if self.is_adopted {
            self.adopt().map_err(|error| (list.clone(), error))?;
        }
        if !text.is_empty() {
            append(&list, &text).map_err(|error| (list, error))?;
        }
        self.listed.extend(new);
        Ok(())
    }

    /// Makes the list of a folder that an earlier version wrote, with everything that stands there.
    fn adopt(&mut self) -> io::Result<()> {
        let mut found = Vec::new();
        for folder in [self.folder.clone(), self.folder.join("figures")] {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let name = path.strip_prefix(&self.folder).ok().and_then(Path::to_str);
                let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
                let is_derived = ["csv", "html", "json", "svg", "tex", "toml"].contains(&ending);
                if let Some(name) = name.filter(|_| is_derived && entry.file_type().is_ok_and(|kind| kind.is_file())) {
                    found.push((hash_of(&path)?, name.to_owned()));
                }
            }
        }
        let text: String = found.iter().map(|(hash, name)| format!("{hash}  {name}\n")).collect();
        replace(&self.folder.join(LIST), text.as_bytes())?;
        self.listed.extend(found);
        self.is_adopted = false;
        Ok(())
    }
}

/// The hash of some bytes as the list has it.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn hash_of(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut super::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// The list of a folder. Who made the folder may not be who runs evouct: what the list's name leads to is not written.
fn list_of(folder: &Path) -> io::Result<PathBuf> {
    let list = folder.join(LIST);
    refuse_link(&list).map_err(|error| io::Error::new(error.kind(), format!("{LIST}: {error}")))?;
    Ok(list)
}

/// Refuses a path of a run folder that leads to another place.
///
/// # Errors
/// If it is a link.
pub fn refuse_link(path: &Path) -> io::Result<()> {
    match symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            Err(io::Error::new(io::ErrorKind::AlreadyExists, "this is a link to another place; remove the link"))
        }
        _ => Ok(()),
    }
}

/// Hashes and names of a list; none if there is no list.
fn read(folder: &Path) -> io::Result<Option<BTreeSet<(String, String)>>> {
    let text = match super::read::read_bytes(&list_of(folder)?, MAX_LIST) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text?,
    };
    // A line that is damaged, and is perhaps no text, is of no file; the others hold.
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter_map(|line| line.split_once("  "));
    Ok(Some(lines.map(|(hash, name)| (hash.to_owned(), name.to_owned())).collect()))
}

fn append(list: &Path, text: &str) -> io::Result<()> {
    let mut file = DiskFile::append_to(list)?;
    // A line that was cut off must not take the next one with it.
    let is_torn = file.length()? > 0 && {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        last != *b"\n"
    };
    let text = if is_torn { format!("\n{text}") } else { text.to_owned() };
    file.write_all(text.as_bytes())?;
    file.sync()
}

/// Writes files into a folder, each whole or not at all, and returns their names. It writes none of them if one of the
/// files already there in their places is not evouct's.
///
/// # Errors
/// If a file is not evouct's, or cannot be written.
pub fn replace_own(folder: &Path, files: Vec<(String, Vec<u8>)>, adopts: bool) -> Result<Vec<String>, Unwritten> {
    let mut own = OwnFiles::of(folder, adopts)?;
    let hashes: Vec<String> = files.iter().map(|(_, bytes)| hash(bytes)).collect();
    for ((name, _), hash) in files.iter().zip(&hashes) {
        own.check(name, Some(hash))?;
    }
    let mut folders = BTreeMap::from([(folder.to_owned(), Vec::new())]);
    for (name, _) in &files {
        if let Some(above) = folder.join(name).parent() {
            folders.entry(above.to_owned()).or_default().push(name.rsplit('/').next().unwrap_or(name));
        }
    }
    for (folder, names) in &folders {
        create_folder(folder).map_err(|error| (folder.clone(), error))?;
        remove_stale(folder, names);
    }
    let folders: Vec<PathBuf> = folders.into_keys().collect();
    own.add(hashes.into_iter().zip(&files).map(|(hash, (name, _))| (hash, name.as_str())))?;
    let mut written = Vec::new();
    for (name, bytes) in files {
        let place = folder.join(&name);
        replace(&place, &bytes).map_err(|error| (place, error))?;
        written.push(name);
    }
    for folder in folders {
        sync_folder(&folder).map_err(|error| (folder, error))?;
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_line_of_the_list_is_of_no_file_and_the_others_hold() {
        let folder = tempfile::tempdir().unwrap();
        let files = |text: &str| vec![("a.csv".to_owned(), text.into()), ("b.csv".to_owned(), text.into())];
        replace_own(folder.path(), files("1"), false).unwrap();
        let list = folder.path().join(LIST);
        let mut text = std::fs::read(&list).unwrap();
        text[3] ^= 0x80;
        std::fs::write(&list, text).unwrap();
        let (path, error) = replace_own(folder.path(), files("2"), false).unwrap_err();
        assert!(path.ends_with("a.csv") && error.to_string() == KEPT, "{error}");
        std::fs::remove_file(path).unwrap();
        assert_eq!(replace_own(folder.path(), files("2"), false).unwrap(), ["a.csv", "b.csv"]);
    }
}
