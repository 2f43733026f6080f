//! The results of a run on their way into its journal.

use super::super::gate::StoppingRule;
use super::super::job::End;
use crate::record::{FinishedGame, TraceWriter};
use evouct_platform::clock::WallClock;
use evouct_search::search::Clock;
use evouct_store::{JournalWriter, RecordError};
use std::sync::atomic::{AtomicBool, Ordering};

/// The only writer of a run's journal, and of its traces.
pub(in super::super) struct Keeper {
    pub(super) journal: JournalWriter,
    pub(super) traces: Option<TraceWriter>,
    /// The test that may end the run early.
    pub(super) gate: Option<StoppingRule>,
    pub(super) clock: WallClock,
    /// Games that are not recorded yet.
    pub(super) left: u64,
}

impl Keeper {
    /// Records a game or, with a sequential test, the games released so far, and reports them. Sets `stop` if that
    /// decides the test.
    pub(in super::super) fn keep(
        &mut self,
        entry: FinishedGame,
        stop: &AtomicBool,
        each: &mut dyn FnMut(&FinishedGame),
    ) -> Result<(), RecordError> {
        let ready = match &mut self.gate {
            Some(gate) => gate.push(entry),
            None => vec![entry],
        };
        for entry in ready {
            if let Some(traces) = &mut self.traces {
                traces.append(&entry)?;
            }
            self.journal.append(&entry, self.clock.now())?;
            self.left = self.left.saturating_sub(1);
            each(&entry);
        }
        if self.is_over() {
            stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.gate.as_ref().is_some_and(StoppingRule::is_over)
    }

    /// Waits for the disk, however the run ended. A stop after the last game interrupts nothing.
    pub(in super::super) fn finish<E: From<RecordError>>(mut self, end: Result<End, E>) -> Result<End, E> {
        let synced = self.journal.sync(self.clock.now());
        let end = end?;
        synced?;
        Ok(if self.is_over() || self.left == 0 { End::Done } else { end })
    }
}
