//! The progress of an evolution: where it is, and how long the rest takes at most.

use super::evolution_folder::part;
use super::progress::Bar;
use crate::league::{End, Executor, Taker};
use crate::offline::{Batch, BlockSum, Blocks, EvolutionError, EvolutionPlan, PlannedBatch};
use crate::plural::counted;
use indicatif::HumanDuration;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The bar, elsewhere than on a terminal its text as lines.
pub(super) struct EvolutionBar<'a> {
    ahead: Ahead<'a>,
    all: u64,
    bar: Bar,
    last: Instant,
}

impl EvolutionBar<'_> {
    /// The bar of an evolution that so many shards share.
    pub(super) fn of(plan: &EvolutionPlan, shards: u64) -> EvolutionBar<'_> {
        let ahead = Ahead::of(plan, shards);
        let all = ahead.blocks();
        EvolutionBar { ahead, all, bar: Bar::before("{msg}", (0, all)), last: Instant::now() }
    }

    /// Takes note that a generation, from 1, is complete.
    pub(super) fn generation_ended(&mut self, number: u32) {
        self.ahead.complete = number;
    }

    fn begin(&mut self, batch: &Batch) {
        self.ahead.begin(batch);
        self.last = Instant::now();
        self.show();
    }

    fn go_on(&mut self, blocks: u64) {
        let now = Instant::now();
        self.ahead.take(blocks, now - self.last);
        self.last = now;
        self.show();
    }

    fn show(&mut self) {
        self.bar.set(self.all.saturating_sub(self.ahead.blocks()), || self.ahead.text());
    }
}

/// An executor whose blocks a bar counts.
pub(super) struct Watched<'a, 'b> {
    pub executor: &'a mut dyn Executor<Blocks>,
    pub bar: &'a RefCell<EvolutionBar<'b>>,
}

impl Executor<Blocks> for Watched<'_, '_> {
    fn carry_out(
        &mut self,
        job: &Arc<Blocks>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker<BlockSum, EvolutionError>,
    ) -> Result<End, EvolutionError> {
        self.bar.borrow_mut().begin(&job.batch);
        self.executor.carry_out(job, stop, &mut Counter { taker, bar: self.bar })
    }
}

struct Counter<'a, 'b> {
    taker: &'a mut dyn Taker<BlockSum, EvolutionError>,
    bar: &'a RefCell<EvolutionBar<'b>>,
}

impl Taker<BlockSum, EvolutionError> for Counter<'_, '_> {
    fn take(&mut self, sum: BlockSum) -> Result<(), EvolutionError> {
        self.taker.take(sum)?;
        self.bar.borrow_mut().go_on(1);
        Ok(())
    }

    fn tick(&mut self, done: usize) -> Result<(), EvolutionError> {
        self.taker.tick(done)?;
        self.bar.borrow_mut().go_on(0);
        Ok(())
    }
}

/// How much is left at most, by the plan, and how long it takes, by what was measured.
struct Ahead<'a> {
    plan: &'a EvolutionPlan,
    /// The batches, with the blocks of this process: shards share each batch.
    batches: Vec<PlannedBatch>,
    /// Generations that are complete.
    complete: u32,
    /// The stage that is measured.
    stage: usize,
    /// Blocks that are left of the batch that is measured.
    here: u64,
    /// By stage, the blocks of the batches behind it.
    later: Vec<u64>,
    /// By stage, the blocks that were measured, and the time that they took together.
    measured: Vec<(u64, Duration)>,
}

impl Ahead<'_> {
    fn of(plan: &EvolutionPlan, shards: u64) -> Ahead<'_> {
        let mut batches = plan.batches();
        batches.iter_mut().for_each(|batch| batch.blocks = batch.blocks.div_ceil(shards));
        let measured = vec![(0, Duration::ZERO); plan.stages.len()];
        let later = by_stage(plan, &batches);
        Ahead { plan, batches, complete: 0, stage: 0, here: 0, later, measured }
    }

    /// Begins to measure what is missing of a batch.
    fn begin(&mut self, batch: &Batch) {
        self.here = batch.len() as u64;
        let requests = batch.requests_from(0);
        let Some(request) = requests.first() else { return };
        self.stage = request.stage;
        let is_it = |planned: &PlannedBatch| match batch.is_open() {
            true => planned.births.is_some(),
            false => (planned.stage, planned.batch) == (request.stage, request.batch),
        };
        // A sample on which semantics are compared is no batch of the plan: what is behind it stays.
        let Some(place) = self.batches.iter().position(is_it) else { return };
        if batch.is_open() {
            // The batch grows; what was recorded before is of the generations that are complete.
            let (all, left) = (u64::from(self.plan.evolve.generations), self.plan.evolve.generations - self.complete);
            self.here = self.here.max(self.batches[place].blocks * u64::from(left) / all.max(1));
        }
        self.later = by_stage(self.plan, &self.batches[place + 1..]);
    }

    /// Takes note of blocks that were measured, and of the time since the last ones.
    fn take(&mut self, blocks: u64, time: Duration) {
        self.here = self.here.saturating_sub(blocks);
        let measured = &mut self.measured[self.stage];
        *measured = (measured.0 + blocks, measured.1 + time);
    }

    /// All blocks that are left.
    fn blocks(&self) -> u64 {
        self.here + self.later.iter().sum::<u64>()
    }

    /// The seconds that a block of a stage takes; none if that is not known. A unit of the same measure takes as long in
    /// each stage.
    fn seconds_per_block(&self, stage: usize) -> Option<f64> {
        let stages = &self.plan.stages;
        let of_unit = |stage: usize| {
            let (blocks, time) = self.measured[stage];
            (blocks > 0).then(|| time.as_secs_f64() / blocks as f64 / f64::from(stages[stage].block))
        };
        let alike = (0..stages.len()).rev().filter(|other| stages[*other].measure == stages[stage].measure);
        let of_unit = [stage].into_iter().chain(alike).find_map(of_unit)?;
        Some(of_unit * f64::from(stages[stage].block))
    }

    /// The seconds that are left up to the first stage of which that is not known, and this stage.
    fn seconds(&self) -> (f64, Option<usize>) {
        let mut seconds = 0.0;
        for stage in self.stage..self.later.len() {
            let blocks = self.later[stage] + if stage == self.stage { self.here } else { 0 };
            match self.seconds_per_block(stage) {
                _ if blocks == 0 => {}
                Some(each) => seconds += each * blocks as f64,
                None => return (seconds, Some(stage)),
            }
        }
        (seconds, None)
    }

    fn text(&self) -> String {
        let part = part(self.plan, self.complete as usize, self.stage);
        // How many births go on to a later round depends on what is measured.
        let at_most = if self.plan.evolve.algorithm.is_steady() { "about" } else { "at most" };
        let (seconds, unknown) = self.seconds();
        let time = HumanDuration(Duration::from_secs_f64(seconds.min(1e9)));
        match unknown {
            None => format!("{part}, {at_most} {time} left"),
            Some(stage) if stage == self.stage => format!("{part}, {at_most} {}", counted(self.blocks(), "block")),
            Some(stage) => format!("{part}, {at_most} {time} to stage {}", stage + 1),
        }
    }
}

/// The blocks of batches, by stage.
fn by_stage(plan: &EvolutionPlan, batches: &[PlannedBatch]) -> Vec<u64> {
    let mut blocks = vec![0; plan.stages.len()];
    batches.iter().for_each(|batch| blocks[batch.stage] += batch.blocks);
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offline::{Measurer, Purpose, Request};

    const EVOLUTION: &str = r#"
name = "small"
seed = 1
game = "einstein"
[evolve]
terminals = ["Q", "n", "N", "race"]
seeds = ["select = Q + 0.5*sqrt(ln(N)/n); final = n"]
islands = 1
population = 4
elite = 1
generations = 3
finalists = 4
[[player]]
kind = "formula"
iterations = 10
[[opponent]]
kind = "random"
"#;
    const UNTUNED: &str = "constant_offspring = 0\n";
    const GAMES: &str = "[[stage]]\nmeasure = \"games\"\ndecks = [2, 4]\n";
    const MORE_GAMES: &str = "[[stage]]\nmeasure = \"games\"\ndecks = [8, 16]\nblock = 4\n";

    /// With further keys of `[evolve]`.
    fn plan(keys: &str, stages: &str) -> EvolutionPlan {
        crate::registry::add_games();
        let text = format!("{EVOLUTION}{stages}").replace("islands = 1\n", &format!("islands = 1\n{keys}"));
        EvolutionPlan::parse(&text, "small", None).unwrap()
    }

    /// A batch of so many measurements.
    fn batch(measurer: &Measurer, (stage, number): (usize, u32), count: usize) -> Batch {
        let plan = measurer.plan();
        let units = plan.stages[stage].rounds[number as usize % plan.stages[stage].rounds.len()];
        let request = plan.sample(stage, units, 0, plan.seeds[0].clone());
        Batch::new(measurer, vec![Request { batch: number, ..request }; count])
    }

    fn measurer(plan: &EvolutionPlan) -> Measurer {
        Measurer::new(plan.clone(), None, Purpose::Evolution).unwrap()
    }

    #[test]
    fn what_is_left_is_the_batch_and_those_behind_it() {
        let plan = plan(UNTUNED, &format!("{GAMES}{MORE_GAMES}"));
        let (mut ahead, measurer) = (Ahead::of(&plan, 1), measurer(&plan));
        // Three generations of 5 × 2 and 3 × 4 blocks, and finals of 5 × 2 and 3 × 4.
        assert_eq!((ahead.blocks(), ahead.seconds()), (66 + 22, (0.0, Some(0))));
        ahead.begin(&batch(&measurer, (0, 0), 3));
        assert_eq!((ahead.blocks(), ahead.text()), (6 + 12 + 44 + 22, "generation 1, at most 84 blocks".to_owned()));
        // Two threads: a block is done every half second. One of the finals has four decks in place of one.
        ahead.take(2, Duration::from_secs(1));
        assert_eq!((ahead.blocks(), ahead.seconds()), (82, ((4 + 12 + 44) as f64 * 0.5 + 22.0 * 2.0, None)));
        assert_eq!(ahead.text(), "generation 1, at most 74 seconds left");
        // Time without a block counts.
        ahead.take(0, Duration::from_secs(1));
        assert_eq!(ahead.seconds().0, 148.0);
        // The evolution goes on with what is recorded: the second round of the second generation.
        ahead.complete = 1;
        ahead.begin(&batch(&measurer, (0, 3), 1));
        assert_eq!(ahead.blocks(), 4 + 22 + 22);
        ahead.complete = 3;
        ahead.begin(&batch(&measurer, (1, 0), 5));
        assert_eq!((ahead.blocks(), ahead.seconds().0), (22, 22.0 * 4.0));
        // What the finals take themselves counts for more than what was measured before.
        ahead.take(10, Duration::from_secs(30));
        assert_eq!((ahead.seconds(), ahead.text()), ((36.0, None), "stage 2, at most 36 seconds left".to_owned()));
    }

    #[test]
    fn what_the_plan_does_not_know_leaves_what_is_behind() {
        let plan = plan(UNTUNED, GAMES);
        let (mut ahead, measurer) = (Ahead::of(&plan, 1), measurer(&plan));
        ahead.begin(&batch(&measurer, (0, 1), 3));
        assert_eq!(ahead.blocks(), 12 + 44);
        ahead.begin(&batch(&measurer, (0, u32::MAX - 1), 4));
        assert_eq!(ahead.blocks(), 4 * 2 + 44);
    }

    #[test]
    fn constants_are_tuned_behind_the_generations() {
        let plan = plan("constant_offspring = 2\ntune_rounds = 2\ntune_count = 1\n", GAMES);
        let (mut ahead, measurer) = (Ahead::of(&plan, 1), measurer(&plan));
        assert_eq!(ahead.blocks(), 66 + 2 * 4 * 6);
        ahead.complete = 3;
        ahead.begin(&batch(&measurer, (0, 7), 4));
        assert_eq!((ahead.here, &ahead.later[..]), (4 * 4, &[0][..]));
        ahead.take(1, Duration::from_secs(2));
        assert_eq!(ahead.text(), "the tuning of constants, at most 30 seconds left");
    }

    #[test]
    fn shards_share_every_batch() {
        let plan = plan(UNTUNED, GAMES);
        // 10 and 12 blocks per generation.
        assert_eq!(Ahead::of(&plan, 3).blocks(), 3 * (4 + 4));
    }

    #[test]
    fn a_steady_state_is_one_batch_that_grows() {
        let plan =
            plan("algorithm = \"steady-state\"\nlag = 2\nconstant_offspring = 0\n", &format!("{GAMES}{MORE_GAMES}"));
        let (mut ahead, measurer) = (Ahead::of(&plan, 1), measurer(&plan));
        let all = ahead.blocks();
        let finals = ahead.later[1];
        let open = Batch::open();
        open.add(&measurer, plan.sample(0, 2, 0, plan.seeds[0].clone()));
        ahead.begin(&open);
        assert_eq!(ahead.blocks(), all);
        ahead.take(1, Duration::from_secs(1));
        assert_eq!(ahead.blocks(), all - 1);
        assert!(ahead.text().starts_with("generation 1, about "), "{}", ahead.text());
        ahead.complete = 2;
        ahead.begin(&open);
        assert_eq!(ahead.blocks(), (all - finals) / 3 + finals);
        // More than was expected.
        ahead.take(all, Duration::ZERO);
        assert_eq!(ahead.blocks(), finals);
    }
}
