//! Worker processes of this one, for games of which a process plays one at a time, as those in Python are.
//!
//! They are a pool: a worker reads chunks as lines, and writes an answer per line, as a text of JSON. It ends with its input.

use super::chunk::{Found, answer};
use super::pool::{Pool, Ticketed};
use evouct_base::stack;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time of a chunk: far longer than its way, so short that progress is seen.
const CHUNK: Duration = Duration::from_millis(200);

/// Answers the chunks of the input, until it ends. `find` finds a job by its task.
///
/// # Errors
/// If the input cannot be read or the output not be written.
pub fn work(
    input: impl BufRead,
    mut output: impl Write,
    find: impl Fn(&str) -> Result<Found, String>,
) -> io::Result<()> {
    for chunk in input.lines() {
        writeln!(output, "{}", serde_json::to_string(&answer(&chunk?, &find))?)?;
        output.flush()?;
    }
    Ok(())
}

/// A process, as a thread speaks to it.
struct Worker {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts a process.
    fn start(command: &[String], processes: &Mutex<Vec<Child>>) -> io::Result<Worker> {
        let (program, arguments) = command.split_first().ok_or_else(|| io::Error::other("no command of a worker"))?;
        let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        lock(processes).push(child);
        let (Some(to), Some(from)) = pipes else { return Err(io::Error::other("a worker without pipes")) };
        Ok(Worker { to, from: BufReader::new(from) })
    }

    fn ask(&mut self, chunk: &str) -> io::Result<String> {
        writeln!(self.to, "{chunk}")?;
        self.to.flush()?;
        let mut line = String::new();
        match self.from.read_line(&mut line)? {
            0 => Err(io::Error::other("a worker process ended")),
            _ => Ok(serde_json::from_str(&line)?),
        }
    }
}

/// Chunks on their way to the processes, and answers on their way back.
struct Lines {
    chunks: Sender<(u64, String)>,
    taken: Arc<Mutex<Receiver<(u64, String)>>>,
    answered: Sender<Ticketed>,
    answers: Receiver<Ticketed>,
    /// Threads that speak to a process each.
    threads: usize,
    under_way: usize,
}

impl Lines {
    fn new() -> Lines {
        let ((chunks, taken), (answered, answers)) = (channel(), channel());
        Lines { chunks, taken: Arc::new(Mutex::new(taken)), answered, answers, threads: 0, under_way: 0 }
    }
}

/// Worker processes. They start when they are needed, and again where one ends.
pub(super) struct Workers {
    /// What starts a worker.
    command: Vec<String>,
    count: usize,
    lines: Lines,
    processes: Arc<Mutex<Vec<Child>>>,
}

impl Workers {
    /// So many at most.
    pub(super) fn of(command: Vec<String>, count: usize) -> Workers {
        Workers { command, count, lines: Lines::new(), processes: Arc::default() }
    }

    /// Starts a thread that has a process answer chunks.
    fn start(&mut self) -> io::Result<()> {
        let (command, processes) = (self.command.clone(), Arc::clone(&self.processes));
        let (taken, answered) = (Arc::clone(&self.lines.taken), self.lines.answered.clone());
        let next = move || lock(&taken).recv();
        let work = move || {
            let mut idle = None;
            while let Ok((ticket, chunk)) = next() {
                let worker = idle.take().map_or_else(|| Worker::start(&command, &processes), Ok);
                let answer = worker.and_then(|mut worker| {
                    let answer = worker.ask(&chunk)?;
                    idle = Some(worker);
                    Ok(answer)
                });
                if answered.send((ticket, answer.map_err(|error: io::Error| error.to_string()))).is_err() {
                    break;
                }
            }
        };
        stack::thread("worker").spawn(work)?;
        self.lines.threads += 1;
        Ok(())
    }

    /// Ends the processes, in whatever they do.
    fn end(&mut self) {
        // The threads end with their channel.
        self.lines = Lines::new();
        for mut process in lock(&self.processes).drain(..) {
            // One that has ended by itself cannot be killed.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Pool for Workers {
    fn workers(&mut self) -> Result<usize, String> {
        Ok(self.count)
    }

    fn chunk_time(&self) -> Duration {
        CHUNK
    }

    fn submit(&mut self, ticket: u64, chunk: String) -> Result<(), String> {
        if self.lines.threads < self.count {
            self.start().map_err(|error| error.to_string())?;
        }
        self.lines.under_way += 1;
        self.lines.chunks.send((ticket, chunk)).map_err(|error| error.to_string())
    }

    fn answers(&mut self, wait: Duration) -> Result<Vec<Ticketed>, String> {
        let first = match self.lines.answers.recv_timeout(wait) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => return Ok(Vec::new()),
            Err(error) => return Err(error.to_string()),
        };
        let answers: Vec<Ticketed> = [first].into_iter().chain(self.lines.answers.try_iter()).collect();
        self.lines.under_way -= answers.len();
        Ok(answers)
    }

    fn forget(&mut self) {
        if self.lines.under_way > 0 {
            self.end();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.end();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
