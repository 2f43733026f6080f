//! `evouct compare`: leagues, evolutions or tunings compared with the first of them.

use super::form::{Form, one_of};
use super::{Outcome, output_file, warn, whole};
use crate::config::Experiment;
use crate::error::Failure;
use crate::record::Run;
use crate::report::{BesideFirst, Format, LoadedRun, beside_first, compare_evolutions, compare_sets, compared_page};
use crate::store::FolderKind;
use crate::tune::compare_tunings;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder with which the others are compared: of a league, an evolution, evolutions of several seeds, or a tuning
    #[arg(value_name = "RUN")]
    first: PathBuf,
    /// The other folders, of the same kind
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
    /// Form of what is printed; html is a page
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json, Form::Latex, Form::Html]))]
    format: Form,
    /// An earlier spelling of --format json.
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
    /// Write the comparison as an HTML page, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Of evolutions of several seeds: the gain above which a seed succeeds [default: 0]
    #[arg(long, value_name = "GAIN", allow_negative_numbers = true)]
    level: Option<f64>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let folders: Vec<PathBuf> = [&arguments.first].into_iter().chain(&arguments.others).cloned().collect();
    let kind = FolderKind::of_all(&folders).map_err(Failure::usage)?;
    if arguments.level.is_some() && kind != Some(FolderKind::Evolutions) {
        return Err(Failure::Usage("--level is for evolutions of several seeds".to_owned()));
    }
    let compared = match kind {
        Some(FolderKind::Evolutions) => compare_sets(&folders, arguments.level.unwrap_or(0.0)),
        Some(FolderKind::Evolution) => compare_evolutions(&folders),
        Some(FolderKind::Tuning) => compare_tunings(&folders),
        _ => return of_leagues(&folders, arguments, out),
    };
    let compared = compared.map_err(Failure::usage)?;
    warn(&compared.problems);
    show(arguments, &compared.page(), |format| compared.print(format), &compared.json, out)?;
    compared.interim.first().map_or(Ok(()), |(folder, why)| Err(whole::interim(folder, why)))
}

fn of_leagues(folders: &[PathBuf], arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let runs = folders.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    let beside = BesideFirst::of_folders(folders, &runs);
    show(arguments, &compared_page(&beside), |format| beside_first(&beside, format), &beside, out)?;
    whole::check_all(folders.iter().map(PathBuf::as_path).zip(runs.iter().map(|(_, loaded)| loaded.missing)))
}

/// Prints a comparison in the form that is asked for, and writes its page.
fn show(
    arguments: &Arguments,
    page: &str,
    print: impl Fn(Format) -> String,
    json: &impl Serialize,
    out: &mut dyn Write,
) -> Outcome {
    if let Some(file) = &arguments.html {
        output_file::write(file, page, &output_file::PAGE)?;
    }
    let form = if arguments.json { Form::Json } else { arguments.format };
    form.print(out, json, print)?;
    match &arguments.html {
        _ if form == Form::Html => writeln!(out, "{page}")?,
        Some(file) if form == Form::Text => writeln!(out, "page {}", file.display())?,
        _ => {}
    }
    Ok(())
}

/// The experiment and the records of a run folder. Nothing is written.
pub(super) fn read(folder: &Path) -> Result<(Experiment, LoadedRun), Failure> {
    let run = Run::open(folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(())).map_err(Failure::failed)?;
    warn(&loaded.problems);
    Ok((experiment, loaded))
}
