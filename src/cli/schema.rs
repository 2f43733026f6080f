//! `evouct schema`: the JSON Schema of experiment files.

use super::Outcome;
use clap::Args;
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments, out: &mut dyn Write) -> Outcome {
    let schema = serde_json::to_string_pretty(&crate::config::schema()).expect("a schema is plain data");
    writeln!(out, "{schema}")?;
    Ok(())
}
