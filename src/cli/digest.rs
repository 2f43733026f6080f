//! `evouct digest`: the hash over everything reproducible in the records of a run.

use super::Outcome;
use crate::error::Failure;
use crate::record::{Digester, RecordError, Run};
use crate::schedule::Schedule;
use clap::Args;
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
    let scheduled = Schedule::of(&run.experiment().map_err(Failure::usage)?).len();
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
        let mut json = serde_json::to_value(&digest).map_err(Failure::failed)?;
        json["scheduled"] = scheduled.into();
        writeln!(out, "{json}")?;
        return Ok(());
    }
    writeln!(out, "{}  {} of {scheduled} games", digest.digest, digest.games)?;
    if digest.not_reproducible > 0 {
        writeln!(out, "{} games were limited by a clock and cannot be played again", digest.not_reproducible)?;
    }
    Ok(())
}
