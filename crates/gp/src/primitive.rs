//! The primitive set: functions with their protections, and terminals.

use super::column::Column;
use evouct_base::named::Named;

/// A function of one or two arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Function {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, 1 if the magnitude of the divisor is below 0.001.
    Div,
    /// Natural logarithm, protected as [`LnRule`] says.
    Ln,
    /// Square root of the absolute value.
    Sqrt,
    /// Quotient, 1 if the divisor is below 0.001, negative ones too: the literal reading of Galván et al. (2022, V-A).
    /// Their code protects small magnitudes only, as [`Function::Div`] does.
    DivPositive,
    /// The smaller of two; the first if they do not compare.
    Min,
    /// The larger of two; the first if they do not compare.
    Max,
}

impl Function {
    /// All functions.
    pub const ALL: [Function; 9] = [
        Function::Add,
        Function::Sub,
        Function::Mul,
        Function::Div,
        Function::Ln,
        Function::Sqrt,
        Function::DivPositive,
        Function::Min,
        Function::Max,
    ];

    /// The functions of the paper (Galván et al. 2022, section V-A), in the order in which random choices number them.
    pub const PAPER: [Function; 6] =
        [Function::Add, Function::Sub, Function::Mul, Function::Div, Function::Ln, Function::Sqrt];

    /// The number of arguments: 1 or 2.
    pub const fn arity(self) -> usize {
        match self {
            Function::Ln | Function::Sqrt => 1,
            _ => 2,
        }
    }

    /// The name in prefix notation.
    pub const fn name(self) -> &'static str {
        match self {
            Function::Add => "add",
            Function::Sub => "sub",
            Function::Mul => "mul",
            Function::Div => "div",
            Function::Ln => "ln",
            Function::Sqrt => "sqrt",
            Function::DivPositive => "divp",
            Function::Min => "min",
            Function::Max => "max",
        }
    }

    /// The sign between two arguments in infix notation; none for functions that are written by name.
    pub const fn symbol(self) -> Option<&'static str> {
        match self {
            Function::Add => Some("+"),
            Function::Sub => Some("-"),
            Function::Mul => Some("*"),
            Function::Div => Some("/"),
            _ => None,
        }
    }

    /// The value for these arguments; `b` is ignored by functions of one argument.
    #[inline]
    pub fn apply(self, a: f64, b: f64, ln: LnRule) -> f64 {
        match self {
            Function::Add => a + b,
            Function::Sub => a - b,
            Function::Mul => a * b,
            Function::Div => protected_div(a, b),
            Function::Ln => ln.apply(a),
            Function::Sqrt => a.abs().sqrt(),
            Function::DivPositive => positive_div(a, b),
            Function::Min => smaller(a, b),
            Function::Max => larger(a, b),
        }
    }
}

/// Divisors of a smaller magnitude than this give 1.
pub(super) const SMALLEST_DIVISOR: f64 = 0.001;

#[inline]
pub(super) fn protected_div(a: f64, b: f64) -> f64 {
    if b.abs() < SMALLEST_DIVISOR { 1.0 } else { a / b }
}

#[inline]
pub(super) fn positive_div(a: f64, b: f64) -> f64 {
    if b < SMALLEST_DIVISOR { 1.0 } else { a / b }
}

/// Not `f64::min`, whose result for zeros of different signs depends on the machine.
#[inline]
pub(super) fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// As [`smaller`].
#[inline]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// How the logarithm is protected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum LnRule {
    /// The logarithm of the absolute value, 0 at 0 (Galván et al. 2022).
    #[default]
    Abs,
    /// Arguments below 0.01 become 0.01 and 1 becomes 1.001 (the authors' code).
    Clamp,
}

impl Named for LnRule {
    const NAMES: &'static [(&'static str, LnRule)] = &[("abs", LnRule::Abs), ("clamp", LnRule::Clamp)];
}

impl LnRule {
    /// The protected logarithm. Computed in software, so that it is the same on every machine.
    #[inline]
    pub fn apply(self, x: f64) -> f64 {
        match self {
            LnRule::Abs if x == 0.0 => 0.0,
            LnRule::Abs => libm::log(x.abs()),
            LnRule::Clamp if x == 1.0 => libm::log(1.001),
            LnRule::Clamp if x < 0.01 => libm::log(0.01),
            LnRule::Clamp => libm::log(x),
        }
    }
}

/// A leaf.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Terminal {
    /// `Q`: the mean reward of the child, for the seat that chooses.
    Mean,
    /// `n`: the visits of the child.
    ChildVisits,
    /// `N`: the visits of the parent.
    ParentVisits,
    /// `c`: a constant bound when the formula is used.
    Constant,
    /// A number.
    Number(f64),
    /// Any other statistic.
    Column(Column),
}

impl Terminal {
    /// The name in every notation; numbers have none.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Terminal::Mean => Some("Q"),
            Terminal::ChildVisits => Some("n"),
            Terminal::ParentVisits => Some("N"),
            Terminal::Constant => Some("c"),
            Terminal::Column(column) => Some(column.name()),
            Terminal::Number(_) => None,
        }
    }

    /// The terminal of this name, if it is one that any search has.
    pub fn standard(name: &str) -> Option<Terminal> {
        let columns = Column::STANDARD.into_iter().map(Terminal::Column);
        Terminal::NAMED.into_iter().chain(columns).find(|terminal| terminal.name() == Some(name))
    }

    /// The terminals of the paper that have a name.
    pub const NAMED: [Terminal; 4] =
        [Terminal::Mean, Terminal::ChildVisits, Terminal::ParentVisits, Terminal::Constant];
}

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Node {
    /// An inner node.
    Function(Function),
    /// A leaf.
    Terminal(Terminal),
}

impl Node {
    /// The number of children.
    pub const fn arity(self) -> usize {
        match self {
            Node::Function(function) => function.arity(),
            Node::Terminal(_) => 0,
        }
    }

    /// Whether it is an inner node.
    pub const fn is_function(self) -> bool {
        matches!(self, Node::Function(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protections_hold_at_their_edges() {
        assert_eq!(Function::Div.apply(5.0, 0.0009, LnRule::Abs), 1.0);
        assert_eq!(Function::Div.apply(5.0, -0.0009, LnRule::Abs), 1.0);
        assert_eq!(Function::Div.apply(5.0, -0.001, LnRule::Abs), -5000.0);
        let divp = |divisor| Function::DivPositive.apply(5.0, divisor, LnRule::Abs);
        assert_eq!((divp(0.0009), divp(-2.0), divp(0.001), divp(2.0)), (1.0, 1.0, 5000.0, 2.5));
        assert_eq!(Function::Sqrt.apply(-9.0, 0.0, LnRule::Abs), 3.0);
        assert_eq!(LnRule::Abs.apply(0.0), 0.0);
        assert_eq!(LnRule::Abs.apply(-std::f64::consts::E), 1.0);
        assert_eq!(LnRule::Clamp.apply(1.0), libm::log(1.001));
        assert_eq!(LnRule::Clamp.apply(-3.0), libm::log(0.01));
        assert_eq!(LnRule::Clamp.apply(0.5), libm::log(0.5));
    }
}
