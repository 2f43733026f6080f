//! The batches of an evolution, as far as they are known in advance: what a projection to more cores needs.

use crate::fitness::measure::Request;
use crate::plan::EvolutionPlan;
use crate::plan::stage::FitnessMeasure;
use evouct_gp::Genome;

/// Measurements that are made together: the next batch begins when the last one is complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedBatch {
    /// The stage, from 0.
    pub stage: usize,
    /// Its number within the stage, as in [`Request::batch`]; 0 in a steady state.
    pub batch: u32,
    /// Genomes, the reference included.
    pub genomes: u64,
    /// Blocks of all genomes: the jobs that cores share.
    pub blocks: u64,
    /// What blocks wait for within the batch: in a steady state, whose generations are one batch.
    pub births: Option<PlannedBirths>,
}

/// The births of a steady state: every second one goes on after a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedBirths {
    /// By birth, the blocks of its rounds.
    pub rounds: Vec<Vec<u64>>,
    /// A birth waits for all births up to so many before it.
    pub lag: usize,
}

impl EvolutionPlan {
    /// The batches of generations, each of which measures at most so many individuals: after each round of the first stage
    /// half of them go on. Where they play against the formula as it stands, the last round tests one of them.
    pub fn batches_of_generations(&self, individuals: impl Fn(u32) -> usize) -> Vec<PlannedBatch> {
        let mut batches = Vec::new();
        for generation in 0..self.evolve.generations {
            let mut genomes = individuals(generation);
            for (round, units) in self.stages[0].rounds.iter().enumerate() {
                let number = (generation as usize * self.stages[0].rounds.len() + round) as u32;
                if self.evolve.algorithm.plays_itself() && round + 1 == self.stages[0].rounds.len() {
                    genomes = 1;
                }
                let measured = genomes * self.evolve.cma_samples.max(1);
                batches.push(self.batch((0, number), measured, *units, generation as usize));
                genomes = genomes.div_ceil(2);
            }
        }
        batches
    }

    /// The most formulas that are proposed in a generation.
    pub(crate) fn proposed_at_most(&self) -> usize {
        self.proposers.iter().map(|proposer| proposer.count as usize).sum()
    }

    pub(crate) fn batch(
        &self,
        (stage, batch): (usize, u32),
        genomes: usize,
        units: u32,
        generation: usize,
    ) -> PlannedBatch {
        let request = self.sample(stage, units, generation, self.seeds[0].clone());
        // The reference of a climb is the opponent.
        let has_reference = stage > 0 || !self.evolve.algorithm.plays_itself();
        let genomes = genomes as u64 + u64::from(has_reference);
        PlannedBatch { stage, batch, genomes, blocks: genomes * u64::from(self.blocks(&request)), births: None }
    }

    /// All births of a steady state. The first birth of a generation that comes to a round measures the reference, too.
    pub(crate) fn steady_batch(&self) -> PlannedBatch {
        let (lag, births) = (self.evolve.lag, self.births_of_generation());
        let blocks = |generation: u64, units: u32| {
            u64::from(self.blocks(&self.sample(0, units, generation as usize, self.seeds[0].clone())))
        };
        let rounds = |birth: u64| -> Vec<u64> {
            let (generation, place) = (birth / births, birth % births);
            // Nothing is known of what others are worth when the first ones are bred.
            let goes_on = |round: usize| birth < lag as u64 || place.is_multiple_of(1 << round.min(63));
            let rounds = self.stages[0].rounds.iter().enumerate().take_while(|(round, _)| goes_on(*round));
            rounds.map(|(_, units)| (1 + u64::from(place == 0)) * blocks(generation, *units)).collect()
        };
        let rounds: Vec<Vec<u64>> = (0..births * u64::from(self.evolve.generations)).map(rounds).collect();
        let of_reference = u64::from(self.evolve.generations) * self.stages[0].rounds.len() as u64;
        let genomes = of_reference + rounds.iter().map(|rounds| rounds.len() as u64).sum::<u64>();
        let blocks = rounds.iter().flatten().sum();
        PlannedBatch { stage: 0, batch: 0, genomes, blocks, births: Some(PlannedBirths { rounds, lag }) }
    }

    /// A request of a stage, to try what its blocks cost: the hall of fame has as many members as in that generation.
    pub fn sample(&self, stage: usize, units: u32, generation: usize, genome: Genome) -> Request {
        // What matters is that there are so many; former champions cost much the same as the seeds.
        let members = match self.stages[stage].measure {
            FitnessMeasure::Games if stage == 0 && self.evolve.algorithm.plays_itself() => 1,
            FitnessMeasure::Games => self.evolve.hall_of_fame.min(generation),
            _ => 0,
        };
        let hall = self.seeds.iter().cycle().take(members).cloned().collect();
        Request { stage, batch: 0, units, genome, hall }
    }
}
