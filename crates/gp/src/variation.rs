//! Variation: the primitives of formulas, and the operators that change them.

use super::creator::random_tree;
use super::genome::{Genome, Slot};
use super::operator::{Constant, Crossover, Hoist, Operator, Point, Subtree, Toggle, rounded, varied_constants};
use super::primitive::Function;
use super::terminal::{Scope, Terminal};
use super::tree::Tree;
use evouct_base::sampling::{below, chance, spin, unit};
use rand::Rng;
use std::sync::Arc;

/// How often offspring that break a limit, or equal their parent, are made again before the parent itself is returned.
const TRIES: usize = 20;
/// The probability that a new subtree ends at a node above its greatest height.
const LEAF: f64 = 0.3;
/// The probability that a leaf is a number.
const NUMBER: f64 = 0.2;

/// The primitives of formulas, and the operators that change them.
#[derive(Clone, Debug)]
pub struct Variation {
    /// The slots that may have a formula; `select` is one.
    pub slots: Vec<Slot>,
    /// Terminals of the other slots, without numbers.
    pub terminals: Vec<Terminal>,
    /// Terminals of the slot `leaf`, without numbers.
    pub leaf_terminals: Vec<Terminal>,
    /// What inner nodes of new subtrees are drawn from.
    pub functions: Vec<Function>,
    /// The most nodes of a formula.
    pub max_nodes: usize,
    /// The greatest height of a new subtree.
    pub max_height: usize,
    /// Operators with their weights, at least one.
    pub operators: Vec<(Arc<dyn Operator>, f64)>,
}

impl Variation {
    /// The operators of evolution before play, in the order in which random choices number them.
    pub fn operators() -> [Arc<dyn Operator>; 6] {
        [Arc::new(Crossover), Arc::new(Subtree), Arc::new(Point), Arc::new(Hoist), Arc::new(Constant), Arc::new(Toggle)]
    }

    /// A random genome: a random formula that selects; each other slot has one with probability one half.
    pub fn random(&self, rng: &mut dyn Rng) -> Genome {
        let mut genome = Genome::of(self.formula(Slot::Select, rng));
        for slot in self.slots.iter().filter(|slot| **slot != Slot::Select) {
            if chance(rng, 0.5) {
                genome = genome.with(*slot, Some(self.formula(*slot, rng)));
            }
        }
        genome
    }

    /// An offspring of the first parent, and the operator that made it. It keeps the limits, and differs from its parent
    /// if a few tries suffice. An operator that is alone is not drawn.
    ///
    /// # Panics
    /// If there is no operator, or several have weights that add up to 0.
    pub fn offspring(&self, parents: [&Genome; 2], rng: &mut dyn Rng) -> (Genome, &dyn Operator) {
        let weights: Vec<f64> = self.operators.iter().map(|(_, weight)| *weight).collect();
        let is_drawn = weights.len() == 1 || weights.iter().sum::<f64>() > 0.0;
        assert!(is_drawn, "a variation needs an operator with a weight above 0");
        let mut operator = &*self.operators[0].0;
        for _ in 0..TRIES {
            let place = if weights.len() > 1 { spin(&weights, rng) } else { 0 };
            operator = &*self.operators[place].0;
            let genome = operator.apply(parents, self, rng);
            if genome.largest() <= self.max_nodes && genome != *parents[0] {
                return (genome, operator);
            }
        }
        (parents[0].clone(), operator)
    }

    /// Whether formulas change in more than their constants.
    pub fn changes_form(&self) -> bool {
        self.operators.iter().any(|(operator, weight)| !operator.keeps_form() && *weight > 0.0)
    }

    /// The same genome with other constants.
    pub fn tuned(&self, parent: &Genome, rng: &mut dyn Rng) -> Genome {
        let slots: Vec<Slot> = parent.slots().collect();
        slots.into_iter().fold(parent.clone(), |genome, slot| {
            let tree = varied_constants(genome.tree(slot).expect("a slot with a formula"), rng);
            genome.with(slot, Some(tree))
        })
    }

    /// A new formula of a slot.
    pub fn formula(&self, slot: Slot, rng: &mut dyn Rng) -> Tree {
        let fits = (0..TRIES).map(|_| self.grown(slot, rng)).find(|tree| tree.size() <= self.max_nodes);
        // A limit of two nodes leaves little else.
        fits.unwrap_or_else(|| Tree::leaf(self.terminal(slot, rng)))
    }

    /// A tree of a random height up to the greatest; branches may end earlier (the method *grow* of Koza 1992).
    pub fn grown(&self, slot: Slot, rng: &mut dyn Rng) -> Tree {
        let height = 1 + below(rng, self.max_height.max(1));
        let terminals = self.terminals_of(slot);
        random_tree(height, Some(LEAF), &self.functions, &mut |rng| terminal(&terminals, rng), rng)
    }

    /// A terminal of formulas of a slot, or a number: its magnitude is spread evenly by its logarithm from 0.1 to 30.
    pub fn terminal(&self, slot: Slot, rng: &mut dyn Rng) -> Terminal {
        terminal(&self.terminals_of(slot), rng)
    }

    /// A terminal of formulas of a slot, no number: one that differs from child to child, or one that does not; any, if
    /// there is none of that kind.
    pub(super) fn statistic(&self, slot: Slot, by_child: bool, rng: &mut dyn Rng) -> Terminal {
        let all = self.terminals_of(slot);
        let kind: Vec<Terminal> = all.iter().copied().filter(|terminal| terminal.is_by_lane() == by_child).collect();
        let terminals = if kind.is_empty() { all } else { kind };
        terminals[below(rng, terminals.len())]
    }

    /// Statistics of a child, what is known after a playout, what the game tells of a move, or what playouts know of it.
    pub(super) fn terminals_of(&self, slot: Slot) -> Vec<Terminal> {
        if slot == Slot::Leaf {
            return self.leaf_terminals.clone();
        }
        if slot == Slot::Policy {
            return self.terminals.iter().copied().filter(|terminal| terminal.is_move_number()).collect();
        }
        if slot == Slot::Playout {
            return self.terminals.iter().copied().filter(|terminal| terminal.is_in_playouts()).collect();
        }
        let is_of_playout =
            |terminal: &Terminal| matches!(terminal, Terminal::Column(column) if column.scope() == Scope::Playout);
        self.terminals.iter().copied().filter(|terminal| !is_of_playout(terminal)).collect()
    }
}

fn terminal(terminals: &[Terminal], rng: &mut (impl Rng + ?Sized)) -> Terminal {
    if chance(rng, NUMBER) {
        let number = libm::exp(libm::log(0.1) + unit(rng) * libm::log(300.0));
        return Terminal::Number(rounded(number));
    }
    terminals[below(rng, terminals.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mutation;
    use evouct_base::seed::Key;
    use std::collections::HashMap;

    fn variation() -> Variation {
        let weights = [0.3, 0.2, 0.15, 0.1, 0.2, 0.05];
        Variation {
            slots: vec![Slot::Select, Slot::Final],
            functions: Function::BUILT_IN.to_vec(),
            max_nodes: 15,
            max_height: 3,
            operators: Variation::operators().into_iter().zip(weights).collect(),
            ..Variation::from(Mutation::default())
        }
    }

    #[test]
    fn offspring_keep_the_limits_and_every_operator_acts() {
        let variation = variation();
        let mut rng = Key::experiment(1).stream();
        let mut genomes: Vec<Genome> = (0..20).map(|_| variation.random(&mut rng)).collect();
        let mut operators: HashMap<&str, usize> = HashMap::new();
        for _ in 0..3_000 {
            let (a, b) = (below(&mut rng, genomes.len()), below(&mut rng, genomes.len()));
            let (child, operator) = variation.offspring([&genomes[a], &genomes[b]], &mut rng);
            assert!(child.largest() <= 15 && child.tree(Slot::Leaf).is_none(), "{child}");
            if child != genomes[a] {
                *operators.entry(operator.name()).or_default() += 1;
            }
            genomes[a] = child;
        }
        for (operator, _) in &variation.operators {
            assert!(operators.get(operator.name()).is_some_and(|count| *count > 30), "{operators:?}");
        }
    }

    /// A test vector: a change here changes every evolution before play.
    #[test]
    fn variation_is_pinned() {
        let mut rng = Key::experiment(2022).stream();
        let (variation, other) = (variation(), Genome::of(Tree::uct()));
        let mut genome = variation.random(&mut rng);
        assert_eq!(genome.to_string(), "select = (n + n + ln(n)) / N; final = divp(divp(N, n), sqrt(N))");
        let expected = [
            ("point", "select = (n + N + ln(N)) / N; final = divp(divp(N, n), sqrt(N))"),
            ("crossover", "select = ln(N); final = divp(divp(N, n), sqrt(N))"),
            ("hoist", "select = N; final = divp(divp(N, n), sqrt(N))"),
            ("subtree", "select = N; final = divp(divp(ln(sqrt(Q)), 5.69), sqrt(N))"),
            ("subtree", "select = 8.78 - (N - Q); final = divp(divp(ln(sqrt(Q)), 5.69), sqrt(N))"),
            ("constant", "select = 11.6 - (N - Q); final = divp(divp(ln(sqrt(Q)), 5.69), sqrt(N))"),
            ("crossover", "select = 11.6 - (N - Q); final = divp(divp(ln(sqrt(Q)), 2 * ln(N) / n), sqrt(N))"),
        ];
        for (name, text) in expected {
            let (child, operator) = variation.offspring([&genome, &other], &mut rng);
            assert_eq!((operator.name(), child.to_string().as_str()), (name, text));
            genome = child;
        }
    }
}
