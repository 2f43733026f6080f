//! LaTeX of formulas, read as a mathematician reads it, is the formula: factors and terms group to the left, and digits
//! before a power of ten are one number with it. What could be read in two ways is refused.

use crate::notations::formulas;
use evouct::gp::{Function, Node, Terminal, Tree};

/// Reads LaTeX from left to right.
struct Reader<'a> {
    rest: &'a str,
}

/// A factor with what may follow it without a sign.
struct Factor {
    tree: Tree,
    end: End,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Digit,
    /// A name: parentheses behind it would be its argument.
    Name,
    /// A logarithm without parentheses would take what follows.
    Ln,
    /// A logarithm with parentheses: a sign is needed.
    LnOf,
    Other,
}

impl Reader<'_> {
    fn takes(&mut self, text: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, text: &str) {
        assert!(self.takes(text), "expected {text} before {:?}", self.rest);
    }

    fn within(&mut self, open: &str, close: &str) -> Tree {
        self.expect(open);
        let tree = self.sum();
        self.expect(close);
        tree
    }

    fn sum(&mut self) -> Tree {
        let mut tree = self.product(true);
        loop {
            let sign = if self.takes("+") {
                Function::Add
            } else if self.takes("-") {
                Function::Sub
            } else {
                return tree;
            };
            tree = Tree::apply(sign, &[tree, self.product(false)]);
        }
    }

    fn product(&mut self, may_have_sign: bool) -> Tree {
        let Factor { mut tree, mut end } = self.factor(may_have_sign);
        loop {
            let has_sign = self.takes(r"\cdot");
            self.rest = self.rest.trim_start();
            let next = self.rest;
            let ends = next.is_empty() || ["+", "-", "}", ",", r"\right)"].iter().any(|text| next.starts_with(text));
            if ends && !has_sign {
                return tree;
            }
            assert!(end != End::Ln, "\\ln takes {next:?}");
            assert!(has_sign || end != End::LnOf, "\\ln takes {next:?}");
            assert!(has_sign || !next.starts_with(|c: char| c.is_ascii_digit()), "digits meet before {next:?}");
            let is_argument = next.starts_with(r"\left(") && end != End::Digit;
            assert!(has_sign || !is_argument, "an argument: {next:?}");
            let factor = self.factor(false);
            tree = Tree::apply(Function::Mul, &[tree, factor.tree]);
            end = factor.end;
        }
    }

    fn factor(&mut self, may_have_sign: bool) -> Factor {
        let factor = |tree, end| Factor { tree, end };
        if self.takes(r"\frac") {
            let arguments = [self.within("{", "}"), self.within("{", "}")];
            return factor(Tree::apply(Function::Div, &arguments), End::Other);
        }
        if self.takes(r"\sqrt") {
            return factor(Tree::apply(Function::Sqrt, &[self.within("{", "}")]), End::Other);
        }
        for (name, function) in [(r"\min", Function::Min), (r"\max", Function::Max)] {
            if self.takes(name) {
                let arguments = [self.within(r"\left(", ","), self.within("", r"\right)")];
                return factor(Tree::apply(function, &arguments), End::Other);
            }
        }
        if self.takes(r"\ln") {
            self.rest = self.rest.trim_start();
            let (inner, end) = if self.rest.starts_with(r"\left(") {
                (self.within(r"\left(", r"\right)"), End::LnOf)
            } else {
                (self.factor(false).tree, End::Ln)
            };
            return factor(Tree::apply(Function::Ln, &[inner]), end);
        }
        if self.rest.starts_with(r"\left(") {
            return factor(self.within(r"\left(", r"\right)"), End::Other);
        }
        for terminal in Terminal::NAMED {
            if self.takes(terminal.name().unwrap()) {
                return factor(Tree::leaf(terminal), End::Name);
            }
        }
        let sign = if may_have_sign && self.takes("-") { "-" } else { "" };
        self.rest = self.rest.trim_start();
        let length = self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        let power = if digits == "10" && self.takes("^{") {
            Some("1")
        } else if self.takes(r"\cdot 10^{") {
            Some(digits)
        } else {
            None
        };
        let text = power.map_or_else(
            || format!("{sign}{digits}"),
            |mantissa| {
                let (power, rest) = self.rest.split_once('}').unwrap();
                self.rest = rest;
                format!("{sign}{mantissa}e{power}")
            },
        );
        let number = text.parse().unwrap_or_else(|_| panic!("not a number: {text:?} before {:?}", self.rest));
        factor(Tree::leaf(Terminal::Number(number)), if power.is_some() { End::Other } else { End::Digit })
    }
}

fn read(latex: &str) -> Tree {
    let mut reader = Reader { rest: latex };
    let tree = reader.sum();
    assert!(reader.rest.is_empty(), "{:?} is left of {latex}", reader.rest);
    tree
}

#[test]
fn latex_reads_as_the_formula_is_computed() {
    for tree in formulas(2_000) {
        // Protections are not shown, so both quotients are one.
        let shown = |node: &Node| match node {
            Node::Function(Function::DivPositive) => Node::Function(Function::Div),
            other => *other,
        };
        let shown = Tree::from_prefix(tree.nodes().iter().map(shown).collect()).unwrap();
        assert_eq!(read(&tree.latex()), shown, "{}", tree.latex());
    }
}

#[test]
fn what_has_two_readings_is_refused() {
    let read = |latex: &'static str| std::panic::catch_unwind(|| read(latex)).ok();
    for latex in
        [r"Q \left(n\right)", r"\ln N n", r"\ln \left(N\right) n", "2 0.5", "Q + -3", r"Q \cdot -3", r"\frac{Q}"]
    {
        assert_eq!(read(latex), None, "{latex}");
    }
    for (latex, text) in [
        (r"2 \left(Q + n\right) N - \left(-3\right)", "2 * (Q + n) * N - -3"),
        (r"Q \cdot 2 \cdot 10^{-7}", "Q * 2e-7"),
        (r"2 \left(10^{-7}\right)", "2 * 1e-7"),
    ] {
        assert_eq!(read(latex), text.parse().ok(), "{latex}");
    }
}
