//! Where the jobs of ranks come from: a list, or a source that grows while they work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The time after which a thread of rank 0 that found no job looks again.
const LOOK: Duration = Duration::from_millis(2);

/// Jobs by their numbers, in the order in which they are handed out.
pub trait Supply: Send + Sync {
    /// Takes the next job; none if there is none now.
    fn take(&self) -> Option<u64>;

    /// How many jobs there are now.
    fn left(&self) -> u64;

    /// Whether no job will follow those that there are.
    fn is_last(&self) -> bool;

    /// What a rank must know before it plays the jobs that were taken so far, and the number by which to ask the next time;
    /// none if it knows all. `told` is the number of the last time, at first 0.
    fn news(&self, _told: usize) -> Option<(usize, String)> {
        None
    }
}

/// A list of jobs.
pub struct Listed<I>(Mutex<(I, u64)>);

impl<I: Iterator<Item = u64>> Listed<I> {
    /// Jobs, of which there are so many.
    pub fn of(jobs: I, total: u64) -> Arc<Listed<I>> {
        Arc::new(Listed(Mutex::new((jobs, total))))
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

/// The jobs that the threads of rank 0 take.
pub(super) struct OwnJobs {
    pub supply: Arc<dyn Supply>,
    pub stop: Arc<AtomicBool>,
}

impl Iterator for OwnJobs {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        loop {
            // First: what is added between the two looks is found by the second one.
            let is_last = self.supply.is_last();
            let job = self.supply.take();
            if job.is_some() || is_last || self.stop.load(Ordering::Relaxed) {
                return job;
            }
            std::thread::sleep(LOOK);
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
        let stop = Arc::new(AtomicBool::new(false));
        let own = OwnJobs { supply: Arc::clone(&list) as Arc<dyn Supply>, stop };
        assert_eq!(own.collect::<Vec<u64>>(), [1, 2]);
        assert_eq!((list.take(), list.left(), list.news(0)), (None, 0, None));
    }
}
