//! The batch script of an evolution.

use super::{Arguments, Outcome};
use crate::cluster::{BatchRun, Job, Work};
use crate::error::Failure;
use crate::offline::{EvolutionFolder, EvolutionPlan};
use std::io::Write;
use std::path::Path;

/// Whether a file is that of an evolution: it has a section `[evolve]`.
pub(super) fn is_evolution(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().any(|line| line.trim() == "[evolve]")
}

/// Writes or submits the script of an evolution.
pub(super) fn run(arguments: &Arguments, job: &Job, out: &mut dyn Write) -> Outcome {
    let file = &arguments.chosen.experiment;
    let overrides = arguments.chosen.overrides();
    if overrides.preset.is_some() || overrides.games_per_match.is_some() {
        return Err(Failure::Usage(
            "--preset and --games-per-match are for experiments, not for evolutions".to_owned(),
        ));
    }
    if arguments.simulate {
        return Err(Failure::Usage("--simulate is for experiments, not for evolutions".to_owned()));
    }
    let plan = EvolutionPlan::load(file, overrides.seed).map_err(Failure::usage)?;
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(&plan.name));
    let opened = EvolutionFolder::open(&folder).map_err(Failure::usage)?;
    if opened.is_some_and(|opened| opened.progress().evolved.is_some()) {
        writeln!(out, "no measurements are missing in {}: no job is needed", folder.display())?;
        return Ok(());
    }
    let run = BatchRun {
        work: Work::Measurements,
        name: plan.name,
        file: file.display().to_string(),
        folder: folder.display().to_string(),
        arguments: [overrides.options(), arguments.run.clone()].concat(),
    };
    arguments.hand_over(job, &run, out)
}
