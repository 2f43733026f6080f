//! The summands of a formula: what people read it by, and what each adds to its value.

use super::primitive::{Function, LnRule, Node};
use super::terminal::Terminal;
use super::tree::Tree;
use std::fmt;

/// A formula as the sum of its summands; differences and sums inside sums are resolved, products are not.
///
/// ```
/// use evouct_gp::{Inputs, LnRule, Summands, Tree};
/// let tree: Tree = "Q + 2 * sqrt(ln(N) / n) - (n - Q * N)".parse().unwrap();
/// let summands = Summands::of(&tree);
/// let names: Vec<String> = summands.iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["Q", "2 * sqrt(ln(N) / n)", "-n", "Q * N"]);
///
/// let inputs = Inputs { mean: 0.3, visits: 7.0, parent: 100.0, constant: 0.5 };
/// let values: Vec<f64> = summands.values(|terminal| inputs.value(terminal), LnRule::Abs).collect();
/// assert_eq!(summands.sum(&values), tree.evaluate(inputs, LnRule::Abs));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Summands {
    all: Vec<Summand>,
    /// The sum in prefix order: whether an addition or the next summand comes.
    adds: Vec<bool>,
}

/// A summand.
#[derive(Clone, PartialEq, Debug)]
pub struct Summand {
    /// Its formula, without its sign.
    pub tree: Tree,
    /// Whether it is subtracted.
    pub is_negative: bool,
}

impl fmt::Display for Summand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negative { "-" } else { "" }, self.tree)
    }
}

impl Summands {
    /// The summands of a formula, from left to right.
    pub fn of(tree: &Tree) -> Summands {
        let (mut all, mut adds) = (Vec::new(), Vec::new());
        let mut open = vec![(0, false)];
        while let Some((start, is_negative)) = open.pop() {
            let node = tree.nodes()[start];
            let is_sum = matches!(node, Node::Function(Function::Add | Function::Sub));
            adds.push(is_sum);
            if is_sum {
                let arguments: Vec<usize> = tree.arguments(start).collect();
                let turns = node == Node::Function(Function::Sub);
                open.push((arguments[1], is_negative != turns));
                open.push((arguments[0], is_negative));
            } else {
                let nodes = tree.nodes()[tree.subtree(start)].to_vec();
                let tree = Tree::from_prefix(nodes).expect("a subtree is a tree");
                all.push(Summand { tree, is_negative });
            }
        }
        Summands { all, adds }
    }

    /// The summands, from left to right.
    pub fn iter(&self) -> impl Iterator<Item = &Summand> {
        self.all.iter()
    }

    /// The value of each summand, its sign included, for given values of terminals.
    pub fn values(&self, value: impl Fn(Terminal) -> f64, ln: LnRule) -> impl Iterator<Item = f64> {
        self.all.iter().map(move |summand| {
            let found = summand.tree.evaluate_by(&value, ln);
            if summand.is_negative { -found } else { found }
        })
    }

    /// The sum of values of the summands: the value of the formula, as the same numbers are added in the same order.
    ///
    /// # Panics
    /// If there are not as many values as summands.
    pub fn sum(&self, values: &[f64]) -> f64 {
        assert_eq!(values.len(), self.all.len(), "a value for each summand");
        let (mut values, mut stack) = (values.iter().rev(), Vec::new());
        let next = |stack: &mut Vec<f64>| stack.pop().expect("a sum has its arguments");
        for is_sum in self.adds.iter().rev() {
            let value = if *is_sum { next(&mut stack) + next(&mut stack) } else { *values.next().expect("as many") };
            stack.push(value);
        }
        next(&mut stack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Inputs;

    #[test]
    fn summands_add_up_to_the_formula_exactly() {
        for (text, count) in [
            ("Q", 1),
            ("Q * (n + N)", 1),
            ("0.1 + (0.2 + Q)", 3),
            ("0.1 - (0.2 - (Q - (n + 0.3)))", 5),
            ("Q + 0.7 * sqrt(ln(N) / n) - 3 * n / (1 + n) + -2 * Q", 4),
            ("Q - (n / 3 + (N / 7 + Q / 11)) + (Q / 13 - N / 17)", 6),
        ] {
            let tree: Tree = text.parse().unwrap();
            let summands = Summands::of(&tree);
            assert_eq!(summands.iter().count(), count, "{text}");
            for (mean, visits, parent) in [(0.1, 3.0, 77.0), (-12.7, 1.0, 10.0), (1e9, 0.3, 1e-9)] {
                let inputs = Inputs { mean, visits, parent, constant: 0.5 };
                let values: Vec<f64> = summands.values(|terminal| inputs.value(terminal), LnRule::Abs).collect();
                assert_eq!(summands.sum(&values), tree.evaluate(inputs, LnRule::Abs), "{text}");
            }
        }
    }
}
