//! The notations of formulas: one list for `expr` and `formulas`.

use super::Outcome;
use crate::error::Failure;
use crate::gp::{LnRule, NamedFormula, Tree, c_source, numpy, simplify, sympy};
use crate::plural::counted;
use clap::ValueEnum;
use serde_json::{Value as Json, json};

/// A notation of formulas.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Notation {
    /// As players take it
    Infix,
    /// Functions before their arguments
    Prefix,
    /// All of these, and sizes, as JSON
    Json,
    /// The tree as lists in JSON, which `expr` reads
    Tree,
    /// An experiment's table of a player
    Player,
    /// An expression of LaTeX
    Latex,
    /// SymPy
    Sympy,
    /// An expression of Python
    Python,
    /// A module of functions over NumPy arrays
    Numpy,
    /// A file of C functions
    C,
    /// A tree for Graphviz
    Dot,
}

/// A formula that is exported.
pub(super) struct Exported {
    /// The name of its function.
    pub name: String,
    pub about: String,
    pub tree: Tree,
    pub ln: LnRule,
    /// The same as a player.
    pub player: String,
}

impl Exported {
    fn named(&self) -> NamedFormula<'_> {
        NamedFormula { name: self.name.clone(), about: self.about.clone(), tree: &self.tree, ln: self.ln }
    }

    fn latex(&self, digits: Option<u8>) -> String {
        let dropped = self.tree.dropped_protections(self.ln);
        let mut text = format!("% {}\n", self.about);
        if !dropped.is_empty() {
            text.push_str(&format!("% protections that are not shown: {}\n", dropped.join("; ")));
        }
        if let Some(digits) = digits {
            text.push_str(&format!("% numbers are rounded to {}\n", counted(digits, "significant digit")));
        }
        text + &latex(&self.tree, digits) + "\n"
    }
}

impl Notation {
    /// One formula alone.
    pub(super) fn of(self, formula: &Exported, digits: Option<u8>) -> String {
        let Exported { tree, ln, player, .. } = formula;
        match self {
            Notation::Infix => tree.infix(),
            Notation::Prefix => tree.prefix(),
            Notation::Json => object(tree, *ln, digits).to_string(),
            Notation::Tree => tree.json().to_string(),
            Notation::Player => player.clone(),
            Notation::Latex => latex(tree, digits),
            Notation::Sympy => tree.sympy(*ln),
            Notation::Python => tree.python(*ln),
            Notation::Numpy => numpy(&[formula.named()]),
            Notation::C => c_source(&[formula.named()]),
            Notation::Dot => tree.dot(),
        }
    }

    /// Several formulas, each with its name and what is said about it where the notation has comments.
    pub(super) fn of_all(self, formulas: &[Exported], digits: Option<u8>) -> String {
        let named = || formulas.iter().map(Exported::named).collect::<Vec<_>>();
        let joined = |text: &dyn Fn(&Exported) -> String| formulas.iter().map(text).collect::<Vec<_>>().join("\n");
        match self {
            Notation::Numpy => numpy(&named()),
            Notation::C => c_source(&named()),
            Notation::Player => {
                let players = formulas.iter().map(|formula| formula.player.as_str()).filter(|text| !text.is_empty());
                players.collect::<Vec<_>>().join("\n")
            }
            Notation::Latex => joined(&|formula| formula.latex(digits)),
            Notation::Sympy => sympy(&named()),
            Notation::Json => {
                let object = |formula: &Exported| {
                    let mut object = object(&formula.tree, formula.ln, digits);
                    (object["name"], object["about"]) = (formula.name.as_str().into(), formula.about.as_str().into());
                    object
                };
                formulas.iter().map(object).collect::<Json>().to_string()
            }
            Notation::Infix | Notation::Prefix | Notation::Tree | Notation::Python | Notation::Dot => {
                joined(&|formula| self.of(formula, digits).trim_end().to_owned())
            }
        }
    }
}

/// A formula in the notations that are expressions, with its sizes.
pub(super) fn object(tree: &Tree, ln: LnRule, digits: Option<u8>) -> Json {
    let short = simplify(tree, ln);
    json!({
        "infix": tree.infix(), "prefix": tree.prefix(), "latex": latex(tree, digits),
        "sympy": tree.sympy(ln), "python": tree.python(ln), "dot": tree.dot(), "tree": tree.json(),
        "nodes": tree.size(), "depth": tree.depth(),
        "simplified": short.infix(), "simplified_nodes": short.size(),
    })
}

/// Refuses rounded numbers outside LaTeX.
pub(super) fn check_digits(digits: Option<u8>, notation: Option<Notation>) -> Outcome {
    match notation {
        Some(notation) if digits.is_some() && !matches!(notation, Notation::Latex | Notation::Json) => {
            Err(Failure::Usage("--digits is for LaTeX; programs get every digit".to_owned()))
        }
        _ => Ok(()),
    }
}

/// LaTeX with numbers of so many significant digits, or all.
pub(super) fn latex(tree: &Tree, digits: Option<u8>) -> String {
    digits.map_or_else(|| tree.latex(), |digits| tree.latex_rounded(digits.into()))
}
