//! The course of an algorithm of evolution.

use super::batches::PlannedBatch;
use super::history::{History, Judge};
use crate::error::EvolutionError;
use crate::plan::EvolutionPlan;
use crate::plan::algorithm::AlgorithmRules;

/// An algorithm of evolution: how formulas come about, and which of them stay.
///
/// Its course must be a function of the plan and of what the judge answers, because a resumed evolution takes it again: all
/// random numbers come from a key of the seed of the plan, and nothing depends on time. See `examples/own_methods`.
pub trait EvolutionAlgorithm: AlgorithmRules {
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
