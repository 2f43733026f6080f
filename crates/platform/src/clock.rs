//! The clocks: the only place that reads the time of the system.

use evouct_search::search::Clock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Wall time since the clock was started.
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

/// Seconds since 1970, for records.
pub fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Processor time of the whole process, all threads together. If the system does not provide it, wall time.
#[derive(Debug)]
pub struct ProcessClock(
    #[cfg_attr(target_os = "linux", expect(dead_code, reason = "the system keeps the time"))] Instant,
);

impl ProcessClock {
    /// A clock for this process.
    pub fn start() -> ProcessClock {
        ProcessClock(Instant::now())
    }
}

impl Clock for ProcessClock {
    #[cfg(target_os = "linux")]
    fn now(&self) -> Duration {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    }

    #[cfg(not(target_os = "linux"))]
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Processor time of the calling thread, so that other programs on the machine do not count. If the system does not
/// provide it, wall time.
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
