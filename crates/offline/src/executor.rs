//! Batches of measurements, and their blocks as a job.

use super::error::EvolutionError;
use super::fitness::measure::{BlockValue, MeasureError, Measurer, Request};
use super::journal::{RequestKey, key_of};
use evouct_league::league::{Job, Supply};
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// Jobs that were handed out.
    taken: AtomicU64,
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
        let content = Mutex::new(Content { is_open: true, ..Content::default() });
        Batch { content, changed: Condvar::new(), taken: AtomicU64::new(0) }
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

impl Supply for Batch {
    fn take(&self) -> Option<u64> {
        let jobs = self.len() as u64;
        self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| (taken < jobs).then_some(taken + 1)).ok()
    }

    fn left(&self) -> u64 {
        (self.len() as u64).saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    fn is_last(&self) -> bool {
        !self.is_open()
    }

    fn wait(&self) {
        let content = self.content();
        if content.is_open && content.jobs.len() as u64 <= self.taken.load(Ordering::Relaxed) {
            drop(self.changed.wait_timeout(content, LOOK));
        }
    }

    fn news(&self, told: usize) -> Option<(usize, String)> {
        let new = self.requests_from(told);
        let named: Vec<RequestKey> = new.iter().map(|request| key_of(request)).collect();
        let text = serde_json::to_string(&named).expect("requests are plain numbers and texts");
        (!new.is_empty()).then_some((told + new.len(), text))
    }
}

/// A job of a batch and what its block is worth.
pub type BlockSum = (u64, Result<BlockValue, MeasureError>);

/// What rank 0 announces: its requests follow with the units.
const ANNOUNCED: &str = "batch";

/// The blocks of a batch. A block is a sum: messages stay small.
#[derive(Debug)]
pub struct Blocks {
    /// What measures. Every rank has one, with the plan and the bank.
    pub measurer: Arc<Measurer>,
    /// What is measured.
    pub batch: Arc<Batch>,
    /// What all ranks must agree on: the plan, the bank and the seed.
    agreement: String,
}

impl Blocks {
    /// The blocks of a batch of the evolution that this text names.
    pub(super) fn of(measurer: &Arc<Measurer>, batch: Arc<Batch>, agreement: String) -> Blocks {
        Blocks { measurer: Arc::clone(measurer), batch, agreement }
    }

    /// Refuses what is no announcement of a batch.
    ///
    /// # Errors
    /// If it is none.
    pub fn check_announced(announcement: &str) -> Result<(), String> {
        match announcement {
            ANNOUNCED => Ok(()),
            _ => Err("rank 0 names something else than a batch".to_owned()),
        }
    }

    /// Reads the requests that rank 0 names.
    fn requests(&self, text: &str) -> Result<Vec<Request>, String> {
        let named: Vec<RequestKey> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let terminals = self.measurer.plan().terminals();
        let requests = named.iter().map(|key| key.request(&terminals)).collect::<Result<Vec<_>, String>>()?;
        match requests.iter().all(|request| request.stage < self.measurer.plan().stages.len()) {
            true => Ok(requests),
            false => Err("rank 0 names a stage that the evolution does not have".to_owned()),
        }
    }
}

impl Job for Blocks {
    type Record = BlockSum;
    type Error = EvolutionError;

    fn units(&self) -> &dyn Supply {
        &*self.batch
    }

    fn work(&self, job: u64) -> Result<BlockSum, EvolutionError> {
        Ok(self.batch.compute(&self.measurer, job))
    }

    fn announcement(&self) -> String {
        ANNOUNCED.to_owned()
    }

    fn agreement(&self) -> String {
        self.agreement.clone()
    }

    fn accept(&self, job: u64, (theirs, _): &BlockSum) -> Result<(), String> {
        match *theirs == job {
            true => Ok(()),
            false => Err(format!("it says that it is job {theirs}")),
        }
    }

    fn learn(&self, news: &str) -> Result<(), String> {
        let requests = self.requests(news);
        let requests = requests.map_err(|problem| format!("cannot read the batch of rank 0: {problem}"))?;
        requests.into_iter().for_each(|request| self.batch.add(&self.measurer, request));
        Ok(())
    }
}
