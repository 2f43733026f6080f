//! The only place that writes to stderr. A failure is ignored: a full disk behind the log of a job, or a reader that has
//! gone, must not end a run whose records are whole.

use super::output::Escaping;
use crate::escape;
use std::io::{self, IsTerminal, Write, stderr};

/// Whether a person reads it.
pub(super) fn is_terminal() -> bool {
    stderr().is_terminal()
}

/// Writes a line of progress.
pub(super) fn say(line: &str) {
    write(format!("{line}\n").as_bytes());
}

/// Writes an error. Several errors of a file, or a caret below a formula, stand on lines of their own.
pub(super) fn error(message: &str) {
    let lines: Vec<String> = message.lines().map(escape::line).collect();
    say(&format!("evouct: {}", lines.join("\n")));
}

/// Takes messages of the log.
pub(super) fn log() -> Escaping<Log> {
    Escaping::messages(Log)
}

/// The log on stderr.
pub(super) struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write(bytes: &[u8]) {
    stderr().write_all(bytes).ok();
}
