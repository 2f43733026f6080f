//! `evouct reference`: commands, keys, games, kinds and parameters as Markdown pages, from the tables that the program
//! itself uses.

use super::players::default_of;
use super::{Outcome, output_file};
use crate::domain::{AnyDomain, KindInfo};
use crate::escape::markdown;
use crate::parameter::Parameter;
use crate::plural::counted;
use crate::registry;
use clap::{Arg, Args, Command, CommandFactory};
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of the pages
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut texts = vec![("commands.md".to_owned(), commands()), ("experiment-files.md".to_owned(), files())];
    texts.extend(registry::games().iter().map(|game| (format!("{}.md", game.name()), self::game(*game))));
    let pages = texts.into_iter().map(|(name, text)| (name, text.into_bytes())).collect();
    let written = output_file::write_all(&arguments.folder, pages)?;
    writeln!(out, "wrote {} to {}", counted(written.len(), "page"), arguments.folder.display())?;
    Ok(())
}

/// A table with these headings.
fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&headings.iter().map(|heading| (*heading).to_owned()).collect::<Vec<_>>());
    text.push_str(&format!("|{}\n", "---|".repeat(headings.len())));
    text.extend(rows.into_iter().map(|row| line(&row)));
    text
}

fn code(text: impl AsRef<str>) -> String {
    format!("`{}`", text.as_ref().replace('|', "\\|"))
}

fn commands() -> String {
    let program = super::Arguments::command();
    let mut text = String::from(
        "# Commands\n\n`evouct COMMAND --help` prints the same. Every command ends with 0 if it succeeded, 1 if it failed, 2 if its \
         arguments or files are wrong.\n\n",
    );
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        section(&mut text, command, "evouct", "##");
    }
    text
}

/// The section of a command, and those of its subcommands below it.
fn section(text: &mut String, command: &Command, above: &str, heading: &str) {
    let name = format!("{above} {}", command.get_name());
    let said =
        |styled: Option<&clap::builder::StyledStr>| styled.map_or(String::new(), |said| markdown(&said.to_string()));
    let _ = writeln!(text, "{heading} {name}\n\n{}.\n", said(command.get_about()));
    let rows = command.get_arguments().filter(|argument| !argument.is_hide_set() && argument.get_id() != "help");
    let rows: Vec<Vec<String>> = rows
        .map(|argument| {
            let help = argument.get_long_help().or(argument.get_help());
            vec![code(written(argument)), said(help).replace('\n', " "), values_of(argument)]
        })
        .collect();
    if !rows.is_empty() {
        text.push_str(&table(&["argument", "what it does", "values"], rows));
        text.push('\n');
    }
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        section(text, inner, &name, "###");
    }
}

/// An argument as it is written: `--threads <N>`, `-1, --first <PLAYER>`, `<FILE>`.
fn written(argument: &Arg) -> String {
    let names =
        [argument.get_short().map(|short| format!("-{short}")), argument.get_long().map(|long| format!("--{long}"))];
    let names = names.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let takes = argument.get_action().takes_values();
    let values: Vec<String> = match argument.get_value_names() {
        Some(values) if takes => values.iter().map(|value| format!("<{value}>")).collect(),
        _ => Vec::new(),
    };
    [names, values.join(" ")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The values that an argument takes, where they are a list, and its default.
fn values_of(argument: &Arg) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let values = argument.get_possible_values();
    let values = values.iter().filter(|value| !value.is_hide_set()).map(|value| code(value.get_name()));
    let default = argument.get_default_values().iter().map(|value| code(value.to_string_lossy()));
    let default = default.collect::<Vec<_>>().join(" ");
    let mut parts = vec![values.collect::<Vec<_>>().join(", ")];
    if !default.is_empty() {
        parts.push(format!("default {default}"));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

fn files() -> String {
    let mut text = String::from(
        "# Experiment files\n\nKeys of the TOML files. Games, their rules and the parameters of players have pages of their own. `evouct \
         schema` prints the same as a JSON Schema for editors.\n\n",
    );
    for (title, schema) in [
        ("Experiments, for `evouct run`", crate::config::schema()),
        ("Evolutions, for `evouct evolve`", crate::offline::evolution_schema()),
        ("Recipes of banks, for `evouct bank`", crate::offline::bank_schema()),
    ] {
        let _ = writeln!(text, "## {title}\n");
        let mut rows = Vec::new();
        keys(&schema, "", &mut rows);
        text.push_str(&table(&["key", "what it is", "values", "default"], rows));
        text.push('\n');
    }
    text
}

/// The keys of an object of a schema, those of its sections after them.
fn keys(schema: &Json, section: &str, rows: &mut Vec<Vec<String>>) {
    let Some(properties) = schema["properties"].as_object() else { return };
    for (name, key) in properties {
        let path = if section.is_empty() { name.clone() } else { format!("{section}.{name}") };
        let about = key["description"].as_str().unwrap_or_default();
        let default = if key["default"].is_null() { String::new() } else { code(key["default"].to_string()) };
        rows.push(vec![code(&path), markdown(about), type_of(key), default]);
        keys(key, &path, rows);
        keys(&key["items"], &path, rows);
    }
}

/// The type of a key of a schema, with its range or its words.
fn type_of(key: &Json) -> String {
    if let Some(words) = key["enum"].as_array() {
        return words.iter().filter_map(Json::as_str).map(code).collect::<Vec<_>>().join(", ");
    }
    let name = key["type"].as_str().unwrap_or_default();
    match (key["minimum"].as_f64(), key["maximum"].as_f64()) {
        (Some(_), Some(_)) => format!("{name} {} to {}", key["minimum"], key["maximum"]),
        (Some(_), None) => format!("{name}, at least {}", key["minimum"]),
        _ => name.to_owned(),
    }
}

/// The page of a game.
pub(super) fn game(game: &dyn AnyDomain) -> String {
    let mut text = format!("# Game `{}`\n\n{}\n", game.name(), markdown(game.about()));
    if !game.rules_table().is_empty() {
        let _ = write!(text, "\n## Rules\n\nOptions of `[rules]`.\n\n{}", parameters(game.rules_table()));
    }
    for (title, numbers) in [("Move numbers", game.move_numbers()), ("Ratings", game.ratings())] {
        if !numbers.is_empty() {
            let rows = numbers.iter().map(|(name, about)| vec![code(name), markdown(about)]);
            let _ = write!(text, "\n## {title}\n\n{}", table(&["name", "what it is"], rows));
        }
    }
    text.push_str("\n## Kinds of player\n");
    text.extend(game.kinds().into_iter().flat_map(|each| ["\n".to_owned(), kind(each)]));
    text
}

/// The section of a kind of player.
pub(super) fn kind(kind: &KindInfo) -> String {
    let parameters = if kind.table.is_empty() { String::new() } else { parameters(kind.table) };
    format!("### {}\n\n{} Source: {}.\n\n{parameters}", kind.name, sentence(kind.about), markdown(kind.source))
}

/// Text with a full stop at its end.
fn sentence(text: &str) -> String {
    format!("{}.", markdown(text.trim_end_matches('.')))
}

fn parameters(parameters: &[Parameter]) -> String {
    let row = |parameter: &Parameter| {
        let mut about = markdown(parameter.about);
        if let Some(was) = parameter.was {
            let _ = write!(about, " Earlier spelling: {}.", code(was));
        }
        vec![code(parameter.name), about, markdown(&parameter.values.to_string()), markdown(&default_of(parameter))]
    };
    table(&["parameter", "what it does", "values", "default"], parameters.iter().map(row))
}
