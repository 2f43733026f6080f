//! `evouct slurm`: `evouct batch` for SLURM.

use super::Outcome;
use super::batch::{ScriptArgs, write};
use crate::cluster::System;
use clap::Args;
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    script: ScriptArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    write(&arguments.script, Some(System::Slurm), out)
}
