//! LaTeX of formulas for math mode, in the order of evaluation.

use super::primitive::{Function, Latex, LnRule, Node, Precedence, fill};
use super::terminal::Terminal;
use super::tree::Tree;

/// Powers of ten between which a number is written in digits alone.
const PLAIN: std::ops::RangeInclusive<i32> = -4..=6;

/// A part of a formula.
struct Written {
    text: String,
    binding: Precedence,
    end: End,
}

/// How a part of a formula ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// With a logarithm without parentheses, which would take what follows.
    Ln,
    /// With a logarithm with parentheses: a factor that follows needs a sign.
    LnOf,
    Other,
}

impl Written {
    fn of(text: impl Into<String>, binding: Precedence) -> Written {
        Written { text: text.into(), binding, end: End::Other }
    }

    /// In parentheses if they are needed.
    fn within(self, needed: bool) -> Written {
        if needed { Written::of(format!(r"\left({}\right)", self.text), Precedence::Atom) } else { self }
    }

    /// Two signs must not meet.
    fn has_sign(&self) -> bool {
        self.text.starts_with('-')
    }
}

impl Tree {
    /// LaTeX for math mode: `Q + 2 c \sqrt{\frac{2 \ln N}{n}}`. Protections are not shown.
    pub fn latex(&self) -> String {
        self.latex_of(None)
    }

    /// The same with numbers rounded to so many significant digits.
    pub fn latex_rounded(&self, digits: usize) -> String {
        self.latex_of(Some(digits))
    }

    fn latex_of(&self, digits: Option<usize>) -> String {
        let step = |node, a: Option<Written>, b: Option<Written>| match node {
            Node::Terminal(Terminal::Number(value)) => number(value, digits),
            Node::Terminal(terminal) => Written::of(terminal.latex(), Precedence::Name),
            Node::Function(function) => {
                let nothing = || Written::of("", Precedence::Name);
                apply(function, a.unwrap_or_else(nothing), b.unwrap_or_else(nothing))
            }
        };
        self.fold(step).text
    }
}

fn apply(function: Function, a: Written, b: Written) -> Written {
    // The notation does not show how the logarithm is protected.
    let row = function.row(LnRule::Abs);
    let text = |template: &str| {
        let argument = |letter| if letter == 'a' { &a.text[..] } else { &b.text };
        Written::of(fill(template, argument), Precedence::Atom)
    };
    match row.latex {
        Latex::Text(template) => text(template),
        Latex::Name => {
            let name = row.name.replace('_', r"\_");
            let arguments = ["#a", "#a, #b"][row.arity - 1];
            text(&format!(r"\operatorname{{{name}}}\left({arguments}\right)"))
        }
        Latex::Sum(sign) => {
            let needed = b.binding == Precedence::Sum || b.has_sign();
            Written::of(a.text + sign + &b.within(needed).text, Precedence::Sum)
        }
        Latex::Product => {
            let is_digit = |c: char| c.is_ascii_digit();
            let needed = a.binding == Precedence::Sum || a.end == End::Ln;
            let left = a.within(needed);
            // Factors group to the left, as terms do: rounding and overflow depend on it. A power of ten behind digits
            // would read as a part of that number.
            let needed = b.binding <= Precedence::Product
                || b.has_sign()
                || b.text.starts_with("10^") && left.text.ends_with(is_digit);
            let right = b.within(needed);
            // Digits side by side would read as one number, and parentheses behind a name as its argument.
            let needs_sign = left.end == End::LnOf
                || right.text.starts_with(is_digit)
                || right.text.starts_with(r"\left(") && !left.text.ends_with(is_digit);
            let sign = if needs_sign { r" \cdot " } else { " " };
            Written { text: left.text + sign + &right.text, binding: Precedence::Product, end: right.end }
        }
        Latex::Prefix(command) => {
            let needed = a.binding != Precedence::Name || a.has_sign();
            let text = format!("{command} {}", a.within(needed).text);
            Written { text, binding: Precedence::Atom, end: if needed { End::LnOf } else { End::Ln } }
        }
    }
}

/// A number: very large and very small ones as a product with a power of ten.
fn number(value: f64, digits: Option<usize>) -> Written {
    let scientific = match digits {
        Some(digits) => format!("{value:.*e}", digits.saturating_sub(1)),
        None => format!("{value:e}"),
    };
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let mantissa = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    let power: i32 = exponent.parse().unwrap_or_default();
    if PLAIN.contains(&power) || value == 0.0 {
        let rounded = format!("{mantissa}e{power}").parse().unwrap_or(value);
        return Written::of(rounded.to_string(), Precedence::Name);
    }
    match mantissa {
        "1" => Written::of(format!("10^{{{power}}}"), Precedence::Atom),
        "-1" => Written::of(format!("-10^{{{power}}}"), Precedence::Atom),
        _ => Written::of(format!(r"{mantissa} \cdot 10^{{{power}}}"), Precedence::Atom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latex(text: &str) -> String {
        text.parse::<Tree>().unwrap().latex()
    }

    #[test]
    fn parentheses_stand_where_they_are_needed_and_nowhere_else() {
        for (text, expected) in [
            ("Q + 2*c*sqrt(2*ln(N)/n)", r"Q + 2 c \sqrt{\frac{2 \ln N}{n}}"),
            ("Q-(n-N)", r"Q - \left(n - N\right)"),
            ("(Q+n)*N", r"\left(Q + n\right) N"),
            ("Q/(n*N)", r"\frac{Q}{n N}"),
            ("2*0.5*Q", r"2 \cdot 0.5 Q"),
            ("ln(Q+n)", r"\ln \left(Q + n\right)"),
        ] {
            assert_eq!(latex(text), expected);
        }
    }

    #[test]
    fn no_two_signs_meet_and_no_logarithm_takes_what_follows() {
        for (text, expected) in [
            ("Q - -3*n + ln(-0.5)", r"Q - \left(-3 n\right) + \ln \left(-0.5\right)"),
            ("Q * -0.5", r"Q \cdot \left(-0.5\right)"),
            ("2 * (Q + n)", r"2 \left(Q + n\right)"),
            ("Q * (Q + n)", r"Q \cdot \left(Q + n\right)"),
            ("ln(Q + n) * n", r"\ln \left(Q + n\right) \cdot n"),
            ("Q * ln(Q + n) * n", r"Q \ln \left(Q + n\right) \cdot n"),
            ("n * max(Q, n) * N", r"n \max\left(Q, n\right) N"),
            ("-0.5 * Q", r"-0.5 Q"),
            ("Q + -0.5", r"Q + \left(-0.5\right)"),
            ("-2 / -3", r"\frac{-2}{-3}"),
            ("ln(N) * n", r"\left(\ln N\right) n"),
            ("2 * ln(N) * n", r"\left(2 \ln N\right) n"),
            ("ln(N) + n", r"\ln N + n"),
            ("n * ln(N)", r"n \ln N"),
            ("Q * (n * N)", r"Q \cdot \left(n N\right)"),
            ("0.5 * 1e-7", r"0.5 \left(10^{-7}\right)"),
            ("Q * 5e-8", r"Q \cdot 5 \cdot 10^{-8}"),
        ] {
            assert_eq!(latex(text), expected);
        }
    }

    #[test]
    fn numbers_are_short() {
        for (text, expected) in [
            ("1e-320", r"10^{-320}"),
            ("Q * -0.000012345678901234", r"Q \cdot \left(-1.2345678901234 \cdot 10^{-5}\right)"),
            ("Q * 0.00001", r"Q \cdot 10^{-5}"),
            ("Q + -0.00001", r"Q + \left(-10^{-5}\right)"),
            ("Q + 25000000", r"Q + 2.5 \cdot 10^{7}"),
            ("Q + 1000000", r"Q + 1000000"),
            ("Q + 0.00025", r"Q + 0.00025"),
            ("0", "0"),
        ] {
            assert_eq!(latex(text), expected);
        }
        let rounded = |text: &str, digits| text.parse::<Tree>().unwrap().latex_rounded(digits);
        assert_eq!(rounded("Q + 3.14159265 * n - 0.5", 3), r"Q + 3.14 n - 0.5");
        assert_eq!(rounded("123456 * Q", 2), r"120000 Q");
        assert_eq!(rounded("0.0000123456 * Q", 3), r"1.23 \cdot 10^{-5} Q");
        assert_eq!(rounded("9.999", 2), "10");
    }
}
