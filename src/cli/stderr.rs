//! The only place that writes to stderr. A failure is ignored: a full disk behind the log of a job, or a reader that has
//! gone, must not end a run whose records are whole.

use super::output::Escaping;
use crate::escape;
use crate::phrase::Phrase;
use indicatif::ProgressBar;
use std::env;
use std::fmt;
use std::io::{self, IsTerminal, Write, stderr};
use std::sync::{Mutex, PoisonError};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

/// The bar at the foot of the terminal: what is written stands above it.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Keeps a bar below what is written from now on, or none.
pub(super) fn keep_below(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// Whether a person reads it.
pub(super) fn is_terminal() -> bool {
    stderr().is_terminal()
}

/// Writes a line of progress.
pub(super) fn say(line: &str) {
    write(format!("{line}\n").as_bytes());
}

/// The same by the standard library alone, which is built for every processor: `say` uses what an old one lacks.
pub(super) fn say_plainly(line: &str) {
    drop(stderr().write_all(line.as_bytes()));
    drop(stderr().write_all(b"\n"));
}

/// The words of the command line in errors of the library.
pub(super) fn option_of(phrase: Phrase) -> Option<&'static str> {
    Some(match phrase {
        Phrase::OtherFolder => "choose another folder with --out",
        Phrase::NewFolder => "choose a new folder with --out",
        Phrase::OtherFileSystem => "choose a folder on another file system with --out",
        Phrase::FewerThreads => "choose fewer with --threads",
        Phrase::OtherPlayer => "choose another player with --player",
        Phrase::SameDecks => "the same --decks",
        Phrase::ExtendRun | Phrase::ExtendEvolution | Phrase::ExtendTuning => "--extend adds to it",
        Phrase::ExtendText => "--extend records the new text",
        Phrase::AllowVersion => "--allow-version continues with them",
        Phrase::RetryFailed => "--retry-failed",
        Phrase::Shard => "--shard",
        Phrase::Over => "--over",
        Phrase::Where => "--where",
        Phrase::Budget => "--games",
        Phrase::Player => "--player",
        Phrase::Method => "--method",
    })
}

/// Writes an error. Several errors of a file, or a caret below a formula, stand on lines of their own.
pub(super) fn error(message: &str) {
    let lines: Vec<String> = message.lines().map(escape::line).collect();
    say(&format!("evouct: {}", lines.join("\n")));
}

/// Starts the log: at a level by the number of `-v`, or as the variable RUST_LOG has it.
///
/// # Errors
/// One line if RUST_LOG is neither a level nor a list of levels by module.
pub(super) fn start_log(verbose: u8) -> Result<(), String> {
    let levels = env::var_os("RUST_LOG").filter(|value| !value.is_empty());
    // Who asks for a log has the time of each message in it; on a terminal that is now.
    let is_timed = !is_terminal() && (verbose > 0 || levels.is_some());
    let filter = match levels {
        None => Targets::new().with_default(match verbose {
            0 => LevelFilter::WARN,
            1 => LevelFilter::INFO,
            _ => LevelFilter::DEBUG,
        }),
        Some(value) => filter(&value.to_string_lossy())?,
    };
    let messages = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).event_format(Plain { is_timed });
    messages.with_writer(|| Escaping::messages(Log)).finish().with(filter).init();
    Ok(())
}

/// Messages as lines like those of progress: `warning: …`.
struct Plain {
    is_timed: bool,
}

impl<S, N> FormatEvent<S, N> for Plain
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<S, N>, mut writer: Writer, event: &Event) -> fmt::Result {
        if self.is_timed {
            SystemTime.format_time(&mut writer)?;
            write!(writer, " ")?;
        }
        let word = match *event.metadata().level() {
            Level::ERROR => "error",
            Level::WARN => "warning",
            Level::INFO => "info",
            _ => "debug",
        };
        write!(writer, "{word}: ")?;
        context.format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}

/// The levels that a text names, alone or by module.
fn filter(text: &str) -> Result<Targets, String> {
    // A misspelt level would be read as a module, a pattern as part of a name.
    let is_level = |part: &str| part.contains('=') || part.parse::<LevelFilter>().is_ok();
    let levels = text.parse().ok().filter(|_| text.split(',').all(is_level) && !text.contains(['[', '{']));
    levels.ok_or_else(|| {
        format!(
            "RUST_LOG = {text:?}: expected off | error | warn | info | debug | trace, or MODULE=LEVEL,… as in \
             warn,evouct_report=debug"
        )
    })
}

/// The log on stderr.
struct Log;

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
    let write = || drop(stderr().write_all(bytes));
    match &*BAR.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_levels_by_module() {
        let levels = filter("warn,evouct_report=debug,hyper=off").unwrap();
        assert!(levels.would_enable("evouct::cli", &Level::WARN) && !levels.would_enable("evouct::cli", &Level::INFO));
        assert!(levels.would_enable("evouct_report::serve", &Level::DEBUG));
        assert!(!levels.would_enable("hyper::proto", &Level::ERROR));
    }

    #[test]
    fn a_wrong_level_is_one_line() {
        for wrong in ["evouct=loud", "debgu", "warn,evouct", "evouct[game]=debug"] {
            let line = filter(wrong).unwrap_err();
            assert!(line.starts_with(&format!("RUST_LOG = {wrong:?}: expected off | error | warn")), "{line}");
            assert!(!line.contains('\n'));
        }
    }
}
