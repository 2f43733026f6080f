//! `evouct export`: the records of a run as long tables for data frames, or as pairs for programs that compute ratings.

use super::{Outcome, output_file, warn, whole};
use crate::error::Failure;
use crate::export::{ExportError, ExportFormat, TABLES, export, export_pairs};
use crate::league::MissingGames;
use crate::named::Named;
use crate::plural::counted;
use crate::record::Run;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::io::Write;
use std::path::PathBuf;

/// The format of results in pairs.
const PGN: &str = "pgn";

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Format of the tables; parquet needs a build with the feature parquet. pgn: results of each two
    /// players of a game, for programs that compute ratings
    #[arg(long, default_value = "csv", value_parser = PossibleValuesParser::new(ExportFormat::names().into_iter().chain([PGN])))]
    format: String,
    /// Folder of the tables [default: RUN/export]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let folder = output_file::folder_of(&arguments.folder, arguments.out.as_ref(), "export")?;
    let mut missing = MissingGames::of(&run.experiment().map_err(Failure::usage)?);
    let see = |game: &_| missing.see(game);
    let exported = match ExportFormat::of_name(&arguments.format) {
        Some(format) => export(&run, &folder, format, see),
        None => export_pairs(&run, &folder, see),
    };
    let exported = exported.map_err(|error| match error {
        ExportError::Unavailable | ExportError::Empty(_) | ExportError::OneSeat(_) => Failure::usage(error),
        ExportError::Write { path, error } => output_file::unwritten(&path, &error),
        error => Failure::failed(error),
    })?;
    warn(&exported.problems);
    let of_pairs = [("", "a game of two players")];
    let tables = if arguments.format == PGN { &of_pairs[..] } else { &TABLES[..] };
    for ((path, rows), (_, row)) in exported.files.iter().zip(tables) {
        writeln!(out, "{}: {}, each {row}", path.display(), counted(*rows, "row"))?;
    }
    whole::check(&arguments.folder, missing.count())
}
