//! Writing formulas: infix (which is also [`Display`](std::fmt::Display)) and prefix.

use super::primitive::{Node, Precedence};
use super::tree::Tree;
use std::fmt;

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

type Written = (String, Precedence);

fn infix(node: Node, a: Option<Written>, b: Option<Written>) -> Written {
    let function = match node {
        Node::Terminal(terminal) => return (terminal.text(), Precedence::Name),
        Node::Function(function) => function,
    };
    let Some((sign, binding)) = function.sign() else {
        let arguments: Vec<String> = a.into_iter().chain(b).map(|argument| argument.0).collect();
        return (format!("{}({})", function.name(), arguments.join(", ")), Precedence::Atom);
    };
    let (a, b) = a.zip(b).expect("a sign stands between two arguments");
    // Operators of one strength group to the left.
    let needed = [a.1 < binding, b.1 <= binding];
    let mut text = parenthesised(a, needed[0]);
    // The longest texts grow to the left: what is there already is not copied.
    for part in [" ", sign, " ", &parenthesised(b, needed[1])] {
        text.push_str(part);
    }
    (text, binding)
}

/// The prefix notation of a subtree, token by token: what [`Tree::prefix`] writes, without writing all of it.
pub(super) struct PrefixText<'a> {
    nodes: std::slice::Iter<'a, Node>,
    /// Arguments that are missing at each open function.
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

    /// Moves to the next token; false at the end.
    fn advance(&mut self) -> bool {
        let Some(node) = self.nodes.next() else { return false };
        (self.taken, self.token) = (0, String::new());
        match node {
            Node::Function(function) => {
                self.token = format!("{}(", function.name());
                self.open.push(function.arity());
            }
            Node::Terminal(terminal) => {
                self.token = terminal.text();
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
