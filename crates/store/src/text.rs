//! Lines of text files, plain, `.gz` or `.zst`: bounded in length, and read as far as a damaged file can be read.

use super::error::RecordError;
use crate::disk;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// No line is longer: a game of ours has a few hundred kilobytes at most.
pub(crate) const MAX_LINE: u64 = 64 << 20;

/// What was read.
pub(crate) enum RawLine {
    /// A line, without its end.
    Line,
    /// The last line, which has no end.
    Torn,
    /// A line that is too long; it was passed over.
    TooLong,
    /// A compressed file is damaged or cut off here: nothing that follows can be read.
    Unreadable(String),
}

/// The lines of a file.
pub(crate) struct Lines {
    path: PathBuf,
    text: Box<dyn BufRead>,
    /// Where the last line begins.
    begins: u64,
    /// Bytes that were read.
    read: u64,
    ended: bool,
}

impl Lines {
    /// Opens a file, decompressing by its ending.
    ///
    /// # Errors
    /// If it cannot be opened, or is not a regular file.
    pub(crate) fn open(path: &Path) -> Result<Lines, RecordError> {
        let file = disk::open(path).map_err(|error| RecordError::io(path, "cannot read", error))?;
        let buffered = BufReader::with_capacity(1 << 16, file);
        let text: Box<dyn BufRead> = match path.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(buffered))),
            Some("zst") => {
                Box::new(BufReader::new(Frames { source: buffered, decoder: FrameDecoder::new(), within: false }))
            }
            _ => Box::new(buffered),
        };
        Ok(Lines { path: path.to_owned(), text, begins: 0, read: 0, ended: false })
    }

    /// Where the line that was read last begins, in bytes of the text.
    pub(crate) fn begins(&self) -> u64 {
        self.begins
    }

    /// Reads the next line into `line`; none at the end.
    ///
    /// # Errors
    /// If the system cannot read on.
    pub(crate) fn next(&mut self, line: &mut Vec<u8>) -> Result<Option<RawLine>, RecordError> {
        line.clear();
        if self.ended {
            return Ok(None);
        }
        let read = (&mut self.text).take(MAX_LINE).read_until(b'\n', line);
        self.begins = self.read;
        self.read += line.len() as u64;
        match read.map(|read| (read, line.last())) {
            Ok((0, _)) => Ok(None),
            Ok((_, Some(b'\n'))) => {
                line.pop();
                Ok(Some(RawLine::Line))
            }
            Ok((read, _)) if read as u64 == MAX_LINE => self.pass_over().map(|()| Some(RawLine::TooLong)),
            Ok(_) => Ok(Some(RawLine::Torn)),
            // The system's errors have a number; those without one are of the decompression.
            Err(error) if error.raw_os_error().is_none() => {
                self.ended = true;
                Ok(Some(RawLine::Unreadable(error.to_string())))
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Reads to the end of a line that is not kept.
    fn pass_over(&mut self) -> Result<(), RecordError> {
        loop {
            let (end, read) = match self.text.fill_buf() {
                Ok(part) => match part.iter().position(|byte| *byte == b'\n') {
                    Some(end) => (true, end + 1),
                    None => (part.is_empty(), part.len()),
                },
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // The next call reports it.
                Err(error) if error.raw_os_error().is_none() => return Ok(()),
                Err(error) => return Err(self.failed(error)),
            };
            self.text.consume(read);
            self.read += read as u64;
            if end {
                return Ok(());
            }
        }
    }

    fn failed(&self, error: io::Error) -> RecordError {
        RecordError::io(&self.path, "cannot read", error)
    }
}

/// The frames of a Zstandard file, one after the other.
struct Frames {
    source: BufReader<File>,
    decoder: FrameDecoder,
    /// Whether the decoder is in a frame.
    within: bool,
}

impl Read for Frames {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while !bytes.is_empty() {
            if !self.within {
                if self.source.fill_buf()?.is_empty() {
                    break;
                }
                match self.decoder.reset(&mut self.source) {
                    Ok(()) => self.within = true,
                    // Written by programs that compress on many threads.
                    Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                        length, ..
                    })) => {
                        io::copy(&mut (&mut self.source).take(length.into()), &mut io::sink())?;
                    }
                    Err(error) => return Err(io::Error::other(error)),
                }
            } else if self.decoder.can_collect() > 0 {
                return self.decoder.read(bytes);
            } else if self.decoder.is_finished() {
                self.within = false;
            } else {
                let decoded = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
                decoded.map_err(io::Error::other)?;
            }
        }
        Ok(0)
    }
}

/// The lines of a text file, plain, `.gz` or `.zst`.
///
/// # Errors
/// If it cannot be opened or is not a regular file; each line may fail to be read.
pub fn read_lines(path: &Path) -> Result<impl Iterator<Item = Result<String, RecordError>>, RecordError> {
    let mut lines = Lines::open(path)?;
    let mut line = Vec::new();
    Ok(std::iter::from_fn(move || {
        let read = lines.next(&mut line);
        let wrong = |what: &str| RecordError::folder(&lines.path, what);
        match read {
            Ok(None) => None,
            Ok(Some(RawLine::Line | RawLine::Torn)) => {
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                Some(String::from_utf8(std::mem::take(&mut line)).map_err(|_| wrong("not text in UTF-8")))
            }
            Ok(Some(RawLine::TooLong)) => Some(Err(wrong("a line is longer than any that is read"))),
            Ok(Some(RawLine::Unreadable(why))) => Some(Err(wrong(&format!("cannot read on: {why}")))),
            Err(error) => Some(Err(error)),
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn all(path: &Path) -> (usize, bool) {
        let mut lines = Lines::open(path).unwrap();
        let (mut line, mut whole, mut unreadable) = (Vec::new(), 0, false);
        while let Some(raw) = lines.next(&mut line).unwrap() {
            whole += usize::from(matches!(raw, RawLine::Line) && line.starts_with(b"line "));
            unreadable |= matches!(raw, RawLine::Unreadable(_));
        }
        (whole, unreadable)
    }

    #[test]
    fn compressed_files_are_read_whole_and_as_far_as_they_go() {
        let folder = tempfile::tempdir().unwrap();
        let text: String = (0..20_000).map(|number| format!("line {number}, {}\n", number * 7_919 % 10_007)).collect();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gz.write_all(text.as_bytes()).unwrap();
        let gz = gz.finish().unwrap();
        let frame = ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
        // Two frames, and one between them that carries no text.
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3][..]].concat();
        let zst = [&frame[..], &skipped, &frame].concat();
        for (name, whole, lines) in [("a.gz", &gz, 20_000), ("a.zst", &zst, 40_000)] {
            let path = folder.path().join(name);
            std::fs::write(&path, whole).unwrap();
            assert_eq!(all(&path), (lines, false), "{name}");
            std::fs::write(&path, &whole[..whole.len() - 1_000]).unwrap();
            let (read, unreadable) = all(&path);
            assert!(unreadable && read > lines / 3 && read < lines, "{name}: {read}");
            std::fs::write(&path, b"this is something else\n").unwrap();
            assert_eq!(all(&path), (0, true), "{name}");
        }
    }

    #[test]
    fn a_line_without_end_is_not_kept_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gz");
        let mut gz = flate2::write::GzEncoder::new(std::fs::File::create(&path).unwrap(), flate2::Compression::fast());
        let block = vec![b'x'; 1 << 20];
        for _ in 0..100 {
            gz.write_all(&block).unwrap();
        }
        gz.write_all(b"\nline after it\n").unwrap();
        gz.finish().unwrap();
        let mut lines = Lines::open(&path).unwrap();
        let mut line = Vec::new();
        assert!(matches!(lines.next(&mut line), Ok(Some(RawLine::TooLong))));
        assert!(line.capacity() as u64 <= 2 * MAX_LINE);
        assert!(matches!(lines.next(&mut line), Ok(Some(RawLine::Line))) && line == b"line after it");
        assert!(matches!(lines.next(&mut line), Ok(None)));
    }
}
