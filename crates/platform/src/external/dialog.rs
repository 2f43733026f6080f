//! A program that answers a line with a line, whatever the lines mean.

use super::lines::{InputLine, MAX_LINE};
use super::process::Process;
use crate::clock::WallClock;
use crate::domain::{Fault, FaultReason};
use evouct_base::parameter::Words;
use evouct_search::search::Clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The interval between checks whether to stop.
const TICK: Duration = Duration::from_millis(50);

/// A program that is asked by lines. Its input ends when this is dropped; a second later it is killed with all programs
/// that it has started.
#[derive(Debug)]
pub struct Dialog(Process);

impl Dialog {
    /// Starts a program. What it writes to stderr goes to the log.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: &Words) -> Result<Dialog, Fault> {
        let problem = |error| format!("the command {:?} cannot be started: {error}", command.list());
        match Process::start(command, None) {
            Ok(process) => Ok(Dialog(process)),
            Err(error) => Err(Fault::new(FaultReason::NotStarted, problem(error))),
        }
    }

    /// Asks by a line, and waits so long for the line that answers it; none if `stop` is set meanwhile.
    ///
    /// # Errors
    /// If it ends, does not answer in time, or its line is no text of at most [`MAX_LINE`] bytes. It is killed then.
    pub fn ask(&mut self, line: &str, limit: Duration, stop: &AtomicBool) -> Result<Option<String>, Fault> {
        let asked = self.0.check_silent().and_then(|()| {
            self.0.send(line);
            self.answer(limit, stop)
        });
        asked.map_err(|Fault { reason, message }| {
            self.0.kill();
            // The end of a program that has ended by itself has been told.
            let words = if reason == FaultReason::Ended { String::new() } else { self.0.last_words() };
            Fault { reason, message: message + &words }
        })
    }

    /// The last line that it wrote to stderr, as the end of a sentence; nothing where it writes none within a second.
    pub fn remark(&self) -> String {
        self.0.remark()
    }

    fn answer(&mut self, limit: Duration, stop: &AtomicBool) -> Result<Option<String>, Fault> {
        let clock = WallClock::start();
        let said = loop {
            let left = limit.saturating_sub(clock.now());
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if left.is_zero() {
                let message = format!("it did not answer within {} s", limit.as_secs_f64());
                return Err(Fault::new(FaultReason::NoAnswer, message));
            }
            if let Some(said) = self.0.next(left.min(TICK)) {
                break said;
            }
        };
        let fault = |reason, message: String| Err(Fault::new(reason, message));
        match said {
            InputLine::Text(line) => Ok(Some(line)),
            InputLine::TooLong => fault(FaultReason::TooLong, format!("its answer has more than {MAX_LINE} bytes")),
            InputLine::NotText => fault(FaultReason::Garbage, "its answer is not text in UTF-8".to_owned()),
            InputLine::End => fault(FaultReason::Ended, format!("it did not answer: {}", self.0.end())),
        }
    }
}
