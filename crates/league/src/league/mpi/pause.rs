//! Waiting without spinning: short sleeps under load, longer ones when idle.

use std::time::Duration;

/// Far shorter than the work that a rank has in store.
const SHORTEST: Duration = Duration::from_micros(200);
/// Polling at this interval costs less than a hundredth of a core.
const LONGEST: Duration = Duration::from_millis(4);

/// The time until the next poll.
#[derive(Debug)]
pub(super) struct Pause(Duration);

impl Pause {
    pub(super) fn new() -> Pause {
        Pause(SHORTEST)
    }

    /// Notes an event: more may follow at once.
    pub(super) fn reset(&mut self) {
        self.0 = SHORTEST;
    }

    /// The time to wait now. It is longer the next time.
    pub(super) fn next(&mut self) -> Duration {
        let now = self.0;
        self.0 = (now * 2).min(LONGEST);
        now
    }
}
