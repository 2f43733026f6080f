//! A program that is spoken to by lines.

use super::lines::{InputLine, is_remark, read_line};
use super::running::{self, Group};
use super::strays::POLL;
use crate::clock::WallClock;
use crate::domain::{Fault, FaultReason};
use evouct_base::parameter::Words;
use evouct_base::stack;
use evouct_search::search::Clock;
use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a program may take to end after `quit`, and after it has closed its output.
const GRACE: Duration = Duration::from_secs(1);

/// Time without a line after which it is checked whether the program has ended.
const SILENCE: Duration = Duration::from_millis(100);

/// Lines of a program that wait to be read; a program that writes more waits itself.
const WAITING: usize = 64;

/// Letters of a line of stderr that the log and messages show.
const SHOWN: usize = 1_000;

/// The last lines of stderr that messages show.
const LAST_LINES: usize = 3;

/// Whether the program of a command exists: at its path if it has one, otherwise in a folder of `PATH`. It may still
/// fail to start.
pub fn exists(command: &Words) -> bool {
    let program = Path::new(command.list().first().expect("a command has a word"));
    if program.components().count() > 1 || program.has_root() {
        return program.exists();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// A running program. Threads of its own write to it and read from it, so that no state of the program can block the
/// game. When this is dropped, the program is asked to quit, and after a second killed together with all programs that
/// it has started.
#[derive(Debug)]
pub(super) struct Process {
    /// None once it was killed.
    child: Option<(Child, Group)>,
    /// None once it was asked to quit: its input ends then.
    to: Option<Sender<String>>,
    from: Receiver<InputLine>,
    /// The last lines of stderr so far.
    words: Arc<Mutex<VecDeque<String>>>,
    /// Closed when stderr has ended.
    stderr: Receiver<()>,
    /// The line that asks it to quit; none if the end of its input does.
    farewell: Option<&'static str>,
    /// Since it was asked to quit.
    asked: Option<WallClock>,
}

impl Process {
    /// Starts a program. What it writes to stderr goes to the log. `farewell` is the line that will ask it to quit; none if
    /// the end of its input does.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn start(command: &Words, farewell: Option<&'static str>) -> io::Result<Process> {
        let (program, arguments) = command.list().split_first().expect("a command has a word");
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: Ctrl-C in a terminal reaches evouct only, which ends the whole group. A program that
        // ended before evouct would lose its game.
        command.process_group(0);
        let (mut child, group) = running::start(&mut command)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else { unreachable!("all three are piped") };
        let (to, lines_to) = channel::<String>();
        let (said, from) = sync_channel(WAITING);
        let (is_open, stderr_end) = channel();
        let (name, words) = (program.clone(), Arc::default());
        let last = Arc::clone(&words);
        let process = Process {
            child: Some((child, group)),
            to: Some(to),
            from,
            words,
            stderr: stderr_end,
            farewell,
            asked: None,
        };
        // If one of the threads cannot be started, the program is killed with `process`.
        stack::thread("external-in").spawn(move || {
            // The pipe breaks where the program ends, which its output tells as well.
            let write = |line: String| stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush());
            lines_to.into_iter().map(write).find(Result::is_err)
        })?;
        stack::thread("external-out").spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let line = read_line(&mut stdout).unwrap_or(InputLine::End);
                let is_last = !matches!(line, InputLine::Text(_));
                if said.send(line).is_err() || is_last {
                    break;
                }
            }
        })?;
        stack::thread("external-log").spawn(move || {
            let mut stderr = BufReader::new(stderr);
            let _is_open: Sender<()> = is_open;
            loop {
                match read_line(&mut stderr).unwrap_or(InputLine::End) {
                    InputLine::Text(text) => {
                        tracing::info!("{name}: {text:.SHOWN$}");
                        if !text.trim().is_empty() {
                            let mut words = locked(&last);
                            words.push_back(text.trim().chars().take(SHOWN).collect());
                            let first = words.len().saturating_sub(LAST_LINES);
                            words.drain(..first);
                        }
                    }
                    InputLine::TooLong | InputLine::NotText => {}
                    InputLine::End => break,
                }
            }
        })?;
        Ok(process)
    }

    /// Sends a line. If the program has ended, nothing happens here: the next answer reports it.
    pub(super) fn send(&self, line: &str) {
        if let Some(to) = &self.to {
            to.send(format!("{line}\n")).ok();
        }
    }

    /// The next line; none if there is none within this time.
    pub(super) fn next(&self, limit: Duration) -> Option<InputLine> {
        let clock = WallClock::start();
        let mut has_ended = false;
        loop {
            let left = limit.saturating_sub(clock.now());
            match self.from.recv_timeout(left.min(SILENCE)) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Disconnected) => return Some(InputLine::End),
                // What it had written is read by now; its output is open where another program still holds it.
                Err(RecvTimeoutError::Timeout) if has_ended => return Some(InputLine::End),
                Err(RecvTimeoutError::Timeout) if left <= SILENCE => return None,
                Err(RecvTimeoutError::Timeout) => has_ended = self.has_ended(),
            }
        }
    }

    /// Reads what the program has written by now, without waiting for more.
    ///
    /// # Errors
    /// If it is more than remarks: it answers nothing that is asked next.
    pub(super) fn check_silent(&self) -> Result<(), Fault> {
        let unasked = self.from.try_iter().take(WAITING + 1).find_map(|line| match line {
            InputLine::Text(text) => (!is_remark(&text)).then_some(text),
            InputLine::TooLong | InputLine::NotText => Some("…".to_owned()),
            InputLine::End => None,
        });
        match unasked {
            None => Ok(()),
            Some(line) => {
                let message = format!("it wrote \"{line:.60}\", which nothing had asked for");
                Err(Fault::new(FaultReason::Garbage, message))
            }
        }
    }

    /// Whether the program itself has ended; programs that it has started may go on.
    fn has_ended(&self) -> bool {
        self.child.as_ref().is_none_or(|(_, group)| group.leader_has_ended())
    }

    /// Kills a program that has closed its output, and says in words what became of it.
    pub(super) fn end(&mut self) -> String {
        let has_ended = self.ends_within(GRACE);
        let status = self.kill().filter(|_| has_ended);
        let words = self.last_words();
        let Some(status) = status else { return format!("the program closed its output{words}") };
        if status.signal().is_some_and(running::stops) {
            // A batch system that stops a job sends the same signal to evouct. Then this game is to be interrupted, not
            // lost.
            thread::sleep(GRACE);
        }
        format!("the program ended ({status}){words}")
    }

    /// The last lines of stderr of a program that was killed, as the end of a sentence.
    pub(super) fn last_words(&self) -> String {
        self.stderr.recv_timeout(GRACE).ok();
        let quoted: Vec<String> = locked(&self.words).iter().map(|line| format!("{line:?}")).collect();
        match quoted.len() {
            0 | 1 => last_line(quoted.first()),
            _ => format!("; the last lines of its stderr are {}", quoted.join(", ")),
        }
    }

    /// The last line of stderr of a program that runs, as the end of a sentence. It has a second to write one.
    pub(super) fn remark(&self) -> String {
        let clock = WallClock::start();
        loop {
            let line = locked(&self.words).back().map(|line| format!("{line:?}"));
            if line.is_some() || clock.now() >= GRACE {
                return last_line(line.as_ref());
            }
            thread::sleep(POLL);
        }
    }

    /// Asks the program to quit, and ends its input. It has a second from now on.
    pub(super) fn ask_to_quit(&mut self) {
        if let Some(farewell) = self.farewell {
            self.send(farewell);
        }
        self.to = None;
        self.asked.get_or_insert_with(WallClock::start);
    }

    /// Waits until the program has ended, at most so long.
    fn ends_within(&self, limit: Duration) -> bool {
        let clock = WallClock::start();
        while !self.has_ended() {
            if clock.now() >= limit {
                return false;
            }
            thread::sleep(POLL);
        }
        true
    }

    /// Kills the program and all that it has started. How it ended, the first time.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        let (mut child, group) = self.child.take()?;
        drop(group);
        // The group has been killed with its leader; this is for a system that refuses that.
        child.kill().ok();
        child.wait().ok()
    }
}

fn last_line(quoted: Option<&String>) -> String {
    quoted.map_or(String::new(), |line| format!("; the last line of its stderr is {line}"))
}

fn locked(words: &Mutex<VecDeque<String>>) -> MutexGuard<'_, VecDeque<String>> {
    words.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.child.is_some() {
            self.ask_to_quit();
            let left = |process: &Process| GRACE.saturating_sub(process.asked.as_ref().map_or(GRACE, WallClock::now));
            // What it still writes is read, so that it does not wait for a reader.
            while !left(self).is_zero() && !matches!(self.next(left(self)), None | Some(InputLine::End)) {}
            self.ends_within(left(self));
            self.kill();
        }
    }
}
