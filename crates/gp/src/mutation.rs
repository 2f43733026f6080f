//! Subtree mutation.

use super::creator::Creator;
use super::genome::{Genome, Slot};
use super::operator::Operator;
use super::primitive::Node;
use super::terminal::Terminal;
use super::tree::Tree;
use super::variation::Variation;
use evouct_base::sampling::{below, chance};
use rand::Rng;
use std::sync::Arc;

evouct_base::named! {
    /// How mutation changes a constant that it chooses.
    #[derive(Default)]
    pub enum ConstantMutation {
        /// A new subtree, as of any other leaf (Galván et al. 2022, Table I, and the authors' code).
        #[default]
        Subtree = "subtree",
        /// Another value of the set that constants are drawn from: "When K is chosen to be mutated, it can take a
        /// random value from the following set" (Galván et al. 2022, section V-A). The paper does not say how often a K
        /// is chosen, how this goes with the mutation of subtrees, which constants are K, and whether the old value may
        /// be drawn. Here a K is chosen as any leaf is, all other nodes become subtrees, other constants of the formula
        /// keep their values, and the old value is not drawn, because an offspring differs from its parent. K is each
        /// number and `c`, the 2 of UCT included: a formula does not distinguish it from a K of 2.
        Redraw = "redraw",
    }
}

/// Subtree mutation (Galván et al. 2022, Table I; sizes from the authors' code): a node is chosen, an inner one with
/// probability 0.9 and a leaf otherwise, and its subtree is replaced by a full tree of height 1, 2 or 3. A constant may
/// be [redrawn](ConstantMutation::Redraw) instead.
#[derive(Clone, PartialEq, Debug)]
pub struct Mutation {
    /// The creator of new subtrees.
    pub creator: Creator,
    /// The probability that an inner node is chosen.
    pub internal: f64,
    /// Heights of new subtrees are uniform from 1 to this.
    pub max_height: usize,
    /// Offspring deeper than this (the root has depth 0) are created again.
    pub max_depth: usize,
    /// How constants change.
    pub constant: ConstantMutation,
}

impl Default for Mutation {
    fn default() -> Mutation {
        Mutation {
            creator: Creator::default(),
            internal: Mutation::INTERNAL,
            max_height: Mutation::MAX_HEIGHT,
            max_depth: Mutation::MAX_DEPTH,
            constant: ConstantMutation::default(),
        }
    }
}

impl Mutation {
    /// The probability that an inner node is chosen (Galván et al. 2022, Table I).
    pub const INTERNAL: f64 = 0.9;
    /// The greatest height of a new subtree in the authors' code.
    pub const MAX_HEIGHT: usize = 3;
    /// The deepest formula of the paper.
    pub const MAX_DEPTH: usize = 8;

    /// An offspring, different from its parent and no deeper than allowed. One constant is drawn for all that its new
    /// subtree contains.
    pub fn mutate(&self, parent: &Tree, rng: &mut (impl Rng + ?Sized)) -> Tree {
        loop {
            let start = self.choose(parent, rng);
            if let Some(constant) = self.redrawn(parent.nodes()[start], rng) {
                return parent.with_subtree(start, &Tree::leaf(Terminal::Number(constant)));
            }
            let height = 1 + below(rng, self.max_height.min(self.max_depth).max(1));
            let constant = self.creator.constant(rng);
            let subtree = self.creator.full(height, constant, rng);
            let offspring = parent.with_subtree(start, &subtree);
            if offspring.depth() <= self.max_depth.max(1) && offspring != *parent {
                return offspring;
            }
        }
    }

    /// Another value for a node that is a constant, if constants are redrawn. None where the set has no other value:
    /// then a subtree is all that can make an offspring differ.
    fn redrawn(&self, node: Node, rng: &mut (impl Rng + ?Sized)) -> Option<f64> {
        let Node::Terminal(terminal @ (Terminal::Constant | Terminal::Number(_))) = node else { return None };
        if self.constant == ConstantMutation::Subtree {
            return None;
        }
        let constants = self.creator.constants.constants().iter().copied();
        let others: Vec<f64> = constants.filter(|value| terminal != Terminal::Number(*value)).collect();
        if others.is_empty() { None } else { Some(others[below(rng, others.len())]) }
    }

    /// The root of the subtree to replace. A tree without inner nodes offers its root.
    fn choose(&self, tree: &Tree, rng: &mut (impl Rng + ?Sized)) -> usize {
        let internal = chance(rng, self.internal);
        let wanted: Vec<usize> =
            (0..tree.size()).filter(|node| tree.nodes()[*node].is_function() == internal).collect();
        if wanted.is_empty() { 0 } else { wanted[below(rng, wanted.len())] }
    }
}

/// It changes the formula `select`.
impl Operator for Mutation {
    fn name(&self) -> &'static str {
        "mutation"
    }

    fn about(&self) -> &'static str {
        "A full subtree, different from what was there: the mutation of Galván et al. 2022."
    }

    fn apply(&self, [parent, _]: [&Genome; 2], _: &Variation, rng: &mut dyn Rng) -> Genome {
        parent.with(Slot::Select, parent.tree(Slot::Select).map(|tree| self.mutate(tree, rng)))
    }
}

/// The mutation of the paper over its primitives.
impl From<Mutation> for Variation {
    fn from(mutation: Mutation) -> Variation {
        Variation {
            slots: vec![Slot::Select],
            terminals: mutation.creator.terminals.statistics(),
            leaf_terminals: Vec::new(),
            functions: mutation.creator.functions.functions().to_vec(),
            max_nodes: usize::MAX,
            max_height: mutation.max_height,
            operators: vec![(Arc::new(mutation), 1.0)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::creator::CONSTANTS;
    use super::super::sets::ConstantSet;
    use super::*;
    use evouct_base::seed::Key;

    #[test]
    fn offspring_differ_and_stay_within_the_depth() {
        let mut rng = Key::experiment(1).stream();
        let mutation = Mutation::default();
        let mut tree = Tree::uct();
        let mut deepest = 0;
        for _ in 0..3_000 {
            let offspring = mutation.mutate(&tree, &mut rng);
            assert_ne!(offspring, tree);
            deepest = deepest.max(offspring.depth());
            tree = offspring;
        }
        assert_eq!(deepest, 8, "the bound was never reached");
        let shallow = Mutation { max_depth: 2, ..mutation };
        assert!((0..200).all(|_| shallow.mutate(&Tree::uct(), &mut rng).depth() <= 2));
    }

    #[test]
    fn nine_in_ten_mutations_choose_an_inner_node() {
        let mut rng = Key::experiment(2).stream();
        let mutation = Mutation::default();
        let uct = Tree::uct();
        let samples = 20_000;
        let mut chosen = vec![0; uct.size()];
        for _ in 0..samples {
            chosen[mutation.choose(&uct, &mut rng)] += 1;
        }
        // 7 inner nodes and 6 leaves: each should have its share within five standard deviations.
        for (node, count) in chosen.into_iter().enumerate() {
            let share = if uct.nodes()[node].is_function() { 0.9 / 7.0 } else { 0.1 / 6.0 };
            let deviation = (share * (1.0 - share) / f64::from(samples)).sqrt();
            assert!((f64::from(count) / f64::from(samples) - share).abs() < 5.0 * deviation, "node {node}: {count}");
        }
    }

    #[test]
    fn a_leaf_is_never_replaced_by_a_leaf_and_heights_are_uniform() {
        let mut rng = Key::experiment(3).stream();
        let mutation = Mutation::default();
        let leaf: Tree = "Q".parse().unwrap();
        let mut heights = [0; 4];
        for _ in 0..3_000 {
            heights[mutation.mutate(&leaf, &mut rng).depth()] += 1;
        }
        assert_eq!(heights[0], 0);
        assert!(heights[1..].iter().all(|count| (900..1_100).contains(count)), "{heights:?}");
    }

    #[test]
    fn all_new_constants_of_an_offspring_are_one_number_of_the_set() {
        let mut rng = Key::experiment(4).stream();
        let parent: Tree = "Q + Q".parse().unwrap();
        for _ in 0..2_000 {
            let offspring = Mutation::default().mutate(&parent, &mut rng);
            let numbers = offspring.to_string();
            let mut numbers: Vec<f64> = numbers
                .split(|c: char| !(c.is_ascii_digit() || c == '.'))
                .filter_map(|word| word.parse().ok())
                .filter(|number| *number != 2.0)
                .collect();
            numbers.dedup();
            assert!(numbers.len() <= 1, "{offspring}");
            assert!(numbers.iter().all(|number| CONSTANTS.contains(number)));
        }
    }

    /// With `redraw` a formula that is one constant stays one. It takes all values of the set equally often, each time
    /// another one, and equal streams give equal values.
    #[test]
    fn a_constant_that_is_redrawn_stays_a_constant_of_the_set() {
        let mutation = Mutation { constant: ConstantMutation::Redraw, ..Mutation::default() };
        let walk = || {
            let (mut rng, mutation) = (Key::experiment(5).stream(), mutation.clone());
            let mut tree = Tree::leaf(Terminal::Constant);
            (0..8_000).map(move |_| {
                tree = mutation.mutate(&tree, &mut rng);
                let [Node::Terminal(Terminal::Number(value))] = tree.nodes() else { panic!("{tree} is no constant") };
                *value
            })
        };
        let values: Vec<f64> = walk().collect();
        assert!(values.windows(2).all(|pair| pair[0] != pair[1]), "an offspring equals its parent");
        for constant in CONSTANTS {
            let count = values.iter().filter(|value| **value == constant).count();
            assert!((900..1_100).contains(&count), "{constant}: {count}");
        }
        assert!(values.iter().all(|value| CONSTANTS.contains(value)));
        assert!(walk().eq(values));
    }

    /// Only the constant that is chosen changes, and all other nodes become subtrees as they do without `redraw`.
    #[test]
    fn redrawing_leaves_all_other_nodes_to_subtrees() {
        let redraw = Mutation { constant: ConstantMutation::Redraw, internal: 0.0, ..Mutation::default() };
        let parent: Tree = "c * n + 3".parse().unwrap();
        let mut rng = Key::experiment(6).stream();
        let mut changed = [0; 3];
        for _ in 0..3_000 {
            let offspring = redraw.mutate(&parent, &mut rng);
            let is_kept = |node: usize| offspring.nodes()[node] == parent.nodes()[node];
            if offspring.size() > parent.size() {
                assert!(is_kept(2) && offspring.nodes().last() == parent.nodes().last(), "{offspring}");
                changed[1] += 1;
            } else {
                assert!(is_kept(3) && is_kept(2) != is_kept(4), "{offspring}");
                changed[if is_kept(4) { 0 } else { 2 }] += 1;
            }
        }
        assert!(changed.iter().all(|count| (850..1_150).contains(count)), "{changed:?}");
    }

    /// A set of one value leaves nothing else to draw, and an offspring differs from its parent.
    #[test]
    fn a_constant_without_another_value_becomes_a_subtree() {
        let creator = Creator { constants: ConstantSet::of(&[3.0]).unwrap(), ..Creator::default() };
        let mutation = Mutation { creator, constant: ConstantMutation::Redraw, ..Mutation::default() };
        let mut rng = Key::experiment(7).stream();
        let offspring = mutation.mutate(&Tree::leaf(Terminal::Number(3.0)), &mut rng);
        assert!(offspring.depth() > 0, "{offspring}");
    }

    /// A test vector: a change here changes every game of an evolving player.
    #[test]
    fn mutation_is_pinned() {
        let mut rng = Key::experiment(2022).stream();
        let offspring: Vec<String> =
            (0..4).map(|_| Mutation::default().mutate(&Tree::uct(), &mut rng).to_string()).collect();
        let expected = [
            "Q + 2 * sqrt(sqrt(N) + sqrt(n)) * sqrt(2 * ln(N) / n)",
            "Q + 2 * c * (2 * N - 2 / 2)",
            "Q + (N / 5 - sqrt(n)) / (2 * n * ln(2)) * sqrt(2 * ln(N) / n)",
            "Q + 2 * ln(ln(N)) * sqrt(2 * ln(N) / n)",
        ];
        assert_eq!(offspring, expected);
    }
}
