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
pub type ProcessClock = ProcessorClock<false>;

/// Processor time of the calling thread, so that other programs on the machine do not count. If the system does not
/// provide it, wall time.
pub type ThreadClock = ProcessorClock<true>;

/// Processor time, of the calling thread or of the whole process.
#[derive(Debug)]
pub struct ProcessorClock<const OF_THREAD: bool>(
    #[cfg_attr(target_os = "linux", expect(dead_code, reason = "the system keeps the time"))] Instant,
);

impl<const OF_THREAD: bool> ProcessorClock<OF_THREAD> {
    /// A clock for this process, or for the calling thread.
    pub fn start() -> ProcessorClock<OF_THREAD> {
        ProcessorClock(Instant::now())
    }
}

impl<const OF_THREAD: bool> Clock for ProcessorClock<OF_THREAD> {
    #[cfg(target_os = "linux")]
    fn now(&self) -> Duration {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(if OF_THREAD { ClockId::ThreadCPUTime } else { ClockId::ProcessCPUTime });
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    }

    #[cfg(not(target_os = "linux"))]
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
