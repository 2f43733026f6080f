//! A clock by which a search can be ended.

use crate::clock::WallClock;
use crate::search::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Ends the searches whose clock was made from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends them.
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether both are one.
    pub(super) fn is(&self, other: &Stop) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether they are ended.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Wall time, and an end.
#[derive(Debug)]
pub(super) struct StoppableClock {
    wall: WallClock,
    stop: Stop,
}

impl StoppableClock {
    /// A clock that starts now.
    pub(super) fn start(stop: &Stop) -> StoppableClock {
        StoppableClock { wall: WallClock::start(), stop: stop.clone() }
    }
}

impl Clock for StoppableClock {
    fn now(&self) -> Duration {
        self.wall.now()
    }

    fn cancelled(&self) -> Option<&AtomicBool> {
        Some(&self.stop.0)
    }
}
