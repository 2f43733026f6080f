//! The experiment that a command takes.

use crate::config::{Experiment, Overrides};
use crate::error::Failure;
use crate::named::Named;
use crate::parameter::Preset;
use clap::Args;
use std::path::PathBuf;

/// Overrides of values in the file of an experiment.
#[derive(Args)]
pub(super) struct OverrideArgs {
    /// Override the preset of the file: as-printed or reference. Its name is added to the name of the experiment
    #[arg(long, value_parser = preset)]
    preset: Option<Preset>,
    /// Override the seed of the file. It is added to the name of the experiment
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..u64::MAX))]
    seed: Option<u64>,
}

impl OverrideArgs {
    /// The overrides; the decks per match are those of the file.
    pub(super) fn overrides(&self) -> Overrides {
        Overrides { preset: self.preset, seed: self.seed, games_per_match: None }
    }
}

/// An experiment, with overrides of values in its file.
#[derive(Args)]
pub(super) struct ExperimentArgs {
    /// Experiment file (TOML)
    pub experiment: PathBuf,
    #[command(flatten)]
    overrides: OverrideArgs,
    /// Override the decks per match of the file. With --extend (for slurm after --) a run with fewer decks gets more
    #[arg(long, alias = "games-per-match", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    decks: Option<u32>,
}

impl ExperimentArgs {
    /// The overrides.
    pub(super) fn overrides(&self) -> Overrides {
        Overrides { games_per_match: self.decks, ..self.overrides.overrides() }
    }

    /// Reads the experiment.
    pub(super) fn load(&self) -> Result<Experiment, Failure> {
        Experiment::load(&self.experiment, self.overrides()).map_err(Failure::usage)
    }
}

/// A preset by its name.
pub(super) fn preset(name: &str) -> Result<Preset, String> {
    Preset::of_name(name).ok_or_else(|| format!("expected {}", Preset::names().join(" or ")))
}
