//! `evouct evolve --seeds`: one evolution for each of several seeds, in the sub-folders of one folder.

use super::evolve::{Arguments, evolve, start_programs};
use super::form::Form;
use super::place::Place;
use super::{Outcome, evolution_folder, evolution_set, evolve_plan, signals, stderr, warn};
use crate::error::Failure;
use crate::offline::{EvolutionOptions, EvolutionPlan, EvolutionSession, EvolutionSet};
use crate::schedule::Shard;
use std::io::Write;

/// The evolutions of these seeds in their folder.
fn set_of(arguments: &Arguments, seeds: &[u64]) -> Result<EvolutionSet, Failure> {
    let plan = EvolutionPlan::load(&arguments.evolution, None).map_err(Failure::usage)?;
    let folder = arguments.measure.work.part.folder(&format!("{}-seeds", plan.name));
    EvolutionSet::plan(&folder, &plan.name, seeds.to_vec(), arguments.measure.extends()).map_err(Failure::usage)
}

/// The evolution of a seed in its folder, or a part of it.
fn session(
    arguments: &Arguments,
    set: &EvolutionSet,
    seed: u64,
    shard: Option<Shard>,
) -> Result<EvolutionSession, Failure> {
    let plan = EvolutionPlan::load(&arguments.evolution, Some(seed)).map_err(Failure::usage)?;
    let options = EvolutionOptions { seed: Some(seed), shard, ..EvolutionOptions::default() };
    arguments.measure.session_in(&set.folder_of(seed), plan, options)
}

/// The evolution of a seed, for a rank that helps with it.
pub(super) fn helper(arguments: &Arguments, seeds: &[u64], seed: u64) -> Result<EvolutionSession, Failure> {
    session(arguments, &set_of(arguments, seeds)?, seed, None)
}

/// Evolves one seed after the other, and reports all of them.
pub(super) fn carry_out(arguments: &Arguments, seeds: &[u64], place: &mut dyn Place, out: &mut dyn Write) -> Outcome {
    let (set, work) = (set_of(arguments, seeds)?, &arguments.measure.work);
    let parts = set.part(work.part.shard()?);
    let Some((seed, shard)) = parts.first() else {
        return Err(Failure::Usage("there is no seed for this shard".to_owned()));
    };
    let first = session(arguments, &set, *seed, *shard)?;
    if arguments.dry_run {
        write!(out, "{}", evolve_plan::text(&first, place.threads(), arguments.budget, set.seeds().len())?)?;
        return Ok(());
    }
    work.part.warn_of_whole(None);
    let stop = signals::playing();
    start_programs(&first, false, &stop)?;
    drop(first);
    set.record().map_err(Failure::usage)?;
    let mut all = || -> Outcome {
        for (seed, shard) in &parts {
            let session = session(arguments, &set, *seed, *shard)?;
            warn(&session.problems);
            let folder = session.folder().to_owned();
            let digest = evolve(session, &format!("seed {seed}: "), place, work, &stop)?;
            let line = evolution_folder::write_report(&folder, &digest)?;
            stderr::say(&format!("seed {seed}: {line}"));
        }
        Ok(())
    };
    let outcome = all();
    signals::played();
    outcome?;
    evolution_set::report(&set, 0.0, Form::Text, out).map(drop)
}
