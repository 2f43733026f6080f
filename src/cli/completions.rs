//! `evouct completions`: what a shell needs to complete commands and options.

use super::Outcome;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// The shell. For bash: `evouct completions bash > ~/.local/share/bash-completion/completions/evouct`
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut command = super::Arguments::command();
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "evouct", &mut text);
    out.write_all(&text)?;
    Ok(())
}
