//! The algorithms of evolution with their courses: those of evouct, and those that a program adds, operators as well.

use crate::course::algorithm::EvolutionAlgorithm;
use crate::course::batches::PlannedBatch;
use crate::course::history::{History, Judge};
use crate::course::scale::scaled;
use crate::error::EvolutionError;
use crate::fitness::measure::{Request, SCALE};
use crate::plan::EvolutionPlan;
use crate::plan::algorithm::{ALGORITHMS, COMMA, Climb, GENERATIONAL, PLUS, RANDOM, SteadyState};
use crate::plan::keys::check_new;
use crate::plan::operators;
use evouct_base::listed::{Chosen, Extensible, List};
use evouct_gp::Operator;
use std::sync::Arc;

/// Those of [`ALGORITHMS`], with their courses.
static COURSES: List<dyn EvolutionAlgorithm> =
    List::new(&[&GENERATIONAL, &PLUS, &COMMA, &RANDOM, &Climb, &SteadyState]);

impl Extensible for dyn EvolutionAlgorithm {
    const WHAT: &'static str = "algorithm";

    fn listed_name(&self) -> &'static str {
        self.name()
    }

    fn list() -> &'static List<dyn EvolutionAlgorithm> {
        &COURSES
    }
}

/// Adds an algorithm, before the first file of an evolution is read. See `examples/own_methods`.
///
/// # Errors
/// That its name or one of its keys is taken.
pub fn add_algorithm(algorithm: &'static dyn EvolutionAlgorithm) -> Result<(), String> {
    algorithm.keys().iter().try_for_each(|key| check_new(key.name))?;
    COURSES.add(algorithm)?;
    ALGORITHMS.add(algorithm)
}

/// Adds an operator of variation, before the first file of an evolution is read. Its name is a key of `[evolve]`: its
/// weight among the operators, 0 where a file gives none. See `examples/own_methods`.
///
/// # Errors
/// That there is a key of this name.
pub fn add_operator(operator: Arc<dyn Operator>) -> Result<(), String> {
    check_new(operator.name())?;
    operators::add(operator);
    Ok(())
}

fn course_of(plan: &EvolutionPlan) -> Chosen<dyn EvolutionAlgorithm> {
    Chosen::of_name(plan.evolve.algorithm.name()).expect("an algorithm is added with its course")
}

/// Evolves by the algorithm of the plan.
///
/// # Errors
/// Those of the judge.
pub fn evolve(plan: &EvolutionPlan, judge: &mut dyn Judge) -> Result<History, EvolutionError> {
    let plan = scaled(plan, judge)?;
    course_of(&plan).evolve(&plan, judge)
}

impl EvolutionPlan {
    /// The batches of a whole evolution. Genomes that are born twice are measured once, so there may be fewer blocks.
    pub fn batches(&self) -> Vec<PlannedBatch> {
        let mut batches = Vec::new();
        if self.is_over_games() {
            let request = Request { batch: SCALE, ..self.sample(0, self.evolve.scale_decks, 0, self.seeds[0].clone()) };
            let blocks = u64::from(self.blocks(&Request { hall: Vec::new(), ..request }));
            batches.push(PlannedBatch { stage: 0, batch: SCALE, genomes: 1, blocks, births: None });
        }
        batches.extend(course_of(self).batches(self));
        let (offspring, rounds, count) = self.evolve.tuning();
        // A climb has no more steps than generations.
        let most = if self.evolve.algorithm.plays_itself() { self.evolve.generations as usize } else { usize::MAX };
        let mut genomes = self.evolve.finalists.min(most);
        if offspring > 0 {
            let count = count.min(self.evolve.finalists);
            let units = self.stages[0].rounds.iter().sum();
            let first = self.evolve.generations * self.stages[0].rounds.len() as u32;
            let numbers = first..first + rounds;
            let batch =
                |number| self.batch((0, number), count * (offspring + 1), units, self.evolve.generations as usize);
            batches.extend(numbers.map(batch));
            genomes += count;
        }
        // Seeds play to the end.
        let seeds = if self.course > 0 { self.seeds.len() - 1 } else { 0 };
        genomes += seeds;
        for stage in 1..self.stages.len() {
            for (round, units) in (0..).zip(&self.stages[stage].rounds) {
                batches.push(self.batch((stage, round), genomes, *units, self.evolve.generations as usize));
                genomes = (genomes.div_ceil(2) + seeds).min(genomes);
            }
        }
        batches
    }
}
