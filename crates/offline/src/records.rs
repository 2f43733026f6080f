//! What is measured already, in the journals of a folder, and what is added to it.

use super::error::EvolutionError;
use super::fitness::measure::{BlockValue, Measured, Measurer, Request};
use super::journal::{EvolutionHeader, JournalEntry, Known, Used, key_of, read_journal};
use super::plan::proposer::Proposal;
use evouct_search::search::Clock;
use evouct_store::{JournalWriter, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time between two looks for what other shards have measured.
pub(super) const POLL: Duration = Duration::from_millis(200);

/// The records of an evolution that goes on.
pub(super) struct Records<'a> {
    pub measurer: Arc<Measurer>,
    pub stop: &'a Arc<AtomicBool>,
    pub clock: &'a dyn Clock,
    /// How long a shard waits without news from others.
    pub patience: Duration,
    pub store: Store<EvolutionHeader>,
    pub journal: JournalWriter,
    pub known: Known,
    /// Whether a measurement had decks that repeat others, which is said once.
    pub has_repeats: bool,
    /// What this evolution asked for: the digest is over these.
    pub used: Used,
}

impl Records<'_> {
    /// The recorded answer to a request, if it fits.
    pub(super) fn recorded(&self, request: &Request) -> Option<&Measured> {
        self.known.measured.get(&key_of(request)).filter(|measured| self.measurer.plan().fits(request, measured))
    }

    /// The recorded answer to a request, which counts as used.
    pub(super) fn answer(&mut self, request: &Request) -> Option<Measured> {
        let measured = self.recorded(request)?.clone();
        if !measured.decks.is_empty() && !self.has_repeats {
            self.has_repeats = true;
            tracing::warn!(
                "{} of {} decks of {} repeat earlier games against the same opponent and are no evidence; in a game without \
                 chance, openings = {{ plies = 4 }} in the file makes decks differ",
                measured.repeats(),
                measured.decks.len(),
                request.genome
            );
        }
        self.used.measured.insert(key_of(request), measured.clone());
        Some(measured)
    }

    /// Records what was measured.
    pub(super) fn record(&mut self, request: &Request, measured: Measured) -> Result<(), EvolutionError> {
        let key = key_of(request);
        let entry = JournalEntry::Measurement(key.clone().entry(measured.clone()));
        self.journal.append(&entry, self.clock.now())?;
        self.known.measured.insert(key, measured);
        Ok(())
    }

    /// Records what was proposed.
    pub(super) fn record_proposal(&mut self, proposal: &Proposal) -> Result<(), EvolutionError> {
        self.journal.append(&JournalEntry::Proposal(proposal.clone()), self.clock.now())?;
        self.known.note(proposal.clone());
        Ok(())
    }

    /// Reads what other shards have recorded.
    pub(super) fn read_others(&mut self) -> Result<(), EvolutionError> {
        for file in self.store.journals()?.into_iter().filter(|file| file != self.journal.path()) {
            // A line that is being written is complete the next time.
            read_journal(&file, &self.store.header, &mut self.known, &mut Vec::new())?;
        }
        Ok(())
    }

    /// Waits until other shards have recorded what is missing, `left` of it.
    pub(super) fn wait_until(&mut self, left: &dyn Fn(&Self) -> usize) -> Result<(), EvolutionError> {
        self.journal.sync(self.clock.now())?;
        let mut last = self.clock.now();
        let mut missing = left(self);
        loop {
            self.read_others()?;
            let left = left(self);
            if left == 0 {
                return Ok(());
            }
            if left < missing {
                (missing, last) = (left, self.clock.now());
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(EvolutionError::Interrupted);
            }
            if self.clock.now().saturating_sub(last) >= self.patience {
                return Err(EvolutionError::Waiting { missing });
            }
            std::thread::sleep(POLL);
        }
    }
}

/// The sums of a measurement as its blocks arrive.
pub(super) struct Sums(Vec<Option<BlockValue>>);

impl Sums {
    /// Of so many blocks, none of which has arrived.
    pub(super) fn of(blocks: u32) -> Sums {
        Sums(vec![None; blocks as usize])
    }

    /// Takes the value of a block; the measurement, if it is whole.
    pub(super) fn take(&mut self, block: u32, value: BlockValue) -> Option<Measured> {
        self.0[block as usize] = Some(value);
        let values = self.0.iter().cloned().collect::<Option<Vec<BlockValue>>>()?;
        Some(values.into_iter().collect())
    }
}
