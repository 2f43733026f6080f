//! `evouct man`: the manual pages.

use super::{Outcome, output_file};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of the pages, such as ~/.local/share/man/man1
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut command = super::Arguments::command().name("evouct").disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add(&command, &mut pages)?;
    output_file::write_all(&arguments.folder, pages)?;
    let first = arguments.folder.join("evouct.1");
    writeln!(out, "wrote the manual pages; read them with `man -l {}`", first.display())?;
    Ok(())
}

/// The pages of a command and of all below it: name and text.
fn add(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> std::io::Result<()> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        add(inner, pages)?;
    }
    let (page, mut text) = (Man::new(command.clone()), Vec::new());
    page.render(&mut text)?;
    pages.push((page.get_filename(), text));
    Ok(())
}
