//! `evouct players`: the kinds of player and their parameters.

use super::Outcome;
use clap::Args;
use evouct::error::Failure;
use evouct::player::{Preset, Spec, Value, kind, kinds};
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// A kind of player, for its parameters
    name: Option<String>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let Some(name) = &arguments.name else {
        for kind in kinds() {
            writeln!(out, "{:<14} {}", kind.name, kind.about)?;
        }
        writeln!(out, "\n`evouct players NAME` lists the parameters of a kind.")?;
        return Ok(());
    };
    let Some(kind) = kind(name) else {
        let error = Spec::parse(name, Preset::Text).expect_err("the kind is unknown");
        return Err(Failure::usage(error));
    };
    writeln!(out, "{}: {}\nsource: {}\n", kind.name, kind.about, kind.source)?;
    for parameter in &kind.parameters {
        let default = match (&parameter.text, &parameter.reference) {
            (Value::Unset, Value::Unset) => "no default".to_owned(),
            (text, reference) if text == reference => format!("default {text}"),
            (text, reference) => format!("default {text}, with preset = \"reference\" {reference}"),
        };
        writeln!(out, "  {:<18} {}", parameter.name, parameter.about)?;
        writeln!(out, "  {:<18} {}; {default}", "", parameter.domain)?;
    }
    Ok(())
}
