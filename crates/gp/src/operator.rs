//! Operators of variation: each makes an offspring of one or two parents.
//!
//! Those of evouct and yours are equal: a [`Variation`] has a list of operators with weights. [`in_one_slot`] is what
//! most of them need.

use super::genome::{Genome, Slot};
use super::primitive::{Function, Node};
use super::terminal::Terminal;
use super::tree::Tree;
use super::variation::Variation;
use evouct_base::sampling::{below, chance, normal};
use rand::Rng;
use std::fmt;

/// The standard deviation of a change of a constant, as a share of it.
const STEP: f64 = 0.3;

/// A way to make an offspring.
///
/// Formulas over a function, a statistic and an operator that evouct does not have:
///
/// ```
/// use evouct_base::seed::Key;
/// use evouct_gp::{Function, Genome, Mutation, Operator, Primitive, Scope, Statistic, Subtree, Terminal, Tree};
/// use evouct_gp::{Variation, in_one_slot};
/// use rand::Rng;
/// use std::sync::Arc;
///
/// static TANH: Primitive = Primitive::new("tanh", 1, |a, _| libm::tanh(a));
/// static STATISTICS: [Statistic; 1] = [Statistic::new("age", Scope::Child, 0)];
///
/// /// The formula within a hyperbolic tangent.
/// #[derive(Debug)]
/// struct Squash(Function);
///
/// impl Operator for Squash {
///     fn name(&self) -> &'static str {
///         "squash"
///     }
///
///     fn about(&self) -> &'static str {
///         "The formula within a hyperbolic tangent."
///     }
///
///     fn apply(&self, [parent, _]: [&Genome; 2], _: &Variation, rng: &mut dyn Rng) -> Genome {
///         in_one_slot(parent, rng, |_, tree, _| Tree::apply(self.0, std::slice::from_ref(tree)))
///     }
/// }
///
/// let tanh = Function::add(&TANH)?;
/// let terminals = Terminal::with_columns(&STATISTICS, &[]);
/// let variation = Variation {
///     functions: vec![Function::Add, Function::Mul, tanh],
///     terminals: terminals.clone(),
///     max_nodes: 30,
///     operators: vec![(Arc::new(Subtree), 0.7), (Arc::new(Squash(tanh)), 0.3)],
///     ..Variation::from(Mutation::default())
/// };
/// let mut rng = Key::experiment(1).stream();
/// let mut genome = Genome::of(Tree::parse_over("age + tanh(Q)", &terminals)?);
/// let mut squashed = 0;
/// for _generation in 0..50 {
///     let (child, operator) = variation.offspring([&genome, &genome], &mut rng);
///     assert!(child.largest() <= 30);
///     assert_eq!(Genome::parse(&child.to_string(), &terminals)?, child);
///     squashed += usize::from(operator.name() == "squash");
///     genome = child;
/// }
/// assert!(squashed > 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Operator: fmt::Debug + Send + Sync {
    /// The name in journals and tables: lower-case letters and `-`.
    fn name(&self) -> &'static str;

    /// A line about it.
    fn about(&self) -> &'static str;

    /// Its usual weight among the operators.
    fn weight(&self) -> f64 {
        0.1
    }

    /// Whether an offspring has material of the second parent, too.
    fn crosses(&self) -> bool {
        false
    }

    /// Whether an offspring has the form of its parent, with other numbers.
    fn keeps_form(&self) -> bool {
        false
    }

    /// An offspring of the first parent. It need not differ, and may be larger than allowed: then the variation tries
    /// again. All random numbers must come from `rng`.
    fn apply(&self, parents: [&Genome; 2], variation: &Variation, rng: &mut dyn Rng) -> Genome;
}

/// The parent with a change in the formula of one slot, each slot that has a formula equally likely.
pub fn in_one_slot(
    parent: &Genome,
    rng: &mut dyn Rng,
    change: impl FnOnce(Slot, &Tree, &mut dyn Rng) -> Tree,
) -> Genome {
    let slots: Vec<Slot> = parent.slots().collect();
    let slot = slots[below(rng, slots.len())];
    let tree = parent.tree(slot).expect("a slot with a formula");
    parent.with(slot, Some(change(slot, tree, rng)))
}

/// Declares operators: a line with name, usual weight and properties, then what makes an offspring. The first line of
/// documentation is the line about it.
macro_rules! operators {
    ($($(#[doc = $about:literal])+ $operator:ident: $name:literal, $weight:literal $(, $property:ident)*;
    |$parents:pat_param, $variation:pat_param, $rng:ident| $made:expr;)+) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Copy, Debug)]
            pub struct $operator;

            impl Operator for $operator {
                fn name(&self) -> &'static str {
                    $name
                }

                fn about(&self) -> &'static str {
                    [$($about),+][0].trim_start()
                }

                fn weight(&self) -> f64 {
                    $weight
                }

                $(fn $property(&self) -> bool {
                    true
                })*

                fn apply(&self, $parents: [&Genome; 2], $variation: &Variation, $rng: &mut dyn Rng) -> Genome {
                    $made
                }
            }
        )+
    };
}

pub(super) use operators;

operators! {
    /// A subtree of another parent in place of one of the parent's.
    Crossover: "crossover", 0.35, crosses;
    |[parent, other], _, rng| in_one_slot(parent, rng, |slot, tree, rng| {
        let related = other.tree(Slot::Select).filter(|_| slot.is_of_child());
        let donor = other.tree(slot).or(related).unwrap_or(tree);
        let donated = subtree(donor, below(rng, donor.size()));
        tree.with_subtree(below(rng, tree.size()), &donated)
    });
    /// A new subtree.
    Subtree: "subtree", 0.25;
    |[parent, _], variation, rng| in_one_slot(parent, rng, |slot, tree, rng| {
        let subtree = variation.grown(slot, rng);
        tree.with_subtree(below(rng, tree.size()), &subtree)
    });
    /// Nodes replaced by others of the same arity: each with a probability of one in the size, one at least.
    Point: "point", 0.1;
    |[parent, _], variation, rng| in_one_slot(parent, rng, |slot, tree, rng| pointed(variation, slot, tree, rng));
    /// A subtree in place of the formula.
    Hoist: "hoist", 0.05;
    |[parent, _], _, rng| in_one_slot(parent, rng, |_, tree, rng| subtree(tree, below(rng, tree.size())));
    /// Numbers changed: each multiplied by a factor around 1, now and then by −1.
    Constant: "constant", 0.2, keeps_form;
    |[parent, _], _, rng| in_one_slot(parent, rng, |_, tree, rng| varied_constants(tree, rng));
    /// A formula added or removed.
    Toggle: "toggle", 0.05;
    |[parent, _], variation, rng| toggled(variation, parent, rng);
}

fn pointed(variation: &Variation, slot: Slot, tree: &Tree, rng: &mut dyn Rng) -> Tree {
    let mut nodes = tree.nodes().to_vec();
    let certain = below(rng, nodes.len());
    let rate = 1.0 / nodes.len() as f64;
    for (place, node) in nodes.iter_mut().enumerate() {
        if place != certain && !chance(rng, rate) {
            continue;
        }
        *node = match node {
            Node::Terminal(_) => Node::Terminal(variation.terminal(slot, rng)),
            Node::Function(function) => {
                let alike = variation.functions.iter().copied().filter(|other| other.arity() == function.arity());
                let alike: Vec<Function> = alike.collect();
                if alike.is_empty() { *node } else { Node::Function(alike[below(rng, alike.len())]) }
            }
        };
    }
    Tree::from_prefix(nodes).expect("arities are kept")
}

fn toggled(variation: &Variation, parent: &Genome, rng: &mut dyn Rng) -> Genome {
    let others: Vec<Slot> = variation.slots.iter().copied().filter(|slot| *slot != Slot::Select).collect();
    if others.is_empty() {
        return parent.clone();
    }
    let slot = others[below(rng, others.len())];
    match parent.tree(slot) {
        Some(_) => parent.with(slot, None),
        // A formula that selects well is a good first guess at every other purpose.
        None if slot.is_of_child() && chance(rng, 0.5) => parent.with(slot, parent.tree(Slot::Select).cloned()),
        None => parent.with(slot, Some(variation.formula(slot, rng))),
    }
}

pub(super) fn subtree(tree: &Tree, start: usize) -> Tree {
    let nodes = tree.nodes()[tree.subtree(start)].to_vec();
    Tree::from_prefix(nodes).expect("a subtree is a tree")
}

/// A tree with other numbers, of three digits.
pub(super) fn varied_constants(tree: &Tree, rng: &mut dyn Rng) -> Tree {
    let vary = |node: &Node| match node {
        Node::Terminal(Terminal::Number(number)) => {
            let factor = libm::exp(STEP * normal(rng));
            let sign = if chance(rng, 0.02) { -1.0 } else { 1.0 };
            Node::Terminal(Terminal::Number(rounded(number * factor * sign)))
        }
        other => *other,
    };
    let nodes = tree.nodes().iter().map(vary).collect();
    Tree::from_prefix(nodes).expect("arities are kept")
}

/// Three significant digits: what is shown is what is played. −0 becomes 0.
pub(super) fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;

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
