//! `evouct compare`: runs compared with the first of them.

use super::form::{Form, one_of};
use super::{Outcome, output_file, warn, whole};
use crate::config::Experiment;
use crate::error::Failure;
use crate::record::Run;
use crate::report::{BesideFirst, ComparedRun, LoadedRun, beside_first, compared_page};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder with which the others are compared
    #[arg(value_name = "RUN")]
    first: PathBuf,
    /// The other run folders
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
    /// Form of what is printed; html is a page
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json, Form::Html]))]
    format: Form,
    /// An earlier spelling of --format json.
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
    /// Write the comparison as an HTML page, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let first = read(&arguments.first)?;
    let others = arguments.others.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    let folders = std::iter::once(&arguments.first).chain(&arguments.others).map(PathBuf::as_path);
    let missing: Vec<u64> = std::iter::once(&first).chain(&others).map(|(_, loaded)| loaded.missing).collect();
    let others: Vec<ComparedRun> = others.iter().map(compared).collect();
    let compared = BesideFirst::of(compared(&first), &others);
    if let Some(file) = &arguments.html {
        output_file::write(file, &compared_page(&compared), &output_file::PAGE)?;
    }
    match arguments.format.of_tables().filter(|_| !arguments.json) {
        Some(format) => {
            write!(out, "{}", beside_first(&compared, format))?;
            if let Some(file) = arguments.html.as_ref().filter(|_| arguments.format == Form::Text) {
                writeln!(out, "page {}", file.display())?;
            }
        }
        None if arguments.format == Form::Html => writeln!(out, "{}", compared_page(&compared))?,
        None => writeln!(out, "{}", serde_json::to_string_pretty(&compared).map_err(Failure::failed)?)?,
    }
    whole::check_all(folders.zip(missing))
}

fn compared((experiment, loaded): &(Experiment, LoadedRun)) -> ComparedRun<'_> {
    ComparedRun { experiment, aggregate: &loaded.aggregate }
}

/// The experiment and the records of a run folder. Nothing is written.
pub(super) fn read(folder: &Path) -> Result<(Experiment, LoadedRun), Failure> {
    let run = Run::open(folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(())).map_err(Failure::failed)?;
    warn(&loaded.problems);
    Ok((experiment, loaded))
}
