//! `evouct compare`: two runs compared.

use super::{Outcome, warn};
use crate::config::Experiment;
use crate::error::Failure;
use crate::record::Run;
use crate::report::{Aggregate, ComparedRun, LoadedRun, SideBySide, side_by_side};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// The first run folder
    first: PathBuf,
    /// The second run folder
    second: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let [first, second] = [read(&arguments.first)?, read(&arguments.second)?];
    let [first, second] = [&first, &second].map(|(experiment, aggregate)| ComparedRun { experiment, aggregate });
    let compared = SideBySide::of(first, second);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&compared).map_err(Failure::failed)?)?;
    } else {
        write!(out, "{}", side_by_side(&compared))?;
    }
    Ok(())
}

/// The experiment and the records of a run folder. Nothing is written.
pub(super) fn read(folder: &Path) -> Result<(Experiment, Aggregate), Failure> {
    let run = Run::open(folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(())).map_err(Failure::failed)?;
    warn(&loaded.problems);
    Ok((experiment, loaded.aggregate))
}
