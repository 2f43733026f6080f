//! The batch script of an evolution.

use super::super::bank::open_whole;
use super::super::{Outcome, stderr};
use super::arguments::Arguments;
use super::estimate::{apply, memory_since, peak, words};
use super::submission::no_idle_shards;
use crate::clock::WallClock;
use crate::cluster::{BatchRun, Estimate, Job, Work};
use crate::error::Failure;
use crate::league::{ScalingPlan, project_scaling};
use crate::named::Named;
use crate::offline::{EvolutionFolder, EvolutionPlan, Measurer, Purpose};
use crate::plural::counted;
use crate::search::Clock;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// A projection recommends as many cores per evolution as work for at least this share of the time.
const WORTHWHILE: f64 = 0.8;
/// What the sum of a block is assumed to cost rank 0: it is stored, and each genome makes one line of the journal.
const RECORD: Duration = Duration::from_micros(5);

/// Writes or submits the script of an evolution.
pub(super) fn run(arguments: &Arguments, mut job: Job, out: &mut dyn Write) -> Outcome {
    let file = &arguments.chosen.experiment;
    let overrides = arguments.chosen.overrides();
    if overrides.preset.is_some() || overrides.games_per_match.is_some() {
        return Err(Failure::Usage("--preset and --decks are for experiments, not for evolutions".to_owned()));
    }
    if arguments.games.is_some() {
        return Err(Failure::Usage("--games is for experiments, not for evolutions".to_owned()));
    }
    let plan = EvolutionPlan::load(file, overrides.seed).map_err(Failure::usage)?;
    if arguments.simulate {
        return project(arguments, &job, plan, out);
    }
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(&plan.name));
    let opened = EvolutionFolder::open(&folder).map_err(Failure::usage)?;
    if opened.is_some_and(|opened| opened.progress().evolved.is_some()) {
        writeln!(out, "no measurements are missing in {}: no job is needed", folder.display())?;
        return Ok(());
    }
    // All shards take part in every batch.
    let most = plan.batches().iter().map(|batch| batch.blocks).max().unwrap_or(1);
    no_idle_shards(&mut job, most, "block");
    let name = plan.name.clone();
    let notes = match arguments.calibration(&plan.opponents) {
        Some(limit) => {
            estimate(arguments, &job, plan, limit)?.map_or(Ok(Vec::new()), |found| apply(&found, &mut job))?
        }
        None => Vec::new(),
    };
    let run = BatchRun {
        work: Work::Measurements,
        name,
        file: file.display().to_string(),
        folder: folder.display().to_string(),
        arguments: [overrides.options(), arguments.run.clone()].concat(),
        notes,
    };
    arguments.hand_over(&job, &run, out)
}

/// How long the blocks of each stage take here, and all batches on so many cores.
struct Durations {
    of_stages: Vec<Vec<Duration>>,
    /// Generations are alike: how often there is a batch of a stage with so many blocks.
    sizes: BTreeMap<(usize, u64), u64>,
    message: Duration,
}

impl Durations {
    fn measured(measurer: &Measurer, arguments: &Arguments, limit: Duration) -> Result<Durations, Failure> {
        let stages = measurer.plan().stages.len();
        let of_stages =
            (0..stages).map(|stage| sampled(measurer, stage, limit / stages as u32)).collect::<Result<_, _>>()?;
        let mut sizes: BTreeMap<(usize, u64), u64> = BTreeMap::new();
        for batch in measurer.plan().batches() {
            *sizes.entry((batch.stage, batch.blocks)).or_default() += 1;
        }
        Ok(Durations { of_stages, sizes, message: Duration::from_secs_f64(arguments.message_cost / 1e6) })
    }

    /// Seconds on so many ranks. Each batch is distributed by itself, and cores wait at its end.
    fn seconds(&self, ranks: u64, threads: u64) -> f64 {
        let seconds_of = |(stage, blocks): (usize, u64)| {
            let durations = self.of_stages[stage].clone();
            let look = Duration::from_millis(2);
            let (games, record, message, latency) = (blocks, RECORD, self.message, self.message);
            project_scaling(&ScalingPlan { games, ranks, threads, durations, message, record, latency, look }).seconds
        };
        self.sizes.iter().map(|(size, count)| seconds_of(*size) * *count as f64).sum()
    }
}

/// The estimate for an evolution, printed to stderr. None if its bank cannot be read here.
fn estimate(
    arguments: &Arguments,
    job: &Job,
    plan: EvolutionPlan,
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
    let durations = Durations::measured(&measurer, arguments, limit)?;
    let threads = u64::from(job.cpus_per_task);
    let blocks = || durations.of_stages.iter().flatten();
    let estimate = Estimate {
        seconds: durations.seconds((job.cores() / threads).max(1), threads),
        longest: blocks().max().copied().unwrap_or_default(),
        sample: counted(blocks().count(), "block"),
        memory: memory_since(before, 1),
    };
    let total: u64 = durations.sizes.iter().map(|((_, blocks), count)| blocks * count).sum();
    stderr::say(&format!("evouct: {} on {}", counted(total, "block"), words(&estimate, job)));
    Ok(Some(estimate))
}

/// Prints a projection to more and more cores. Generations and rounds are barriers: each batch is distributed by
/// itself, and cores wait at its end.
fn project(arguments: &Arguments, job: &Job, plan: EvolutionPlan, out: &mut dyn Write) -> Outcome {
    let limit = arguments.simulation(&plan.opponents)?;
    let bank = plan.bank.as_ref().map(|bank| open_whole(bank)).transpose()?;
    let measurer = Measurer::new(plan, bank, Purpose::Evolution).map_err(Failure::Usage)?;
    let plan = measurer.plan();
    let batches = plan.batches();
    let all = Durations::measured(&measurer, arguments, limit)?;
    let durations = &all.of_stages;
    let mean = |stage: usize| durations[stage].iter().sum::<Duration>() / durations[stage].len() as u32;
    let total: u64 = batches.iter().map(|batch| batch.blocks).sum();
    let work: f64 = batches.iter().map(|batch| mean(batch.stage).as_secs_f64() * batch.blocks as f64).sum();
    let (blocks, in_batches) = (counted(total, "block"), counted(batches.len(), "batch"));
    writeln!(
        out,
        "{}: {blocks} in {in_batches}, {} of wall time on one core",
        plan.name,
        counted(work.round(), "second")
    )?;
    for (stage, settings) in plan.stages.iter().enumerate() {
        let name = settings.measure.name();
        writeln!(
            out,
            "stage {} ({name}): blocks of {:.3} s (mean of {})",
            stage + 1,
            mean(stage).as_secs_f64(),
            durations[stage].len()
        )?;
    }
    writeln!(out, "{:>8} {:>12} {:>11} {:>24}", "cores", "seconds", "efficiency", "evolutions on all cores")?;
    let threads = u64::from(job.cpus_per_task);
    let mut best = threads;
    let mut cores = threads;
    loop {
        let ranks = (cores / threads).max(1);
        let seconds = all.seconds(ranks, threads);
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

/// How long blocks of a stage take here: those of the seeds in turn, for about so long, and at least eight.
fn sampled(measurer: &Measurer, stage: usize, limit: Duration) -> Result<Vec<Duration>, Failure> {
    let plan = measurer.plan();
    let clock = WallClock::start();
    let mut durations = Vec::new();
    while durations.len() < 8 || clock.now() < limit {
        let genome = plan.seeds[durations.len() % plan.seeds.len()].clone();
        let units = plan.stages[stage].rounds.iter().copied().max().unwrap_or(1);
        let request = plan.sample(stage, units, plan.generations as usize, genome);
        let block = durations.len() as u32 % plan.blocks(&request);
        let begun = clock.now();
        measurer.block(&request, block).map_err(Failure::failed)?;
        durations.push(clock.now().saturating_sub(begun));
    }
    Ok(durations)
}
