//! `evouct mend`: saves what can be read of a damaged run into a new folder.

use super::Outcome;
use crate::error::Failure;
use crate::record::mend;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// Damaged run folder; it is only read
    folder: PathBuf,
    /// Folder for the saved games: new or empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let saved = mend(&arguments.folder, &arguments.out).map_err(Failure::usage)?;
    for file in &saved.files {
        match &file.header {
            Some(from) => writeln!(out, "{}: {} games kept; header: {from}", file.name, file.kept)?,
            None => writeln!(out, "{}: left out", file.name)?,
        }
        for problem in &file.left_out {
            writeln!(out, "  {problem}")?;
        }
    }
    let folder = arguments.out.display();
    writeln!(out, "{} of {} games are in {folder}", saved.games, saved.scheduled)?;
    let options: String = saved.overrides.options().iter().map(|option| format!(" {option}")).collect();
    writeln!(out, "to play the missing games: evouct run {folder}/experiment.toml{options} --out {folder}")?;
    Ok(())
}
