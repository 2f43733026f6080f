//! `evouct man`: the manual pages.

use super::{Outcome, pages};
use clap::{Args, CommandFactory};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of the pages, such as ~/.local/share/man/man1
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    pages::write(&arguments.folder, |folder| {
        clap_mangen::generate_to(super::Arguments::command().name("evouct"), folder)
    })?;
    let first = arguments.folder.join("evouct.1");
    writeln!(out, "wrote the manual pages; read them with `man -l {}`", first.display())?;
    Ok(())
}
