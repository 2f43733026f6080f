//! A formula in steps, for languages whose compilers and interpreters limit how deeply parentheses nest: CPython's parser
//! takes 200 levels, and a formula of a thousand summands has as many.

use super::primitive::{Function, Node, fill};
use super::terminal::Terminal;
use super::tree::Tree;
use std::borrow::Cow;

/// Functions within one another before a step is made: each writes up to four levels of parentheses.
const MAX_LEVELS: usize = 30;
/// A text that is named twice becomes a step if it is longer.
const MAX_REPEATED: usize = 40;

/// Assignments to `step1`, `step2` …, and the expression that uses them.
pub(super) struct Steps {
    /// What is assigned, in order.
    pub steps: Vec<String>,
    /// Expression of the whole formula, over the steps.
    pub value: String,
}

impl Steps {
    /// The assignments, each between `before` and `after`.
    pub(super) fn lines(&self, before: &str, after: &str) -> String {
        let line = |(number, text): (usize, &String)| format!("{before}step{} = {text}{after}\n", number + 1);
        self.steps.iter().enumerate().map(line).collect()
    }
}

impl Tree {
    /// The formula in steps, with functions by their templates and numbers as `number` writes them.
    pub(super) fn steps(
        &self,
        template: impl Fn(Function) -> Cow<'static, str>,
        number: impl Fn(f64) -> String,
    ) -> Steps {
        let mut steps: Vec<String> = Vec::new();
        let mut shortened = |(text, levels): (String, usize), is_repeated: bool| {
            if levels < MAX_LEVELS && !(is_repeated && text.len() > MAX_REPEATED) {
                return (text, levels);
            }
            steps.push(text);
            (format!("step{}", steps.len()), 0)
        };
        let (value, _) = self.fold(|node, a: Option<(String, usize)>, b: Option<(String, usize)>| match node {
            Node::Terminal(Terminal::Number(value)) => (number(value), 0),
            Node::Terminal(terminal) => (terminal.name().unwrap_or_default().to_owned(), 0),
            Node::Function(function) => {
                let template = template(function);
                let [a, b] = [(a, "#a"), (b, "#b")].map(|(argument, place)| {
                    shortened(argument.unwrap_or_default(), template.matches(place).count() > 1)
                });
                let argument = |letter| if letter == 'a' { &a.0[..] } else { &b.0 };
                (fill(&template, argument), 1 + a.1.max(b.1))
            }
        });
        Steps { steps, value }
    }
}

/// A number with a decimal point or an exponent, which keeps other languages from integer arithmetic.
pub(super) fn real(number: f64) -> String {
    if number < 0.0 || number.is_sign_negative() { format!("({number:?})") } else { format!("{number:?}") }
}
