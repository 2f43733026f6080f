//! Writing formulas: infix (which is also [`Display`](std::fmt::Display)) and prefix.

use super::primitive::{Function, Node, Terminal};
use super::tree::Tree;
use std::fmt;

/// Precedence of an expression: a lower one gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Sum,
    Product,
    Atom,
    /// A number or the name of a terminal.
    Name,
}

impl Tree {
    /// Infix with as few parentheses as parse back to the same tree: `Q + 2 * c * sqrt(2 * ln(N) / n)`.
    pub fn infix(&self) -> String {
        self.fold(infix).0
    }

    /// Prefix with names: `add(Q, mul(mul(2, c), sqrt(div(mul(2, ln(N)), n))))`.
    pub fn prefix(&self) -> String {
        let mut text = PrefixText::of(self.nodes());
        let mut whole = String::new();
        while text.advance() {
            whole.push_str(&text.token);
        }
        whole
    }
}

type Written = (String, Binding);

fn infix(node: Node, a: Option<Written>, b: Option<Written>) -> Written {
    let (function, a) = match (node, a) {
        (Node::Function(function), Some(a)) => (function, a),
        (Node::Terminal(terminal), _) => return (name(terminal), Binding::Name),
        (Node::Function(function), None) => return (function.name().to_owned(), Binding::Atom),
    };
    let (symbol, binding) = match function {
        Function::Add => (" + ", Binding::Sum),
        Function::Sub => (" - ", Binding::Sum),
        Function::Mul => (" * ", Binding::Product),
        Function::Div => (" / ", Binding::Product),
        Function::Ln | Function::Sqrt => return (format!("{}({})", function.name(), a.0), Binding::Atom),
        Function::DivPositive | Function::Min | Function::Max => {
            let b = b.map(|b| b.0).unwrap_or_default();
            return (format!("{}({}, {b})", function.name(), a.0), Binding::Atom);
        }
    };
    // Operators of one strength group to the left.
    let needed = a.1 < binding;
    let mut text = parenthesised(a, needed);
    if let Some(b) = b {
        let needed = b.1 <= binding;
        // The longest texts grow to the left: what is there already is not copied.
        text.push_str(symbol);
        text.push_str(&parenthesised(b, needed));
    }
    (text, binding)
}

/// The prefix notation of a subtree, token by token: what [`Tree::prefix`] writes, without writing all of it.
pub(super) struct PrefixText<'a> {
    nodes: std::slice::Iter<'a, Node>,
    /// Arguments still wanted at each open function.
    open: Vec<usize>,
    token: String,
    /// How much of the token was taken.
    taken: usize,
}

impl<'a> PrefixText<'a> {
    /// The text of these nodes in prefix order.
    pub(super) fn of(nodes: &'a [Node]) -> PrefixText<'a> {
        PrefixText { nodes: nodes.iter(), open: Vec::new(), token: String::new(), taken: 0 }
    }

    /// Goes on to the next token; false at the end.
    fn advance(&mut self) -> bool {
        let Some(node) = self.nodes.next() else { return false };
        (self.taken, self.token) = (0, String::new());
        match node {
            Node::Function(function) => {
                self.token = format!("{}(", function.name());
                self.open.push(function.arity());
            }
            Node::Terminal(terminal) => {
                self.token = name(*terminal);
                while let Some(wanted) = self.open.last_mut() {
                    *wanted -= 1;
                    if *wanted > 0 {
                        self.token.push_str(", ");
                        break;
                    }
                    self.token.push(')');
                    self.open.pop();
                }
            }
        }
        true
    }
}

impl Iterator for PrefixText<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.taken == self.token.len() && !self.advance() {
            return None;
        }
        self.taken += 1;
        self.token.as_bytes().get(self.taken - 1).copied()
    }
}

fn parenthesised((text, _): Written, needed: bool) -> String {
    if needed { format!("({text})") } else { text }
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
    }

    #[test]
    fn parentheses_stand_where_they_are_needed_and_nowhere_else() {
        let infix = |text: &str| text.parse::<Tree>().unwrap().infix();
        assert_eq!(infix("(Q+n)+N"), "Q + n + N");
        assert_eq!(infix("Q+(n+N)"), "Q + (n + N)");
        assert_eq!(infix("Q-(n-N)"), "Q - (n - N)");
        assert_eq!(infix("(Q+n)*N"), "(Q + n) * N");
        assert_eq!(infix("Q/(n*N)"), "Q / (n * N)");
        assert_eq!(infix("Q - -0.5"), "Q - -0.5");
    }
}
