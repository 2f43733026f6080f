//! Where units of work come from: a list, or a source that grows while they are done.

use super::job::Job;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The time after which a thread that found no unit looks again.
const LOOK: Duration = Duration::from_millis(2);

/// Units by their numbers, in the order in which they are handed out.
pub trait Supply: Send + Sync {
    /// Takes the next unit; none if there is none now.
    fn take(&self) -> Option<u64>;

    /// How many units there are now.
    fn left(&self) -> u64;

    /// Whether no unit will follow those that there are.
    fn is_last(&self) -> bool;

    /// Waits until there may be another unit, for a short time.
    fn wait(&self) {
        std::thread::sleep(LOOK);
    }

    /// What a rank must know before it does the units that were taken so far, and the number by which to ask the next time;
    /// none if it knows all. `told` is the number of the last time, at first 0.
    fn news(&self, _told: usize) -> Option<(usize, String)> {
        None
    }
}

/// A list of units.
pub struct Listed<I>(Mutex<(I, u64)>);

impl<I: Iterator<Item = u64>> Listed<I> {
    /// Units, of which there are so many.
    pub fn of(units: I, total: u64) -> Listed<I> {
        Listed(Mutex::new((units, total)))
    }
}

impl<I: Iterator<Item = u64> + Send> Supply for Listed<I> {
    fn take(&self) -> Option<u64> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let job = list.0.next();
        list.1 = if job.is_some() { list.1.saturating_sub(1) } else { 0 };
        job
    }

    fn left(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    fn is_last(&self) -> bool {
        true
    }
}

/// The units of a job that the threads of this process take.
pub(super) struct OwnUnits<J> {
    pub job: Arc<J>,
    pub stop: Arc<AtomicBool>,
}

impl<J: Job> Iterator for OwnUnits<J> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let units = self.job.units();
        loop {
            // First: what is added between the two looks is found by the second one.
            let is_last = units.is_last();
            let unit = units.take();
            if unit.is_some() || is_last || self.stop.load(Ordering::Relaxed) {
                return unit;
            }
            units.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_handed_out_once_and_in_order() {
        let list = Listed::of([3, 1, 2].into_iter(), 3);
        assert_eq!((list.left(), list.take(), list.left()), (3, Some(3), 2));
        assert_eq!((list.take(), list.take(), list.take()), (Some(1), Some(2), None));
        assert_eq!((list.left(), list.news(0)), (0, None));
    }
}
