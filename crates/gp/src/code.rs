//! Formulas as source code: Python with the standard library or NumPy, and C, with every protection.
//!
//! Arguments are the named terminals, in their order. Each formula is a function of its own.

use super::primitive::{Function, LnRule, Node, Primitive};
use super::steps::{Steps, real};
use super::terminal::{Column, Terminal};
use super::tree::Tree;
use std::borrow::Cow;

/// A formula that becomes a function of a module.
pub struct NamedFormula<'a> {
    /// The name of the function: a letter, then letters, digits and underscores.
    pub name: String,
    /// A line about it.
    pub about: String,
    /// What the function returns.
    pub tree: &'a Tree,
    /// Its protection of ln.
    pub ln: LnRule,
}

/// The place of a language among the definitions of a row.
const PYTHON: usize = 0;
const NUMPY: usize = 1;
const C: usize = 2;

/// A formula in steps, which are the same in all these languages.
fn steps(tree: &Tree, ln: LnRule) -> Steps {
    tree.steps(|function| function.row(ln).template(function.row(ln).code), real)
}

/// Helper code of the functions of these formulas, each text once, in the order of the functions.
pub(super) fn definitions(formulas: &[(&Tree, LnRule)], text: impl Fn(&Primitive) -> Cow<'static, str>) -> String {
    let mut texts: Vec<Cow<'static, str>> = Vec::new();
    for function in Function::all() {
        for (tree, ln) in formulas {
            let text = text(function.row(*ln));
            if tree.has(function) && !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    texts.concat()
}

/// A formula: its tree and its protection of ln.
pub(super) fn formulas<'a>(named: &[NamedFormula<'a>]) -> Vec<(&'a Tree, LnRule)> {
    named.iter().map(|formula| (formula.tree, formula.ln)).collect()
}

/// The names of the arguments of a formula: the paper's terminals, then the further columns that it uses.
fn arguments(tree: &Tree) -> Vec<&'static str> {
    let further: Vec<&'static str> = tree.needs().columns().map(Column::name).collect();
    Terminal::NAMED.into_iter().filter_map(Terminal::name).chain(further).collect()
}

/// A definition and the empty lines after it, if there is one.
fn spaced(definition: &'static str) -> Cow<'static, str> {
    if definition.is_empty() { definition.into() } else { format!("{definition}\n\n").into() }
}

/// A comment must not end early or continue.
fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace("*/", "* /")
}

/// A Python module over NumPy arrays (or numbers), one function per formula.
pub fn numpy(named: &[NamedFormula]) -> String {
    let mut text = format!(
        "\"\"\"Selection formulas, written by evouct. Arguments are NumPy arrays or numbers.\"\"\"\nimport numpy as np\n\n\n{}",
        definitions(&formulas(named), |row| spaced(row.definitions[NUMPY]))
    );
    for formula in named {
        let body = steps(formula.tree, formula.ln);
        let arguments = arguments(formula.tree).join(", ");
        // Whole numbers would overflow where evouct does not. A formula may have no argument: the choice between its
        // value and Q has the shape of both.
        text.push_str(&format!(
            "@np.errstate(all=\"ignore\")\ndef {}({arguments}):\n    # {}\n    \
             {arguments} = (np.asarray(each, dtype=float) for each in ({arguments}))\n{}    \
             return np.where(True, {}, Q)[()]\n\n\n",
            formula.name,
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
        "/* Selection formulas, written by evouct. Compile with -std=c99 or -ffp-contract=off, and without -ffast-math. */\n\
         #include <math.h>\n\n{}",
        definitions(&formulas(named), |row| row.definitions[C].into())
    );
    for formula in named {
        let names = arguments(formula.tree);
        let arguments = names.iter().map(|name| format!("double {name}")).collect::<Vec<_>>().join(", ");
        let unused = names.iter().map(|name| format!("(void){name};")).collect::<Vec<_>>().join(" ");
        let body = steps(formula.tree, formula.ln);
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
        let body = steps(self, ln);
        let further: String = self.needs().columns().map(|column| format!(", {}=0.0", column.name())).collect();
        let arguments = arguments(self).join(", ");
        format!(
            "import math\n\n\n{}def value(Q, n, N, c=1.0{further}):\n    \
             {arguments} = map(float, ({arguments}))\n{}    return {}\n",
            definitions(&[(self, ln)], |row| spaced(row.definitions[PYTHON])),
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
