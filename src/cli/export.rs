//! `evouct export`: the records of a run as long tables for data frames.

use super::{Outcome, output_file, warn, whole};
use crate::error::Failure;
use crate::export::{ExportError, ExportFormat, TABLES, export};
use crate::league::MissingGames;
use crate::named::Named;
use crate::plural::counted;
use crate::record::Run;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Format of the tables; parquet needs a build with the feature parquet
    #[arg(long, default_value = "csv", value_parser = PossibleValuesParser::new(ExportFormat::names()))]
    format: String,
    /// Folder of the tables [default: RUN/export]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let format = ExportFormat::of_name(&arguments.format).expect("clap knows the names");
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let folder = arguments.out.clone().unwrap_or_else(|| arguments.folder.join("export"));
    let mut missing = MissingGames::of(&run.experiment().map_err(Failure::usage)?);
    let exported = export(&run, &folder, format, |game| missing.see(game)).map_err(|error| match error {
        ExportError::Unavailable | ExportError::Empty(_) => Failure::usage(error),
        ExportError::Write { path, error } => output_file::unwritten(&path, &error),
        error => Failure::failed(error),
    })?;
    warn(&exported.problems);
    for ((path, rows), (_, row)) in exported.files.iter().zip(TABLES) {
        writeln!(out, "{}: {}, each {row}", path.display(), counted(*rows, "row"))?;
    }
    whole::check(&arguments.folder, missing.count())
}
