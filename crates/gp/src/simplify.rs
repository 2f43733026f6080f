//! Simplification of a formula without changing a value.
//!
//! Rules are the [`Laws`](super::Laws) of the functions. Every rule keeps the value of the protected formula, to the bit
//! up to the sign of a zero, for all inputs within the ranges of the terminals. Rules that need a finite operand (`x - x`
//! is 0, but infinity minus infinity is not) are used only where bounds on the operand show that it is finite. Operands of
//! sums and products are also sorted, which is exact in floating point, so that formulas that differ only in the order of
//! operands become equal.
//!
//! The text never grows: a number stands for a part only if its digits are no longer than the part (`sqrt(2)` stays),
//! and an operand that needs no parentheses on the left goes there.

use super::primitive::{Function, LnRule, Node, OfEquals, Primitive};
use super::print::PrefixText;
use super::terminal::Terminal;
use super::tree::Tree;

/// The shortest tree that the rules reach, of the same value wherever `Q` and `c` are at most a million in magnitude
/// and visits and all other columns at most 10¹².
///
/// ```
/// use evouct_gp::{LnRule, Tree, simplify};
/// let tree: Tree = "(n - n) * Q + 2 * 0.5 * N".parse().unwrap();
/// assert_eq!(simplify(&tree, LnRule::Abs).to_string(), "N");
/// ```
pub fn simplify(tree: &Tree, ln: LnRule) -> Tree {
    tree.fold(|node, a, b| reduce(node, a, b, ln)).tree
}

/// A subtree that is as short as the rules make it.
#[derive(Clone)]
struct Reduced {
    tree: Tree,
    /// A bound on the magnitude of its value; infinite if none is known.
    magnitude: f64,
    /// Its value, if it is the same for all inputs and finite.
    value: Option<f64>,
}

impl Reduced {
    fn leaf(terminal: Terminal) -> Reduced {
        let (terminal, value) = match terminal {
            // −0 becomes 0, so that what is equal by value has one text.
            Terminal::Number(number) => (Terminal::Number(number + 0.0), Some(number + 0.0)),
            named => (named, None),
        };
        Reduced { tree: Tree::leaf(terminal), magnitude: bounded(terminal.range()), value }
    }

    fn is(&self, wanted: f64) -> bool {
        self.value == Some(wanted)
    }
}

/// A node over arguments that are reduced.
fn reduce(node: Node, a: Option<Reduced>, b: Option<Reduced>, ln: LnRule) -> Reduced {
    let (function, a) = match (node, a) {
        (Node::Function(function), Some(a)) => (function, a),
        (Node::Terminal(terminal), _) => return Reduced::leaf(terminal),
        (Node::Function(_), None) => unreachable!("a function has arguments"),
    };
    let value = match (&b, a.value) {
        (None, Some(first)) => Some(function.apply(first, 0.0, ln)),
        (Some(b), Some(first)) => b.value.map(|second| function.apply(first, second, ln)),
        (_, None) => None,
    };
    // Only finite numbers have a notation.
    let value = value.filter(|value| value.is_finite());
    let row = function.row(ln);
    let magnitude = bounded((row.bound)(a.magnitude, b.as_ref().map_or(0.0, |b| b.magnitude)));
    let tree = match b {
        None => Tree::apply(function, &[a.tree]),
        Some(b) => match binary(row, &a, &b) {
            Some(Shorter::First) => return a,
            Some(Shorter::Second) => return b,
            Some(Shorter::Number(number)) => return Reduced::leaf(Terminal::Number(number)),
            None if row.laws.commutes && is_swapped(function, &a.tree, &b.tree) => {
                Tree::apply(function, &[b.tree, a.tree])
            }
            None => Tree::apply(function, &[a.tree, b.tree]),
        },
    };
    match value {
        Some(number) if number.to_string().len() <= tree.infix().len() => Reduced::leaf(Terminal::Number(number)),
        value => Reduced { tree, magnitude, value },
    }
}

/// What replaces a function of two arguments.
enum Shorter {
    First,
    Second,
    Number(f64),
}

fn binary(row: &Primitive, a: &Reduced, b: &Reduced) -> Option<Shorter> {
    let laws = &row.laws;
    let is_finite = |reduced: &Reduced| reduced.magnitude.is_finite();
    match laws.of_equals {
        _ if laws.neutral[0].is_some_and(|neutral| a.is(neutral)) => Some(Shorter::Second),
        _ if laws.neutral[1].is_some_and(|neutral| b.is(neutral)) => Some(Shorter::First),
        _ if laws.zero_absorbs && (a.is(0.0) && is_finite(b) || b.is(0.0) && is_finite(a)) => {
            Some(Shorter::Number(0.0))
        }
        _ if laws.guard.zip(b.value).is_some_and(|(guard, second)| guard(second)) => Some(Shorter::Number(1.0)),
        OfEquals::Argument if a.tree == b.tree => Some(Shorter::First),
        OfEquals::Number(number) if is_finite(a) && a.tree == b.tree => Some(Shorter::Number(number)),
        _ => None,
    }
}

/// Whether the operands of a function that commutes change places: by kind, then by their prefix notation. The texts are
/// compared letter by letter and not written out, so that a long operand beside a short one costs no more than the
/// short one.
fn is_swapped(function: Function, a: &Tree, b: &Tree) -> bool {
    let text = |tree| PrefixText::of(Tree::nodes(tree));
    order(function, b).cmp(&order(function, a)).then_with(|| text(b).cmp(text(a))).is_lt()
}

/// First what needs parentheses on the right of the function but none on its left; then numbers before names before
/// other functions, so that `2 * c` reads as usual.
fn order(function: Function, tree: &Tree) -> u8 {
    let binding = |function: Function| function.sign().map(|(_, binding)| binding);
    match tree.nodes()[0] {
        Node::Function(own) if binding(own).is_some() && binding(own) == binding(function) => 0,
        Node::Terminal(Terminal::Number(_)) => 1,
        Node::Terminal(_) => 2,
        Node::Function(_) => 3,
    }
}

/// Rounding can exceed a bound slightly; bounds are either far from the limit or infinite.
fn bounded(bound: f64) -> f64 {
    if bound < 1e300 { bound } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inputs, Mutation};
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;

    #[test]
    fn values_stay_as_they_were() {
        let mut rng = Key::experiment(11).stream();
        let mut tree = Tree::uct();
        let mut shortened = 0;
        for round in 0..4_000 {
            tree = Mutation::default().mutate(&tree, &mut rng);
            let ln = [LnRule::Abs, LnRule::Clamp][round % 2];
            let shorter = simplify(&tree, ln);
            assert!(shorter.size() <= tree.size());
            assert!(shorter.infix().len() <= tree.infix().len(), "{tree} becomes {shorter}");
            assert_eq!(simplify(&shorter, ln), shorter, "{tree}");
            shortened += usize::from(shorter.size() < tree.size());
            for _ in 0..8 {
                let inputs = Inputs {
                    mean: below(&mut rng, 4_001) as f64 / 10.0 - 200.0,
                    visits: below(&mut rng, 400) as f64,
                    parent: below(&mut rng, 3_000) as f64,
                    constant: crate::CONSTANTS[below(&mut rng, 8)],
                };
                let [before, after] = [&tree, &shorter].map(|tree| tree.evaluate(inputs, ln));
                assert!(
                    before == after || (before.is_nan() && after.is_nan()),
                    "{tree} is {before}, {shorter} {after}"
                );
            }
        }
        assert!(shortened > 1_000, "{shortened}");
    }

    #[test]
    fn long_formulas_are_simplified_in_time() {
        let terms = 3_200;
        let sum: Tree = format!("Q{}", "+n".repeat(terms)).parse().unwrap();
        // Every notation and the evaluation manage as well: nothing of it uses the stack.
        assert_eq!(sum.depth(), terms);
        let short = simplify(&sum, LnRule::Abs);
        assert_eq!((short.size(), short.infix().len()), (sum.size(), sum.infix().len()));
        assert_eq!(sum.infix().parse::<Tree>().as_ref(), Ok(&sum));
        assert!(sum.prefix().parse::<Tree>().is_err(), "nested too deep");
        assert!(sum.latex().len() > terms && sum.dot().len() > terms);
        let program = crate::Program::new(sum.clone(), LnRule::Abs);
        let mut values = [0.0];
        program.evaluate((&[1.0], &[2.0]), (3.0, 1.0), &mut crate::Scratch::default(), &mut values);
        assert_eq!(values, [1.0 + 2.0 * terms as f64]);
        // Operands that differ in their last letter only.
        let twice = |last: &str| format!("({}{last})", "n*".repeat(1_000));
        let product: Tree = format!("{} * {}", twice("Q"), twice("N")).parse().unwrap();
        assert_eq!(simplify(&product, LnRule::Abs).size(), product.size());
    }

    #[test]
    fn values_stay_at_the_guards() {
        // Edges of the protections, on a grid.
        let guards = [0.0, 0.0005, 0.000_999, 0.001, -0.001, 0.009, 0.01, 0.999, 1.0, 1.001, 7.0, -3.5];
        let mut rng = Key::experiment(13).stream();
        let mut tree = Tree::uct();
        for round in 0..300 {
            tree = Mutation::default().mutate(&tree, &mut rng);
            let ln = [LnRule::Abs, LnRule::Clamp][round % 2];
            let shorter = simplify(&tree, ln);
            for mean in guards {
                for visits in guards {
                    let inputs = Inputs { mean, visits, parent: guards[round % guards.len()], constant: 0.01 };
                    let [before, after] = [&tree, &shorter].map(|tree| tree.evaluate(inputs, ln));
                    assert!(before == after || (before.is_nan() && after.is_nan()), "{tree} and {shorter}: {inputs:?}");
                }
            }
        }
    }

    #[test]
    fn rules_one_by_one() {
        let short = |text: &str| simplify(&text.parse().unwrap(), LnRule::Abs).to_string();
        assert_eq!(short("Q + (n - n)"), "Q");
        assert_eq!(short("0 * ln(Q) + N / 1"), "N");
        assert_eq!(short("Q / 0.0005"), "1");
        assert_eq!(short("(Q + n) / (n + Q)"), "1");
        assert_eq!(short("n * 2 + Q"), "Q + 2 * n");
        assert_eq!(short("sqrt(4) * ln(1)"), "0");
        // Digits stand for a part only where they are no longer.
        assert_eq!(short("Q * sqrt(2)"), "Q * sqrt(2)");
        assert_eq!(short("sqrt(2) * sqrt(2)"), "sqrt(2) * sqrt(2)");
        assert_eq!(short("Q / (0.0001 * 3)"), "1");
        assert_eq!(short("N + (Q + n)"), "Q + n + N");
        // A product of many powers may be infinite, and infinity minus infinity is NaN.
        let huge = "(N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N)";
        assert!(short(&format!("{huge} - {huge}")).len() > 10);
    }
}
