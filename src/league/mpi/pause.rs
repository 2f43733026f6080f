//! Waiting without spinning: short sleeps while much happens, longer ones while nothing does.

use std::time::Duration;

const SHORTEST: Duration = Duration::from_micros(50);
/// A look every so often costs less than a hundredth of a core.
const LONGEST: Duration = Duration::from_millis(4);

/// How long to wait until the next look.
#[derive(Debug)]
pub(super) struct Pause(Duration);

impl Pause {
    pub(super) fn new() -> Pause {
        Pause(SHORTEST)
    }

    /// Something happened: more may follow at once.
    pub(super) fn reset(&mut self) {
        self.0 = SHORTEST;
    }

    /// The time to wait now; it will be longer the next time.
    pub(super) fn next(&mut self) -> Duration {
        let now = self.0;
        self.0 = (now * 2).min(LONGEST);
        now
    }
}
