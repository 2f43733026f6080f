//! `evouct compare`: two runs side by side.

use super::Outcome;
use clap::Args;
use evouct::config::Experiment;
use evouct::error::Failure;
use evouct::record::Run;
use evouct::report::{Reading, Side, SideBySide, Tally, side_by_side};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// A run folder
    first: PathBuf,
    /// Another
    second: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let [first, second] = [read(&arguments.first)?, read(&arguments.second)?];
    let [first, second] = [&first, &second].map(|(experiment, tally)| Side { experiment, tally });
    let compared = SideBySide::of(first, second);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&compared).map_err(Failure::failed)?)?;
    } else {
        write!(out, "{}", side_by_side(&compared))?;
    }
    Ok(())
}

/// The experiment and the records of a run folder, in which nothing is written.
pub(super) fn read(folder: &Path) -> Result<(Experiment, Tally), Failure> {
    let run = Run::open(folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let reading = Reading::of(&run, &experiment, None).map_err(Failure::failed)?;
    for problem in &reading.problems {
        tracing::warn!("{}: {}", problem.place, problem.text);
    }
    Ok((experiment, reading.tally))
}
