//! Output to terminals: escaped, so that no text of a user controls the terminal. A file or another program gets the
//! text itself.

use crate::escape;
use std::io::{self, Write};

/// Writes text, for a terminal with all control characters escaped.
pub(super) struct Escaping<W> {
    inner: W,
    /// Whether it goes to a terminal, or to a log that people read there.
    is_shown: bool,
    /// Whether changes of colour pass.
    colours: bool,
    /// Whether each write is a message, which is cut if it is too long.
    messages: bool,
    /// The first bytes of an incomplete character.
    pending: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    /// For the output of a command, which a terminal shows or a program reads.
    pub(super) fn new(inner: W, is_shown: bool, colours: bool) -> Escaping<W> {
        Escaping { inner, is_shown, colours, messages: false, pending: Vec::new() }
    }

    /// For messages, which are written whole.
    pub(super) fn messages(inner: W) -> Escaping<W> {
        Escaping { inner, is_shown: true, colours: false, messages: true, pending: Vec::new() }
    }

    fn pass(&mut self, text: &str) -> io::Result<()> {
        let text = text
            .strip_suffix('\n')
            .filter(|_| self.messages)
            .map_or(text.into(), |line| std::borrow::Cow::Owned(escape::cut(line).into_owned() + "\n"));
        self.inner.write_all(escape::terminal(&text, self.colours).as_bytes())
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_shown {
            return self.inner.write(bytes);
        }
        if self.pending.is_empty()
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            self.pass(text)?;
            return Ok(bytes.len());
        }
        self.pending.extend_from_slice(bytes);
        let all = std::mem::take(&mut self.pending);
        let whole = match std::str::from_utf8(&all) {
            // A character may continue in the next write.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => all.len(),
        };
        self.pending = all[whole..].to_vec();
        self.pass(&String::from_utf8_lossy(&all[..whole]))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_characters_are_written_whole() {
        let text = "a\u{1b}ü漢\u{202e}\n";
        for size in 1..text.len() {
            let mut out = Vec::new();
            let mut escaping = Escaping::new(&mut out, true, false);
            text.as_bytes().chunks(size).for_each(|piece| escaping.write_all(piece).unwrap());
            assert_eq!(String::from_utf8(out).unwrap(), "a\\u{1b}ü漢\\u{202e}\n");
            let mut out = Vec::new();
            let mut plain = Escaping::new(&mut out, false, false);
            text.as_bytes().chunks(size).for_each(|piece| plain.write_all(piece).unwrap());
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
        let mut out = Vec::new();
        Escaping::messages(&mut out).write_all(("x".repeat(10_000) + "\n").as_bytes()).unwrap();
        assert!(out.len() < 2_100 && out.ends_with(b"characters)\n"));
    }
}
