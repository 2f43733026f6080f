//! A clock that stands, of a decision that is cancelled, or not, from the start.

use evouct_search::search::Clock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub struct Cancelled(AtomicBool);

impl From<bool> for Cancelled {
    fn from(cancelled: bool) -> Cancelled {
        Cancelled(cancelled.into())
    }
}

impl Clock for Cancelled {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn cancelled(&self) -> Option<&AtomicBool> {
        Some(&self.0)
    }
}
