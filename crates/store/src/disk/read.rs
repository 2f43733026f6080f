//! Reading files of users: regular ones only, and no more than a limit.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Refuses devices, sockets and pipes, which may never end.
pub(super) fn regular(metadata: &Metadata) -> io::Result<()> {
    match metadata {
        metadata if metadata.is_file() => Ok(()),
        metadata if metadata.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder, not a file"))
        }
        _ => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "this is a device, a socket or a pipe, not a regular file"))
        }
    }
}

/// Opens a regular file for reading.
///
/// # Errors
/// If it cannot be opened, or is a folder, a device, a socket or a pipe.
pub fn open(path: &Path) -> io::Result<File> {
    // Before it is opened: opening a pipe waits for its other end.
    regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a text file of at most so many bytes, counted as they are read: the length that the system tells is not
/// trusted.
///
/// # Errors
/// If it cannot be read, is longer, or is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = read_bytes(path, most)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// The same of a file that need not be text.
pub(crate) fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(most + 1).read_to_end(&mut bytes)? as u64;
    if read > most {
        let text = format!("it has more than the {most} bytes that are read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_longer_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "twelve bytes").unwrap();
        assert_eq!(read_text(&path, 12).unwrap(), "twelve bytes");
        assert!(read_text(&path, 11).unwrap_err().to_string().contains("more than the 11 bytes"));
        assert!(read_text(folder.path(), 11).unwrap_err().to_string().contains("a folder"));
        std::fs::write(&path, [0xff]).unwrap();
        assert!(read_text(&path, 12).unwrap_err().to_string().contains("not text"));
        if cfg!(unix) {
            assert!(open(Path::new("/dev/zero")).unwrap_err().to_string().contains("not a regular file"));
        }
    }
}
