//! A flow of measurements between its course, the executor, and the journals of all shards.

use super::course::history::{Flow, FlowRequest, GenerationRow, History, generations_of};
use super::error::EvolutionError;
use super::executor::{Batch, BlockSum};
use super::fitness::measure::Request;
use super::records::{POLL, Records, Sums};
use evouct_league::league::Taker;
use std::sync::Arc;
use std::time::Duration;

/// How many times as long as a look at the journals of others takes, the next one waits.
const PAUSE: u32 = 10;

/// Has what a flow asks for measured in an open batch, or finds it in the journals.
pub(super) struct JournalFlow<'a, 'b> {
    records: &'a mut Records<'b>,
    flow: &'a mut dyn Flow,
    each: &'a mut dyn FnMut(&History, &[GenerationRow]),
    batch: Arc<Batch>,
    /// By place in the batch: the number of the request, and its sums so far.
    own: Vec<(u64, Sums)>,
    /// How many of them are not whole.
    unfinished: usize,
    /// What other shards measure.
    others: Vec<FlowRequest>,
    /// Whether all that was recorded is on the disk.
    is_synced: bool,
    /// When there was news from others, or work here.
    last: Duration,
    next_look: Duration,
}

impl<'a, 'b> JournalFlow<'a, 'b> {
    /// Asks for what can be measured first. The batch is closed where all is recorded.
    pub(super) fn begin(
        records: &'a mut Records<'b>,
        flow: &'a mut dyn Flow,
        each: &'a mut dyn FnMut(&History, &[GenerationRow]),
    ) -> JournalFlow<'a, 'b> {
        let (batch, last) = (Arc::new(Batch::open()), records.clock.now());
        let (own, others) = (Vec::new(), Vec::new());
        let mut begun = JournalFlow {
            records,
            flow,
            each,
            batch,
            own,
            unfinished: 0,
            others,
            is_synced: false,
            last,
            next_look: Duration::ZERO,
        };
        begun.go_on();
        begun
    }

    /// What is to be computed.
    pub(super) fn batch(&self) -> &Arc<Batch> {
        &self.batch
    }

    /// Asks for all that can be measured by now.
    fn go_on(&mut self) {
        loop {
            let asked = self.flow.ask();
            if asked.is_empty() {
                break;
            }
            for asked in asked {
                if self.answer(&asked) {
                    continue;
                }
                if self.records.store.has(asked.place) {
                    let blocks = self.records.measurer.plan().blocks(&asked.request);
                    self.batch.add(&self.records.measurer, asked.request);
                    self.own.push((asked.number, Sums::of(blocks)));
                    self.unfinished += 1;
                } else {
                    self.others.push(asked);
                }
            }
        }
        if self.unfinished == 0 && self.others.is_empty() {
            self.batch.close();
        }
    }

    /// Tells the answer to a request, if it is recorded.
    fn answer(&mut self, FlowRequest { number, request, .. }: &FlowRequest) -> bool {
        let measured = self.records.answer(request);
        let is_recorded = measured.is_some();
        if let Some(measured) = measured {
            self.flow.tell(*number, measured);
            let (history, rows) = self.flow.news();
            generations_of(rows).for_each(|rows| (self.each)(history, rows));
        }
        is_recorded
    }

    /// Looks for what other shards have measured.
    fn look(&mut self) -> Result<(), EvolutionError> {
        if !self.is_synced {
            self.records.journal.sync(self.records.clock.now())?;
            self.is_synced = true;
        }
        self.records.read_others()?;
        let others = std::mem::take(&mut self.others);
        let missing = others.len();
        let left: Vec<FlowRequest> = others.into_iter().filter(|asked| !self.answer(asked)).collect();
        let has_news = left.len() < missing;
        self.others = left;
        self.go_on();
        if has_news || self.unfinished > 0 {
            self.last = self.records.clock.now();
        }
        Ok(())
    }
}

impl Taker<BlockSum, EvolutionError> for JournalFlow<'_, '_> {
    fn take(&mut self, (job, sum): BlockSum) -> Result<(), EvolutionError> {
        let (at, request, block) = self.batch.job(job).expect("an executor computes the jobs of its batch");
        let (number, sums) = &mut self.own[at];
        let Some(measured) = sums.take(block, sum.map_err(EvolutionError::Measure)?) else { return Ok(()) };
        let number = *number;
        self.records.record(&request, measured)?;
        (self.unfinished, self.is_synced) = (self.unfinished - 1, false);
        self.last = self.records.clock.now();
        self.answer(&FlowRequest { number, place: 0, request: Request::clone(&request) });
        self.go_on();
        Ok(())
    }

    fn tick(&mut self, _: usize) -> Result<(), EvolutionError> {
        let now = self.records.clock.now();
        if self.others.is_empty() || now < self.next_look {
            return Ok(());
        }
        self.look()?;
        let after = self.records.clock.now();
        self.next_look = after + POLL.max(after.saturating_sub(now) * PAUSE);
        let is_idle = self.unfinished == 0 && !self.others.is_empty();
        if is_idle && after.saturating_sub(self.last) >= self.records.patience {
            return Err(EvolutionError::Waiting { missing: self.others.len() });
        }
        Ok(())
    }
}
