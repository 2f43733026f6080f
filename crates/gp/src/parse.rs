//! Reading formulas: infix and prefix, in any mixture.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = factor { ("*" | "/") factor }
//! factor  = number | "-" factor | terminal | name "(" sum { "," sum } ")" | "(" sum ")"
//! ```

use super::primitive::{Function, LOG, Precedence};
use super::terminal::Terminal;
use super::tree::Tree;
use std::str::FromStr;

/// Longer texts (spaces not counted) and deeper nesting are refused: no formula of a paper comes near.
const MAX_LENGTH: usize = 10_000;
/// Spaces are refused beyond any that [`infix`](Tree::infix) writes.
const MAX_WITH_SPACES: usize = 4 * MAX_LENGTH;
const MAX_NESTING: usize = 200;

/// Why a text is not a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub problem: String,
}

impl FromStr for Tree {
    type Err = ParseError;

    /// Reads what [`infix`](Tree::infix) and [`prefix`](Tree::prefix) write.
    ///
    /// ```
    /// use evouct_gp::Tree;
    /// let infix: Tree = "Q + 2 * c * sqrt(2 * ln(N) / n)".parse().unwrap();
    /// let prefix: Tree = "add(Q, mul(mul(2, c), sqrt(div(mul(2, ln(N)), n))))".parse().unwrap();
    /// assert_eq!(infix, prefix);
    /// ```
    fn from_str(text: &str) -> Result<Tree, ParseError> {
        Tree::parse_over(text, &Terminal::NAMED)
    }
}

impl Tree {
    /// Reads a formula over these terminals only.
    ///
    /// ```
    /// use evouct_gp::{Terminal, Tree};
    /// let terminals = Terminal::with_columns(&[], &["dv"]);
    /// assert_eq!(Tree::parse_over("Q + 16*dv/(n+1)", &terminals).unwrap().to_string(), "Q + 16 * dv / (n + 1)");
    /// assert!("Q + 16*dv/(n+1)".parse::<Tree>().is_err());
    /// ```
    ///
    /// # Errors
    /// Where the text is no formula, and why.
    pub fn parse_over(text: &str, terminals: &[Terminal]) -> Result<Tree, ParseError> {
        let mut parser = Parser { text: text.chars().collect(), at: 0, nesting: 0, terminals };
        let length = parser.text.iter().filter(|c| !c.is_whitespace()).count();
        if length > MAX_LENGTH || parser.text.len() > MAX_WITH_SPACES {
            return Err(ParseError {
                column: MAX_LENGTH,
                problem: format!("a formula has at most {MAX_LENGTH} characters"),
            });
        }
        let tree = parser.sum()?;
        match parser.peek() {
            None => checked(tree, length),
            Some('^') => {
                let problem = "there is no power; write x * x in place of x^2, and sqrt(x) in place of x^0.5";
                Err(parser.error(parser.at, problem.to_owned()))
            }
            Some(_) => Err(parser.expected("an operator (+ - * /) or the end")),
        }
    }
}

/// No text grows more than this when it is written as infix: `9e307` has 308 digits.
const MAX_GROWTH: usize = 65;

/// Refuses a tree whose infix notation would not be read back: `1e300` is written with all its zeros.
fn checked(tree: Tree, length: usize) -> Result<Tree, ParseError> {
    if length > MAX_LENGTH / MAX_GROWTH {
        let found = tree.infix().bytes().filter(|byte| *byte != b' ').count();
        if found > MAX_LENGTH {
            let problem = format!(
                "written out with all digits the formula has {found} characters, at most {MAX_LENGTH} are allowed"
            );
            return Err(ParseError { column: 1, problem });
        }
    }
    Ok(tree)
}

struct Parser<'a> {
    text: Vec<char>,
    at: usize,
    nesting: usize,
    /// The terminals that may occur.
    terminals: &'a [Terminal],
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn error(&self, at: usize, problem: String) -> ParseError {
        ParseError { column: at + 1, problem }
    }

    fn expected(&mut self, what: &str) -> ParseError {
        let found = self.peek().map_or("the end".to_owned(), |c| format!("{c:?}"));
        self.error(self.at, format!("expected {what}, found {found}"))
    }

    fn sum(&mut self) -> Result<Tree, ParseError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.error(self.at, format!("nested more than {MAX_NESTING} deep")));
        }
        let mut tree = self.product()?;
        while let Some(function) = self.sign(Precedence::Sum) {
            tree = Tree::apply(function, &[tree, self.product()?]);
        }
        self.nesting -= 1;
        Ok(tree)
    }

    fn product(&mut self) -> Result<Tree, ParseError> {
        let mut tree = self.factor()?;
        while let Some(function) = self.sign(Precedence::Product) {
            tree = Tree::apply(function, &[tree, self.factor()?]);
        }
        Ok(tree)
    }

    /// Takes a sign of this precedence.
    fn sign(&mut self, binding: Precedence) -> Option<Function> {
        let next = self.peek()?;
        let is_next =
            |function: &Function| function.sign().is_some_and(|(sign, own)| own == binding && sign.starts_with(next));
        let found = Function::BUILT_IN.into_iter().find(is_next);
        self.at += usize::from(found.is_some());
        found
    }

    fn factor(&mut self) -> Result<Tree, ParseError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let tree = self.sum()?;
                if self.take(')') { Ok(tree) } else { Err(self.expected("\")\"")) }
            }
            Some('-') => {
                self.at += 1;
                if self.peek().is_some_and(|c| c.is_ascii_digit() || c == '.') {
                    return self.number(-1.0);
                }
                self.nesting += 1;
                if self.nesting > MAX_NESTING {
                    return Err(self.error(self.at, format!("nested more than {MAX_NESTING} deep")));
                }
                let negated = self.factor()?;
                self.nesting -= 1;
                Ok(Tree::apply(Function::Sub, &[Tree::leaf(Terminal::Number(0.0)), negated]))
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(1.0),
            Some(c) if c.is_alphabetic() => self.named(),
            _ => Err(self.expected("a number, a terminal or a function")),
        }
    }

    fn number(&mut self, sign: f64) -> Result<Tree, ParseError> {
        let start = self.at;
        while let Some(c) = self.text.get(self.at) {
            let exponent_sign =
                matches!(c, '+' | '-') && self.at > start && matches!(self.text[self.at - 1], 'e' | 'E');
            if !(c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E') || exponent_sign) {
                break;
            }
            self.at += 1;
        }
        let text: String = self.text[start..self.at].iter().collect();
        let is_zero = |number: f64| {
            number == 0.0
                && text.split(['e', 'E']).next().is_some_and(|digits| digits.contains(|c| ('1'..='9').contains(&c)))
        };
        match text.parse::<f64>() {
            Ok(number) if is_zero(number) => {
                Err(self.error(start, format!("expected 0 or a number of at least 5e-324, found {text}")))
            }
            Ok(number) if number.is_finite() => Ok(Tree::leaf(Terminal::Number(sign * number))),
            _ => Err(self.error(start, format!("expected a finite number, found {text:?}"))),
        }
    }

    fn named(&mut self) -> Result<Tree, ParseError> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|c| c.is_alphanumeric() || *c == '_') {
            self.at += 1;
        }
        let name: String = self.text[start..self.at].iter().collect();
        let function = if name == LOG { Some(Function::Ln) } else { Function::named(&name) };
        let terminal = self.terminals.iter().find(|known| known.name() == Some(&name));
        // A game or a user may give one name to both: with an argument it is the function.
        if let Some(terminal) = terminal.filter(|_| function.is_none() || self.peek() != Some('(')) {
            return Ok(Tree::leaf(*terminal));
        }
        let Some(function) = function else { return Err(self.error(start, self.unknown(&name))) };
        if !self.take('(') {
            return Err(self.expected(&format!("\"(\" after {name}")));
        }
        let mut arguments = vec![self.sum()?];
        while self.take(',') {
            arguments.push(self.sum()?);
        }
        if !self.take(')') {
            return Err(self.expected("\",\" or \")\""));
        }
        if arguments.len() != function.arity() {
            let problem = format!("{name} takes {} arguments, found {}", function.arity(), arguments.len());
            return Err(self.error(start, problem));
        }
        Ok(Tree::apply(function, &arguments))
    }

    fn unknown(&self, name: &str) -> String {
        let terminals: Vec<&str> = self.terminals.iter().filter_map(|terminal| terminal.name()).collect();
        let functions = Function::all().map(Function::name);
        let nearest = evouct_base::suggest::nearest(name, terminals.iter().copied().chain(functions));
        let hint = match nearest {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => format!("terminals are {}", terminals.join(", ")),
        };
        format!("expected a terminal or a function, found {name:?}; {hint}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mutation;
    use evouct_base::seed::Key;

    #[test]
    fn every_notation_parses_back_to_the_tree() {
        let mut rng = Key::experiment(9).stream();
        let mut tree = Tree::uct();
        for _ in 0..1_000 {
            assert_eq!(tree.infix().parse::<Tree>().as_ref(), Ok(&tree), "{tree}");
            assert_eq!(tree.prefix().parse::<Tree>().as_ref(), Ok(&tree), "{tree}");
            tree = Mutation::default().mutate(&tree, &mut rng);
        }
    }

    #[test]
    fn a_name_of_both_is_the_function_where_it_has_arguments() {
        let terminals = Terminal::with_columns(&[], &["max"]);
        let tree = Tree::parse_over("max(Q, max) + max * n", &terminals).unwrap();
        assert_eq!(tree.size(), 7);
        assert_eq!(Tree::parse_over(&tree.infix(), &terminals), Ok(tree));
    }

    #[test]
    fn errors_say_where_and_what() {
        let error = |text: &str| text.parse::<Tree>().unwrap_err().to_string();
        assert_eq!(error(""), "column 1: expected a number, a terminal or a function, found the end");
        assert_eq!(error("Q +"), "column 4: expected a number, a terminal or a function, found the end");
        assert_eq!(
            error("Q + n^2"),
            "column 6: there is no power; write x * x in place of x^2, and sqrt(x) in place of x^0.5"
        );
        assert_eq!(error("Q Q"), "column 3: expected an operator (+ - * /) or the end, found 'Q'");
        assert_eq!(
            error("Q + sqr(n)"),
            "column 5: expected a terminal or a function, found \"sqr\"; did you mean sqrt?"
        );
        assert_eq!(
            error("Q + entropy"),
            "column 5: expected a terminal or a function, found \"entropy\"; terminals are Q, n, N, c"
        );
        assert_eq!(error("sqrt n"), "column 6: expected \"(\" after sqrt, found 'n'");
        assert_eq!(error("ln(Q, n)"), "column 1: ln takes 1 arguments, found 2");
        assert_eq!(error("(Q"), "column 3: expected \")\", found the end");
        assert_eq!(error("1e999"), "column 1: expected a finite number, found \"1e999\"");
        assert_eq!(error("1.2.3"), "column 1: expected a finite number, found \"1.2.3\"");
        assert!(error(&"(".repeat(5_000)).ends_with("nested more than 200 deep"));
        assert!(error(&"-".repeat(5_000)).ends_with("nested more than 200 deep"));
        assert!(error(&"1+".repeat(6_000)).starts_with("column 10000"));
    }

    #[test]
    fn what_is_read_can_be_written_and_read_again() {
        let huge = |terms: usize| format!("Q{}", "+1e300".repeat(terms));
        let error = huge(34).parse::<Tree>().unwrap_err().to_string();
        assert!(error.contains("written out with all digits the formula has 10269 characters"), "{error}");
        let fits: Tree = huge(32).parse().unwrap();
        assert_eq!(fits.infix().parse::<Tree>(), Ok(fits));
        // The shortest texts with the longest notations.
        for text in ["9e307", "5e-324", "-.1e-307", "2e305*9e307"] {
            assert!(text.parse::<Tree>().unwrap().infix().len() <= text.len() * MAX_GROWTH, "{text}");
        }
        let deepest = format!("{}Q{}", "-(".repeat(99), ")".repeat(99)).parse::<Tree>().unwrap();
        assert_eq!(deepest.infix().parse::<Tree>(), Ok(deepest));
    }

    #[test]
    fn minus_signs() {
        let value = |text: &str| {
            let inputs = crate::Inputs { mean: 5.0, visits: 1.0, parent: 1.0, constant: 1.0 };
            text.parse::<Tree>().unwrap().evaluate(inputs, crate::LnRule::Abs)
        };
        assert_eq!(value("-Q"), -5.0);
        assert_eq!(value("3 - -2"), 5.0);
        assert_eq!(value("2*-Q"), -10.0);
        assert_eq!(value("1e-2 - 2"), -1.99);
    }
}
