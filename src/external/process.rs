//! A program that is spoken to by lines.

use super::lines::{Line, read_line};
use crate::clock::WallClock;
use crate::parameter::Words;
use crate::search::Clock;
use std::io::{self, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::Duration;

/// How long a program may take to end after `quit`, and after it has closed its output.
const GRACE: Duration = Duration::from_secs(1);

/// Lines of a program that wait to be read; a program that writes more waits itself.
const WAITING: usize = 64;

/// A running program. Threads of its own write to it and read from it, so that no state of the program can block the game. It
/// is asked to quit, and after a second killed, when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// None once the program was told to quit.
    to: Option<Sender<String>>,
    from: Receiver<Line>,
}

impl Process {
    /// Starts a program. What it writes to stderr goes to the log.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn start(command: &Words) -> io::Result<Process> {
        let (program, arguments) = command.list().split_first().expect("a command has a word");
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else { unreachable!("all three are piped") };
        let (to, lines_to) = channel::<String>();
        let (said, from) = sync_channel(WAITING);
        let name = program.clone();
        let process = Process { child, to: Some(to), from };
        // If one of the threads cannot be started, the program is killed with `process`.
        let thread = |does: &str| thread::Builder::new().name(format!("external-{does}"));
        thread("in").spawn(move || {
            // The pipe breaks where the program ends, which its output tells as well.
            let write = |line: String| stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush());
            lines_to.into_iter().map(write).find(Result::is_err)
        })?;
        thread("out").spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let line = read_line(&mut stdout).unwrap_or(Line::End);
                let is_last = !matches!(line, Line::Text(_));
                if said.send(line).is_err() || is_last {
                    break;
                }
            }
        })?;
        thread("log").spawn(move || {
            let mut stderr = BufReader::new(stderr);
            loop {
                match read_line(&mut stderr).unwrap_or(Line::End) {
                    Line::Text(text) => tracing::info!("{name}: {text:.1000}"),
                    Line::TooLong | Line::NotText => {}
                    Line::End => break,
                }
            }
        })?;
        Ok(process)
    }

    /// Sends a line. A program that has ended is not told: that is seen where it is to answer.
    pub(super) fn send(&self, line: &str) {
        if let Some(to) = &self.to {
            to.send(format!("{line}\n")).ok();
        }
    }

    /// The next line; none if there is none within this time.
    pub(super) fn next(&self, limit: Duration) -> Option<Line> {
        match self.from.recv_timeout(limit) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Line::End),
        }
    }

    /// In words, what became of a program that has closed its output.
    pub(super) fn end(&mut self) -> String {
        let clock = WallClock::start();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("the program ended ({status})"),
                Ok(None) if clock.now() < GRACE => thread::sleep(Duration::from_millis(5)),
                _ => return "the program closed its output".to_owned(),
            }
        }
    }

    /// Kills the program.
    pub(super) fn kill(&mut self) {
        self.to = None;
        // It may have ended already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.to.is_some() {
            self.send("quit");
            self.to = None;
            let clock = WallClock::start();
            while let Some(left) = GRACE.checked_sub(clock.now()) {
                if matches!(self.next(left), None | Some(Line::End)) {
                    break;
                }
            }
            while clock.now() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
                thread::sleep(Duration::from_millis(5));
            }
        }
        self.kill();
    }
}
