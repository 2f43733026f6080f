//! Batches of measurements, and their blocks as a job.

use super::asked::AskedBlock;
use super::bank::Bank;
use super::error::EvolutionError;
use super::fitness::measure::{BlockValue, MeasureError, Measurer, Purpose, Request};
use super::journal::{RequestKey, key_of};
use super::plan::EvolutionPlan;
use super::positions::split::Split;
use evouct_base::named::Named;
use evouct_league::league::{Job, Supply};
use evouct_platform::registry;
use serde::{Deserialize, Serialize};
use std::path::{PathBuf, absolute};
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

    /// The place of the request of a job, the request, and the block; none where there is no such job.
    pub fn job(&self, job: u64) -> Option<(usize, Arc<Request>, u32)> {
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

/// What rank 0 announces, with the seed: its requests follow with the units.
const ANNOUNCED: &str = "batch of seed ";

/// How a worker finds an evolution.
#[derive(Serialize, Deserialize)]
struct Task {
    kind: String,
    toml: String,
    seed: u64,
    /// The rules by which the evolution began.
    course: u32,
    /// Where the bank is, with the folder.
    bank: Option<PathBuf>,
    /// The split that is scored; none for an evolution.
    scores: Option<String>,
}

impl Task {
    fn plan(&self) -> Result<EvolutionPlan, String> {
        let plan = EvolutionPlan::parse(&self.toml, "evolution", Some(self.seed));
        plan.map_err(|errors| errors.to_string())
    }
}

/// The blocks of a batch. A block is a sum: messages stay small.
#[derive(Debug)]
pub struct Blocks {
    /// What measures. Every rank has one, with the plan and the bank.
    pub measurer: Arc<Measurer>,
    /// What is measured.
    pub batch: Arc<Batch>,
}

impl Blocks {
    /// What the kind of a task is called.
    pub const TASK: &'static str = "evolution";

    /// The blocks of a batch.
    pub(super) fn of(measurer: &Arc<Measurer>, batch: Arc<Batch>) -> Blocks {
        Blocks { measurer: Arc::clone(measurer), batch }
    }

    /// The blocks of the evolution of a task, as a worker finds it.
    ///
    /// # Errors
    /// What is wrong with the evolution or its bank here.
    pub fn of_task(task: &str) -> Result<Blocks, String> {
        let task: Task = serde_json::from_str(task).map_err(|error| error.to_string())?;
        let bank = task.bank.as_ref().map(|bank| Bank::open_whole(bank).map_err(|error| error.to_string()));
        let split = task.scores.as_deref().and_then(Split::of_name);
        let purpose = split.map_or(Purpose::Evolution, Purpose::Scores);
        let mut measurer = Measurer::new(task.plan()?, bank.transpose()?, purpose)?;
        measurer.set_course(task.course);
        Ok(Blocks::of(&Arc::new(measurer), Arc::new(Batch::open())))
    }

    /// The seed of the evolution of which a batch is announced.
    ///
    /// # Errors
    /// If it is no announcement of a batch.
    pub fn announced_seed(announcement: &str) -> Result<u64, String> {
        let seed = announcement.strip_prefix(ANNOUNCED).and_then(|seed| seed.parse().ok());
        seed.ok_or_else(|| "rank 0 names something else than a batch".to_owned())
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
        format!("{ANNOUNCED}{}", self.measurer.plan().seed)
    }

    fn agreement(&self) -> String {
        // Its name depends on where its seed comes from.
        format!("evolution {}, bank {:.12}", self.measurer.hash(), self.measurer.bank_digest())
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

    fn task(&self) -> Option<String> {
        let plan = self.measurer.plan();
        let bank = plan.bank.as_ref().map(absolute).transpose().ok()?;
        let scores = match self.measurer.purpose() {
            Purpose::Scores(split) => Some(split.name().to_owned()),
            _ => None,
        };
        let (kind, toml, seed, course) = (Blocks::TASK.to_owned(), plan.toml.clone(), plan.seed, plan.course);
        let task = Task { kind, toml, seed, course, bank, scores };
        let is_whole = task.plan().is_ok_and(|plan| plan.hash(self.measurer.bank_digest()) == self.measurer.hash());
        is_whole.then(|| serde_json::to_string(&task).ok())?
    }

    fn named(&self, job: u64) -> String {
        let asked = self.batch.job(job).map(|(_, request, block)| AskedBlock { request, block }.to_text());
        format!("{job} {}", asked.unwrap_or_default())
    }

    fn work_named(&self, name: &str) -> Result<BlockSum, String> {
        let (job, asked) = name.split_once(' ').ok_or("no block")?;
        let job = job.parse().map_err(|_| "no block".to_owned())?;
        let AskedBlock { request, block } = AskedBlock::parse(asked, self.measurer.plan())?;
        Ok((job, self.measurer.block(&request, block)))
    }

    fn worker(&self) -> Option<Vec<String>> {
        self.measurer.plan().domains().iter().find_map(|game| registry::worker(game.name()))
    }
}
