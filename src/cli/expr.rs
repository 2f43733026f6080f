//! `evouct expr`: a selection formula in other notations, simplified, with a value.

use super::Outcome;
use super::notation::{Exported, Notation, check_digits, latex, object};
use crate::domain::Spec;
use crate::error::Failure;
use crate::gp::{Inputs, LnRule, Node, Terminal, Tree, simplify};
use crate::kinds::player_toml;
use crate::named::Named;
use crate::parameter::{Preset, Raw};
use crate::plural::counted;
use crate::registry::{self, terminals};
use clap::{Args, ValueEnum};
use serde_json::Value as Json;
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// Formula over Q, n, N, c, further statistics and numbers: infix, prefix, or the JSON that this command prints
    formula: String,
    /// Print only this form [default: some of them, with the simplified formula and its value]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Notation>,
    /// An earlier spelling of --format, in which json is the tree.
    #[arg(long, value_name = "FORM", hide = true, conflicts_with_all = ["json", "format"])]
    to: Option<Notation>,
    /// Protection of ln
    #[arg(long, default_value = "abs")]
    ln: Protection,
    /// Mean reward of the child. This and each of the next four options evaluates the formula
    #[arg(long = "Q", value_name = "MEAN", allow_negative_numbers = true)]
    mean: Option<f64>,
    /// Visits of the child [default: 1]
    #[arg(long = "n", value_name = "VISITS")]
    visits: Option<f64>,
    /// Visits of the parent [default: 1]
    #[arg(long = "N", value_name = "VISITS")]
    parent: Option<f64>,
    /// Constant c [default: 1]
    #[arg(long = "c", value_name = "NUMBER", allow_negative_numbers = true)]
    constant: Option<f64>,
    /// Value of a further statistic or number of a move, such as sd=3 or dv=-1 [default: 0]
    #[arg(long = "set", value_name = "NAME=NUMBER", allow_hyphen_values = true)]
    settings: Vec<String>,
    /// Round numbers in LaTeX to N significant digits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=17))]
    digits: Option<u8>,
    /// An earlier spelling of --format json.
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
}

/// Reads a formula in any of its forms.
fn read(text: &str) -> Result<Tree, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::Usage(format!("formula, {error}"));
    if text.trim_start().starts_with('[') {
        let json = serde_json::from_str(text).map_err(|error| wrong(&error))?;
        return Tree::from_json(&json, &terminals()).map_err(|error| wrong(&error));
    }
    Tree::parse_over(text, &terminals()).map_err(|error| wrong(&error))
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

/// A player that selects with the formula, as a table of an experiment file.
fn player(tree: &Tree, ln: LnRule) -> Result<String, Failure> {
    let given = [("formula", tree.infix()), ("ln", ln.name().to_owned())];
    let given = given.map(|(name, text)| (name.to_owned(), Raw::Text(text)));
    let spec = Spec::resolve(registry::default_game(), "formula", &given, Preset::Text);
    let spec = spec.map_err(|mut errors| Failure::usage(errors.swap_remove(0).problem))?;
    Ok(player_toml(&spec, "formula"))
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
    let digits = arguments.digits;
    let notation = match arguments.to {
        Some(Notation::Json) => Some(Notation::Tree),
        Some(earlier) => Some(earlier),
        None if arguments.json => Some(Notation::Json),
        None => arguments.format,
    };
    check_digits(digits, notation)?;
    if let Some(notation) = notation.filter(|notation| *notation != Notation::Json) {
        let player = if notation == Notation::Player { player(&tree, ln)? } else { String::new() };
        let formula = Exported { name: "formula".to_owned(), about: tree.infix(), tree, ln, player };
        writeln!(out, "{}", notation.of(&formula, digits).trim_end())?;
        return Ok(());
    }
    let short = simplify(&tree, ln);
    let settings = settings(&arguments.settings, &tree)?;
    let numbers = [arguments.mean, arguments.visits, arguments.parent, arguments.constant];
    let is_evaluated = numbers.iter().any(Option::is_some) || !arguments.settings.is_empty();
    if is_evaluated && arguments.mean.is_none() && tree.nodes().contains(&Node::Terminal(Terminal::Mean)) {
        return Err(Failure::Usage("the formula has Q: its value needs --Q".to_owned()));
    }
    let value = is_evaluated.then(|| {
        let [mean, visits, parent, constant] = numbers.map(|number| number.unwrap_or(1.0));
        let inputs = Inputs { mean, visits, parent, constant };
        let set = |name: &str| settings.iter().find(|(other, _)| *other == name).map_or(0.0, |(_, number)| *number);
        let of_terminal = |terminal: Terminal| match terminal {
            Terminal::Column(column) => set(column.name()),
            other => inputs.value(other),
        };
        tree.evaluate_by(of_terminal, ln)
    });
    if notation == Some(Notation::Json) {
        let mut json = object(&tree, ln, digits);
        // JSON has no infinities and no NaN.
        let number = |value: f64| if value.is_finite() { value.into() } else { value.to_string().into() };
        json["value"] = value.map_or(Json::Null, number);
        writeln!(out, "{json}")?;
        return Ok(());
    }
    writeln!(out, "infix       {}", tree.infix())?;
    writeln!(out, "prefix      {}", tree.prefix())?;
    writeln!(out, "latex       {}", latex(&tree, digits))?;
    writeln!(out, "json        {}", tree.json())?;
    writeln!(out, "ln          {} (--ln: the rule of the player that evolved the formula)", ln.name())?;
    writeln!(out, "size        {}, depth {}", counted(tree.size(), "node"), tree.depth())?;
    writeln!(out, "simplified  {} ({})", short.infix(), counted(short.size(), "node"))?;
    if let Some(value) = value {
        writeln!(out, "value       {value}")?;
    }
    Ok(())
}
