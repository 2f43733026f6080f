//! Formulas as source code: Python with the standard library or NumPy, and C, with every protection.
//!
//! Arguments are the named terminals, in their order. Each formula is a function of its own.

use super::primitive::{Function, LnRule, Node};
use super::steps::{Steps, real};
use super::terminal::{Column, Terminal};
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

/// A language: the place of its definitions in a row, what stands before mathematical functions, and the function of
/// the absolute value.
struct Language(usize, &'static str, &'static str);

const PYTHON: Language = Language(0, "math.", "abs");
const NUMPY: Language = Language(1, "np.", "np.abs");
const C: Language = Language(2, "", "fabs");

impl Language {
    /// The formula in steps.
    fn steps(&self, tree: &Tree, ln: LnRule) -> Steps {
        let template = |function: Function| function.row(ln).template(function.row(ln).code);
        tree.steps(template, |letter| if letter == 'm' { self.1 } else { self.2 }, real)
    }

    /// What the code of these formulas calls, each once, in the order of the functions.
    fn definitions(&self, formulas: &[(&Tree, LnRule)], between: &str) -> String {
        let mut texts: Vec<&str> = Vec::new();
        for function in Function::all() {
            for (tree, ln) in formulas {
                let text = function.row(*ln).definitions[self.0];
                if tree.has(function) && !text.is_empty() && !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        texts.iter().map(|text| format!("{text}{between}")).collect()
    }
}

/// What a formula defines: its tree and its protection of ln.
fn formulas<'a>(named: &[NamedFormula<'a>]) -> Vec<(&'a Tree, LnRule)> {
    named.iter().map(|formula| (formula.tree, formula.ln)).collect()
}

/// The names of the arguments of a formula: the paper's terminals, then the further columns that it uses.
fn arguments(tree: &Tree) -> Vec<&'static str> {
    let further: Vec<&'static str> = tree.needs().columns().map(Column::name).collect();
    Terminal::NAMED.into_iter().filter_map(Terminal::name).chain(further).collect()
}

/// A comment must not end early or continue.
fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace("*/", "* /")
}

/// A Python module over NumPy arrays (or numbers), one function per formula.
pub fn numpy(named: &[NamedFormula]) -> String {
    let mut text = format!(
        "\"\"\"Selection formulas, written by evouct. Arguments are NumPy arrays or numbers.\"\"\"\nimport numpy as np\n\n\n{}",
        NUMPY.definitions(&formulas(named), "\n\n")
    );
    for formula in named {
        let body = NUMPY.steps(formula.tree, formula.ln);
        // A formula may have no argument; the sum with zeros gives its value the shape of the arguments.
        text.push_str(&format!(
            "def {}({}):\n    # {}\n{}    return {} + 0.0 * np.asarray(Q)\n\n\n",
            formula.name,
            arguments(formula.tree).join(", "),
            comment(&formula.about),
            body.lines("    ", ""),
            body.value
        ));
    }
    text.truncate(text.trim_end().len() + 1);
    text
}

/// A C file without dependencies but `math.h`, one function per formula.
pub fn c_source(named: &[NamedFormula]) -> String {
    let mut text = format!(
        "/* Selection formulas, written by evouct. Compile without -ffast-math. */\n#include <math.h>\n\n{}",
        C.definitions(&formulas(named), "")
    );
    for formula in named {
        let names = arguments(formula.tree);
        let arguments = names.iter().map(|name| format!("double {name}")).collect::<Vec<_>>().join(", ");
        let unused = names.iter().map(|name| format!("(void){name};")).collect::<Vec<_>>().join(" ");
        let body = C.steps(formula.tree, formula.ln);
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
    /// A Python module that defines `value(Q, n, N, c)` with the standard library only. Further columns that the
    /// formula uses are further arguments.
    pub fn python(&self, ln: LnRule) -> String {
        let body = PYTHON.steps(self, ln);
        let further: String = self.needs().columns().map(|column| format!(", {}=0.0", column.name())).collect();
        format!(
            "import math\n\n\n{}def value(Q, n, N, c=1.0{further}):\n{}    return float({})\n",
            PYTHON.definitions(&[(self, ln)], "\n\n"),
            body.lines("    ", ""),
            body.value
        )
    }

    /// Whether a function occurs.
    fn has(&self, function: Function) -> bool {
        self.nodes().contains(&Node::Function(function))
    }

    /// The protections that the notation of [`latex`](Tree::latex) does not show, as sentences; empty if it drops none.
    ///
    /// ```
    /// use evouct_gp::{LnRule, Tree};
    /// let tree: Tree = "Q + sqrt(n)".parse().unwrap();
    /// assert_eq!(tree.dropped_protections(LnRule::Abs), ["sqrt is of the absolute value"]);
    /// ```
    pub fn dropped_protections(&self, ln: LnRule) -> Vec<&'static str> {
        let rows = Function::all().filter(|function| self.has(*function)).map(|function| function.row(ln));
        rows.map(|row| row.protection).filter(|sentence| !sentence.is_empty()).collect()
    }
}
