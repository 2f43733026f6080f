//! The clocks: the one place that asks the system for the time.

use crate::search::Clock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The clock on the wall, from the moment it was started.
#[derive(Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// Starts at zero.
    pub fn start() -> WallClock {
        WallClock(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Seconds since 1970, for records and for what is read from them later.
pub fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The processor time of the thread that asks: what other programs do on the machine does not count. Where the system does
/// not tell it, time on the wall.
#[derive(Debug)]
pub struct ThreadClock(
    #[cfg_attr(target_os = "linux", expect(dead_code, reason = "the system keeps the time"))] Instant,
);

impl ThreadClock {
    /// A clock for the calling thread.
    pub fn start() -> ThreadClock {
        ThreadClock(Instant::now())
    }
}

impl Clock for ThreadClock {
    #[cfg(target_os = "linux")]
    fn now(&self) -> Duration {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    }

    #[cfg(not(target_os = "linux"))]
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
