//! `evouct players`: the kinds of player and their parameters.

use super::form::{Form, one_of};
use super::{Outcome, reference};
use crate::domain::{AnyDomain, KindInfo, Spec};
use crate::error::Failure;
use crate::parameter::{Parameter, Preset, Value, Values};
use crate::registry;
use crate::report::{Format, printed};
use crate::table::{Cell, Table, Width};
use crate::wrap::{wrapped, wrapped_behind};
use clap::Args;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// Kind of player whose parameters to list
    kind: Option<String>,
    /// Game that the players play
    #[arg(long, default_value_t = registry::default_game().name().to_owned())]
    game: String,
    /// Form of what is printed
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json]))]
    format: Form,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let game = registry::game(&arguments.game).map_err(Failure::Usage)?;
    let kinds = match &arguments.kind {
        None => game.kinds(),
        Some(name) => vec![kind(game, name)?],
    };
    match (arguments.format, &arguments.kind) {
        (Form::Json, Some(_)) => writeln!(out, "{}", of_kind(kinds[0]))?,
        (Form::Json, None) => writeln!(out, "{}", kinds.into_iter().map(of_kind).collect::<Json>())?,
        (Form::Markdown, _) => {
            let sections: Vec<String> = kinds.into_iter().map(reference::kind).collect();
            write!(out, "{}", sections.join("\n"))?;
        }
        (Form::Csv, Some(_)) => write!(out, "{}", parameters_csv(kinds[0].name, kinds[0].table))?,
        (Form::Csv, None) => {
            let table = Table::of("kinds", format!("Kinds of player of {}", game.name()), kinds)
                .shown(Width::Narrow, "kind", "kind", |kind| Cell::word(kind.name))
                .shown(Width::Narrow, "about", "about", |kind| Cell::word(kind.about))
                .shown(Width::Narrow, "source", "source", |kind| Cell::word(kind.source));
            write!(out, "{}", printed(table.table(), Format::Csv))?;
        }
        (_, Some(_)) => show(game, kinds[0], out)?,
        (_, None) => list(game, out)?,
    }
    Ok(())
}

/// The kind of this name.
fn kind(game: &'static dyn AnyDomain, name: &str) -> Result<&'static KindInfo, Failure> {
    game.kinds().into_iter().find(|kind| kind.name == name).ok_or_else(|| {
        let error = Spec::parse(game, name, Preset::Text).expect_err("the kind is unknown");
        Failure::usage(error)
    })
}

fn of_kind(kind: &KindInfo) -> Json {
    let parameters = parameters_json(kind.table);
    json!({ "name": kind.name, "about": kind.about, "source": kind.source, "parameters": parameters })
}

/// Parameters as JSON. The defaults are texts, as on the command line; null where there is none.
pub(super) fn parameters_json(parameters: &[Parameter]) -> Json {
    let default = |value: &Value| if matches!(value, Value::Unset) { Json::Null } else { value.to_string().into() };
    let row = |parameter: &Parameter| {
        json!({
            "name": parameter.name,
            "about": parameter.about,
            "values": parameter.values.to_string(),
            "default": default(&parameter.text),
            "default_of_reference": default(&parameter.reference),
            "earlier_spelling": parameter.was,
        })
    };
    parameters.iter().map(row).collect()
}

/// The same as CSV: what the table is of, then a row each.
pub(super) fn parameters_csv(of: &str, parameters: &[Parameter]) -> String {
    let value =
        |value: &Value| if matches!(value, Value::Unset) { Cell::Missing } else { Cell::word(value.to_string()) };
    let table = Table::of("parameters", of, parameters)
        .shown(Width::Narrow, "name", "name", |row| Cell::word(row.name))
        .shown(Width::Narrow, "about", "about", |row| Cell::word(row.about))
        .shown(Width::Narrow, "values", "values", |row| Cell::word(row.values.to_string()))
        .shown(Width::Narrow, "default", "default", |row| value(&row.text))
        .shown(Width::Narrow, "reference", "default of reference", |row| value(&row.reference));
    printed(table.table(), Format::Csv)
}

fn list(game: &dyn AnyDomain, out: &mut dyn Write) -> Outcome {
    for kind in game.kinds() {
        described(out, "", &format!("{:<14} ", kind.name), kind.about)?;
    }
    let option =
        if game.name() == registry::default_game().name() { String::new() } else { format!(" --game {}", game.name()) };
    writeln!(out, "\n`evouct players KIND{option}` lists the parameters of a kind.")?;
    Ok(())
}

fn show(game: &dyn AnyDomain, kind: &KindInfo, out: &mut dyn Write) -> Outcome {
    writeln!(
        out,
        "{}{}",
        wrapped(&format!("{}: {}", kind.name, kind.about)),
        wrapped(&format!("source: {}", kind.source))
    )?;
    listed_parameters(kind.table, out)?;
    names_of_formulas(game, kind.table, out)
}

/// What the names mean that formulas of these parameters may use.
fn names_of_formulas(game: &dyn AnyDomain, parameters: &[Parameter], out: &mut dyn Write) -> Outcome {
    let words = parameters.iter().filter_map(|parameter| match &parameter.values {
        Values::Language(language) => Some(language.words()),
        _ => None,
    });
    let words: BTreeSet<&str> = words.flatten().collect();
    let statistics =
        registry::terminals().into_iter().filter_map(|terminal| Some((terminal.name()?, terminal.about())));
    let known = statistics.filter(|(_, about)| !about.is_empty()).chain(game.move_numbers()).chain(game.ratings());
    let used: Vec<(&str, &str)> = known.filter(|(name, _)| words.contains(name)).collect();
    if !used.is_empty() {
        writeln!(out, "\nNames in formulas:")?;
    }
    for (name, about) in used {
        described(out, "  ", &format!("{name:<18} "), about.trim_end_matches('.'))?;
    }
    Ok(())
}

/// Parameters with what they do, their values and defaults.
pub(super) fn listed_parameters(parameters: &[Parameter], out: &mut dyn Write) -> Outcome {
    for parameter in parameters {
        let default = match default_of(parameter).as_str() {
            "" => "no default".to_owned(),
            default => format!("default {default}"),
        };
        described(out, "  ", &format!("{:<18} ", parameter.name), parameter.about)?;
        described(out, "  ", &format!("{:<18} ", ""), &format!("{}; {default}", parameter.values))?;
        if let Some(was) = parameter.was {
            described(out, "  ", &format!("{:<18} ", ""), &format!("earlier spelling: {was}"))?;
        }
    }
    Ok(())
}

/// A text beside a name, in lines of 80 columns.
pub(super) fn described(out: &mut dyn Write, margin: &str, name: &str, text: &str) -> Outcome {
    let first = format!("{margin}{name}");
    write!(out, "{}", wrapped_behind(&first, &" ".repeat(first.chars().count()), text))?;
    Ok(())
}

/// The default of a parameter, under both presets where they differ; empty without one.
pub(super) fn default_of(parameter: &Parameter) -> String {
    match (&parameter.text, &parameter.reference) {
        (Value::Unset, Value::Unset) => String::new(),
        (text, reference) if text == reference => text.to_string(),
        (text, reference) => format!("{text}, with preset = \"reference\" {reference}"),
    }
}
