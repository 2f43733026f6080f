//! How individuals come about: without parents, or by an operator of variation.

use super::history::History;
use crate::plan::EvolutionPlan;
use evouct_base::sampling::below;
use evouct_gp::{Genome, RANDOM, SEED, parents_by};
use rand_chacha::ChaCha8Rng;

/// A genome, the name of the operator that made it, and the numbers of its parents.
pub(crate) type Birth = (Genome, &'static str, Vec<usize>);

/// One of the first individuals of an island: the seeds, then by turns a relative of a seed and a random genome. All are
/// relatives where nothing but constants evolves.
pub(crate) fn first(plan: &EvolutionPlan, place: usize, rng: &mut ChaCha8Rng) -> Birth {
    let (variation, seeds) = (&plan.variation, &plan.seeds);
    if place < seeds.len() {
        (seeds[place].clone(), SEED, Vec::new())
    } else if place % 2 == 1 && variation.changes_form() {
        random(plan, rng)
    } else {
        let seed = &seeds[below(rng, seeds.len())];
        let (genome, operator) = variation.offspring([seed, seed], rng);
        (genome, operator.name(), Vec::new())
    }
}

/// A random genome.
pub(crate) fn random(plan: &EvolutionPlan, rng: &mut ChaCha8Rng) -> Birth {
    (plan.variation.random(rng), RANDOM, Vec::new())
}

/// An offspring of two individuals.
pub(crate) fn offspring(plan: &EvolutionPlan, history: &History, parents: [usize; 2], rng: &mut ChaCha8Rng) -> Birth {
    let genomes = parents.map(|id| &history.individuals[id].genome);
    let (genome, operator) = plan.variation.offspring(genomes, rng);
    (genome, operator.name(), parents_by(operator, parents))
}

/// The parent that wins a tournament; the parents are in order, the best first, so that the first of those drawn is the
/// best.
pub(crate) fn tournament(size: usize, parents: &[usize], rng: &mut ChaCha8Rng) -> usize {
    let best = (0..size).map(|_| below(rng, parents.len())).min();
    parents[best.unwrap_or(0)]
}

/// The best of each island also go to the next one; `is_behind` says whether a parent there stands behind an emigrant.
pub(crate) fn migrate(islands: &mut [Vec<usize>], count: usize, is_behind: impl Fn(usize, usize) -> bool) {
    let emigrants: Vec<Vec<usize>> =
        islands.iter().map(|parents| parents.iter().take(count).copied().collect()).collect();
    let islands_in_all = islands.len();
    for (from, emigrants) in emigrants.into_iter().enumerate() {
        let to = &mut islands[(from + 1) % islands_in_all];
        for emigrant in emigrants {
            if !to.contains(&emigrant) {
                let place = to.iter().position(|parent| is_behind(*parent, emigrant));
                to.insert(place.unwrap_or(to.len()), emigrant);
            }
        }
    }
}
