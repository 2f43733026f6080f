//! `evouct report`: rebuilds the report of a run.

use super::form::{Form, one_of};
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
    let is_json = form == Form::Json;
    let only_text = |what: &str| match form {
        Form::Text | Form::Json => Ok(()),
        _ => Err(Failure::Usage(format!("--format is text or json for the report of {what}"))),
    };
    let set = evolution_set::open(&arguments.folder)?;
    if arguments.level.is_some() && set.is_none() {
        return Err(Failure::Usage("--level is for evolutions of several seeds".to_owned()));
    }
    if let Some(evolution) = evolution_folder::open(&arguments.folder)? {
        only_text("an evolution")?;
        return match evolution_folder::report(&evolution, is_json, out)? {
            Some(_) => Ok(()),
            None => Err(evolution_folder::interim(&evolution)),
        };
    }
    if let Some(set) = set {
        if form == Form::Latex {
            return Err(Failure::Usage("--format latex is for the report of a run".to_owned()));
        }
        return match evolution_set::report(&set, arguments.level.unwrap_or(0.0), form, out)? {
            true => Ok(()),
            false => Err(evolution_set::interim(&set, &evolution_set::evolutions(&set)?)),
        };
    }
    if let Some(tuning) = Tuning::open(&arguments.folder).map_err(Failure::usage)? {
        only_text("a tuning")?;
        let course = tuning.course().map_err(Failure::failed)?;
        return match super::tune::report(&tuning, &course, is_json, out)? {
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
    if let Some(format) = print.format.of_tables() {
        write!(out, "{}", summary(&report, print.all, format))?;
    } else if print.format == Form::Json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report.json()).map_err(Failure::failed)?)?;
    }
    written.map_err(Failure::failed)?;
    match print.format {
        Form::Latex => write!(out, "{}", written_file(run, "tables.tex")?)?,
        Form::Html => write!(out, "{}", written_file(run, "report.html")?)?,
        Form::Text => writeln!(out, "report {}", run.folder().join("report.html").display())?,
        Form::Markdown | Form::Csv | Form::Json => (),
    }
    Ok(report)
}

/// A file of a report that was written.
fn written_file(run: &Run, name: &str) -> Result<String, Failure> {
    let path = run.folder().join(name);
    std::fs::read_to_string(&path).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
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
