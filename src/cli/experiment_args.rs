//! The experiment that a command is for.

use clap::Args;
use evouct::config::{Experiment, Overrides};
use evouct::error::Failure;
use evouct::player::Preset;
use std::path::PathBuf;

/// An experiment, and what takes the place of its file's values.
#[derive(Args)]
pub(super) struct ExperimentArgs {
    /// The experiment, a TOML file
    pub experiment: PathBuf,
    /// Defaults of the players in place of the file's: text or reference. The name of the preset is added to that of the
    /// experiment
    #[arg(long, value_parser = preset)]
    preset: Option<Preset>,
    /// Seed in place of the file's; it is added to the name of the experiment
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..u64::MAX))]
    seed: Option<u64>,
    /// Decks a match in place of the file's (with --extend, after -- for slurm, they are added to a run that has fewer)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games_per_match: Option<u32>,
}

impl ExperimentArgs {
    /// What takes the place of the file's values.
    pub(super) fn overrides(&self) -> Overrides {
        Overrides { preset: self.preset, seed: self.seed, games_per_match: self.games_per_match }
    }

    /// Reads the experiment.
    pub(super) fn load(&self) -> Result<Experiment, Failure> {
        Experiment::load(&self.experiment, self.overrides()).map_err(Failure::usage)
    }
}

/// A preset by its name.
pub(super) fn preset(name: &str) -> Result<Preset, String> {
    let found = Preset::NAMES.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, preset)| preset).ok_or_else(|| "expected text or reference".to_owned())
}
