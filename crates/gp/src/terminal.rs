//! Terminals: the statistics of the paper, numbers, and named columns, which a search keeps only if a formula needs
//! them.
//!
//! What a column means is no matter of formulas. Who computes a statistic declares it as a [`Statistic`], and a game
//! names the numbers that it gives for a move; a parser is told which terminals there are
//! ([`Tree::parse_over`](super::Tree::parse_over)). Every column has a value at any time, also for a child without
//! visits.

use std::fmt;

/// The row of a statistic that formulas may use.
pub struct Statistic {
    /// The name in every notation: a letter, then letters, digits and underscores.
    pub name: &'static str,
    /// What it is, in a few words; may be empty.
    pub about: &'static str,
    /// LaTeX for math mode; empty for the name itself.
    pub latex: &'static str,
    /// What it belongs to.
    pub scope: Scope,
    /// The largest magnitude for which simplification keeps values.
    pub range: f64,
    /// Its number among those of its owner, who looks it up by this.
    pub number: usize,
    /// Whether playouts know it, too.
    pub in_playouts: bool,
}

impl Statistic {
    /// A statistic of this name, of magnitudes up to 10¹².
    pub const fn new(name: &'static str, scope: Scope, number: usize) -> Statistic {
        Statistic { name, about: "", latex: "", scope, range: 1e12, number, in_playouts: false }
    }
}

/// Each declaration is a statistic of its own.
impl PartialEq for Statistic {
    fn eq(&self, other: &Statistic) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Statistic {}

impl fmt::Debug for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The owner of a statistic: a child, a node, a playout or a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Scope {
    /// A child of a node: one value per child.
    Child,
    /// A node: one value for all its children.
    Node,
    /// A playout: one value per seat.
    Playout,
}

impl Scope {
    /// Whether it differs from child to child, or from seat to seat.
    pub(super) const fn is_by_lane(self) -> bool {
        !matches!(self, Scope::Node)
    }
}

/// A statistic beside `Q`, `n` and `N`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// A statistic that a search or your program declared.
    Declared(&'static Statistic),
    /// A number that the game gives for the move, by its name: the same for every number of visits.
    MoveNumber(&'static str),
}

impl Column {
    /// The name in every notation.
    pub const fn name(self) -> &'static str {
        match self {
            Column::Declared(statistic) => statistic.name,
            Column::MoveNumber(name) => name,
        }
    }

    /// What it belongs to.
    pub const fn scope(self) -> Scope {
        match self {
            Column::Declared(statistic) => statistic.scope,
            Column::MoveNumber(_) => Scope::Child,
        }
    }
}

/// A leaf. Numbers are equal by value: 0 and −0 are, and what is not a number is one number.
#[derive(Clone, Copy, Debug)]
pub enum Terminal {
    /// `Q`: the mean reward of the child, for the seat that chooses; 0 without visits.
    Mean,
    /// `n`: the visits of the child.
    ChildVisits,
    /// `N`: the visits of the parent.
    ParentVisits,
    /// `c`: a constant bound when the formula is used.
    Constant,
    /// A constant, written as a number; those that are parsed are finite.
    Number(f64),
    /// Any other statistic.
    Column(Column),
}

impl PartialEq for Terminal {
    fn eq(&self, other: &Terminal) -> bool {
        match (self, other) {
            (Terminal::Number(a), Terminal::Number(b)) => a == b || a.is_nan() && b.is_nan(),
            (Terminal::Column(a), Terminal::Column(b)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

/// The rows of the terminals of the paper.
static PAPER: [Statistic; 4] = [
    Statistic { about: "the mean reward of the child", range: 1e6, ..Statistic::new("Q", Scope::Child, 0) },
    Statistic { about: "the visits of the child", ..Statistic::new("n", Scope::Child, 1) },
    Statistic { about: "the visits of the node", ..Statistic::new("N", Scope::Node, 2) },
    Statistic { about: "the player's constant", range: 1e6, ..Statistic::new("c", Scope::Node, 3) },
];

impl Terminal {
    /// The terminals of the paper that have a name.
    pub const NAMED: [Terminal; 4] =
        [Terminal::Mean, Terminal::ChildVisits, Terminal::ParentVisits, Terminal::Constant];

    /// Its row; none for numbers and those that a game gives.
    fn row(self) -> Option<&'static Statistic> {
        match self {
            Terminal::Mean => Some(&PAPER[0]),
            Terminal::ChildVisits => Some(&PAPER[1]),
            Terminal::ParentVisits => Some(&PAPER[2]),
            Terminal::Constant => Some(&PAPER[3]),
            Terminal::Column(Column::Declared(statistic)) => Some(statistic),
            Terminal::Number(_) | Terminal::Column(Column::MoveNumber(_)) => None,
        }
    }

    /// The name in every notation; numbers have none.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Terminal::Column(Column::MoveNumber(name)) => Some(name),
            other => other.row().map(|row| row.name),
        }
    }

    /// What it is, in a few words; empty for numbers, those that a game gives included: the game says what these are.
    pub fn about(self) -> &'static str {
        self.row().map_or("", |row| row.about)
    }

    /// The name, or the number with the shortest digits that read back to it.
    pub fn text(self) -> String {
        match self {
            Terminal::Number(number) => number.to_string(),
            named => named.name().unwrap_or_default().to_owned(),
        }
    }

    /// The name in LaTeX: one letter is a symbol, several are a word.
    pub(super) fn latex(self) -> String {
        let name = self.name().unwrap_or_default();
        match self.row() {
            Some(row) if !row.latex.is_empty() => row.latex.to_owned(),
            _ if name.len() > 1 => format!(r"\mathit{{{}}}", name.replace('_', r"\_")),
            _ => name.to_owned(),
        }
    }

    /// The largest magnitude for which simplification keeps values.
    pub(super) fn range(self) -> f64 {
        match self {
            Terminal::Number(number) => number.abs(),
            other => other.row().map_or(1e12, |row| row.range),
        }
    }

    /// Whether it is a number that the game gives for a move.
    pub const fn is_move_number(self) -> bool {
        matches!(self, Terminal::Column(Column::MoveNumber(_)))
    }

    /// Whether playouts know it of a move: a number that the game gives, or a statistic that is declared so.
    pub fn is_in_playouts(self) -> bool {
        match self {
            Terminal::Column(Column::MoveNumber(_)) => true,
            Terminal::Column(Column::Declared(statistic)) => statistic.in_playouts,
            _ => false,
        }
    }

    /// Whether it differs from child to child, or from seat to seat.
    pub(super) fn is_by_lane(self) -> bool {
        match self {
            Terminal::Column(column) => column.scope().is_by_lane(),
            other => other.row().is_some_and(|row| row.scope.is_by_lane()),
        }
    }

    /// The terminals of the paper, these statistics, and numbers of these names that a game gives for a move.
    pub fn with_columns(statistics: &'static [Statistic], move_numbers: &[&'static str]) -> Vec<Terminal> {
        let declared = statistics.iter().map(Column::Declared);
        let given = move_numbers.iter().map(|name| Column::MoveNumber(name));
        Terminal::NAMED.into_iter().chain(declared.chain(given).map(Terminal::Column)).collect()
    }
}

/// The columns that a formula uses beside `Q`, `n` and `N`, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Those with a value per child (or, for [`Scope::Playout`], per seat), in the order in which they occur.
    pub by_child: Vec<Column>,
    /// Those with one value for all children, in the order in which they occur.
    pub by_node: Vec<Column>,
}

impl Needs {
    /// Adds a column, unless it is there.
    pub fn add(&mut self, column: Column) {
        let list = if column.scope().is_by_lane() { &mut self.by_child } else { &mut self.by_node };
        if !list.contains(&column) {
            list.push(column);
        }
    }

    /// All columns: those by child, then those by node.
    pub fn columns(&self) -> impl Iterator<Item = Column> + '_ {
        self.by_child.iter().chain(&self.by_node).copied()
    }

    /// Whether the formula uses no further columns.
    pub fn is_empty(&self) -> bool {
        self.by_child.is_empty() && self.by_node.is_empty()
    }

    /// The numbers of moves among the columns.
    pub fn move_numbers(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.by_child.iter().filter_map(|column| match column {
            Column::MoveNumber(name) => Some(*name),
            _ => None,
        })
    }
}
