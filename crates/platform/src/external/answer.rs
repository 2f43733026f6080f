//! The answer of a program to a line.

use super::lines::{InputLine, MAX_LINE, is_remark};
use super::process::Process;
use crate::clock::WallClock;
use crate::domain::{Fault, FaultReason};
use evouct_search::search::Clock;
use std::time::Duration;

/// Waits for the answer to a line; lines `info …` and `id …` before it are passed over.
pub(super) fn answer<T>(
    process: &mut Process,
    asked: &str,
    limit: Duration,
    expected: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, Fault> {
    let clock = WallClock::start();
    loop {
        let left = limit.saturating_sub(clock.now());
        let Some(said) = process.next(left).filter(|_| !left.is_zero()) else {
            let message = format!("it did not answer {asked:?} within {} s", limit.as_secs_f64());
            return Err(Fault::new(FaultReason::NoAnswer, message));
        };
        let line = match said {
            InputLine::Text(line) => line,
            InputLine::TooLong => {
                let message = format!("its answer to {asked:?} has a line of more than {MAX_LINE} bytes");
                return Err(Fault::new(FaultReason::TooLong, message));
            }
            InputLine::NotText => {
                let message = format!("its answer to {asked:?} is not text in UTF-8");
                return Err(Fault::new(FaultReason::Garbage, message));
            }
            InputLine::End => {
                let message = format!("it did not answer {asked:?}: {}", process.end());
                return Err(Fault::new(FaultReason::Ended, message));
            }
        };
        if let Some(answer) = read(&line) {
            return Ok(answer);
        }
        if !is_remark(&line) {
            let message = format!("it answered {asked:?} with \"{line:.60}\", expected {expected}");
            return Err(Fault::new(FaultReason::Garbage, message));
        }
    }
}
