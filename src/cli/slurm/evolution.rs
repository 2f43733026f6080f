//! The batch script of an evolution.

use super::super::bank::open_whole;
use super::{Arguments, Outcome, no_idle_shards};
use crate::clock::WallClock;
use crate::cluster::{BatchRun, Job, Work};
use crate::config::FileKind;
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

/// Whether a file is that of an evolution.
pub(super) fn is_evolution(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| FileKind::of_text(&text) == Some(FileKind::Evolution))
}

/// Writes or submits the script of an evolution.
pub(super) fn run(arguments: &Arguments, mut job: Job, out: &mut dyn Write) -> Outcome {
    let file = &arguments.chosen.experiment;
    let overrides = arguments.chosen.overrides();
    if overrides.preset.is_some() || overrides.games_per_match.is_some() {
        return Err(Failure::Usage(
            "--preset and --games-per-match are for experiments, not for evolutions".to_owned(),
        ));
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
    let run = BatchRun {
        work: Work::Measurements,
        name: plan.name,
        file: file.display().to_string(),
        folder: folder.display().to_string(),
        arguments: [overrides.options(), arguments.run.clone()].concat(),
    };
    arguments.hand_over(&job, &run, out)
}

/// Prints a projection to more and more cores. Generations and rounds are barriers: each batch is distributed by
/// itself, and cores wait at its end.
fn project(arguments: &Arguments, job: &Job, plan: EvolutionPlan, out: &mut dyn Write) -> Outcome {
    let bank = plan.bank.as_ref().map(|bank| open_whole(bank)).transpose()?;
    let measurer = Measurer::new(plan, bank, Purpose::Evolution).map_err(Failure::Usage)?;
    let plan = measurer.plan();
    super::signals::watch_for_programs(plan.opponents.iter().map(|opponent| &opponent.spec));
    let batches = plan.batches();
    let stages = plan.stages.len();
    let limit = Duration::from_secs_f64(arguments.calibrate.max(0.1)) / stages as u32;
    let durations: Vec<Vec<Duration>> =
        (0..stages).map(|stage| sampled(&measurer, stage, limit)).collect::<Result<_, _>>()?;
    let mean = |stage: usize| durations[stage].iter().sum::<Duration>() / durations[stage].len() as u32;
    let total: u64 = batches.iter().map(|batch| batch.blocks).sum();
    let work: f64 = batches.iter().map(|batch| mean(batch.stage).as_secs_f64() * batch.blocks as f64).sum();
    // Generations are alike: each size of a batch is simulated once.
    let mut sizes: BTreeMap<(usize, u64), u64> = BTreeMap::new();
    for batch in &batches {
        *sizes.entry((batch.stage, batch.blocks)).or_default() += 1;
    }
    let (blocks, in_batches) = (counted(total, "block"), counted(batches.len(), "batch"));
    writeln!(out, "{}: {blocks} in {in_batches}, {}", plan.name, counted(work.round(), "core-second"))?;
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
    let (threads, message) = (u64::from(job.cpus_per_task), Duration::from_secs_f64(arguments.message_cost / 1e6));
    let mut best = threads;
    let mut cores = threads;
    loop {
        let ranks = (cores / threads).max(1);
        let seconds_of = |(stage, blocks): (usize, u64)| {
            let durations = durations[stage].clone();
            let look = Duration::from_millis(2);
            let (games, record, latency) = (blocks, RECORD, message);
            project_scaling(&ScalingPlan { games, ranks, threads, durations, message, record, latency, look }).seconds
        };
        let seconds: f64 = sizes.iter().map(|(size, count)| seconds_of(*size) * *count as f64).sum();
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
