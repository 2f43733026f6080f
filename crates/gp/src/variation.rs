//! Variation: crossover, four mutations, and formulas that come and go.

use super::column::{Column, Scope};
use super::genome::{Genome, Slot};
use super::primitive::{Function, Node, Terminal};
use super::tree::Tree;
use evouct_base::named::Named;
use evouct_base::sampling::{below, chance, normal, unit};
use rand::Rng;

/// How often offspring that break a limit, or equal their parent, are made again before the parent itself is returned.
const TRIES: usize = 20;
/// The probability that a new subtree ends at a node above its greatest height.
const LEAF: f64 = 0.3;
/// The probability that a leaf is a number.
const NUMBER: f64 = 0.2;
/// The standard deviation of a change of a constant, as a share of it.
const STEP: f64 = 0.3;

/// How an offspring was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Operator {
    /// Given in the file.
    Seed,
    /// Made at random.
    Random,
    /// A subtree of another parent.
    Crossover,
    /// A new subtree.
    Subtree,
    /// Nodes replaced by others of the same arity.
    Point,
    /// A subtree in place of the formula.
    Hoist,
    /// Constants changed.
    Constant,
    /// A formula added or removed.
    Toggle,
}

impl Named for Operator {
    const NAMES: &'static [(&'static str, Operator)] = &[
        ("seed", Operator::Seed),
        ("random", Operator::Random),
        ("crossover", Operator::Crossover),
        ("subtree", Operator::Subtree),
        ("point", Operator::Point),
        ("hoist", Operator::Hoist),
        ("constant", Operator::Constant),
        ("toggle", Operator::Toggle),
    ];
}

impl Operator {
    /// Its usual weight among the operators.
    pub const fn weight(self) -> f64 {
        match self {
            Operator::Crossover => 0.35,
            Operator::Subtree => 0.25,
            Operator::Point => 0.1,
            Operator::Hoist | Operator::Toggle => 0.05,
            Operator::Constant => 0.2,
            Operator::Seed | Operator::Random => 0.0,
        }
    }
}

/// What formulas are made of, and how they vary.
#[derive(Clone, Debug)]
pub struct Variation {
    /// The slots that may have a formula; `select` is one.
    pub slots: Vec<Slot>,
    /// The terminals, numbers aside. A formula takes those that its slot has.
    pub terminals: Vec<Terminal>,
    /// The functions.
    pub functions: Vec<Function>,
    /// The most nodes of a formula.
    pub max_nodes: usize,
    /// The greatest height of a new subtree.
    pub max_height: usize,
    /// Operators with their weights.
    pub weights: Vec<(Operator, f64)>,
}

impl Variation {
    /// A random genome: a random formula that selects; each other slot has one with probability one half.
    pub fn random(&self, rng: &mut impl Rng) -> Genome {
        let mut genome = Genome::of(self.formula(Slot::Select, rng));
        for slot in self.slots.iter().filter(|slot| **slot != Slot::Select) {
            if chance(rng, 0.5) {
                genome = genome.with(*slot, Some(self.formula(*slot, rng)));
            }
        }
        genome
    }

    /// An offspring of `parent`, with material of `other` for a crossover, and how it was made. It keeps the limits,
    /// and differs from its parent if a few tries suffice.
    pub fn offspring(&self, parent: &Genome, other: &Genome, rng: &mut impl Rng) -> (Genome, Operator) {
        let mut made = (parent.clone(), Operator::Constant);
        for _ in 0..TRIES {
            let operator = self.operator(rng);
            let genome = match operator {
                Operator::Toggle => self.toggled(parent, rng),
                _ => {
                    let slots: Vec<Slot> = parent.slots().collect();
                    let slot = slots[below(rng, slots.len())];
                    let tree = parent.tree(slot).expect("a slot with a formula");
                    let changed = match operator {
                        Operator::Crossover => {
                            let related = other.tree(Slot::Select).filter(|_| slot != Slot::Leaf);
                            let donor = other.tree(slot).or(related).unwrap_or(tree);
                            crossed(tree, donor, rng)
                        }
                        Operator::Subtree => {
                            let subtree = self.grown(slot, rng);
                            tree.with_subtree(below(rng, tree.size()), &subtree)
                        }
                        Operator::Point => self.pointed(slot, tree, rng),
                        Operator::Hoist => subtree(tree, below(rng, tree.size())),
                        _ => varied_constants(tree, rng),
                    };
                    parent.with(slot, Some(changed))
                }
            };
            if genome.largest() <= self.max_nodes && genome != *parent {
                return (genome, operator);
            }
            made = (parent.clone(), operator);
        }
        made
    }

    /// Whether formulas change in more than their constants.
    pub fn changes_form(&self) -> bool {
        self.weights.iter().any(|(operator, weight)| *operator != Operator::Constant && *weight > 0.0)
    }

    /// The same genome with other constants.
    pub fn tuned(&self, parent: &Genome, rng: &mut impl Rng) -> Genome {
        let slots: Vec<Slot> = parent.slots().collect();
        slots.into_iter().fold(parent.clone(), |genome, slot| {
            let tree = varied_constants(genome.tree(slot).expect("a slot with a formula"), rng);
            genome.with(slot, Some(tree))
        })
    }

    fn operator(&self, rng: &mut impl Rng) -> Operator {
        let total: f64 = self.weights.iter().map(|(_, weight)| weight).sum();
        let mut left = unit(rng) * total;
        for (operator, weight) in &self.weights {
            left -= weight;
            if left < 0.0 {
                return *operator;
            }
        }
        self.weights.last().map_or(Operator::Subtree, |(operator, _)| *operator)
    }

    fn toggled(&self, parent: &Genome, rng: &mut impl Rng) -> Genome {
        let others: Vec<Slot> = self.slots.iter().copied().filter(|slot| *slot != Slot::Select).collect();
        if others.is_empty() {
            return parent.clone();
        }
        let slot = others[below(rng, others.len())];
        match parent.tree(slot) {
            Some(_) => parent.with(slot, None),
            // A formula that selects well is a good first guess at every other purpose.
            None if slot != Slot::Leaf && chance(rng, 0.5) => parent.with(slot, parent.tree(Slot::Select).cloned()),
            None => parent.with(slot, Some(self.formula(slot, rng))),
        }
    }

    /// The terminals of formulas of a slot: statistics of a child, or what is known after a playout.
    fn terminals_of(&self, slot: Slot) -> Vec<Terminal> {
        let is_of_playout =
            |terminal: &Terminal| matches!(terminal, Terminal::Column(column) if column.scope() == Scope::Playout);
        if slot != Slot::Leaf {
            return self.terminals.iter().copied().filter(|terminal| !is_of_playout(terminal)).collect();
        }
        let phase = Terminal::Column(Column::Phase);
        let mut terminals = vec![Terminal::Column(Column::Reward), Terminal::Column(Column::Standing)];
        terminals.extend(self.terminals.contains(&phase).then_some(phase));
        terminals
    }

    fn formula(&self, slot: Slot, rng: &mut impl Rng) -> Tree {
        let fits = (0..TRIES).map(|_| self.grown(slot, rng)).find(|tree| tree.size() <= self.max_nodes);
        // A limit of two nodes leaves little else.
        fits.unwrap_or_else(|| Tree::leaf(terminal(&self.terminals_of(slot), rng)))
    }

    /// A tree of a random height up to the greatest; branches may end earlier (the method *grow* of Koza 1992).
    fn grown(&self, slot: Slot, rng: &mut impl Rng) -> Tree {
        let height = 1 + below(rng, self.max_height.max(1));
        let mut nodes = Vec::new();
        self.grow((height, true), &self.terminals_of(slot), rng, &mut nodes);
        Tree::from_prefix(nodes).expect("every function gets its arguments")
    }

    fn grow(
        &self,
        (height, is_root): (usize, bool),
        terminals: &[Terminal],
        rng: &mut impl Rng,
        nodes: &mut Vec<Node>,
    ) {
        if height == 0 || (!is_root && chance(rng, LEAF)) {
            nodes.push(Node::Terminal(terminal(terminals, rng)));
            return;
        }
        let function = self.functions[below(rng, self.functions.len())];
        nodes.push(Node::Function(function));
        for _ in 0..function.arity() {
            self.grow((height - 1, false), terminals, rng, nodes);
        }
    }

    /// Each node is replaced with a probability of one in the size; one at least.
    fn pointed(&self, slot: Slot, tree: &Tree, rng: &mut impl Rng) -> Tree {
        let terminals = self.terminals_of(slot);
        let mut nodes = tree.nodes().to_vec();
        let certain = below(rng, nodes.len());
        let rate = 1.0 / nodes.len() as f64;
        for (place, node) in nodes.iter_mut().enumerate() {
            if place != certain && !chance(rng, rate) {
                continue;
            }
            *node = match node {
                Node::Terminal(_) => Node::Terminal(terminal(&terminals, rng)),
                Node::Function(function) => {
                    let alike: Vec<Function> =
                        self.functions.iter().copied().filter(|other| other.arity() == function.arity()).collect();
                    if alike.is_empty() { *node } else { Node::Function(alike[below(rng, alike.len())]) }
                }
            };
        }
        Tree::from_prefix(nodes).expect("arities are kept")
    }
}

/// One of these terminals, or a number.
fn terminal(terminals: &[Terminal], rng: &mut impl Rng) -> Terminal {
    if chance(rng, NUMBER) { Terminal::Number(number(rng)) } else { terminals[below(rng, terminals.len())] }
}

/// A tree with one of its subtrees replaced by one of another.
fn crossed(tree: &Tree, donor: &Tree, rng: &mut impl Rng) -> Tree {
    let donated = subtree(donor, below(rng, donor.size()));
    tree.with_subtree(below(rng, tree.size()), &donated)
}

fn subtree(tree: &Tree, start: usize) -> Tree {
    let nodes = tree.nodes()[tree.subtree(start)].to_vec();
    Tree::from_prefix(nodes).expect("a subtree is a tree")
}

/// A tree with each number multiplied by a factor around 1, now and then by −1; a number of three digits.
fn varied_constants(tree: &Tree, rng: &mut impl Rng) -> Tree {
    let vary = |node: &Node, rng: &mut _| match node {
        Node::Terminal(Terminal::Number(number)) => {
            let factor = libm::exp(STEP * normal(rng));
            let sign = if chance(rng, 0.02) { -1.0 } else { 1.0 };
            Node::Terminal(Terminal::Number(rounded(number * factor * sign)))
        }
        other => *other,
    };
    let nodes = tree.nodes().iter().map(|node| vary(node, rng)).collect();
    Tree::from_prefix(nodes).expect("arities are kept")
}

/// A new number: its magnitude is spread evenly by its logarithm from 0.1 to 30.
fn number(rng: &mut impl Rng) -> f64 {
    rounded(libm::exp(libm::log(0.1) + unit(rng) * libm::log(300.0)))
}

/// Three significant digits: what is shown is what is played.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;
    use std::collections::HashMap;

    fn variation() -> Variation {
        Variation {
            slots: vec![Slot::Select, Slot::Final],
            terminals: vec![Terminal::Mean, Terminal::ChildVisits, Terminal::ParentVisits],
            functions: Function::ALL.to_vec(),
            max_nodes: 15,
            max_height: 3,
            weights: vec![
                (Operator::Crossover, 0.3),
                (Operator::Subtree, 0.2),
                (Operator::Point, 0.15),
                (Operator::Hoist, 0.1),
                (Operator::Constant, 0.2),
                (Operator::Toggle, 0.05),
            ],
        }
    }

    #[test]
    fn offspring_keep_the_limits_and_every_operator_acts() {
        let variation = variation();
        let mut rng = Key::experiment(1).stream();
        let mut genomes: Vec<Genome> = (0..20).map(|_| variation.random(&mut rng)).collect();
        let mut operators: HashMap<Operator, usize> = HashMap::new();
        for _ in 0..3_000 {
            let (a, b) = (below(&mut rng, genomes.len()), below(&mut rng, genomes.len()));
            let (child, operator) = variation.offspring(&genomes[a], &genomes[b], &mut rng);
            assert!(child.largest() <= 15 && child.tree(Slot::Leaf).is_none(), "{child}");
            if child != genomes[a] {
                *operators.entry(operator).or_default() += 1;
            }
            genomes[a] = child;
        }
        for (operator, _) in &variation.weights {
            assert!(operators.get(operator).is_some_and(|count| *count > 30), "{operators:?}");
        }
    }

    #[test]
    fn constants_vary_around_their_value() {
        let mut rng = Key::experiment(2).stream();
        let tree: Tree = "Q + 2 * n".parse().unwrap();
        let mut numbers: Vec<f64> = Vec::new();
        for _ in 0..2_000 {
            let varied = varied_constants(&tree, &mut rng);
            let number = varied.nodes().iter().find_map(|node| match node {
                Node::Terminal(Terminal::Number(number)) => Some(*number),
                _ => None,
            });
            numbers.push(number.unwrap());
        }
        let negative = numbers.iter().filter(|number| **number < 0.0).count();
        assert!((15..90).contains(&negative), "{negative}");
        let logs: Vec<f64> = numbers.iter().map(|number| (number.abs() / 2.0).ln()).collect();
        let mean = logs.iter().sum::<f64>() / 2_000.0;
        let deviation = (logs.iter().map(|log| log * log).sum::<f64>() / 2_000.0).sqrt();
        assert!(mean.abs() < 0.03 && (deviation - STEP).abs() < 0.03, "{mean} {deviation}");
        assert_eq!(rounded(1.234_56), 1.23);
    }
}
