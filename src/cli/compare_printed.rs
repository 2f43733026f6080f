//! `evouct compare-printed`: printed numbers of papers compared with runs.

use super::compare::read;
use super::{Outcome, whole};
use crate::config::Readings;
use crate::error::Failure;
use crate::report::{Report, verdicts};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// Run folders whose experiments have a section `paper`
    #[arg(required = true, value_name = "RUN")]
    folders: Vec<PathBuf>,
    /// A file that declares which run counts for each printed table, so that the headline counts each printed number
    /// once, and that lists claims outside the tables
    #[arg(long, value_name = "FILE")]
    readings: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let readings = arguments.readings.as_deref().map(Readings::load).transpose().map_err(Failure::usage)?;
    let (mut runs, mut missing): (Vec<(String, Report)>, Vec<u64>) = Default::default();
    for folder in &arguments.folders {
        let (experiment, loaded) = read(folder)?;
        let report = Report::of(&experiment, &loaded.aggregate);
        let name = folder.display().to_string();
        if report.paper.is_none() {
            tracing::warn!("{name}: the experiment has no [paper] section");
        }
        runs.push((name, report));
        missing.push(loaded.missing);
    }
    if runs.iter().all(|(_, report)| report.paper.is_none()) {
        return Err(Failure::usage("none of these runs has a [paper] section with printed numbers"));
    }
    write!(out, "{}", verdicts(&runs, readings.as_ref()).map_err(Failure::Usage)?)?;
    whole::check_all(arguments.folders.iter().map(PathBuf::as_path).zip(missing))
}
