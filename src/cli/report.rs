//! `evouct report`: rebuilds the report of a run.

use super::{Outcome, evolution_folder, warn, whole};
use crate::error::Failure;
use crate::plural::counted;
use crate::record::{RecordError, Run};
use crate::report::{Format, Rebuilt, Report, rebuild, summary};
use crate::tune::Tuning;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, of a tuning or of an evolution
    folder: PathBuf,
    /// Print report.json instead of the tables
    #[arg(long, conflicts_with_all = ["all", "format"])]
    json: bool,
    #[command(flatten)]
    print: PrintArgs,
}

/// How the report is printed.
#[derive(Args)]
pub(super) struct PrintArgs {
    /// Print all tables and columns: also Welch's and Wilcoxon's tests, effect sizes, measures by seat
    #[arg(long)]
    all: bool,
    /// Form of the printed tables
    #[arg(long, value_enum, default_value_t = PrintFormat::Text)]
    format: PrintFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PrintFormat {
    Text,
    Csv,
    Md,
}

impl PrintFormat {
    fn format(self) -> Format {
        match self {
            PrintFormat::Text => Format::Text,
            PrintFormat::Csv => Format::Csv,
            PrintFormat::Md => Format::Markdown,
        }
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let only_text = |what: &str| match arguments.print.format {
        PrintFormat::Text => Ok(()),
        _ => Err(Failure::Usage(format!("--format is for the report of a run; that of {what} is text or --json"))),
    };
    if let Some(evolution) = evolution_folder::open(&arguments.folder)? {
        only_text("an evolution")?;
        return match evolution_folder::report(&evolution, arguments.json, out)? {
            Some(_) => Ok(()),
            None => Err(evolution_folder::interim(&evolution)),
        };
    }
    if let Some(tuning) = Tuning::open(&arguments.folder).map_err(Failure::usage)? {
        only_text("a tuning")?;
        let course = tuning.course().map_err(Failure::failed)?;
        return match super::tune::report(&tuning, &course, arguments.json, out)? {
            0 => Ok(()),
            missing => Err(whole::interim(&arguments.folder, &super::tune::left(missing))),
        };
    }
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    if arguments.json {
        let (report, written) = report_of(&run)?;
        let json = serde_json::to_string_pretty(&report.json()).map_err(Failure::failed)?;
        writeln!(out, "{json}")?;
        written.map_err(Failure::failed)?;
        return check_whole(&report, &arguments.folder);
    }
    let report = make(&run, &arguments.print, out)?;
    check_whole(&report, &arguments.folder)
}

fn check_whole(report: &Report, folder: &Path) -> Outcome {
    whole::check(folder, report.interim().map_or(0, |_| report.scheduled - report.recorded()))
}

/// Writes the files of a report, prints its tables, and the path of the page last. The tables of a folder that cannot be written are
/// printed before the error.
pub(super) fn make(run: &Run, print: &PrintArgs, out: &mut dyn Write) -> Result<Report, Failure> {
    let (report, written) = report_of(run)?;
    write!(out, "{}", summary(&report, print.all, print.format.format()))?;
    written.map_err(Failure::failed)?;
    if print.format == PrintFormat::Text {
        writeln!(out, "report {}", run.folder().join("report.html").display())?;
    }
    Ok(report)
}

/// The report of a run, and whether its files are written.
fn report_of(run: &Run) -> Result<(Report, Result<(), RecordError>), Failure> {
    let experiment = run.experiment().map_err(Failure::usage)?;
    let Rebuilt { report, problems, left_out, written } = rebuild(run, &experiment).map_err(Failure::failed)?;
    warn(&problems);
    if left_out > 0 {
        let games = counted(left_out, "game");
        tracing::warn!("left out, because the experiment does not have their players: {games}");
    }
    Ok((report, written.map(drop)))
}
