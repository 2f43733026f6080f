//! `evouct expr`: a selection formula in other notations, simplified, with a value.

use super::Outcome;
use crate::error::Failure;
use crate::gp::{Inputs, LnRule, Tree, simplify};
use crate::named::Named;
use clap::{Args, ValueEnum};
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// Formula over Q, n, N, c and numbers: infix, prefix, or the JSON that this command prints
    formula: String,
    /// Print only this form
    #[arg(long, value_name = "FORM", conflicts_with = "json")]
    to: Option<Form>,
    /// Protection of ln
    #[arg(long, default_value = "abs")]
    ln: Protection,
    /// Mean reward of the child; evaluates the formula
    #[arg(long = "Q", value_name = "MEAN", allow_negative_numbers = true)]
    mean: Option<f64>,
    /// Visits of the child
    #[arg(long = "n", value_name = "VISITS", default_value_t = 1.0, requires = "mean")]
    visits: f64,
    /// Visits of the parent
    #[arg(long = "N", value_name = "VISITS", default_value_t = 1.0, requires = "mean")]
    parent: f64,
    /// Constant c
    #[arg(long = "c", value_name = "NUMBER", default_value_t = 1.0, allow_negative_numbers = true, requires = "mean")]
    constant: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Infix,
    Prefix,
    Latex,
    Sympy,
    Python,
    Dot,
    Json,
}

impl Form {
    fn of(self, tree: &Tree, ln: LnRule) -> String {
        match self {
            Form::Infix => tree.infix(),
            Form::Prefix => tree.prefix(),
            Form::Latex => tree.latex(),
            Form::Sympy => tree.sympy(ln),
            Form::Python => tree.python(ln),
            Form::Dot => tree.dot(),
            Form::Json => tree.json().to_string(),
        }
    }
}

/// Reads a formula in any of its forms.
fn read(text: &str) -> Result<Tree, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::Usage(format!("formula, {error}"));
    if text.trim_start().starts_with('[') {
        let json = serde_json::from_str(text).map_err(|error| wrong(&error))?;
        return Tree::from_json(&json).map_err(|error| wrong(&error));
    }
    text.parse().map_err(|error: crate::gp::ParseError| wrong(&error))
}

#[derive(Clone, Copy, ValueEnum)]
enum Protection {
    Abs,
    Clamp,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let tree = read(&arguments.formula)?;
    let ln = match arguments.ln {
        Protection::Abs => LnRule::Abs,
        Protection::Clamp => LnRule::Clamp,
    };
    if let Some(form) = arguments.to {
        writeln!(out, "{}", form.of(&tree, ln).trim_end())?;
        return Ok(());
    }
    let short = simplify(&tree, ln);
    let value = arguments.mean.map(|mean| {
        let inputs = Inputs { mean, visits: arguments.visits, parent: arguments.parent, constant: arguments.constant };
        tree.evaluate(inputs, ln)
    });
    if arguments.json {
        let json = serde_json::json!({
            "infix": tree.infix(), "prefix": tree.prefix(), "latex": tree.latex(),
            "sympy": tree.sympy(ln), "python": tree.python(ln), "dot": tree.dot(), "tree": tree.json(),
            "nodes": tree.size(), "depth": tree.depth(),
            "simplified": short.infix(), "simplified_nodes": short.size(), "value": value,
        });
        writeln!(out, "{json}")?;
        return Ok(());
    }
    writeln!(out, "infix       {}", tree.infix())?;
    writeln!(out, "prefix      {}", tree.prefix())?;
    writeln!(out, "latex       {}", tree.latex())?;
    writeln!(out, "sympy       {}", tree.sympy(ln))?;
    writeln!(out, "json        {}", tree.json())?;
    writeln!(out, "ln          {} (--ln: the rule of the player that evolved the formula)", ln.name())?;
    writeln!(out, "size        {} nodes, depth {}", tree.size(), tree.depth())?;
    writeln!(out, "simplified  {} ({} nodes)", short.infix(), short.size())?;
    if let Some(value) = value {
        writeln!(out, "value       {value}")?;
    }
    Ok(())
}
