//! The batch script of an evolution.

use super::super::block_times::BlockTimes;
use super::super::evolve::is_complete;
use super::super::input_bank::open_whole;
use super::super::{Outcome, stderr};
use super::arguments::ScriptArgs;
use super::estimate::{apply, memory_since, peak, words};
use super::submission::no_idle_shards;
use crate::cluster::{BatchJob, Estimate, Launcher, Work};
use crate::error::Failure;
use crate::named::Named;
use crate::offline::{EvolutionPlan, EvolutionSet, Measurer, Purpose};
use crate::plural::counted;
use std::io::Write;
use std::time::Duration;

/// A projection recommends as many cores per evolution as work for at least this share of the time.
const WORTHWHILE: f64 = 0.8;

/// Writes or submits the script of an evolution.
pub(super) fn run(arguments: &ScriptArgs, mut job: BatchJob, out: &mut dyn Write) -> Outcome {
    let overrides = arguments.chosen.overrides();
    if overrides.preset.is_some() || overrides.games_per_match.is_some() {
        return Err(Failure::Usage("--preset and --decks are for experiments, not for evolutions".to_owned()));
    }
    if arguments.games.is_some() {
        return Err(Failure::Usage("--games is for experiments, not for evolutions".to_owned()));
    }
    let plan = EvolutionPlan::load(&arguments.chosen.experiment, overrides.seed).map_err(Failure::usage)?;
    if arguments.simulate {
        return project(arguments, &job, plan, out);
    }
    let seeds = seeds(arguments)?;
    let name = if seeds.is_some() { format!("{}-seeds", plan.name) } else { plan.name.clone() };
    let folder = arguments.folder(&name);
    let is_complete = match &seeds {
        Some(seeds) => {
            let extends = arguments.run.iter().any(|word| word == "--extend");
            let set = EvolutionSet::plan(&folder, &plan.name, seeds.clone(), extends).map_err(Failure::usage)?;
            seeds.iter().try_fold(true, |all, seed| Ok(all && is_complete(&set.folder_of(*seed), &plan)?))
        }
        None => is_complete(&folder, &plan),
    };
    if is_complete? {
        writeln!(out, "no measurements are missing in {}: no job is needed", folder.display())?;
        return Ok(());
    }
    let count = seeds.map_or(1, |seeds| seeds.len() as u64);
    if plan.evolve.algorithm.is_steady() {
        // Each shard takes births of its own.
        no_idle_shards(&mut job, count * plan.evolve.lag as u64, "simultaneous birth");
    } else {
        // All shards take part in every batch.
        let most = plan.batches().iter().map(|batch| batch.blocks).max().unwrap_or(1);
        no_idle_shards(&mut job, count * most, "block");
    }
    let notes = match arguments.calibration(&plan.opponents()) {
        Some(limit) => {
            estimate(arguments, &job, (plan, count), limit)?.map_or(Ok(Vec::new()), |found| apply(&found, &mut job))?
        }
        None => Vec::new(),
    };
    arguments.hand_over(&job, (Work::Measurements, name, &folder), notes, out)
}

/// The seeds of `--seeds` among the arguments of the command that the job runs, if they are there.
fn seeds(arguments: &ScriptArgs) -> Result<Option<Vec<u64>>, Failure> {
    let mut words = arguments.run.iter().skip_while(|word| !word.starts_with("--seeds"));
    let Some(first) = words.next() else { return Ok(None) };
    let text = first.strip_prefix("--seeds=").or(words.next().map(String::as_str)).unwrap_or_default();
    let seeds = EvolutionSet::seeds_of(text);
    seeds.map(Some).map_err(|problem| Failure::Usage(format!("--seeds: {problem}")))
}

/// The estimate for an evolution of so many seeds, printed to stderr. None if its bank cannot be read here.
fn estimate(
    arguments: &ScriptArgs,
    job: &BatchJob,
    (plan, seeds): (EvolutionPlan, u64),
    limit: Duration,
) -> Result<Option<Estimate>, Failure> {
    let bank = match plan.bank.as_ref().map(|bank| open_whole(bank)).transpose() {
        Ok(bank) => bank,
        Err(failure) => {
            tracing::warn!("no estimate: {}", failure.message().unwrap_or_default());
            return Ok(None);
        }
    };
    let measurer = Measurer::new(plan, bank, Purpose::Evolution).map_err(Failure::Usage)?;
    let before = peak();
    let times = BlockTimes::measured(&measurer, limit)?;
    let batches = measurer.plan().batches();
    let threads = u64::from(job.cpus_per_task);
    // Shards take seeds of their own; ranks work at one after the other.
    let at_once = if job.launcher == Launcher::Array { seeds.min(job.shards.into()) } else { 1 };
    let ranks = (job.cores() / threads / at_once).max(1);
    let estimate = Estimate {
        seconds: times.seconds(&batches, (ranks, threads), arguments.message()) * seeds.div_ceil(at_once) as f64,
        longest: times.all().max().copied().unwrap_or_default(),
        sample: counted(times.all().count(), "block"),
        memory: memory_since(before, 1),
    };
    let total = seeds * batches.iter().map(|batch| batch.blocks).sum::<u64>();
    stderr::say(&format!(
        "evouct: {} on {}",
        counted(total, "block"),
        words(&estimate, seeds as f64 * times.core_seconds(&batches), job)
    ));
    Ok(Some(estimate))
}

/// Prints a projection to more and more cores. Generations and rounds are barriers: each batch is distributed by
/// itself, and cores wait at its end. Those of a steady state are one batch.
fn project(arguments: &ScriptArgs, job: &BatchJob, plan: EvolutionPlan, out: &mut dyn Write) -> Outcome {
    let limit = arguments.simulation(&plan.opponents())?;
    let bank = plan.bank.as_ref().map(|bank| open_whole(bank)).transpose()?;
    let measurer = Measurer::new(plan, bank, Purpose::Evolution).map_err(Failure::Usage)?;
    let plan = measurer.plan();
    let batches = plan.batches();
    let times = BlockTimes::measured(&measurer, limit)?;
    let total: u64 = batches.iter().map(|batch| batch.blocks).sum();
    let work = times.core_seconds(&batches);
    let (blocks, in_batches) = (counted(total, "block"), counted(batches.len(), "batch"));
    writeln!(out, "{}: {blocks} in {in_batches}, {} on one core", plan.name, counted(work.round(), "second"))?;
    for (stage, settings) in plan.stages.iter().enumerate() {
        let name = settings.measure.name();
        writeln!(
            out,
            "stage {} ({name}): blocks of {:.3} s (mean of {})",
            stage + 1,
            times.mean(stage).as_secs_f64(),
            times.of(stage).len()
        )?;
    }
    writeln!(out, "{:>8} {:>12} {:>11} {:>24}", "cores", "seconds", "efficiency", "evolutions on all cores")?;
    let threads = u64::from(job.cpus_per_task);
    let mut best = threads;
    let mut cores = threads;
    loop {
        let ranks = (cores / threads).max(1);
        let seconds = times.seconds(&batches, (ranks, threads), arguments.message());
        let efficiency = work / (seconds * (ranks * threads) as f64);
        if efficiency >= WORTHWHILE {
            best = ranks * threads;
        }
        let percent = 100.0 * efficiency.min(1.0);
        writeln!(
            out,
            "{:>8} {seconds:>12.1} {percent:>10.1}% {:>24}",
            ranks * threads,
            arguments.cores / (ranks * threads)
        )?;
        if cores >= arguments.cores {
            break;
        }
        cores = (cores * 2).min(arguments.cores.next_multiple_of(threads));
    }
    let evolutions = (arguments.cores / best).max(1);
    writeln!(
        out,
        "on {} cores: {evolutions} evolutions at once, {best} cores each (efficiency of at least {:.0} %)",
        arguments.cores,
        100.0 * WORTHWHILE
    )?;
    Ok(())
}
