//! `evouct report`: rebuilds the report of a run.

use super::form::{Form, one_of, print_file};
use super::{Outcome, evolution_folder, evolution_set, warn, whole};
use crate::error::Failure;
use crate::plural::counted;
use crate::record::Run;
use crate::report::{Rebuilt, Report, rebuild, summary};
use crate::store::RecordError;
use crate::tune::Tuning;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, of a tuning, of an evolution or of evolutions of several seeds
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// An earlier spelling of --format json.
    #[arg(long, hide = true, conflicts_with_all = ["all", "format"])]
    json: bool,
    #[command(flatten)]
    print: PrintArgs,
    /// Of evolutions of several seeds: the gain above which a seed succeeds [default: 0]
    #[arg(long, value_name = "GAIN", allow_negative_numbers = true)]
    level: Option<f64>,
}

/// How the report is printed.
#[derive(Args)]
pub(super) struct PrintArgs {
    /// Print all tables and columns: also Welch's and Wilcoxon's tests, effect sizes, measures by seat
    #[arg(long)]
    all: bool,
    /// Form of what is printed: the tables, report.json, tables.tex or the page
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json, Form::Latex, Form::Html]))]
    format: Form,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let form = if arguments.json { Form::Json } else { arguments.print.format };
    let set = evolution_set::open(&arguments.folder)?;
    if arguments.level.is_some() && set.is_none() {
        return Err(Failure::Usage("--level is for evolutions of several seeds".to_owned()));
    }
    if let Some(evolution) = evolution_folder::open(&arguments.folder)? {
        return match evolution_folder::report(&evolution, form, out)? {
            Some(_) => Ok(()),
            None => Err(evolution_folder::interim(&evolution)),
        };
    }
    if let Some(set) = set {
        return match evolution_set::report(&set, arguments.level.unwrap_or(0.0), form, out)? {
            true => Ok(()),
            false => Err(evolution_set::interim(&set, &evolution_set::evolutions(&set)?)),
        };
    }
    if let Some(tuning) = Tuning::open(&arguments.folder).map_err(Failure::usage)? {
        let course = tuning.course().map_err(Failure::failed)?;
        return match super::tune::report(&tuning, &course, form, out)? {
            0 => Ok(()),
            missing => Err(whole::interim(&arguments.folder, &super::tune::left(missing))),
        };
    }
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let report = make(&run, &PrintArgs { format: form, ..arguments.print }, out)?;
    check_whole(&report, &arguments.folder)
}

fn check_whole(report: &Report, folder: &Path) -> Outcome {
    whole::check(folder, report.interim().map_or(0, |_| report.scheduled - report.recorded()))
}

/// Writes the files of a report, prints its tables, and the path of the page last. The tables of a folder that cannot be written are
/// printed before the error.
pub(super) fn make(run: &Run, print: &PrintArgs, out: &mut dyn Write) -> Result<Report, Failure> {
    let (report, written) = report_of(run)?;
    // The file has all tables.
    if print.format != Form::Latex {
        print.format.print(out, &report.json(), |format| summary(&report, print.all, format))?;
    }
    written.map_err(Failure::failed)?;
    match print.format {
        Form::Latex => print_file(out, &run.folder().join("tables.tex"))?,
        form => form.print_page(out, run.folder())?,
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
