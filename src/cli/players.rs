//! `evouct players`: the kinds of player and their parameters.

use super::Outcome;
use crate::domain::{AnyDomain, Spec};
use crate::error::Failure;
use crate::parameter::{Parameter, Preset, Value};
use crate::registry;
use crate::wrap::{wrapped, wrapped_behind};
use clap::Args;
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// Kind of player whose parameters to list
    name: Option<String>,
    /// Game that the players play
    #[arg(long, default_value_t = registry::default_game().name().to_owned())]
    game: String,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let game = registry::game(&arguments.game).map_err(Failure::Usage)?;
    match &arguments.name {
        None => list(game, out),
        Some(name) => show(game, name, out),
    }
}

fn list(game: &dyn AnyDomain, out: &mut dyn Write) -> Outcome {
    for kind in game.kinds() {
        described(out, "", &format!("{:<14} ", kind.name), kind.about)?;
    }
    let option =
        if game.name() == registry::default_game().name() { String::new() } else { format!(" --game {}", game.name()) };
    writeln!(out, "\n`evouct players NAME{option}` lists the parameters of a kind.")?;
    Ok(())
}

fn show(game: &'static dyn AnyDomain, name: &str, out: &mut dyn Write) -> Outcome {
    let Some(kind) = game.kinds().into_iter().find(|kind| kind.name == name) else {
        let error = Spec::parse(game, name, Preset::Text).expect_err("the kind is unknown");
        return Err(Failure::usage(error));
    };
    writeln!(
        out,
        "{}{}",
        wrapped(&format!("{}: {}", kind.name, kind.about)),
        wrapped(&format!("source: {}", kind.source))
    )?;
    for parameter in kind.table {
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
fn described(out: &mut dyn Write, margin: &str, name: &str, text: &str) -> Outcome {
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
