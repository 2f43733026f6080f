//! `evouct verdicts`: what papers print beside what runs say.

use super::Outcome;
use super::compare::read;
use clap::Args;
use evouct::error::Failure;
use evouct::report::{Report, verdicts};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// Run folders whose experiments have a [paper] section
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
            tracing::warn!("{name}: the experiment prints no numbers of a paper");
        }
        runs.push((name, report));
    }
    if runs.iter().all(|(_, report)| report.paper.is_none()) {
        return Err(Failure::usage("no printed numbers to set beside these runs"));
    }
    write!(out, "{}", verdicts(&runs))?;
    Ok(())
}
