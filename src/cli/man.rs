//! `evouct man`: the manual pages.

use super::Outcome;
use crate::disk::create_folder;
use crate::error::Failure;
use clap::{Args, CommandFactory};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of the pages, such as ~/.local/share/man/man1
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let folder = &arguments.folder;
    let failed = |error| Failure::Failed(format!("cannot write the pages in {}: {error}", folder.display()));
    create_folder(folder).map_err(failed)?;
    clap_mangen::generate_to(super::Arguments::command().name("evouct"), folder).map_err(failed)?;
    writeln!(out, "wrote the manual pages; read them with `man -l {}`", folder.join("evouct.1").display())?;
    Ok(())
}
