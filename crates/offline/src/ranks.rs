//! An evolution on the ranks of an MPI world.
//!
//! Rank 0 takes the course of the evolution. It names each batch of measurements to the other ranks, which hold plan
//! and bank as it does, and distributes the blocks as a league distributes games. A block is a sum: messages stay
//! small.

use super::error::EvolutionError;
use super::executor::{Batch, BlockSum, Executor};
use super::journal::{RequestKey, key_of};
use super::measure::Measurer;
use super::session::EvolutionSession;
use evouct_league::league::End;
use evouct_league::league::mpi::{LeadError, Leader, World, WorldError, follow, lead};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
        take: &mut dyn FnMut(BlockSum) -> Result<(), EvolutionError>,
    ) -> Result<End, EvolutionError> {
        let named: Vec<RequestKey> = batch.requests.iter().map(key_of).collect();
        let text = serde_json::to_string(&named).expect("requests are plain numbers and texts");
        self.world.announce(&text)?;
        let end = self.distribute(measurer, batch, stop, take);
        if !self.world.is_at_work() {
            // Ranks that were not admitted are waiting for an answer.
            self.world.release()?;
        }
        end
    }
}

impl Ranks<'_> {
    fn distribute(
        &self,
        measurer: &Arc<Measurer>,
        batch: &Arc<Batch>,
        stop: &Arc<AtomicBool>,
        take: &mut dyn FnMut(BlockSum) -> Result<(), EvolutionError>,
    ) -> Result<End, EvolutionError> {
        let followers = self.world.handshake(&self.agreement, self.threads)?;
        let total = batch.len() as u64;
        let leader = Leader { world: self.world, followers, threads: self.threads, total, stop: Arc::clone(stop) };
        let (own, all) = (Arc::clone(measurer), Arc::clone(batch));
        let work = move |job: &u64| all.compute(&own, *job);
        let check = |job: u64, (theirs, _): &BlockSum| match *theirs == job {
            true => Ok(()),
            false => Err(format!("it says that it is job {theirs}")),
        };
        lead(leader, 0..total, work, &mut (), check, take).map_err(|error| match error {
            LeadError::Take(error) => error,
            LeadError::World(error) => error.into(),
        })
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
            let named = serde_json::from_str::<Vec<RequestKey>>(&text).map_err(|error| error.to_string());
            let requests =
                named.and_then(|all| all.iter().map(|key| key.request(&terminals)).collect::<Result<Vec<_>, String>>());
            let started = if is_started { Ok(()) } else { start() };
            is_started = started.is_ok();
            let problem = match started.and(requests) {
                Ok(requests) if requests.iter().all(|request| request.stage < measurer.plan().stages.len()) => {
                    let batch = Batch::new(&measurer, requests);
                    let measurer = Arc::clone(&measurer);
                    // Rank 0 knows how it ended, and tells by what it names next.
                    let _end = follow(world, &agreement, threads, stop, move |job| batch.compute(&measurer, *job))?;
                    continue;
                }
                Ok(_) => "rank 0 names a stage that the evolution does not have".to_owned(),
                Err(problem) => format!("cannot read the batch of rank 0: {problem}"),
            };
            world.decline(&problem)?;
        }
        Ok(())
    }
}
