//! The clock of a seat in a game in progress.

use crate::config::TimeControl;
use evouct_platform::domain::{Fault, FaultReason, TimeLeft};
use std::time::Duration;

/// The clock of a seat. It runs while the seat decides, by whatever clock the game is played with.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeatClock {
    control: TimeControl,
    /// Seconds left. Below 0, part of the margin is spent.
    left: f64,
}

impl SeatClock {
    /// At the start of a game.
    pub(super) fn of(control: TimeControl) -> SeatClock {
        SeatClock { control, left: control.seconds }
    }

    /// What it says before a decision.
    pub(super) fn left(&self) -> TimeLeft {
        // Sums of configured times are far from the largest duration.
        let duration = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default();
        TimeLeft {
            left: duration(self.left),
            increment: duration(self.control.increment),
            margin: duration(self.control.margin + self.left.min(0.0)),
        }
    }

    /// Takes the seconds of a decision off, and adds the increment.
    ///
    /// # Errors
    /// If the seat has exceeded its clock by more than the margin.
    pub(super) fn take(&mut self, seconds: f64) -> Result<(), Fault> {
        let before = self.left;
        self.left -= seconds;
        if self.left < -self.control.margin {
            let message = format!("it took {seconds:.3} s with {:.3} s on its clock", before.max(0.0));
            return Err(Fault::new(FaultReason::OutOfTime, message));
        }
        self.left += self.control.increment;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_increment_comes_after_a_decision_and_the_margin_is_spent_once() {
        let mut clock = SeatClock::of(TimeControl { seconds: 2.0, increment: 0.5, margin: 0.25 });
        assert_eq!(clock.take(1.0), Ok(()));
        assert_eq!(clock.left().left, Duration::from_millis(1_500));
        // 0.125 s over, and the increment on top.
        assert_eq!(clock.take(1.625), Ok(()));
        assert_eq!((clock.left().left, clock.left().margin), (Duration::from_millis(375), Duration::from_millis(250)));
        assert_eq!(clock.take(0.625), Ok(()), "exactly the margin");
        let fault = clock.take(0.75).unwrap_err();
        assert_eq!(fault.reason, FaultReason::OutOfTime);
        assert_eq!(fault.message, "it took 0.750 s with 0.250 s on its clock");

        let mut clock = SeatClock::of(TimeControl { seconds: 1.0, increment: 0.0, margin: 0.25 });
        assert_eq!(clock.take(1.125), Ok(()));
        assert_eq!((clock.left().left, clock.left().margin), (Duration::ZERO, Duration::from_millis(125)));
        assert_eq!(clock.take(0.125), Ok(()));
        assert!(clock.take(0.125).is_err());
    }
}
