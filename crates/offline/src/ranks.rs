//! An evolution on the ranks of an MPI world.
//!
//! Rank 0 takes the course of the evolution. It names each batch of measurements to the other ranks, which hold plan
//! and bank as it does, and distributes the blocks as a league distributes games. What is added to an open batch is named
//! with the first blocks that need it. A block is a sum: messages stay small.

use super::error::EvolutionError;
use super::executor::{Batch, BlockSum, Executor, Taker, Ticks};
use super::fitness::measure::{Measurer, Request};
use super::journal::{RequestKey, key_of};
use super::session::EvolutionSession;
use evouct_gp::Terminal;
use evouct_league::league::End;
use evouct_league::league::mpi::{Leader, Supply, World, WorldError, follow, lead};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The ranks of a world, led by this one.
pub struct Ranks<'a> {
    world: &'a World,
    agreement: String,
    threads: usize,
}

impl<'a> Ranks<'a> {
    /// The ranks that carry out an evolution; `threads` are those of this rank.
    pub fn new(world: &'a World, session: &EvolutionSession, threads: usize) -> Ranks<'a> {
        Ranks { world, agreement: session.agreement(), threads }
    }
}

impl Executor for Ranks<'_> {
    fn compute(
        &mut self,
        measurer: &Arc<Measurer>,
        batch: &Arc<Batch>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker,
    ) -> Result<End, EvolutionError> {
        let supply = Arc::new(BatchSupply { batch: Arc::clone(batch), taken: AtomicU64::new(0) });
        self.world.announce(ANNOUNCED)?;
        let end = self.distribute(measurer, &supply, stop, taker);
        if !self.world.is_at_work() {
            // Ranks that were not admitted are waiting for an answer.
            self.world.release()?;
        }
        end
    }
}

/// What rank 0 announces: its requests follow with the jobs.
const ANNOUNCED: &str = "batch";

/// The jobs of a batch.
struct BatchSupply {
    batch: Arc<Batch>,
    /// How many were taken.
    taken: AtomicU64,
}

impl Supply for BatchSupply {
    fn take(&self) -> Option<u64> {
        let jobs = self.batch.len() as u64;
        self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| (taken < jobs).then_some(taken + 1)).ok()
    }

    fn left(&self) -> u64 {
        (self.batch.len() as u64).saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    fn is_last(&self) -> bool {
        !self.batch.is_open()
    }

    fn news(&self, told: usize) -> Option<(usize, String)> {
        let new = self.batch.requests_from(told);
        let named: Vec<RequestKey> = new.iter().map(|request| key_of(request)).collect();
        let text = serde_json::to_string(&named).expect("requests are plain numbers and texts");
        (!new.is_empty()).then_some((told + new.len(), text))
    }
}

impl Ranks<'_> {
    fn distribute(
        &self,
        measurer: &Arc<Measurer>,
        supply: &Arc<BatchSupply>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker,
    ) -> Result<End, EvolutionError> {
        let followers = self.world.handshake(&self.agreement, self.threads)?;
        let leader = Leader { world: self.world, followers, threads: self.threads, stop: Arc::clone(stop) };
        let (own, all) = (Arc::clone(measurer), Arc::clone(&supply.batch));
        let work = move |job: &u64| all.compute(&own, *job);
        let check = |job: u64, (theirs, _): &BlockSum| match *theirs == job {
            true => Ok(()),
            false => Err(format!("it says that it is job {theirs}")),
        };
        let supply = Arc::clone(supply) as Arc<dyn Supply>;
        let taker = RefCell::new(taker);
        let mut ticks = Ticks { taker: &taker, stop: Arc::clone(stop), error: None };
        let end = lead(leader, supply, work, &mut ticks, check, |sum| taker.borrow_mut().take(sum));
        ticks.error.map_or(end, Err)
    }
}

/// Reads the requests that rank 0 names.
fn requests(text: &str, measurer: &Measurer, terminals: &[Terminal]) -> Result<Vec<Request>, String> {
    let named: Vec<RequestKey> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let requests = named.iter().map(|key| key.request(terminals)).collect::<Result<Vec<_>, String>>()?;
    match requests.iter().all(|request| request.stage < measurer.plan().stages.len()) {
        true => Ok(requests),
        false => Err("rank 0 names a stage that the evolution does not have".to_owned()),
    }
}

impl EvolutionSession {
    /// What all ranks must agree on: the plan, the bank and the seed.
    pub fn agreement(&self) -> String {
        let header = self.header();
        format!("evolution {} {}, bank {:.12}", header.name, header.hash, header.bank)
    }

    /// As a rank that follows: computes blocks of the batches that rank 0 names, until there are no more. `start` starts
    /// the programs among the opponents, once there is a batch.
    ///
    /// # Errors
    /// If messages cannot be read.
    pub fn follow(
        self,
        world: &World,
        threads: usize,
        stop: &Arc<AtomicBool>,
        start: impl Fn() -> Result<(), String>,
    ) -> Result<(), WorldError> {
        let (agreement, measurer) = (self.agreement(), self.into_measurer());
        let terminals = measurer.plan().terminals();
        let mut is_started = false;
        while let Some(text) = world.next_experiment()? {
            let started = if is_started { Ok(()) } else { start() };
            is_started = started.is_ok();
            let known =
                if text == ANNOUNCED { Ok(()) } else { Err("rank 0 names something else than a batch".to_owned()) };
            if let Err(problem) = started.and(known) {
                world.decline(&problem)?;
                continue;
            }
            let batch = Arc::new(Batch::open());
            let (measuring, named) = (Arc::clone(&measurer), Arc::clone(&batch));
            let learn = |news: &str| {
                let requests = requests(news, &measurer, &terminals);
                let requests = requests.map_err(|problem| format!("cannot read the batch of rank 0: {problem}"))?;
                requests.into_iter().for_each(|request| named.add(&measurer, request));
                Ok(())
            };
            // Rank 0 knows how it ended, and tells by what it names next.
            let _end = follow(world, &agreement, threads, stop, move |job| batch.compute(&measuring, *job), learn)?;
        }
        Ok(())
    }
}
