//! `evouct expr`: a selection formula in other notations, simplified, with a value.

use super::Outcome;
use crate::domain::AnyDomain;
use crate::error::Failure;
use crate::gp::{Inputs, LnRule, Terminal, Tree, simplify};
use crate::named::Named;
use crate::plural::counted;
use crate::registry;
use clap::{Args, ValueEnum};
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// Formula over Q, n, N, c, further statistics and numbers: infix, prefix, or the JSON that this command prints
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
    /// Value of a further statistic or number of a move, such as sd=3 or dv=-1 [default: 0]
    #[arg(long = "set", value_name = "NAME=NUMBER", allow_hyphen_values = true, requires = "mean")]
    settings: Vec<String>,
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
        return Tree::from_json_with(&json, &move_numbers()).map_err(|error| wrong(&error));
    }
    Tree::parse_with(text, &move_numbers()).map_err(|error| wrong(&error))
}

/// The numbers that the games give for moves.
fn move_numbers() -> Vec<&'static str> {
    let of_game = |game: &'static dyn AnyDomain| game.move_numbers().into_iter().chain(game.ratings());
    registry::games().into_iter().flat_map(of_game).map(|(name, _)| name).collect()
}

/// The values that `--set` gives to columns of the formula.
fn settings(given: &[String], tree: &Tree) -> Result<Vec<(&'static str, f64)>, Failure> {
    let columns: Vec<&'static str> = tree.needs().columns().map(|column| column.name()).collect();
    let wrong = |text: &str| {
        let known = if columns.is_empty() {
            "nothing, as the formula has only Q, n, N and c".to_owned()
        } else {
            columns.join(" | ")
        };
        Failure::Usage(format!("--set {text:?}: expected NAME=NUMBER, where NAME is {known}"))
    };
    let one = |text: &String| {
        let (name, number) = text.split_once('=').ok_or_else(|| wrong(text))?;
        let name = columns.iter().find(|known| **known == name.trim()).ok_or_else(|| wrong(text))?;
        let number = number.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        Ok((*name, number.ok_or_else(|| wrong(text))?))
    };
    given.iter().map(one).collect()
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
    let settings = settings(&arguments.settings, &tree)?;
    let value = arguments.mean.map(|mean| {
        let inputs = Inputs { mean, visits: arguments.visits, parent: arguments.parent, constant: arguments.constant };
        let set = |name: &str| settings.iter().find(|(other, _)| *other == name).map_or(0.0, |(_, number)| *number);
        let of_terminal = |terminal: Terminal| match terminal {
            Terminal::Column(column) => set(column.name()),
            other => inputs.value(other),
        };
        tree.evaluate_by(of_terminal, ln)
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
    writeln!(out, "size        {}, depth {}", counted(tree.size(), "node"), tree.depth())?;
    writeln!(out, "simplified  {} ({})", short.infix(), counted(short.size(), "node"))?;
    if let Some(value) = value {
        writeln!(out, "value       {value}")?;
    }
    Ok(())
}
