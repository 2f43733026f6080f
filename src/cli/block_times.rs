//! How long the blocks of an evolution take on this machine, in processor time, and all of them together.

use crate::clock::{ThreadClock, WallClock};
use crate::error::Failure;
use crate::league::{GameOrder, ScalingPlan, project_scaling};
use crate::offline::{Measurer, PlannedBatch, PlannedBirths};
use crate::search::Clock;
use std::collections::BTreeMap;
use std::time::Duration;

/// What the sum of a block is assumed to cost rank 0: it is stored, and each genome makes one line of the journal.
const RECORD: Duration = Duration::from_micros(5);

/// Births of a steady state that are simulated: later ones are alike.
const SIMULATED: usize = 10_000;

/// The times of blocks, by stage.
pub(super) struct BlockTimes(Vec<Vec<Duration>>);

impl BlockTimes {
    /// Measures blocks of the seeds for about so long, and at least eight of each stage.
    pub(super) fn measured(measurer: &Measurer, limit: Duration) -> Result<BlockTimes, Failure> {
        let stages = measurer.plan().stages.len();
        (0..stages)
            .map(|stage| sampled(measurer, stage, limit / stages as u32))
            .collect::<Result<_, _>>()
            .map(BlockTimes)
    }

    /// The times of a stage.
    pub(super) fn of(&self, stage: usize) -> &[Duration] {
        &self.0[stage]
    }

    /// The mean time of a stage.
    pub(super) fn mean(&self, stage: usize) -> Duration {
        self.of(stage).iter().sum::<Duration>() / self.of(stage).len() as u32
    }

    /// The times of all stages.
    pub(super) fn all(&self) -> impl Iterator<Item = &Duration> {
        self.0.iter().flatten()
    }

    /// Seconds of batches on one core.
    pub(super) fn core_seconds(&self, batches: &[PlannedBatch]) -> f64 {
        batches.iter().map(|batch| self.mean(batch.stage).as_secs_f64() * batch.blocks as f64).sum()
    }

    /// Seconds of batches on so many ranks with so many threads each, where a message costs so much. Each batch is
    /// distributed by itself, and cores wait at its end.
    pub(super) fn seconds(&self, batches: &[PlannedBatch], (ranks, threads): (u64, u64), message: Duration) -> f64 {
        let seconds_of = |batch: &PlannedBatch| {
            let order = batch.births.as_ref().map(|PlannedBirths { rounds, lag }| {
                let groups = rounds.iter().take(SIMULATED.max(2 * lag)).cloned().collect();
                GameOrder { groups, lag: *lag }
            });
            let games = order.as_ref().map_or(batch.blocks, |order| order.groups.iter().flatten().sum());
            let durations = self.of(batch.stage).to_vec();
            let (record, latency, look) = (RECORD, message, Duration::from_millis(2));
            let plan = ScalingPlan { games, ranks, threads, durations, message, record, latency, look, order };
            project_scaling(&plan).seconds * batch.blocks as f64 / games.max(1) as f64
        };
        // Generations are alike: how often there is a batch of a stage with so many blocks.
        let mut alike: BTreeMap<(usize, u64, bool), (&PlannedBatch, u64)> = BTreeMap::new();
        for batch in batches {
            alike.entry((batch.stage, batch.blocks, batch.births.is_some())).or_insert((batch, 0)).1 += 1;
        }
        alike.into_values().map(|(batch, count)| seconds_of(batch) * count as f64).sum()
    }
}

/// How long blocks of a stage take here: those of the seeds in turn.
fn sampled(measurer: &Measurer, stage: usize, limit: Duration) -> Result<Vec<Duration>, Failure> {
    let plan = measurer.plan();
    let clock = WallClock::start();
    let mut durations = Vec::new();
    while durations.len() < 8 || clock.now() < limit {
        let genome = plan.seeds[durations.len() % plan.seeds.len()].clone();
        let units = plan.stages[stage].rounds.iter().copied().max().unwrap_or(1);
        let request = plan.sample(stage, units, plan.evolve.generations as usize, genome);
        let block = durations.len() as u32 % plan.blocks(&request);
        let busy = ThreadClock::start();
        let begun = busy.now();
        measurer.block(&request, block).map_err(Failure::failed)?;
        durations.push(busy.now().saturating_sub(begun));
    }
    Ok(durations)
}
