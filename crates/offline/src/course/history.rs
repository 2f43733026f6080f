//! The course of an evolution, and who measures for it.

use crate::error::EvolutionError;
use crate::fitness::distinct_decks::Objective;
use crate::fitness::layout::Layout;
use crate::fitness::measure::{HallOfFame, Measured, Request};
use crate::fitness::pooled::GainEstimate;
use crate::plan::EvolutionPlan;
use crate::plan::proposer::{Proposal, Question};
use evouct_gp::{Genome, crowded_order, fronts};
use std::cmp::Ordering;
use std::collections::HashSet;

/// The share of what is known of a structure that is forgotten in each round: its constants were not as good.
const FORGOTTEN: f64 = 0.2;

/// An individual; its formulas are simplified. Its fitness is its gain over the reference, in points per game. In games,
/// where two players on the same decks are hardly correlated, it is the mean less that of the reference over all
/// generations; the error is that of the mean alone.
pub type Individual = evouct_gp::Individual<GainEstimate>;

/// A genome that was not measured, since it decides as an individual does.
#[derive(Clone, PartialEq, Debug)]
pub struct EquivalentGenome {
    /// The generation of its birth, from 0.
    pub born: u32,
    /// The genome.
    pub genome: Genome,
    /// The individual.
    pub into: usize,
}

/// A generation of an island, as it was measured.
#[derive(Clone, PartialEq, Debug)]
pub struct GenerationRow {
    /// The generation, from 0.
    pub generation: u32,
    /// The island.
    pub island: usize,
    /// The best individual.
    pub best: usize,
    /// Its gain over the reference.
    pub best_gain: f64,
    /// The median gain.
    pub median_gain: f64,
    /// The mean number of nodes.
    pub size: f64,
}

impl GenerationRow {
    /// The row of these individuals, the best first.
    pub fn of(generation: u32, island: usize, individuals: &[&Individual]) -> GenerationRow {
        let sizes: usize = individuals.iter().map(|individual| individual.genome.size()).sum();
        GenerationRow {
            generation,
            island,
            best: individuals[0].id,
            best_gain: individuals[0].fitness.mean(),
            median_gain: individuals[individuals.len() / 2].fitness.mean(),
            size: sizes as f64 / individuals.len() as f64,
        }
    }
}

/// By value, the higher first; of equal ones the smaller, then the older.
pub(crate) fn the_better_first(a: &Individual, b: &Individual, value: impl Fn(&Individual) -> f64) -> Ordering {
    value(b).total_cmp(&value(a)).then(a.genome.size().cmp(&b.genome.size())).then(a.id.cmp(&b.id))
}

/// What became of the proposals of a proposer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProposerTally {
    /// Generations in which it was asked.
    pub asked: u64,
    /// Formulas that it proposed.
    pub proposed: u64,
    /// Those that became individuals.
    pub measured: u64,
    /// Answers with a problem: see [`Proposal::problem`].
    pub problems: u64,
}

/// What an evolution asks for.
pub trait Judge {
    /// Measures genomes; answers are in the order of the requests.
    ///
    /// # Errors
    /// If a measurement fails, or the run is interrupted.
    fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, EvolutionError>;

    /// Asks a proposer for formulas.
    ///
    /// # Errors
    /// If the run is interrupted, or the answer cannot be recorded. A program that fails is no error: its proposal says so.
    fn propose(&mut self, question: &Question) -> Result<Proposal, EvolutionError> {
        Err(EvolutionError::Plan(format!("this judge asks no program for formulas: {}", question.line)))
    }

    /// Measures what a flow asks for, until it asks for nothing more. The answers may come in any order, and change
    /// nothing by it.
    ///
    /// # Errors
    /// As [`measure`](Judge::measure).
    fn flow(&mut self, flow: &mut dyn Flow) -> Result<(), EvolutionError> {
        loop {
            let asked = flow.ask();
            if asked.is_empty() {
                return Ok(());
            }
            let (numbers, requests): (Vec<u64>, Vec<Request>) =
                asked.into_iter().map(|asked| (asked.number, asked.request)).unzip();
            let measured = self.measure(&requests)?;
            numbers.into_iter().zip(measured).for_each(|(number, measured)| flow.tell(number, measured));
            let (history, rows) = flow.news();
            generations_of(rows).for_each(|rows| self.generation(history, rows));
        }
    }

    /// Is called after each generation: its rows, one per island.
    fn generation(&mut self, _history: &History, _rows: &[GenerationRow]) {}
}

/// The rows of each generation: one answer may end several.
pub(crate) fn generations_of(rows: &[GenerationRow]) -> impl Iterator<Item = &[GenerationRow]> {
    rows.chunk_by(|a, b| a.generation == b.generation)
}

/// A measurement that a flow asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct FlowRequest {
    /// Its number: the answer is told by it.
    pub number: u64,
    /// What decides which of several shards makes it.
    pub place: u64,
    /// What is measured.
    pub request: Request,
}

/// Measurements without barriers: more is asked for while earlier ones are still made.
pub trait Flow {
    /// What can be measured by now and was not asked for before. Nothing, where all that was asked for is answered, is
    /// the end.
    fn ask(&mut self) -> Vec<FlowRequest>;

    /// Takes the answer to a request.
    fn tell(&mut self, number: u64, measured: Measured);

    /// The course so far, and the rows of the generations that have ended since the last call.
    fn news(&mut self) -> (&History, &[GenerationRow]);
}

/// What is measured of an individual in a batch.
pub(crate) struct Samples {
    /// The individual.
    pub id: usize,
    pub genomes: Vec<Genome>,
    /// By genome, its point in the search for constants; none without a search.
    pub points: Vec<Vec<f64>>,
    /// Units of each genome.
    pub units: u32,
}

impl EvolutionPlan {
    /// Whether the first stage compares blocks with those of the reference. A hall of fame changes what a point is worth
    /// from batch to batch.
    pub(crate) fn is_paired(&self) -> bool {
        self.stages[0].measure.is_paired() || self.evolve.hall_of_fame > 0
    }
}

/// The course of an evolution.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Every individual, in the order of birth.
    pub individuals: Vec<Individual>,
    /// By individual, the mean of the second objective; empty without one.
    pub second: Vec<GainEstimate>,
    /// Generations, island by island.
    pub generations: Vec<GenerationRow>,
    /// The hall of fame after the last generation.
    pub hall: HallOfFame,
    /// Genomes that were born and are not among the individuals, since they decide alike: where structures evolve, and in
    /// a climb.
    pub folded: Vec<EquivalentGenome>,
    /// The steps of a climb, in order; none in other evolutions.
    pub steps: Option<Vec<usize>>,
    /// What became of the proposals, by proposer of the plan.
    pub proposers: Vec<ProposerTally>,
    /// What the reference itself is worth, over all batches, where measurements are not paired.
    pub reference: GainEstimate,
}

impl History {
    /// Adds an individual that is not measured yet, and returns its number.
    pub fn born(
        &mut self,
        genome: Genome,
        (born, island): (u32, usize),
        (operator, parents): (&'static str, Vec<usize>),
    ) -> usize {
        let (id, fitness) = (self.individuals.len(), GainEstimate::default());
        self.individuals.push(Individual { id, genome, born, island, parents, operator, fitness });
        id
    }

    /// Measures individuals in a batch of the first stage on so many units, beside the reference of the plan.
    ///
    /// # Errors
    /// Those of the judge.
    pub fn measure(
        &mut self,
        plan: &EvolutionPlan,
        (batch, units): (u32, u32),
        ids: &[usize],
        judge: &mut dyn Judge,
    ) -> Result<(), EvolutionError> {
        let genomes = |id: usize| vec![self.individuals[id].genome.clone()];
        let sample = |id: &usize| Samples { id: *id, genomes: genomes(*id), points: Vec::new(), units };
        let field: Vec<Samples> = ids.iter().map(sample).collect();
        self.measure_samples(plan, (batch, units), &field, judge).map(|_| ())
    }

    /// Measures samples of individuals in a batch of the first stage, beside the reference. Returns what each sample is
    /// worth, by individual.
    pub(crate) fn measure_samples(
        &mut self,
        plan: &EvolutionPlan,
        (batch, units): (u32, u32),
        field: &[Samples],
        judge: &mut dyn Judge,
    ) -> Result<Vec<Vec<f64>>, EvolutionError> {
        let genomes = field.iter().flat_map(|own| own.genomes.iter().map(|genome| (genome.clone(), own.units)));
        let requests: Vec<Request> = [(plan.seeds[0].simplified(plan.ln), units)]
            .into_iter()
            .chain(genomes)
            .map(|(genome, units)| plan.request(0, batch, units, genome, &self.hall))
            .collect();
        let measured = judge.measure(&requests)?;
        if !plan.is_paired() {
            self.measure_reference(&measured[0], &plan.layout(&requests[0]));
        }
        let levels = self.reference.levels();
        let reference = if plan.is_paired() { Ok(&measured[0]) } else { Err(levels.as_slice()) };
        let mut left = requests.iter().zip(&measured).skip(1);
        let mut add = |Samples { id, genomes, .. }: &Samples| {
            let gain = &mut self.individuals[*id].fitness;
            if plan.evolve.cma_samples > 0 {
                gain.forget(FORGOTTEN);
            }
            let add = |(request, own): (&Request, &Measured)| {
                let layout = plan.layout(request);
                if let Some(second) = self.second.get_mut(*id) {
                    second.add_measured(own, Err(&[]), Objective::Second, &layout);
                }
                gain.add_measured(own, reference, Objective::Value, &layout);
                layout.worth(own, &measured[0])
            };
            left.by_ref().take(genomes.len()).map(add).collect()
        };
        Ok(field.iter().map(&mut add).collect())
    }

    /// Adds a batch of the reference, and moves all gains to its new mean.
    pub(crate) fn measure_reference(&mut self, measured: &Measured, layout: &Layout) {
        let mut before = self.reference.levels();
        self.reference.add_measured(measured, Err(&[]), Objective::Value, layout);
        let after = self.reference.levels();
        before.resize(after.len(), 0.0);
        let by: Vec<f64> = before.iter().zip(after).map(|(before, after)| before - after).collect();
        self.individuals.iter_mut().for_each(|individual| individual.fitness.shift(&by));
    }

    /// The archive: individuals that no other one beats in gain without being larger, by size. Those that were measured
    /// in one generation only, and an error may have raised, are in it only if nothing was measured twice. In a climb the
    /// steps.
    pub fn front(&self) -> Vec<&Individual> {
        if let Some(steps) = &self.steps {
            return steps.iter().map(|id| &self.individuals[*id]).collect();
        }
        let mut tried = self.tried();
        tried.sort_by(|a, b| {
            let by_size = a.genome.size().cmp(&b.genome.size());
            by_size.then(b.fitness.mean().total_cmp(&a.fitness.mean())).then(a.id.cmp(&b.id))
        });
        let mut front: Vec<&Individual> = Vec::new();
        for individual in tried {
            if front.last().is_none_or(|last| individual.fitness.mean() > last.fitness.mean()) {
                front.push(individual);
            }
        }
        front
    }

    /// Those that were measured in more than one generation, or all, if nothing was.
    fn tried(&self) -> Vec<&Individual> {
        let most = self.individuals.iter().map(|individual| individual.fitness.units()).max().unwrap_or(0);
        let least = self.individuals.iter().map(|individual| individual.fitness.units()).min().unwrap_or(0);
        let often = if most > least { 2 * least } else { least };
        self.individuals.iter().filter(|individual| individual.fitness.units() >= often).collect()
    }

    /// Both objectives of an individual of an evolution that has two: its gain, and the mean of the second one.
    pub(crate) fn objectives(&self, id: usize) -> [f64; 2] {
        [self.individuals[id].fitness.mean(), self.second[id].mean()]
    }

    /// Of an evolution with two objectives, those of the archive that no other one beats in both, the least crowded first.
    /// Of several with the same values, which decide alike in all likelihood, the smallest stands for all.
    fn front_of_two(&self) -> Vec<&Individual> {
        let mut tried = self.tried();
        tried.sort_by(|a, b| the_better_first(a, b, |own| own.fitness.mean()));
        let mut seen = HashSet::new();
        tried.retain(|own| seen.insert(self.objectives(own.id).map(f64::to_bits)));
        let objectives: Vec<[f64; 2]> = tried.iter().map(|own| self.objectives(own.id)).collect();
        let members = fronts(&objectives).first().map_or(0, Vec::len);
        crowded_order(&objectives).into_iter().take(members).map(|place| tried[place]).collect()
    }

    /// The finalists: those of the front with a gain, and the individuals with the highest gains that are sure: the
    /// gain less its standard error. At most `count`, the surest first. In a climb the last steps. With two objectives the
    /// least crowded of their front.
    pub fn finalists(&self, count: usize) -> Vec<Genome> {
        if let Some(steps) = &self.steps {
            return steps.iter().rev().take(count).map(|id| self.individuals[*id].genome.clone()).collect();
        }
        if !self.second.is_empty() {
            return self.front_of_two().into_iter().take(count).map(|individual| individual.genome.clone()).collect();
        }
        let sure = |individual: &&Individual| individual.fitness.sure();
        let mut all: Vec<&Individual> =
            self.individuals.iter().filter(|each| each.fitness.sure().is_finite()).collect();
        all.sort_by(|a, b| sure(b).total_cmp(&sure(a)).then(a.id.cmp(&b.id)));
        let front = self.front();
        let mut front: Vec<&Individual> = front.into_iter().filter(|each| each.fitness.mean() > 0.0).collect();
        front.reverse();
        front.truncate(count / 2);
        let mut chosen: Vec<&Individual> = front;
        for individual in all {
            if chosen.len() < count && !chosen.iter().any(|other| other.id == individual.id) {
                chosen.push(individual);
            }
        }
        chosen.into_iter().map(|individual| individual.genome.clone()).collect()
    }
}
