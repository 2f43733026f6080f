//! Algorithms of evolution: those of evouct, and those that a program adds.

use crate::course::batches::PlannedBatch;
use crate::course::climb::Climb;
use crate::course::generations::{COMMA, GENERATIONAL, PLUS, RANDOM};
use crate::course::history::{History, Judge};
use crate::course::scale::scaled;
use crate::course::steady_state::SteadyState;
use crate::error::EvolutionError;
use crate::plan::EvolutionPlan;
use crate::plan::keys::{EvolveKeys, check_new};
use crate::plan::stage::FitnessStage;
use evouct_base::listed::{Chosen, Extensible, List};
use evouct_base::parameter::Parameter;
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

    /// Sets keys of `[evolve]` that it gives files no choice of, after the check.
    fn adjust(&self, _keys: &mut EvolveKeys) {}

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
        plan.batches_of_generations(|_| plan.evolve.population * plan.evolve.islands)
    }
}

/// What an algorithm can check of a file.
pub struct AlgorithmFile<'a> {
    /// The file.
    pub file: &'a TomlTable<'a>,
    /// Its section `[evolve]`.
    pub evolve: &'a TomlTable<'a>,
    /// The keys of that section.
    pub keys: &'a EvolveKeys,
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
        let EvolveKeys { elite, population, .. } = self.keys;
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

/// Has offspring take the places that the elite leaves.
pub(crate) fn beside_elite(keys: &mut EvolveKeys) {
    keys.offspring = Some(keys.population.saturating_sub(keys.elite).max(1));
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
    plan.evolve.algorithm.evolve(&plan, judge)
}
