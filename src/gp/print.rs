//! Writing formulas: infix (which is also [`Display`](std::fmt::Display)), prefix, LaTeX.

use super::primitive::{Function, Node, Terminal};
use super::tree::Tree;
use std::fmt;

/// How tightly an expression holds together: what binds less gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

impl Tree {
    /// Infix with as few parentheses as parse back to the same tree: `Q + 2 * c * sqrt(2 * ln(N) / n)`.
    pub fn infix(&self) -> String {
        self.write_infix(0).0
    }

    /// Prefix with names: `add(Q, mul(mul(2, c), sqrt(div(mul(2, ln(N)), n))))`.
    pub fn prefix(&self) -> String {
        self.write_prefix(0)
    }

    /// LaTeX for math mode: `Q + 2 c \sqrt{\frac{2 \ln N}{n}}`. Protections are not shown.
    pub fn latex(&self) -> String {
        self.write_latex(0).0
    }

    fn write_infix(&self, at: usize) -> (String, Binding) {
        let function = match self.nodes()[at] {
            Node::Terminal(terminal) => return (name(terminal), Binding::Atom),
            Node::Function(function) => function,
        };
        let arguments: Vec<(String, Binding)> = self.arguments(at).map(|argument| self.write_infix(argument)).collect();
        let (symbol, binding) = match function {
            Function::Add => ("+", Binding::Sum),
            Function::Sub => ("-", Binding::Sum),
            Function::Mul => ("*", Binding::Product),
            Function::Div => ("/", Binding::Product),
            Function::Ln | Function::Sqrt => {
                return (format!("{}({})", function.name(), arguments[0].0), Binding::Atom);
            }
        };
        // Operators of one strength group to the left.
        let left = parenthesised(&arguments[0], arguments[0].1 < binding);
        let right = parenthesised(&arguments[1], arguments[1].1 <= binding);
        (format!("{left} {symbol} {right}"), binding)
    }

    fn write_prefix(&self, at: usize) -> String {
        match self.nodes()[at] {
            Node::Terminal(terminal) => name(terminal),
            Node::Function(function) => {
                let arguments: Vec<String> = self.arguments(at).map(|argument| self.write_prefix(argument)).collect();
                format!("{}({})", function.name(), arguments.join(", "))
            }
        }
    }

    fn write_latex(&self, at: usize) -> (String, Binding) {
        let function = match self.nodes()[at] {
            Node::Terminal(terminal) => return (name(terminal), Binding::Atom),
            Node::Function(function) => function,
        };
        let arguments: Vec<(String, Binding)> = self.arguments(at).map(|argument| self.write_latex(argument)).collect();
        match function {
            Function::Add | Function::Sub => {
                let right = latex_parenthesised(&arguments[1], arguments[1].1 == Binding::Sum);
                let symbol = if function == Function::Add { '+' } else { '-' };
                (format!("{} {symbol} {right}", arguments[0].0), Binding::Sum)
            }
            Function::Mul => {
                let left = latex_parenthesised(&arguments[0], arguments[0].1 == Binding::Sum);
                let right = latex_parenthesised(&arguments[1], arguments[1].1 == Binding::Sum);
                // Digits side by side would read as one number.
                let dot = if right.starts_with(|c: char| c.is_ascii_digit() || c == '-') { r"\cdot " } else { "" };
                (format!("{left} {dot}{right}"), Binding::Product)
            }
            Function::Div => (format!(r"\frac{{{}}}{{{}}}", arguments[0].0, arguments[1].0), Binding::Atom),
            Function::Sqrt => (format!(r"\sqrt{{{}}}", arguments[0].0), Binding::Atom),
            Function::Ln => {
                let argument = latex_parenthesised(&arguments[0], self.nodes()[at + 1].is_function());
                (format!(r"\ln {argument}"), Binding::Product)
            }
        }
    }
}

fn parenthesised((text, _): &(String, Binding), needed: bool) -> String {
    if needed { format!("({text})") } else { text.clone() }
}

fn latex_parenthesised((text, _): &(String, Binding), needed: bool) -> String {
    if needed { format!(r"\left({text}\right)") } else { text.clone() }
}

fn name(terminal: Terminal) -> String {
    match terminal {
        // The shortest digits that read back to the same number.
        Terminal::Number(number) => number.to_string(),
        named => named.name().unwrap_or_default().to_owned(),
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.infix())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uct_in_every_notation() {
        let uct = Tree::uct();
        assert_eq!(uct.infix(), "Q + 2 * c * sqrt(2 * ln(N) / n)");
        assert_eq!(uct.prefix(), "add(Q, mul(mul(2, c), sqrt(div(mul(2, ln(N)), n))))");
        assert_eq!(uct.latex(), r"Q + 2 c \sqrt{\frac{2 \ln N}{n}}");
    }

    #[test]
    fn parentheses_stand_where_they_are_needed_and_nowhere_else() {
        let both = |text: &str| {
            let tree: Tree = text.parse().unwrap();
            (tree.infix(), tree.latex())
        };
        assert_eq!(both("(Q+n)+N").0, "Q + n + N");
        assert_eq!(both("Q+(n+N)").0, "Q + (n + N)");
        assert_eq!(both("Q-(n-N)"), ("Q - (n - N)".into(), r"Q - \left(n - N\right)".into()));
        assert_eq!(both("(Q+n)*N"), ("(Q + n) * N".into(), r"\left(Q + n\right) N".into()));
        assert_eq!(both("Q/(n*N)"), ("Q / (n * N)".into(), r"\frac{Q}{n N}".into()));
        assert_eq!(both("2*0.5*Q").1, r"2 \cdot 0.5 Q");
        assert_eq!(both("ln(Q+n)").1, r"\ln \left(Q + n\right)");
        assert_eq!(both("Q - -0.5").0, "Q - -0.5");
    }
}
