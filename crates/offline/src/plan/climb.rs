//! The file of a climb.

use super::stage::FitnessMeasure;
use crate::algorithm::AlgorithmFile;
use evouct_base::named::Named;
use evouct_gp::{Constant, Decisions, Fade, Genome, Grow, LnRule, Operator, Prune, Variation};

/// What a climb needs, and what it cannot have.
pub(crate) fn check_climb(AlgorithmFile { file, evolve, seeds, stages, variation, ln, .. }: &AlgorithmFile) {
    let has_none = "a climb, which changes one formula by its neighbours, has none";
    for key in [
        "cma_samples",
        "hall_of_fame",
        "semantics",
        "islands",
        "population",
        "offspring",
        "elite",
        "tournament",
        "migrate_every",
        "migrate_count",
        "constant_offspring",
        "tune_offspring",
        "tune_rounds",
        "tune_count",
    ] {
        if evolve.has(key) {
            evolve.note_at(key, format!("{key}: {has_none}; leave it out"));
        }
    }
    if seeds.len() > 1 {
        evolve.note_at("seeds", format!("seeds: a climb starts from one formula, found {}", seeds.len()));
    }
    if let Some(stage) = stages.first() {
        let found = stage.measure.name();
        if stage.measure != FitnessMeasure::Games {
            evolve.note(format!(
                "algorithm = climb: the first [[stage]] has measure = {found}; expected games, because neighbours play against the formula"
            ));
        } else if stage.rounds.len() < 2 || stage.rounds.last().is_some_and(|units| *units <= stage.block) {
            evolve.note(
                "algorithm = climb: decks of the first [[stage]]: expected two rounds or more, of which the last tests the best \
                 neighbour on several blocks",
            );
        }
    }
    if stages.len() == 1 {
        file.note("algorithm = climb: a second [[stage]] is missing, in which the steps play against the opponents");
    }
    let steps: [&dyn Operator; 4] = [&Grow, &Prune, &Fade, &Constant];
    let is_step = |name: &str| steps.iter().any(|step| step.name() == name);
    if !variation.operators.iter().any(|(own, weight)| is_step(own.name()) && *weight > 0.0) {
        evolve.note(
            "algorithm = climb: the steps are grow, prune, fade and constant; expected a weight above 0 for one of them",
        );
    } else if let [seed] = seeds
        && !has_step(variation, seed, *ln)
    {
        let most = variation.max_nodes;
        evolve.note(format!(
            "algorithm = climb: no step leads from the seed; it has no constant for constant, no term for prune, more than \
             max_nodes = {most} nodes after grow, or all neighbours decide as it does"
        ));
    }
}

/// Whether a neighbour of the formula decides otherwise than the formula.
fn has_step(variation: &Variation, formula: &Genome, ln: LnRule) -> bool {
    let decisions = |genome: &Genome| Decisions::of(&genome.simplified(ln), ln);
    let own = decisions(formula);
    variation.neighbours(formula).iter().any(|(neighbour, _)| decisions(neighbour) != own)
}
