//! `evouct new`: a starter file for an experiment or an evolution.

use super::Outcome;
use crate::config::{check_name, experiment_template};
use crate::disk::DiskFile;
use crate::error::Failure;
use crate::offline::evolution_template;
use crate::registry;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// Name of the experiment: letters, digits and . _ - :. The file is NAME.toml in the current folder
    name: String,
    /// Game that is played
    #[arg(long, default_value_t = registry::default_game().name().to_owned())]
    game: String,
    /// The kind of file
    #[arg(long, value_enum, default_value_t = FileKind::Experiment)]
    of: FileKind,
}

#[derive(Clone, Copy, ValueEnum)]
enum FileKind {
    /// An experiment, for `run`
    Experiment,
    /// An evolution, for `evolve`
    Evolution,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let Arguments { name, game, of } = arguments;
    let name = name.strip_suffix(".toml").unwrap_or(name);
    check_name(name).map_err(Failure::Usage)?;
    let game = registry::game(game).map_err(Failure::Usage)?;
    let (text, command) = match of {
        FileKind::Experiment => (experiment_template(name, game), "run"),
        FileKind::Evolution => (evolution_template(name, game), "evolve"),
    };
    let path = PathBuf::from(format!("{name}.toml"));
    if path.exists() {
        return Err(Failure::Usage(format!("{} exists; give another name", path.display())));
    }
    let written = DiskFile::create(&path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync()
    });
    written.map_err(|error| Failure::Usage(format!("cannot write {}: {error}", path.display())))?;
    writeln!(out, "wrote {0}; start it with `evouct {command} {0}`", path.display())?;
    Ok(())
}
