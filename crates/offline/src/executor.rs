//! Who computes the blocks of measurements: threads of this machine, or the ranks of an MPI world.

use super::error::EvolutionError;
use super::fitness::measure::{BlockValue, MeasureError, Measurer, Request};
use evouct_league::league::{End, Progress, run};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time after which a thread that waits for jobs looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Measurements that are made together: their blocks are jobs, numbered through all requests. Requests can be added to an
/// open batch while it is computed.
#[derive(Debug)]
pub struct Batch {
    content: Mutex<Content>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Content {
    requests: Vec<Arc<Request>>,
    /// The request and the block of each job.
    jobs: Vec<(usize, u32)>,
    is_open: bool,
}

impl Batch {
    /// The batch of these requests.
    pub fn new(measurer: &Measurer, requests: Vec<Request>) -> Batch {
        let batch = Batch::open();
        requests.into_iter().for_each(|request| batch.add(measurer, request));
        batch.close();
        batch
    }

    /// A batch without requests, to which requests can be added until it is closed.
    pub fn open() -> Batch {
        Batch { content: Mutex::new(Content { is_open: true, ..Content::default() }), changed: Condvar::new() }
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request.
    pub fn add(&self, measurer: &Measurer, request: Request) {
        let mut content = self.content();
        let at = content.requests.len();
        content.jobs.extend((0..measurer.plan().blocks(&request)).map(|block| (at, block)));
        content.requests.push(Arc::new(request));
        drop(content);
        self.changed.notify_all();
    }

    /// Says that nothing more is added.
    pub fn close(&self) {
        self.content().is_open = false;
        self.changed.notify_all();
    }

    /// Whether more can be added.
    pub fn is_open(&self) -> bool {
        self.content().is_open
    }

    /// The number of jobs so far.
    pub fn len(&self) -> usize {
        self.content().jobs.len()
    }

    /// Whether there is nothing to do so far.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The requests from a place on.
    pub fn requests_from(&self, place: usize) -> Vec<Arc<Request>> {
        self.content().requests[place..].to_vec()
    }

    /// Whether there is a job of this number: waits until it is added, or nothing more is, or `stop` is set.
    fn waits_for(&self, job: u64, stop: &AtomicBool) -> bool {
        let mut content = self.content();
        while content.jobs.len() as u64 <= job && content.is_open && !stop.load(Ordering::Relaxed) {
            content = self.changed.wait_timeout(content, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        (content.jobs.len() as u64) > job
    }

    /// Computes a job.
    ///
    /// # Panics
    /// If there is no such job.
    pub fn compute(&self, measurer: &Measurer, job: u64) -> BlockSum {
        let (_, request, block) = self.job(job).expect("an executor computes the jobs of its batch");
        (job, measurer.block(&request, block))
    }

    /// The place of the request of a job, the request, and the block.
    pub(super) fn job(&self, job: u64) -> Option<(usize, Arc<Request>, u32)> {
        let content = self.content();
        let (at, block) = *content.jobs.get(usize::try_from(job).ok()?)?;
        Some((at, Arc::clone(&content.requests[at]), block))
    }
}

/// A job and what its block is worth.
pub type BlockSum = (u64, Result<BlockValue, MeasureError>);

/// What an executor hands its sums to, on the calling thread.
pub trait Taker {
    /// Takes a sum. An open batch may grow by it.
    ///
    /// # Errors
    /// That it cannot be recorded, or is an error.
    fn take(&mut self, sum: BlockSum) -> Result<(), EvolutionError>;

    /// Is called several times a second.
    ///
    /// # Errors
    /// Why the batch cannot go on.
    fn tick(&mut self) -> Result<(), EvolutionError> {
        Ok(())
    }
}

/// Computes batches.
pub trait Executor {
    /// Computes every job of a batch once and passes each sum to the taker on the calling thread, in any order, until all
    /// are done and the batch is closed, or `stop` is set.
    ///
    /// # Errors
    /// The first error of the taker, or that the executor cannot work.
    fn compute(
        &mut self,
        measurer: &Arc<Measurer>,
        batch: &Arc<Batch>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker,
    ) -> Result<End, EvolutionError>;
}

/// The ticks of a run as those of a taker, whose error ends the run.
pub(super) struct Ticks<'a, 'b> {
    pub taker: &'a RefCell<&'b mut dyn Taker>,
    pub stop: Arc<AtomicBool>,
    pub error: Option<EvolutionError>,
}

impl Progress for Ticks<'_, '_> {
    // Blocks are too short to show; generations are.
    fn tick(&mut self, _: usize) {
        if self.error.is_none()
            && let Err(error) = self.taker.borrow_mut().tick()
        {
            self.error = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Threads of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Threads(
    /// Their number.
    pub usize,
);

impl Executor for Threads {
    fn compute(
        &mut self,
        measurer: &Arc<Measurer>,
        batch: &Arc<Batch>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker,
    ) -> Result<End, EvolutionError> {
        let (supply, stopped) = (Arc::clone(batch), Arc::clone(stop));
        let jobs = (0..).take_while(move |job| supply.waits_for(*job, &stopped));
        let (measurer, batch) = (Arc::clone(measurer), Arc::clone(batch));
        let work = move |job: &u64| batch.compute(&measurer, *job);
        let taker = RefCell::new(taker);
        let mut ticks = Ticks { taker: &taker, stop: Arc::clone(stop), error: None };
        let end = run(jobs, self.0, work, stop, &mut ticks, |sum| taker.borrow_mut().take(sum));
        match ticks.error {
            Some(error) => Err(error),
            None => end,
        }
    }
}
