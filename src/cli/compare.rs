//! `evouct compare`: runs compared with the first of them.

use super::{Outcome, warn};
use crate::config::Experiment;
use crate::error::Failure;
use crate::record::Run;
use crate::report::{Aggregate, BesideFirst, ComparedRun, LoadedRun, SideBySide, beside_first, side_by_side};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder with which the others are compared
    first: PathBuf,
    /// The other run folders
    #[arg(required = true)]
    others: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let first = read(&arguments.first)?;
    let others = arguments.others.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    let compared = |(experiment, aggregate)| ComparedRun { experiment, aggregate };
    let first = compared((&first.0, &first.1));
    let others: Vec<ComparedRun> =
        others.iter().map(|(experiment, aggregate)| compared((experiment, aggregate))).collect();
    match &others[..] {
        [second] => {
            let compared = SideBySide::of(first, *second);
            print(&compared, arguments.json, side_by_side, out)
        }
        _ => print(&BesideFirst::of(first, &others), arguments.json, beside_first, out),
    }
}

fn print<T: Serialize>(compared: &T, json: bool, text: impl Fn(&T) -> String, out: &mut dyn Write) -> Outcome {
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(compared).map_err(Failure::failed)?)?;
    } else {
        write!(out, "{}", text(compared))?;
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
