//! `evouct report`: rebuilds the report of a run.

use super::Outcome;
use crate::error::Failure;
use crate::record::Run;
use crate::report::{Expressions, LoadedRun, Report, summary, write};
use crate::tune::Tuning;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run or of a tuning
    folder: PathBuf,
    /// Print report.json instead of the tables
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if let Some(tuning) = Tuning::open(&arguments.folder).map_err(Failure::usage)? {
        return super::tune::report(&tuning, arguments.json, out);
    }
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    if arguments.json {
        let report = write_files(&run)?;
        let json = serde_json::to_string_pretty(&report).map_err(Failure::failed)?;
        writeln!(out, "{json}")?;
        return Ok(());
    }
    make(&run, out)?;
    Ok(())
}

/// Writes the files of a report and prints its tables.
pub(super) fn make(run: &Run, out: &mut dyn Write) -> Result<Report, Failure> {
    let report = write_files(run)?;
    write!(out, "{}", summary(&report))?;
    Ok(report)
}

fn write_files(run: &Run) -> Result<Report, Failure> {
    let experiment = run.experiment().map_err(Failure::usage)?;
    let mut expressions = Expressions::create(run.folder()).map_err(Failure::failed)?;
    let loaded = LoadedRun::read(run, &experiment, |game, simplified| expressions.add(game, simplified))
        .map_err(Failure::failed)?;
    expressions.finish().map_err(Failure::failed)?;
    for problem in &loaded.problems {
        tracing::warn!("{}: {}", problem.place, problem.text);
    }
    if loaded.aggregate.left_out > 0 {
        tracing::warn!("{} games are left out: their players are not in the experiment", loaded.aggregate.left_out);
    }
    let report = Report::of(&experiment, &loaded.aggregate);
    write(run, &experiment, &report, &loaded).map_err(Failure::failed)?;
    Ok(report)
}
