//! `evouct report`: makes the tables of a run folder anew.

use super::Outcome;
use clap::Args;
use evouct::error::Failure;
use evouct::record::Run;
use evouct::report::{Expressions, LoadedRun, Report, summary, write};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    folder: PathBuf,
    /// Print report.json instead of tables
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
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
        tracing::warn!("{} games of players that the experiment does not have are left out", loaded.aggregate.left_out);
    }
    let report = Report::of(&experiment, &loaded.aggregate);
    write(run, &experiment, &report, &loaded).map_err(Failure::failed)?;
    Ok(report)
}
