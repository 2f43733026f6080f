//! The parts of a formula that depend on the move alone, each replaced by a terminal.

use super::primitive::Node;
use super::terminal::Terminal;
use super::tree::Tree;

impl Tree {
    /// The formula with its largest parts that are functions of numbers of the move alone replaced by what `column` gives
    /// for each; a part for which it gives nothing stays. Numbers of the move by themselves are no parts.
    ///
    /// ```
    /// use evouct_gp::{Terminal, Tree};
    /// let tree = Tree::parse_over("Q + (dv - 2 * dm) / n", &Terminal::with_columns(&[], &["dv", "dm"])).unwrap();
    /// let mut parts = Vec::new();
    /// let rest = tree.with_parts_as(|part| {
    ///     parts.push(part.to_string());
    ///     Some(Terminal::Constant)
    /// });
    /// assert_eq!((rest.to_string().as_str(), parts), ("Q + c / n", vec!["dv - 2 * dm".to_owned()]));
    /// ```
    #[must_use]
    pub fn with_parts_as(&self, mut column: impl FnMut(&Tree) -> Option<Terminal>) -> Tree {
        let mut replaced = |part: (Tree, Knows)| match part {
            (tree, Knows::Move) if tree.nodes().len() > 1 => column(&tree).map_or(tree, Tree::leaf),
            (tree, _) => tree,
        };
        let whole = self.fold(|node, a: Option<(Tree, Knows)>, b| match node {
            Node::Terminal(terminal) => (Tree::leaf(terminal), Knows::of(terminal)),
            Node::Function(function) => {
                let arguments: Vec<(Tree, Knows)> = a.into_iter().chain(b).collect();
                let knows = arguments.iter().map(|(_, knows)| *knows).max().expect("a function has arguments");
                let arguments = arguments.into_iter();
                let arguments: Vec<Tree> = match knows {
                    Knows::More => arguments.map(&mut replaced).collect(),
                    _ => arguments.map(|(tree, _)| tree).collect(),
                };
                (Tree::apply(function, &arguments), knows)
            }
        });
        replaced(whole)
    }
}

/// The inputs on which a subtree depends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Knows {
    Nothing,
    Move,
    More,
}

impl Knows {
    fn of(terminal: Terminal) -> Knows {
        match terminal {
            Terminal::Number(_) => Knows::Nothing,
            terminal if terminal.is_move_number() => Knows::Move,
            _ => Knows::More,
        }
    }
}
