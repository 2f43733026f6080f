//! `evouct digest`: the hash over everything reproducible in a run's records.

use super::Outcome;
use clap::Args;
use evouct::error::Failure;
use evouct::record::{Digester, RecordError, Run};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let mut digester = Digester::default();
    let problems = run.games(|game| -> Result<(), RecordError> {
        digester.add(&game);
        Ok(())
    });
    for problem in problems.map_err(Failure::failed)? {
        tracing::warn!("{}: {}", problem.place, problem.text);
    }
    let digest = digester.finish();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&digest).map_err(Failure::failed)?)?;
        return Ok(());
    }
    writeln!(out, "{}  {} games", digest.digest, digest.games)?;
    if digest.not_reproducible > 0 {
        writeln!(out, "{} games were limited by a clock and cannot be played again", digest.not_reproducible)?;
    }
    Ok(())
}
