//! `evouct players`: the kinds of player and their parameters.

use super::Outcome;
use crate::domain::{AnyDomain, Spec};
use crate::error::Failure;
use crate::parameter::{Preset, Value};
use crate::registry;
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
        writeln!(out, "{:<14} {}", kind.name, kind.about)?;
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
    writeln!(out, "{}: {}\nsource: {}\n", kind.name, kind.about, kind.source)?;
    for parameter in kind.table {
        let default = match (&parameter.text, &parameter.reference) {
            (Value::Unset, Value::Unset) => "no default".to_owned(),
            (text, reference) if text == reference => format!("default {text}"),
            (text, reference) => format!("default {text}, with preset = \"reference\" {reference}"),
        };
        writeln!(out, "  {:<18} {}", parameter.name, parameter.about)?;
        writeln!(out, "  {:<18} {}; {default}", "", parameter.values)?;
        if let Some(was) = parameter.was {
            writeln!(out, "  {:<18} earlier spelling: {was}", "")?;
        }
    }
    Ok(())
}
