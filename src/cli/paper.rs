//! `evouct paper`: tables, figures, methods and references of a run for a paper.

use super::{Outcome, compare, output_file, whole};
use crate::error::Failure;
use crate::report::{KitOptions, Report, paper_kit};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Folder of the files [default: RUN/paper]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Beginning of all labels: tab:PREFIX-ranking [default: the name of the run]
    #[arg(long)]
    prefix: Option<String>,
    /// The columns of a table, such as ranking=player,points,difference. Repeat for more tables
    #[arg(long, value_name = "TABLE=COLUMNS", value_parser = table)]
    table: Vec<(String, Vec<String>)>,
}

/// `ranking=player,points`.
fn table(text: &str) -> Result<(String, Vec<String>), String> {
    match text.split_once('=') {
        Some((name, columns)) if !name.is_empty() && !columns.is_empty() => {
            Ok((name.to_owned(), columns.split(',').map(|column| column.trim().to_owned()).collect()))
        }
        _ => Err("expected TABLE=COLUMN,COLUMN, such as ranking=player,points".to_owned()),
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let (experiment, loaded) = compare::read(&arguments.folder)?;
    let report = Report::of(&experiment, &loaded.aggregate);
    let options = KitOptions { prefix: arguments.prefix.clone(), columns: arguments.table.clone() };
    let kit = paper_kit(&experiment, &report, &options)
        .map_err(|error| Failure::Usage(format!("{}: {error}", arguments.folder.display())))?;
    let folder = output_file::folder_of(&arguments.folder, arguments.out.as_ref(), "paper")?;
    for name in output_file::write_all(&folder, kit)? {
        writeln!(out, "{}", folder.join(name).display())?;
    }
    whole::check(&arguments.folder, loaded.missing)
}
