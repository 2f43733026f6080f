//! Shortening a formula without changing a value.
//!
//! Every rule keeps the value of the protected formula, to the bit up to the sign of a zero, for all inputs in `RANGES`.
//! Rules that need a finite operand (`x - x` is 0, but infinity minus infinity is not) are used only where bounds on the
//! operand show that it is finite. Sums and products are also put in one order of operands, which floating point leaves
//! exact, so that formulas that differ in nothing else become equal.

use super::primitive::{Function, LnRule, Node, SMALLEST_DIVISOR, Terminal};
use super::program::Inputs;
use super::tree::Tree;

/// Largest magnitudes of `Q`, `n`, `N` and `c` for which values are kept.
const RANGES: Inputs = Inputs { mean: 1e6, visits: 1e12, parent: 1e12, constant: 1e6 };

/// The shortest tree that the rules reach, of the same value wherever `Q` and `c` are at most a million in magnitude and
/// visits at most 10¹².
///
/// ```
/// use evouct::gp::{LnRule, Tree, simplify};
/// let tree: Tree = "(n - n) * Q + 2 * 0.5 * N".parse().unwrap();
/// assert_eq!(simplify(&tree, LnRule::Abs).to_string(), "N");
/// ```
pub fn simplify(tree: &Tree, ln: LnRule) -> Tree {
    reduce(tree, 0, ln)
}

fn reduce(tree: &Tree, at: usize, ln: LnRule) -> Tree {
    let function = match tree.nodes()[at] {
        Node::Terminal(terminal) => return Tree::leaf(terminal),
        Node::Function(function) => function,
    };
    let mut arguments: Vec<Tree> = tree.arguments(at).map(|argument| reduce(tree, argument, ln)).collect();
    let numbers: Vec<f64> = arguments.iter().filter_map(number).collect();
    if numbers.len() == arguments.len() {
        let value = function.apply(numbers[0], numbers.get(1).copied().unwrap_or(0.0), ln);
        // A number has to have a notation.
        if value.is_finite() {
            return constant(value);
        }
    }
    if let [a, b] = &arguments[..]
        && let Some(shorter) = binary(function, a, b, ln)
    {
        return shorter;
    }
    if matches!(function, Function::Add | Function::Mul) {
        arguments.sort_by_cached_key(|argument| (order(argument), argument.prefix()));
    }
    Tree::apply(function, &arguments)
}

fn binary(function: Function, a: &Tree, b: &Tree, ln: LnRule) -> Option<Tree> {
    let is = |tree: &Tree, wanted: f64| number(tree) == Some(wanted);
    let finite = |tree: &Tree| magnitude(tree, 0, ln).is_finite();
    match function {
        Function::Add if is(a, 0.0) => Some(b.clone()),
        Function::Add | Function::Sub if is(b, 0.0) => Some(a.clone()),
        Function::Sub if a == b && finite(a) => Some(constant(0.0)),
        Function::Mul if is(a, 1.0) => Some(b.clone()),
        Function::Mul if is(b, 1.0) => Some(a.clone()),
        Function::Mul if (is(a, 0.0) && finite(b)) || (is(b, 0.0) && finite(a)) => Some(constant(0.0)),
        Function::Div if is(b, 1.0) => Some(a.clone()),
        Function::Div if number(b).is_some_and(|divisor| divisor.abs() < SMALLEST_DIVISOR) => Some(constant(1.0)),
        // Where the protection does not act, the quotient of a finite number by itself is exactly 1.
        Function::Div if a == b && finite(a) => Some(constant(1.0)),
        _ => None,
    }
}

fn number(tree: &Tree) -> Option<f64> {
    match tree.nodes() {
        [Node::Terminal(Terminal::Number(number))] => Some(*number),
        _ => None,
    }
}

fn constant(number: f64) -> Tree {
    Tree::leaf(Terminal::Number(number))
}

/// Numbers before names before functions, so that `2 * c` reads as usual.
fn order(tree: &Tree) -> u8 {
    match tree.nodes()[0] {
        Node::Terminal(Terminal::Number(_)) => 0,
        Node::Terminal(_) => 1,
        Node::Function(_) => 2,
    }
}

/// A bound on the magnitude of a subtree's value; infinite where none is known.
fn magnitude(tree: &Tree, at: usize, ln: LnRule) -> f64 {
    let bounds: Vec<f64> = tree.arguments(at).map(|argument| magnitude(tree, argument, ln)).collect();
    let bound = match tree.nodes()[at] {
        Node::Terminal(terminal) => RANGES.value(terminal).abs(),
        Node::Function(Function::Add | Function::Sub) => bounds[0] + bounds[1],
        Node::Function(Function::Mul) => bounds[0] * bounds[1],
        Node::Function(Function::Div) => (bounds[0] / SMALLEST_DIVISOR).max(1.0),
        Node::Function(Function::Sqrt) => bounds[0].sqrt(),
        // Finite for any finite argument but the smallest: ln(5e-324) is -744.4.
        Node::Function(Function::Ln) => ln.apply(bounds[0].max(1.0)).abs().max(745.0),
    };
    // Rounding can carry a product a little further; bounds are far from the edge or they are none.
    if bound < 1e300 { bound } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::Mutation;
    use crate::sampling::below;
    use crate::seed::Key;

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
            assert_eq!(simplify(&shorter, ln), shorter, "{tree}");
            shortened += usize::from(shorter.size() < tree.size());
            for _ in 0..8 {
                let inputs = Inputs {
                    mean: below(&mut rng, 4_001) as f64 / 10.0 - 200.0,
                    visits: below(&mut rng, 400) as f64,
                    parent: below(&mut rng, 3_000) as f64,
                    constant: crate::gp::CONSTANTS[below(&mut rng, 8)],
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
    fn rules_one_by_one() {
        let short = |text: &str| simplify(&text.parse().unwrap(), LnRule::Abs).to_string();
        assert_eq!(short("Q + (n - n)"), "Q");
        assert_eq!(short("0 * ln(Q) + N / 1"), "N");
        assert_eq!(short("Q / 0.0005"), "1");
        assert_eq!(short("(Q + n) / (n + Q)"), "1");
        assert_eq!(short("n * 2 + Q"), "Q + 2 * n");
        assert_eq!(short("sqrt(4) * ln(1)"), "0");
        // A product of many powers may be infinite, and infinity less infinity is no number.
        let huge = "(N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N*N)";
        assert!(short(&format!("{huge} - {huge}")).len() > 10);
    }
}
