//! Replacing a file whole or not at all.

use super::own_files::OwnFiles;
use super::{DiskFile, remove, rename};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What a process left behind that was killed is removed after so long.
const STALE: Duration = Duration::from_secs(24 * 3_600);
/// How many names are tried: another machine may have a process of the same number at work in the same folder.
const TRIES: u32 = 100;

/// A file that is written beside its place, under a name of this process, and moved there when it is whole and on the
/// disk.
#[derive(Debug)]
pub struct Replacement {
    file: DiskFile,
    beside: PathBuf,
    place: PathBuf,
    is_placed: bool,
    /// For a file that replaces only what evouct wrote: the files of its folder, and the hash of what is written.
    own: Option<(OwnFiles, blake3::Hasher)>,
}

impl Replacement {
    /// Begins a file that is to stand at `place`.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn of(place: &Path) -> io::Result<Replacement> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = place.file_name().and_then(|name| name.to_str()).unwrap_or("file");
        let mut tries = 0;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let beside = place.with_file_name(format!(".{name}.{}-{number}.partial", std::process::id()));
            match DiskFile::create(&beside) {
                Ok(file) => {
                    return Ok(Replacement { file, beside, place: place.to_owned(), is_placed: false, own: None });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => tries += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Begins a file that replaces nothing that evouct did not write: see [`OwnFiles`].
    ///
    /// # Errors
    /// If it cannot be created, or the list of the folder cannot be read.
    pub fn of_own(folder: &Path, name: &str, adopts: bool) -> io::Result<Replacement> {
        let own = OwnFiles::of(folder, adopts).map_err(|(_, error)| error)?;
        remove_stale(folder, &[name]);
        let mut file = Replacement::of(&folder.join(name))?;
        file.own = Some((own, blake3::Hasher::new()));
        Ok(file)
    }

    /// Refuses a place where something stands that must not be replaced by what is written so far.
    ///
    /// # Errors
    /// If it is such a place, or cannot be read.
    pub fn check(&self) -> io::Result<()> {
        let Some((own, hasher)) = &self.own else { return Ok(()) };
        own.check(self.name(), Some(hasher.finalize().to_hex().as_str())).map_err(|(_, error)| error)
    }

    fn name(&self) -> &str {
        self.place.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Moves the file to its place.
    ///
    /// # Errors
    /// If it cannot be synced or moved, or something stands there that must not be replaced; it is untouched.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.sync()?;
        self.check()?;
        let name = self.name().to_owned();
        if let Some((own, hasher)) = &mut self.own {
            own.add([(hasher.finalize().to_hex().to_string(), name.as_str())]).map_err(|(_, error)| error)?;
        }
        rename(&self.beside, &self.place)?;
        self.is_placed = true;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        if let Some((_, hasher)) = &mut self.own {
            hasher.update(&bytes[..written]);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_placed {
            drop(remove(&self.beside));
        }
    }
}

/// Writes a file whole or not at all.
///
/// # Errors
/// If that fails; what stood there is untouched.
pub fn replace(place: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = Replacement::of(place)?;
    file.write_all(text)?;
    file.finish()
}

/// Removes what replacements of these files of a folder left behind when their process was killed, once it is a day
/// older than the last change of the folder: machines that share it may have clocks that are days apart.
pub(super) fn remove_stale(folder: &Path, names: &[&str]) {
    let Ok(changed) = std::fs::metadata(folder).and_then(|folder| folder.modified()) else { return };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let is_ours = entry.file_name().to_str().and_then(replaced).is_some_and(|name| names.contains(&name));
        let age = || changed.duration_since(entry.metadata().ok()?.modified().ok()?).ok();
        if is_ours && age().is_some_and(|age| age > STALE) {
            // Another process may have removed it by now.
            drop(remove(&entry.path()));
        }
    }
}

/// The name of the file that was to be replaced by a file with this name.
fn replaced(partial: &str) -> Option<&str> {
    let (name, numbers) = partial.strip_prefix('.')?.strip_suffix(".partial")?.rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(process) && is_number(number)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("table.csv");
        replace(&place, b"one").unwrap();
        let mut abandoned = Replacement::of(&place).unwrap();
        let mut other = Replacement::of(&place).unwrap();
        abandoned.write_all(b"half").unwrap();
        other.write_all(b"two").unwrap();
        drop(abandoned);
        assert_eq!(std::fs::read(&place).unwrap(), b"one");
        other.finish().unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_being_written_stays_where_clocks_are_days_apart() {
        let folder = tempfile::tempdir().unwrap();
        let theirs = Replacement::of(&folder.path().join("a.csv")).unwrap();
        // As they stand for a process whose clock is two days ahead.
        for path in [&theirs.beside, folder.path()] {
            let file = std::fs::File::open(path).unwrap();
            file.set_modified(file.metadata().unwrap().modified().unwrap() - 2 * STALE).unwrap();
        }
        remove_stale(folder.path(), &["a.csv"]);
        theirs.finish().unwrap();
    }

    #[test]
    fn only_old_leftovers_of_the_same_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let day = Duration::from_secs(3_600 * 25);
        let kept = [
            "..1-0.partial",
            ".a.csv.1-.partial",
            ".a.csv.1-0x.partial",
            ".a.csv.partial",
            ".c.csv.1-0.partial",
            ".video.mp4.partial",
            "a.csv.1-0.partial",
        ];
        let others = kept.iter().map(|name| (*name, day));
        for (name, age) in
            [(".a.csv.1-0.partial", day), (".b.csv.1-1.partial", Duration::ZERO)].into_iter().chain(others)
        {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            let then = file.metadata().unwrap().modified().unwrap() - age;
            file.set_modified(then).unwrap();
        }
        remove_stale(folder.path(), &["a.csv", "b.csv"]);
        let mut left: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let mut expected = [&[".b.csv.1-1.partial"], &kept[..]].concat();
        expected.sort_unstable();
        assert_eq!(left, expected);
    }
}
