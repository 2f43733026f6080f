//! Formulas as source code: a NumPy module and a C file, with every protection.
//!
//! Arguments are the named terminals, in their order. Each formula is a function of its own.

use super::column::Column;
use super::primitive::{Function, LnRule, Node, SMALLEST_DIVISOR, Terminal};
use super::steps::{once, real};
use super::tree::Tree;

/// A formula that becomes a function of a module.
pub struct NamedFormula<'a> {
    /// The name of the function: a letter, then letters, digits and underscores.
    pub name: String,
    /// A line about it.
    pub about: String,
    /// The formula.
    pub tree: &'a Tree,
    /// Its protection of ln.
    pub ln: LnRule,
}

/// The names of the arguments of a formula: the paper's terminals, then the further columns that it uses.
fn arguments(tree: &Tree) -> Vec<&'static str> {
    let further: Vec<&'static str> = tree.needs().columns().map(Column::name).collect();
    Terminal::NAMED.into_iter().filter_map(Terminal::name).chain(further).collect()
}

/// The call of a function in Python and in C, with infix operators where no protection is needed.
pub(super) fn call(function: Function, a: &str, b: &str, ln: LnRule, absolute: &str, root: &str) -> String {
    match function {
        Function::Add => format!("({a} + {b})"),
        Function::Sub => format!("({a} - {b})"),
        Function::Mul => format!("({a} * {b})"),
        Function::Div => format!("protected_div({a}, {b})"),
        Function::DivPositive => format!("positive_div({a}, {b})"),
        Function::Min => format!("smaller({a}, {b})"),
        Function::Max => format!("larger({a}, {b})"),
        Function::Ln if ln == LnRule::Abs => format!("ln_abs({a})"),
        Function::Ln => format!("ln_clamp({a})"),
        Function::Sqrt => format!("{root}({absolute}({a}))"),
    }
}

/// A comment must not end early or continue.
fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace("*/", "* /")
}

/// A Python module over NumPy arrays (or numbers), one function per formula.
pub fn numpy(formulas: &[NamedFormula]) -> String {
    let mut text = format!(
        "\"\"\"Selection formulas, written by evouct. Arguments are NumPy arrays or numbers.\"\"\"\n\
         import numpy as np\n\n\n\
         def protected_div(a, b):\n    small = np.abs(b) < {SMALLEST_DIVISOR:?}\n    \
         return np.where(small, 1.0, a / np.where(small, 1.0, b))\n\n\n\
         def positive_div(a, b):\n    small = b < {SMALLEST_DIVISOR:?}\n    \
         return np.where(small, 1.0, a / np.where(small, 1.0, b))\n\n\n\
         def smaller(a, b):\n    return np.where(b < a, b, a)\n\n\n\
         def larger(a, b):\n    return np.where(b > a, b, a)\n\n\n\
         def ln_abs(x):\n    zero = np.equal(x, 0.0)\n    return np.where(zero, 0.0, np.log(np.abs(np.where(zero, 1.0, x))))\n\n\n\
         def ln_clamp(x):\n    return np.log(np.where(np.equal(x, 1.0), 1.001, np.maximum(x, 0.01)))\n"
    );
    for formula in formulas {
        let arguments = arguments(formula.tree).join(", ");
        let write = |function, a: &str, b: &str| call(function, a, b, formula.ln, "np.abs", "np.sqrt");
        let body = formula.tree.steps(write, real, once);
        // A formula may have no argument; the sum with zeros gives its value the shape of the arguments.
        text.push_str(&format!(
            "\n\ndef {}({arguments}):\n    # {}\n{}    return {} + 0.0 * np.asarray(Q)\n",
            formula.name,
            comment(&formula.about),
            body.lines("    ", ""),
            body.value
        ));
    }
    text
}

/// A C file without dependencies but `math.h`, one function per formula.
pub fn c_source(formulas: &[NamedFormula]) -> String {
    let mut text = format!(
        "/* Selection formulas, written by evouct. Compile without -ffast-math. */\n#include <math.h>\n\n\
         static inline double protected_div(double a, double b) {{ return fabs(b) < {SMALLEST_DIVISOR:?} ? 1.0 : a / b; }}\n\
         static inline double positive_div(double a, double b) {{ return b < {SMALLEST_DIVISOR:?} ? 1.0 : a / b; }}\n\
         static inline double smaller(double a, double b) {{ return b < a ? b : a; }}\n\
         static inline double larger(double a, double b) {{ return b > a ? b : a; }}\n\
         static inline double ln_abs(double x) {{ return x == 0.0 ? 0.0 : log(fabs(x)); }}\n\
         static inline double ln_clamp(double x) {{ return log(x == 1.0 ? 1.001 : x < 0.01 ? 0.01 : x); }}\n"
    );
    for formula in formulas {
        let names = arguments(formula.tree);
        let arguments = names.iter().map(|name| format!("double {name}")).collect::<Vec<_>>().join(", ");
        let unused = names.iter().map(|name| format!("(void){name};")).collect::<Vec<_>>().join(" ");
        let write = |function, a: &str, b: &str| call(function, a, b, formula.ln, "fabs", "sqrt");
        let body = formula.tree.steps(write, real, once);
        text.push_str(&format!(
            "\n/* {} */\ndouble {}({arguments}) {{\n    {unused}\n{}    return {};\n}}\n",
            comment(&formula.about),
            formula.name,
            body.lines("    const double ", ";"),
            body.value
        ));
    }
    text
}

impl Tree {
    /// The protections that the notation of [`latex`](Tree::latex) does not show, as sentences; empty if it drops none.
    ///
    /// ```
    /// use evouct_gp::{LnRule, Tree};
    /// let tree: Tree = "Q + sqrt(n)".parse().unwrap();
    /// assert_eq!(tree.dropped_protections(LnRule::Abs), ["sqrt is of the absolute value"]);
    /// ```
    pub fn dropped_protections(&self, ln: LnRule) -> Vec<String> {
        let has = |wanted| self.nodes().contains(&Node::Function(wanted));
        let ln = match ln {
            LnRule::Abs => "ln is of the absolute value, and 0 at 0",
            LnRule::Clamp => "ln takes 0.01 for anything smaller, and 1.001 for 1",
        };
        let all = [
            (Function::Div, format!("a quotient is 1 if its divisor is below {SMALLEST_DIVISOR} in magnitude")),
            (Function::DivPositive, format!("a quotient divp is 1 if its divisor is below {SMALLEST_DIVISOR}")),
            (Function::Ln, ln.to_owned()),
            (Function::Sqrt, "sqrt is of the absolute value".to_owned()),
        ];
        all.into_iter().filter(|(function, _)| has(*function)).map(|(_, sentence)| sentence).collect()
    }
}
