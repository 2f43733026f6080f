//! `evouct schema`: the JSON Schema of the files that commands take.

use super::Outcome;
use clap::{Args, ValueEnum};
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// The kind of file
    #[arg(value_enum, default_value_t = FileKind::Experiment)]
    of: FileKind,
}

#[derive(Clone, Copy, ValueEnum)]
enum FileKind {
    /// Experiments, for `run`
    Experiment,
    /// Evolutions, for `evolve`
    Evolution,
    /// Recipes of banks, for `bank`
    Bank,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let schema = match arguments.of {
        FileKind::Experiment => crate::config::schema(),
        FileKind::Evolution => crate::offline::evolution_schema(),
        FileKind::Bank => crate::offline::bank_schema(),
    };
    writeln!(out, "{}", serde_json::to_string_pretty(&schema).expect("a schema is plain data"))?;
    Ok(())
}
