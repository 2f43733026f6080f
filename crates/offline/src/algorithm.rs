//! Algorithms of evolution: those of evouct, and those that a program adds.

use crate::course::batches::PlannedBatch;
use crate::course::climb::Climb;
use crate::course::generations::{COMMA, GENERATIONAL, PLUS, RANDOM};
use crate::course::history::{History, Judge};
use crate::course::scale::scaled;
use crate::course::steady_state::SteadyState;
use crate::error::EvolutionError;
use crate::plan::EvolutionPlan;
use crate::plan::keys::check_new;
use crate::plan::stage::FitnessStage;
use evouct_base::listed::{Chosen, Extensible, List};
use evouct_base::parameter::{Filled, Parameter};
use evouct_gp::{Genome, LnRule, Variation};
use evouct_league::config::reader::TomlTable;

/// An algorithm of evolution: how formulas come about, and which of them stay.
///
/// Its course must be a function of the plan and of what the judge answers, because a resumed evolution takes it again: all
/// random numbers come from a key of the seed of the plan, and nothing depends on time. See `examples/own_methods`.
pub trait EvolutionAlgorithm: Send + Sync {
    /// The name in files: lower-case letters and `-`.
    fn name(&self) -> &'static str;

    /// Keys of `[evolve]` of its own: the table of a structure that [`parameters!`](evouct_base::parameters) declares.
    /// [`EvolutionPlan::own`] reads them.
    fn keys(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// The sizes that it has in place of those of the file.
    fn sizes(&self, given: Sizes) -> Sizes {
        given
    }

    /// Notes what is wrong with a file.
    fn check(&self, _file: &AlgorithmFile) {}

    /// Whether the individuals of a generation are sorted, and the first of them survive: a second objective needs that.
    fn is_sorted(&self) -> bool {
        false
    }

    /// Whether individuals are born one by one, so that no generation waits for its slowest measurement.
    fn is_steady(&self) -> bool {
        false
    }

    /// Whether individuals play against the formula as it stands, in place of the opponents of the plan.
    fn plays_itself(&self) -> bool {
        false
    }

    /// Evolves: measures individuals by the first stage, and tells the judge each generation.
    ///
    /// # Errors
    /// Those of the judge.
    fn evolve(&self, plan: &EvolutionPlan, judge: &mut dyn Judge) -> Result<History, EvolutionError>;

    /// The batches of the first stage, as far as they are known in advance: the estimate of the time and the bar of
    /// progress count them.
    fn batches(&self, plan: &EvolutionPlan) -> Vec<PlannedBatch> {
        plan.batches_of_generations(|_| plan.population * plan.islands)
    }
}

/// The sizes of an evolution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Populations.
    pub islands: usize,
    /// Individuals of an island.
    pub population: usize,
    /// Individuals of an island that stay.
    pub elite: usize,
    /// Offspring per generation and island: those of the file, or as many as the population.
    pub offspring: usize,
}

impl Sizes {
    /// Offspring take the places that the elite leaves.
    pub(crate) fn beside_elite(self) -> Sizes {
        Sizes { offspring: self.population.saturating_sub(self.elite).max(1), ..self }
    }
}

/// What an algorithm can check of a file.
pub struct AlgorithmFile<'a> {
    /// The file.
    pub file: &'a TomlTable<'a>,
    /// Its section `[evolve]`.
    pub evolve: &'a TomlTable<'a>,
    /// The keys of that section, with their values.
    pub keys: &'a Filled,
    /// The sizes that the file gives.
    pub sizes: Sizes,
    /// Generations.
    pub generations: u32,
    /// In a steady state, births that are measured at a time.
    pub lag: u32,
    /// The formulas to start from.
    pub seeds: &'a [Genome],
    /// The stages of fitness.
    pub stages: &'a [FitnessStage],
    /// How formulas vary.
    pub variation: &'a Variation,
    /// How logarithms are protected.
    pub ln: LnRule,
}

impl AlgorithmFile<'_> {
    /// Notes an elite that is the whole population.
    pub(crate) fn check_elite(&self) {
        let Sizes { elite, population, .. } = self.sizes;
        if elite >= population {
            self.evolve.note_at(
                "elite",
                format!(
                    "elite = {elite} leaves no place for offspring in a population of {population}; expected fewer"
                ),
            );
        }
    }
}

/// An algorithm that is known, by its name.
pub type Algorithm = Chosen<dyn EvolutionAlgorithm>;

pub(crate) static ALGORITHMS: List<dyn EvolutionAlgorithm> =
    List::new(&[&GENERATIONAL, &PLUS, &COMMA, &RANDOM, &Climb, &SteadyState]);

impl Extensible for dyn EvolutionAlgorithm {
    const WHAT: &'static str = "algorithm";

    fn listed_name(&self) -> &'static str {
        self.name()
    }

    fn list() -> &'static List<dyn EvolutionAlgorithm> {
        &ALGORITHMS
    }
}

/// Adds an algorithm, before the first file of an evolution is read. See `examples/own_methods`.
///
/// # Errors
/// That its name or one of its keys is taken.
pub fn add_algorithm(algorithm: &'static dyn EvolutionAlgorithm) -> Result<(), String> {
    algorithm.keys().iter().try_for_each(|key| check_new(key.name))?;
    ALGORITHMS.add(algorithm)
}

/// Evolves by the algorithm of the plan.
///
/// # Errors
/// Those of the judge.
pub fn evolve(plan: &EvolutionPlan, judge: &mut dyn Judge) -> Result<History, EvolutionError> {
    let plan = scaled(plan, judge)?;
    plan.algorithm.evolve(&plan, judge)
}
