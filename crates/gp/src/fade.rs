//! Fading: what a search learns about a move counts less the more often the child was visited.

use super::genome::{Genome, Slot};
use super::operator::{Operator, operators};
use super::primitive::{Function, Node};
use super::terminal::Terminal;
use super::tree::Tree;
use super::variation::Variation;
use evouct_base::sampling::below;
use rand::Rng;

/// The weights of a term that fades.
const WEIGHTS: [f64; 4] = [1.0, -1.0, 3.0, -3.0];
/// The visits for which a terminal counts beside the mean reward.
const VISITS: [f64; 3] = [3.0, 30.0, 300.0];

operators! {
    /// A terminal that counts less with each visit, added or mixed with the mean reward.
    ///
    /// It is added with a weight that falls with the visits, or stands beside the mean reward as if it had been seen in a
    /// number of visits.
    ///
    /// With a terminal `t` of a child, a weight `w` and visits `k`, `select` becomes
    /// - `select + w*t/(1 + n)` (progressive bias: Chaslot and others 2008),
    /// - `select + w*t/sqrt(1 + n)`, or
    /// - `select` with `Q + (t - Q)*(k/(n + k))` for its first `Q` (a mean of both, as in RAVE: Gelly and Silver 2011).
    ///
    /// `untried`, the value without visits, becomes `untried + w*t`, for the mean of both with `w` = 1.
    Fade: "fade", 0.1;
    |[parent, _], variation, rng| {
        let mut found = faded(variation, parent);
        if found.is_empty() { parent.clone() } else { found.swap_remove(below(rng, found.len())) }
    };
}

/// The genomes that one step of [`Fade`] makes, in a fixed order: by terminal, then as listed there.
pub(crate) fn faded(variation: &Variation, genome: &Genome) -> Vec<Genome> {
    let select = genome.tree(Slot::Select).expect("every genome selects");
    let number = |number: f64| Tree::leaf(Terminal::Number(number));
    let visits = || Tree::leaf(Terminal::ChildVisits);
    let one_more = || Tree::apply(Function::Add, &[number(1.0), visits()]);
    let sum = |a: &Tree, b: Tree| Tree::apply(Function::Add, &[a.clone(), b]);
    let over = |a: &Tree, b: Tree| Tree::apply(Function::Div, &[a.clone(), b]);
    let with = |select: Tree, untried: Tree| {
        let changed = genome.with(Slot::Select, Some(select));
        match genome.tree(Slot::Untried) {
            Some(own) => changed.with(Slot::Untried, Some(sum(own, untried))),
            None => changed,
        }
    };
    let mean = select.nodes().iter().position(|node| *node == Node::Terminal(Terminal::Mean));
    let is_learned = |terminal: &Terminal| terminal.is_by_lane() && *terminal != Terminal::ChildVisits;
    let mut found = Vec::new();
    for leaf in variation.terminals.iter().copied().filter(is_learned).map(Tree::leaf) {
        for weight in WEIGHTS {
            let term = Tree::apply(Function::Mul, &[number(weight), leaf.clone()]);
            found.push(with(sum(select, over(&term, one_more())), term.clone()));
            let root = Tree::apply(Function::Sqrt, &[one_more()]);
            found.push(with(sum(select, over(&term, root)), term));
        }
        for k in VISITS {
            let Some(at) = mean else { break };
            let mean = Tree::leaf(Terminal::Mean);
            let share = over(&number(k), Tree::apply(Function::Add, &[visits(), number(k)]));
            let apart = Tree::apply(Function::Sub, &[leaf.clone(), mean.clone()]);
            let mixed = sum(&mean, Tree::apply(Function::Mul, &[apart, share]));
            found.push(with(select.with_subtree(at, &mixed), leaf.clone()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Mutation};
    use evouct_base::seed::Key;
    use std::sync::Arc;

    fn steps(genome: &str) -> (Genome, Variation, Vec<String>) {
        let terminals = ["a", "b"].map(|name| Terminal::Column(Column::MoveNumber(name)));
        let known: Vec<Terminal> = Terminal::NAMED.into_iter().chain(terminals).collect();
        let variation = Variation {
            slots: vec![Slot::Select, Slot::Untried],
            terminals: terminals.to_vec(),
            operators: vec![(Arc::new(Fade), 1.0)],
            ..Variation::from(Mutation::default())
        };
        let genome = Genome::parse(genome, &known).unwrap();
        let neighbours = variation.neighbours(&genome);
        assert!(neighbours.iter().all(|(_, operator)| *operator == "fade"));
        (genome, variation, neighbours.iter().map(|(genome, _)| genome.to_string()).collect())
    }

    #[test]
    fn a_terminal_fades_or_stands_beside_the_mean_reward() {
        let (_, _, found) = steps("select = Q + 2 / n; untried = N; final = n");
        assert_eq!(found.len(), 22);
        assert_eq!(found[0], "select = Q + 2 / n + 1 * a / (1 + n); untried = N + 1 * a; final = n");
        assert_eq!(found[3], "select = Q + 2 / n + -1 * a / sqrt(1 + n); untried = N + -1 * a; final = n");
        assert_eq!(found[19], "select = Q + (b - Q) * (3 / (n + 3)) + 2 / n; untried = N + b; final = n");
    }

    #[test]
    fn without_a_mean_reward_nothing_stands_beside_it() {
        let (_, _, found) = steps("N / n");
        assert_eq!(found.len(), 16);
        assert_eq!(found[0], "N / n + 1 * a / (1 + n)");
    }

    #[test]
    fn offspring_are_steps() {
        let (genome, variation, found) = steps("select = Q + 2 / n; untried = N");
        let mut rng = Key::experiment(8).stream();
        let offspring: std::collections::HashSet<String> =
            (0..500).map(|_| Fade.apply([&genome, &genome], &variation, &mut rng).to_string()).collect();
        assert_eq!(offspring, found.into_iter().collect());
    }
}
