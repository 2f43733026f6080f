//! LaTeX of formulas, read as a mathematician reads it: its value is that of the formula wherever no protection of a
//! function is met. What could be read in two ways is refused.

use crate::exports::{formulas, inputs};
use evouct::gp::{Inputs, LnRule};

/// Arguments below this meet a protection.
const PROTECTED: f64 = 0.02;

/// Reads LaTeX from left to right.
struct Reader<'a> {
    rest: &'a str,
    at: Inputs,
}

/// A factor with what may follow it without a sign.
struct Factor {
    value: f64,
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

    fn within(&mut self, open: &str, close: &str) -> f64 {
        self.expect(open);
        let value = self.sum();
        self.expect(close);
        value
    }

    fn sum(&mut self) -> f64 {
        let mut value = if self.takes("-") { -self.product() } else { self.product() };
        loop {
            if self.takes("+") {
                value += self.product();
            } else if self.takes("-") {
                value -= self.product();
            } else {
                return value;
            }
        }
    }

    fn product(&mut self) -> f64 {
        let Factor { mut value, mut end } = self.factor();
        loop {
            let has_sign = self.takes(r"\cdot");
            self.rest = self.rest.trim_start();
            let next = self.rest;
            let ends = next.is_empty() || ["+", "-", "}", r"\right)"].iter().any(|text| next.starts_with(text));
            if ends && !has_sign {
                return value;
            }
            assert!(end != End::Ln, "\\ln takes {next:?}");
            assert!(has_sign || end != End::LnOf, "\\ln takes {next:?}");
            assert!(has_sign || !next.starts_with(|c: char| c.is_ascii_digit()), "digits meet before {next:?}");
            let is_argument = next.starts_with(r"\left(") && end != End::Digit;
            assert!(has_sign || !is_argument, "an argument: {next:?}");
            let factor = self.factor();
            value *= factor.value;
            end = factor.end;
        }
    }

    fn factor(&mut self) -> Factor {
        let factor = |value, end| Factor { value, end };
        let known = |value: f64, is_known: bool| factor(if is_known { value } else { f64::NAN }, End::Other);
        if self.takes(r"\frac") {
            let (above, below) = (self.within("{", "}"), self.within("{", "}"));
            return known(above / below, below.abs() >= PROTECTED);
        }
        if self.takes(r"\sqrt") {
            let inner = self.within("{", "}");
            return known(inner.sqrt(), inner >= 0.0);
        }
        if self.takes(r"\ln") {
            let (inner, end) = if self.takes(r"\left(") {
                let inner = self.sum();
                self.expect(r"\right)");
                (inner, End::LnOf)
            } else {
                (self.factor().value, End::Ln)
            };
            return factor(if inner >= PROTECTED { inner.ln() } else { f64::NAN }, end);
        }
        if self.rest.starts_with(r"\left(") {
            return factor(self.within(r"\left(", r"\right)"), End::Other);
        }
        for (name, value) in
            [("Q", self.at.mean), ("n", self.at.visits), ("N", self.at.parent), ("c", self.at.constant)]
        {
            if self.takes(name) {
                return factor(value, End::Name);
            }
        }
        self.rest = self.rest.trim_start();
        let length = self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(length);
        let value: f64 = digits.parse().unwrap_or_else(|_| panic!("not a number: {:?}", self.rest));
        self.rest = rest;
        if self.takes("^{") {
            let (power, rest) = self.rest.split_once('}').unwrap();
            self.rest = rest;
            return factor(format!("1e{power}").parse().unwrap(), End::Other);
        }
        factor(value, End::Digit)
    }
}

#[test]
fn latex_reads_as_the_formula_is_computed() {
    let (mut compared, mut all) = (0, 0);
    for tree in formulas() {
        let latex = tree.latex();
        for at in inputs() {
            let mut reader = Reader { rest: &latex, at };
            let found = reader.sum();
            assert!(reader.rest.is_empty(), "{:?} is left of {latex}", reader.rest);
            let expected = tree.evaluate(at, LnRule::Abs);
            all += 1;
            if found.is_finite() && expected.is_finite() {
                let error = (found - expected).abs();
                assert!(error <= 1e-9 * expected.abs().max(1.0), "{latex} at {at:?}: {found}, not {expected}");
                compared += 1;
            }
        }
    }
    println!("{compared} of {all} values met no protection and are equal");
    assert!(2 * compared > all, "{compared} of {all}");
}

#[test]
fn what_has_two_readings_is_refused() {
    let read = |latex: &'static str| {
        let at = Inputs { mean: 2.0, visits: 3.0, parent: 5.0, constant: 1.0 };
        std::panic::catch_unwind(move || Reader { rest: latex, at }.sum()).ok()
    };
    for latex in
        [r"Q \left(n\right)", r"\ln N n", r"\ln \left(N\right) n", "2 0.5", "Q + -3", r"Q \cdot -3", r"\frac{Q}"]
    {
        assert_eq!(read(latex), None, "{latex}");
    }
    assert_eq!(read(r"2 \left(Q + n\right) N - \left(-3\right)"), Some(53.0));
    assert_eq!(read(r"Q - \frac{n}{0}").map(f64::is_nan), Some(true));
}
