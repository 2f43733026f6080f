//! Growth and pruning: a structure gains or loses one part at a time; a weight scales each part.
//!
//! Formulas of a genome often share a part, as a sum of numbers of a move in `select` and in `untried`. A change of such
//! a part is made in all formulas that have it, whatever their numbers: it takes effect only together.

use super::genome::{Genome, Slot};
use super::operator::{Operator, operators, rounded, subtree};
use super::primitive::{Function, LnRule, Node};
use super::terminal::Terminal;
use super::tree::Tree;
use super::variation::Variation;
use evouct_base::sampling::{below, chance, unit};
use rand::Rng;

/// The probability that a change is made in all formulas with the same part; growth then takes a part that is shared.
const SHARED: f64 = 0.7;
/// The probability that a part is multiplied, and not added to.
const FACTOR: f64 = 0.35;
/// The probability that what is added is a product of two terminals.
const PRODUCT: f64 = 0.2;

operators! {
    /// A part with a weighted terminal added, or multiplied by a factor near 1, in all formulas that have the part.
    ///
    /// A part `p` becomes `p + w*t` or `p*(1 + w*t)`: `t` is a terminal or a product of two, and `w` a number of either
    /// sign, spread evenly by its logarithm from 0.1 to 10, in a factor to 1.
    Grow: "grow", 0.1;
    |[parent, _], variation, rng| grown(parent, variation, rng);
    /// One argument in place of a function of two, in all formulas that have this part.
    Prune: "prune", 0.1;
    |[parent, _], variation, rng| {
        let is_binary = |_: Slot, tree: &Tree, at: usize| tree.arguments(at).count() == 2;
        let Some((slot, start)) = part(parent, variation, is_binary, rng) else { return parent.clone() };
        let kept = below(rng, 2);
        let pruned = |part: &Tree| subtree(part, part.arguments(0).nth(kept).expect("a function of two arguments"));
        changed(parent, slot, start, pruned, chance(rng, SHARED))
    };
}

fn grown(parent: &Genome, variation: &Variation, rng: &mut dyn Rng) -> Genome {
    let is_shared = chance(rng, SHARED);
    let is_fit = |slot: Slot, tree: &Tree, at: usize| {
        !tree.nodes()[at].is_number()
            && (!is_shared || is_by_child(tree, at) && has_again(parent, slot, &subtree(tree, at)))
    };
    // Where nothing is shared, any part may grow.
    let found = part(parent, variation, is_fit, rng);
    let found = found.or_else(|| part(parent, variation, |_, tree, at| !tree.nodes()[at].is_number(), rng));
    let Some((slot, start)) = found else { return parent.clone() };
    let number = |number: f64| Tree::leaf(Terminal::Number(number));
    let is_factor = chance(rng, FACTOR);
    // What all children share changes no order where it is added, and scales differences as a factor.
    let mut term = Tree::leaf(variation.statistic(slot, !is_factor, rng));
    if chance(rng, PRODUCT) {
        term = Tree::apply(Function::Mul, &[term, Tree::leaf(variation.statistic(slot, is_factor, rng))]);
    }
    let sign = if chance(rng, 0.5) { -1.0 } else { 1.0 };
    let most = if is_factor { 10.0_f64 } else { 100.0 };
    let weight = sign * rounded(0.1 * libm::exp(unit(rng) * libm::log(most)));
    let weighted = Tree::apply(Function::Mul, &[number(weight), term]);
    let grown = |part: &Tree| {
        if is_factor {
            let factor = Tree::apply(Function::Add, &[number(1.0), weighted.clone()]);
            Tree::apply(Function::Mul, &[part.clone(), factor])
        } else {
            Tree::apply(Function::Add, &[part.clone(), weighted.clone()])
        }
    };
    changed(parent, slot, start, grown, is_shared)
}

/// A random part of a formula, among those that are fit; the formulas of `leaf` and `playout` are left as they are
/// where nothing is known of their terminals.
fn part(
    parent: &Genome,
    variation: &Variation,
    is_fit: impl Fn(Slot, &Tree, usize) -> bool,
    rng: &mut dyn Rng,
) -> Option<(Slot, usize)> {
    let slots = parent.slots().filter(|slot| match slot {
        Slot::Leaf | Slot::Playout => !variation.terminals_of(*slot).is_empty(),
        _ => true,
    });
    let of_slot = |slot: Slot| {
        let tree = parent.tree(slot).expect("a slot with a formula");
        (0..tree.size()).map(move |at| (slot, tree, at))
    };
    let fit: Vec<(Slot, usize)> = slots
        .flat_map(of_slot)
        .filter(|(slot, tree, at)| is_fit(*slot, tree, *at))
        .map(|(slot, _, at)| (slot, at))
        .collect();
    if fit.is_empty() { None } else { Some(fit[below(rng, fit.len())]) }
}

/// Whether a part differs from child to child.
fn is_by_child(tree: &Tree, at: usize) -> bool {
    tree.nodes()[tree.subtree(at)].iter().any(|node| matches!(node, Node::Terminal(terminal) if terminal.is_by_lane()))
}

/// The first part of a formula with this structure.
fn place_of(tree: &Tree, structure: &str) -> Option<usize> {
    (0..tree.size()).find(|at| subtree(tree, *at).structure(LnRule::Abs) == structure)
}

/// The other formulas of a search, in which a part may be shared.
fn others(parent: &Genome, slot: Slot) -> impl Iterator<Item = (Slot, &Tree)> {
    let formula = move |other: Slot| Some((other, parent.tree(other)?));
    parent.slots().filter(move |other| *other != slot && other.is_of_child()).filter_map(formula)
}

fn has_again(parent: &Genome, slot: Slot, part: &Tree) -> bool {
    let structure = part.structure(LnRule::Abs);
    slot.is_of_child() && others(parent, slot).any(|(_, tree)| place_of(tree, &structure).is_some())
}

/// The genome with a part changed, and if it is shared the first part of the same structure in each other formula.
fn changed(parent: &Genome, slot: Slot, start: usize, change: impl Fn(&Tree) -> Tree, is_shared: bool) -> Genome {
    let tree = parent.tree(slot).expect("a slot with a formula");
    let structure = subtree(tree, start).structure(LnRule::Abs);
    let with_change = |tree: &Tree, at: usize| tree.with_subtree(at, &change(&subtree(tree, at)));
    let genome = parent.with(slot, Some(with_change(tree, start)));
    if !slot.is_of_child() || !is_shared {
        return genome;
    }
    others(parent, slot).fold(genome, |genome, (other, tree)| match place_of(tree, &structure) {
        Some(at) => genome.with(other, Some(with_change(tree, at))),
        None => genome,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Mutation};
    use evouct_base::seed::Key;
    use std::collections::HashSet;

    fn variation() -> (Variation, Vec<Terminal>) {
        let column = |name| Terminal::Column(Column::MoveNumber(name));
        let terminals = vec![
            Terminal::Mean,
            Terminal::ChildVisits,
            Terminal::ParentVisits,
            column("dv"),
            column("dm"),
            column("op"),
        ];
        let slots = vec![Slot::Select, Slot::Untried, Slot::Final];
        (Variation { slots, terminals: terminals.clone(), ..Variation::from(Mutation::default()) }, terminals)
    }

    fn offspring(operator: &dyn Operator, parent: &str) -> HashSet<String> {
        let (variation, terminals) = variation();
        let parent = Genome::parse(parent, &terminals).unwrap();
        let mut rng = Key::experiment(5).stream();
        let genome = |_| operator.apply([&parent, &parent], &variation, &mut rng);
        (0..5_000).map(genome).map(|genome| genome.structure(LnRule::Abs)).collect()
    }

    #[test]
    fn a_part_grows_in_all_formulas_that_have_it() {
        let parent = "select = Q + 2 * (dv + 3 * dm) / (n + 1); untried = 6 * (dv + 1.35 * dm); final = n";
        let found = offspring(&Grow, parent);
        let (_, terminals) = variation();
        let structure = |text: &str| Genome::parse(text, &terminals).unwrap().structure(LnRule::Abs);
        for wanted in [
            "select = Q + 2 * (dv + 3 * dm + 0.7 * op) / (n + 1); untried = 6 * (dv + 1.35 * dm + 0.7 * op); final = n",
            "select = Q + 2 * (dv + 3 * (dm * (1 + 2 * N))) / (n + 1); untried = 6 * (dv + 1.35 * (dm * (1 + 2 * N))); final = n",
            "select = Q + 2 * (dv + 3 * dm + 0.7 * op) / (n + 1); untried = 6 * (dv + 1.35 * dm); final = n",
            "select = Q + 2 * (dv + 3 * dm) / (n + 1); untried = 6 * (dv + 1.35 * dm); final = n + 5 * Q",
            "select = Q + 2 * (dv + 3 * dm) * (1 + 0.5 * N) / (n + 1); untried = 6 * (dv + 1.35 * dm); final = n",
        ] {
            assert!(found.contains(&structure(wanted)), "{wanted}");
        }
    }

    #[test]
    fn a_part_is_pruned_in_all_formulas_that_have_it() {
        let found = offspring(&Prune, "select = Q + 2 * (dv + 3 * dm); untried = 6 * (dv + 1.35 * dm); final = n");
        let (_, terminals) = variation();
        let structure = |text: &str| Genome::parse(text, &terminals).unwrap().structure(LnRule::Abs);
        for wanted in [
            "select = Q + 2 * dv; untried = 6 * dv; final = n",
            "select = Q + 2 * (dv + dm); untried = 6 * (dv + dm); final = n",
            "select = Q; untried = 6 * (dv + 1.35 * dm); final = n",
        ] {
            assert!(found.contains(&structure(wanted)), "{wanted} {found:?}");
        }
        // A genome without a part to prune stays.
        assert_eq!(offspring(&Prune, "Q").len(), 1);
    }

    #[test]
    fn weights_have_both_signs_and_all_magnitudes() {
        let (variation, terminals) = variation();
        let parent = Genome::parse("dv", &terminals).unwrap();
        let mut rng = Key::experiment(6).stream();
        let mut weights: Vec<f64> = Vec::new();
        for _ in 0..2_000 {
            weights.extend(
                Grow.apply([&parent, &parent], &variation, &mut rng).numbers().into_iter().filter(|w| *w != 1.0),
            );
        }
        assert!(weights.iter().all(|weight| (0.1..=10.0).contains(&weight.abs())));
        let share = |is: &dyn Fn(f64) -> bool| weights.iter().filter(|w| is(**w)).count() as f64 / weights.len() as f64;
        assert!((0.45..0.55).contains(&share(&|w| w < 0.0)));
        assert!((0.25..0.42).contains(&share(&|w| w.abs() > 1.0)), "{}", share(&|w| w.abs() > 1.0));
    }
}
