//! Creation of random trees.

use super::primitive::{Function, Node};
use super::sets::{ConstantSet, FunctionSet};
use super::terminal::{Needs, Terminal};
use super::tree::Tree;
use evouct_base::sampling::{below, chance};
use rand::Rng;

/// The values that a new constant is drawn from (Galván et al. 2022, section V-A).
pub const CONSTANTS: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0];

/// The terminals that random trees are made of, in the order in which random choices number them. `c` stands for a
/// number that is drawn for each new tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Terminals(Vec<Terminal>);

impl Terminals {
    /// The set of these; none if there is no terminal, or one is given twice.
    pub fn of(terminals: &[Terminal]) -> Option<Terminals> {
        let repeated = terminals.iter().enumerate().any(|(place, terminal)| terminals[..place].contains(terminal));
        (!terminals.is_empty() && !repeated).then(|| Terminals(terminals.to_vec()))
    }

    /// `Q, n, N, c` alone, as printed.
    pub fn printed() -> Terminals {
        Terminals(Terminal::NAMED.to_vec())
    }

    /// Those that are no constants.
    pub(super) fn statistics(&self) -> Vec<Terminal> {
        let is_statistic = |terminal: &&Terminal| !matches!(terminal, Terminal::Constant | Terminal::Number(_));
        self.0.iter().filter(is_statistic).copied().collect()
    }

    /// The columns among them.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        for terminal in &self.0 {
            if let Terminal::Column(column) = terminal {
                needs.add(*column);
            }
        }
        needs
    }

    /// All of them.
    pub fn terminals(&self) -> &[Terminal] {
        &self.0
    }
}

/// `Q, n, N, c` and the number 2, as in the authors' code; the seed needs the 2.
impl Default for Terminals {
    fn default() -> Terminals {
        Terminals(Terminal::NAMED.into_iter().chain([Terminal::Number(2.0)]).collect())
    }
}

/// Makes *full* trees: every leaf at the same depth, functions and terminals uniform.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Creator {
    /// What leaves are drawn from.
    pub terminals: Terminals,
    /// What inner nodes are drawn from.
    pub functions: FunctionSet,
    /// What constants are drawn from.
    pub constants: ConstantSet,
}

impl Creator {
    /// A constant for one new tree.
    pub fn constant(&self, rng: &mut (impl Rng + ?Sized)) -> f64 {
        self.constants.draw(rng)
    }

    /// A full tree of this height (0 is a leaf), in which every constant is `constant`.
    pub fn full(&self, height: usize, constant: f64, rng: &mut (impl Rng + ?Sized)) -> Tree {
        let functions = self.functions.functions();
        random_tree(height, None, functions, &mut |rng| self.terminal(constant, rng), rng)
    }

    fn terminal(&self, constant: f64, rng: &mut (impl Rng + ?Sized)) -> Terminal {
        let all = self.terminals.terminals();
        match all[below(rng, all.len())] {
            Terminal::Constant => Terminal::Number(constant),
            other => other,
        }
    }
}

/// A tree of this height: its inner nodes are of these functions, and leaves are drawn by `leaf`. A branch below the root
/// ends early with the probability `ends`; without one the tree is full.
pub(super) fn random_tree<R: Rng + ?Sized>(
    height: usize,
    ends: Option<f64>,
    functions: &[Function],
    leaf: &mut impl FnMut(&mut R) -> Terminal,
    rng: &mut R,
) -> Tree {
    let mut nodes = Vec::new();
    add_random(height, ends, functions, leaf, rng, &mut nodes);
    Tree::from_prefix(nodes).expect("every function gets its arguments")
}

fn add_random<R: Rng + ?Sized>(
    height: usize,
    ends: Option<f64>,
    functions: &[Function],
    leaf: &mut impl FnMut(&mut R) -> Terminal,
    rng: &mut R,
    nodes: &mut Vec<Node>,
) {
    if height == 0 || !nodes.is_empty() && ends.is_some_and(|probability| chance(rng, probability)) {
        nodes.push(Node::Terminal(leaf(rng)));
        return;
    }
    let function = functions[below(rng, functions.len())];
    nodes.push(Node::Function(function));
    for _ in 0..function.arity() {
        add_random(height - 1, ends, functions, leaf, rng, nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;

    #[test]
    fn full_trees_are_full_and_use_every_primitive() {
        let mut rng = Key::experiment(1).stream();
        let mut seen = std::collections::HashSet::new();
        for _ in 0..500 {
            for height in 0..4 {
                let tree = Creator::default().full(height, 7.0, &mut rng);
                assert_eq!(tree.depth(), height);
                let leaves = tree.nodes().iter().filter(|node| !node.is_function()).count();
                assert!(leaves <= 1 << height);
                seen.extend(tree.nodes().iter().map(|node| format!("{node:?}")));
            }
        }
        assert_eq!(seen.len(), 6 + 5, "{seen:?}");
    }

    #[test]
    fn printed_terminals_leave_the_two_out() {
        let mut rng = Key::experiment(2).stream();
        let creator = Creator { terminals: Terminals::printed(), ..Creator::default() };
        let two = Node::Terminal(Terminal::Number(2.0));
        assert!((0..300).all(|_| !creator.full(3, 7.0, &mut rng).nodes().contains(&two)));
    }
}
