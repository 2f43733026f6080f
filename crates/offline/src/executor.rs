//! Who computes the blocks of measurements: threads of this machine, or the ranks of an MPI world.

use super::error::EvolutionError;
use super::measure::{MeasureError, Measurer, Request};
use evouct_league::league::{End, run};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Measurements that are made together: their blocks are jobs, numbered through all requests.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The requests.
    pub requests: Vec<Request>,
    /// The request and the block of each job.
    jobs: Vec<(usize, u32)>,
}

impl Batch {
    /// The batch of these requests.
    pub fn new(measurer: &Measurer, requests: Vec<Request>) -> Batch {
        let blocks =
            |(at, request): (usize, &Request)| (0..measurer.plan().blocks(request)).map(move |block| (at, block));
        let jobs = requests.iter().enumerate().flat_map(blocks).collect();
        Batch { requests, jobs }
    }

    /// The number of jobs.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Computes a job.
    ///
    /// # Panics
    /// If there is no such job.
    pub fn compute(&self, measurer: &Measurer, job: u64) -> BlockSum {
        let (at, block) = self.jobs[job as usize];
        (job, measurer.block(&self.requests[at], block))
    }

    /// The request and the block of a job.
    pub(super) fn job(&self, job: u64) -> Option<(usize, u32)> {
        self.jobs.get(usize::try_from(job).ok()?).copied()
    }
}

/// A job and the sum of its block.
pub type BlockSum = (u64, Result<f64, MeasureError>);

/// Computes batches.
pub trait Executor {
    /// Computes every job of a batch once and passes each sum to `take` on the calling thread, in any order, until all
    /// are done or `stop` is set.
    ///
    /// # Errors
    /// The first error of `take`, or that the executor cannot work.
    fn compute(
        &mut self,
        measurer: &Arc<Measurer>,
        batch: &Arc<Batch>,
        stop: &Arc<AtomicBool>,
        take: &mut dyn FnMut(BlockSum) -> Result<(), EvolutionError>,
    ) -> Result<End, EvolutionError>;
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
        take: &mut dyn FnMut(BlockSum) -> Result<(), EvolutionError>,
    ) -> Result<End, EvolutionError> {
        let jobs = 0..batch.len() as u64;
        let (measurer, batch) = (Arc::clone(measurer), Arc::clone(batch));
        let work = move |job: &u64| batch.compute(&measurer, *job);
        // Blocks are too short to show; generations are.
        Ok(run(jobs, self.0, work, stop, &mut (), take)?)
    }
}
