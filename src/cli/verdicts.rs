//! `evouct verdicts`: printed numbers of papers compared with runs.

use super::Outcome;
use super::compare::read;
use crate::error::Failure;
use crate::report::{Report, verdicts};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// Run folders whose experiments have a section `paper`
    #[arg(required = true)]
    folders: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut runs: Vec<(String, Report)> = Vec::new();
    for folder in &arguments.folders {
        let (experiment, aggregate) = read(folder)?;
        let report = Report::of(&experiment, &aggregate);
        let name = folder.display().to_string();
        if report.paper.is_none() {
            tracing::warn!("{name}: the experiment has no [paper] section");
        }
        runs.push((name, report));
    }
    if runs.iter().all(|(_, report)| report.paper.is_none()) {
        return Err(Failure::usage("none of these runs has a [paper] section with printed numbers"));
    }
    write!(out, "{}", verdicts(&runs))?;
    Ok(())
}
