//! The expression tree, stored as its nodes in prefix order.

use super::inputs::Inputs;
use super::primitive::{Function, LnRule, Node};
use super::terminal::{Needs, Terminal};
use std::ops::Range;

/// An expression tree. Never empty; every function has its arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree of a single leaf.
    pub fn leaf(terminal: Terminal) -> Tree {
        Tree { nodes: vec![Node::Terminal(terminal)] }
    }

    /// A function applied to one or two trees.
    ///
    /// # Panics
    /// If the number of arguments is not the function's arity.
    pub fn apply(function: Function, arguments: &[Tree]) -> Tree {
        assert_eq!(function.arity(), arguments.len(), "{} takes {} arguments", function.name(), function.arity());
        let mut nodes = vec![Node::Function(function)];
        nodes.extend(arguments.iter().flat_map(|tree| &tree.nodes));
        Tree { nodes }
    }

    /// The tree of these nodes in prefix order; none if they do not make exactly one tree.
    pub fn from_prefix(nodes: Vec<Node>) -> Option<Tree> {
        let mut wanted = 1_usize;
        for node in &nodes {
            wanted = wanted.checked_sub(1)? + node.arity();
        }
        // A list that completes a tree early fails above at its next node.
        (wanted == 0).then_some(Tree { nodes })
    }

    /// UCT in the form of Galván et al. 2022, Equation 1: `Q + 2·c·sqrt(2·ln N / n)`, 13 nodes, depth 6.
    ///
    /// ```
    /// let uct = evouct_gp::Tree::uct();
    /// assert_eq!(uct.to_string(), "Q + 2 * c * sqrt(2 * ln(N) / n)");
    /// assert_eq!((uct.size(), uct.depth()), (13, 6));
    /// ```
    pub fn uct() -> Tree {
        use {Function::*, Terminal::*};
        let f = Node::Function;
        let t = Node::Terminal;
        let two = t(Number(2.0));
        let c = t(Constant);
        let nodes = vec![
            f(Add),
            t(Mean),
            f(Mul),
            f(Mul),
            two,
            c,
            f(Sqrt),
            f(Div),
            f(Mul),
            two,
            f(Ln),
            t(ParentVisits),
            t(ChildVisits),
        ];
        Tree { nodes }
    }

    /// The nodes in prefix order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The number of edges from the root to the deepest leaf: 0 for a single leaf.
    pub fn depth(&self) -> usize {
        // Arguments that are missing at each open level.
        let mut open: Vec<usize> = Vec::new();
        let mut depth = 0;
        for node in &self.nodes {
            depth = depth.max(open.len());
            if node.arity() > 0 {
                open.push(node.arity());
                continue;
            }
            while let Some(wanted) = open.last_mut() {
                *wanted -= 1;
                if *wanted > 0 {
                    break;
                }
                open.pop();
            }
        }
        depth
    }

    /// The nodes of the subtree whose root is at `start`.
    pub fn subtree(&self, start: usize) -> Range<usize> {
        let mut wanted = 1;
        let mut end = start;
        while wanted > 0 {
            wanted = wanted - 1 + self.nodes[end].arity();
            end += 1;
        }
        start..end
    }

    /// The roots of the arguments of the function at `start`.
    pub(super) fn arguments(&self, start: usize) -> impl Iterator<Item = usize> + '_ {
        let mut next = start + 1;
        (0..self.nodes[start].arity()).map(move |_| {
            let argument = next;
            next = self.subtree(argument).end;
            argument
        })
    }

    /// Works from the leaves to the root: `step` is given each node with what it returned for the arguments, none where
    /// the node takes fewer. Without recursion, so that no depth of a tree is too much for the stack.
    pub(super) fn fold<T>(&self, mut step: impl FnMut(Node, Option<T>, Option<T>) -> T) -> T {
        let mut stack: Vec<T> = Vec::new();
        for node in self.nodes.iter().rev() {
            let first = if node.arity() > 0 { stack.pop() } else { None };
            let second = if node.arity() > 1 { stack.pop() } else { None };
            stack.push(step(*node, first, second));
        }
        stack.pop().expect("a tree has a root")
    }

    /// The same tree with the subtree at `start` replaced.
    #[must_use]
    pub fn with_subtree(&self, start: usize, replacement: &Tree) -> Tree {
        let range = self.subtree(start);
        let mut nodes = Vec::with_capacity(self.size() - range.len() + replacement.size());
        nodes.extend_from_slice(&self.nodes[..range.start]);
        nodes.extend_from_slice(&replacement.nodes);
        nodes.extend_from_slice(&self.nodes[range.end..]);
        Tree { nodes }
    }

    /// The same tree with every `c` replaced by a number.
    #[must_use]
    pub fn bind(&self, constant: f64) -> Tree {
        let bind = |node: &Node| match node {
            Node::Terminal(Terminal::Constant) => Node::Terminal(Terminal::Number(constant)),
            other => *other,
        };
        Tree { nodes: self.nodes.iter().map(bind).collect() }
    }

    /// The columns that it uses beside `Q`, `n` and `N`.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        for node in &self.nodes {
            if let Node::Terminal(Terminal::Column(column)) = node {
                needs.add(*column);
            }
        }
        needs
    }

    /// Whether `c` occurs.
    pub fn has_constant(&self) -> bool {
        self.nodes.contains(&Node::Terminal(Terminal::Constant))
    }

    /// The value for one child. [`Program`](super::Program) gives the same for many at once.
    pub fn evaluate(&self, inputs: Inputs, ln: LnRule) -> f64 {
        self.evaluate_by(|terminal| inputs.value(terminal), ln)
    }

    /// The value for given values of terminals.
    pub fn evaluate_by(&self, value: impl Fn(Terminal) -> f64, ln: LnRule) -> f64 {
        self.evaluate_in(value, ln, &mut Vec::with_capacity(self.nodes.len()))
    }

    /// The same in memory that is reused.
    pub(super) fn evaluate_in(&self, value: impl Fn(Terminal) -> f64, ln: LnRule, stack: &mut Vec<f64>) -> f64 {
        stack.clear();
        for node in self.nodes.iter().rev() {
            let value = match node {
                Node::Terminal(terminal) => value(*terminal),
                Node::Function(function) => {
                    let a = stack.pop().expect("a function has its arguments");
                    let b =
                        if function.arity() == 2 { stack.pop().expect("a function has its arguments") } else { 0.0 };
                    function.apply(a, b, ln)
                }
            };
            stack.push(value);
        }
        stack.pop().expect("a tree has a root")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_is_the_paper_s_formula() {
        let uct = Tree::uct();
        let inputs = Inputs { mean: 3.5, visits: 7.0, parent: 100.0, constant: 0.5 };
        let expected = 3.5 + 2.0 * 0.5 * (2.0 * libm::log(100.0) / 7.0).sqrt();
        assert_eq!(uct.evaluate(inputs, LnRule::Abs), expected);
        assert!(uct.has_constant() && !uct.bind(2.0).has_constant());
    }

    #[test]
    fn from_prefix_takes_exactly_one_tree() {
        let nodes = Tree::uct().nodes().to_vec();
        assert_eq!(Tree::from_prefix(nodes.clone()), Some(Tree::uct()));
        assert_eq!(Tree::from_prefix(nodes[..12].to_vec()), None);
        assert_eq!(Tree::from_prefix([nodes.clone(), nodes].concat()), None);
        assert_eq!(Tree::from_prefix(Vec::new()), None);
    }

    #[test]
    fn depth_counts_edges() {
        let depth = |text: &str| text.parse::<Tree>().unwrap().depth();
        assert_eq!(depth("Q"), 0);
        assert_eq!(depth("Q + n"), 1);
        assert_eq!(depth("Q + (n + (N + 2))"), 3);
        assert_eq!(depth("(Q + n) * (n + N) + c"), 3);
        assert_eq!(depth("ln(ln(ln(ln(Q))))"), 4);
    }
}
