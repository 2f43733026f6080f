//! `evouct batch`: the batch script of an experiment, an evolution, a tuning or a bank, an estimate of its duration, and
//! a projection to more cores.

mod arguments;
mod bank;
mod estimate;
mod evolution;
mod options;
mod submission;
mod tuning;

use super::Outcome;
use super::environment::threads;
use super::phrases::at_most;
use crate::cluster::{BatchJob, System, Work};
use crate::config::{Experiment, FileKind};
use crate::error::Failure;
use crate::league::{Calibration, GameOrder, ResumeOptions, ScalingPlan, Session, calibrate, project_scaling};
use crate::named::Named;
use crate::plural::counted;
use crate::record::Header;
use crate::search::Clock;
use crate::store::JournalWriter;
use arguments::MAX_PROFILE;
pub(super) use arguments::ScriptArgs;
use clap::Args;
use clap::builder::PossibleValuesParser;
use estimate::{Games, NONE_ENDED, propose_for_games};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use submission::no_idle_shards;

#[derive(Args)]
pub(super) struct Arguments {
    /// Batch system [default: that of the profile, or slurm]
    #[arg(long, value_name = "SYSTEM", value_parser = PossibleValuesParser::new(System::names()))]
    system: Option<String>,
    #[command(flatten)]
    script: ScriptArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    write(&arguments.script, arguments.system.as_deref().and_then(System::of_name), out)
}

/// Writes or submits the script for this batch system, or for that of the profile.
pub(super) fn write(arguments: &ScriptArgs, system: Option<System>, out: &mut dyn Write) -> Outcome {
    for (name, value) in
        [("--calibrate", arguments.calibrate.unwrap_or(0.0)), ("--message-cost", arguments.message_cost)]
    {
        if !(0.0..=86_400.0).contains(&value) {
            return Err(Failure::Usage(format!("{name} is a number from 0 to 86400, found {value}")));
        }
    }
    let mut job = arguments.profile(system)?;
    job.system = system.unwrap_or(job.system);
    arguments.options.apply(&mut job);
    job.check().map_err(Failure::Usage)?;
    if arguments.tune {
        return tuning::run(arguments, job, out);
    }
    match kind(&arguments.chosen.experiment) {
        Some(FileKind::Evolution) => return evolution::run(arguments, job, out),
        Some(FileKind::Bank) => return bank::run(arguments, job, out),
        _ => {}
    }
    let experiment = arguments.chosen.load()?;
    let folder = arguments.folder(&experiment.name);
    if arguments.simulate {
        return project(arguments, &job, experiment, out);
    }
    let extend = arguments.run.iter().any(|word| word == "--extend");
    let permissions = ResumeOptions { allow_version: true, extend, ..ResumeOptions::default() };
    let session = Session::plan(experiment, &folder, None, permissions);
    let session = session.map_err(Failure::usage)?;
    if session.missing() == 0 {
        writeln!(out, "no games are missing in {}: no job is needed", folder.display())?;
        return Ok(());
    }
    no_idle_shards(&mut job, session.missing(), "game");
    let (experiment, missing) = (session.experiment(), session.missing());
    let calibrate = |threads, limit| calibrate(experiment, threads, limit);
    let games = Games { count: missing, may_end: experiment.sequential.is_some() };
    let notes = propose_for_games(arguments, &experiment.players, games, &mut job, calibrate)?;
    arguments.hand_over(&job, (Work::Games, experiment.name.clone(), &folder), notes, out)
}

/// What a file describes, as far as it can be told.
fn kind(file: &Path) -> Option<FileKind> {
    FileKind::of_text(&crate::disk::read_text(file, MAX_PROFILE).ok()?)
}

/// Prints a projection to more and more cores, from game times measured on this machine.
fn project(arguments: &ScriptArgs, job: &BatchJob, experiment: Experiment, out: &mut dyn Write) -> Outcome {
    let experiment = Arc::new(experiment);
    let limit = arguments.simulation(&experiment.players)?;
    let found = calibrate(&experiment, threads(), limit).ok_or_else(|| Failure::Failed(NONE_ENDED.to_owned()))?;
    let record = record_cost(&experiment, &found)?;
    let message = Duration::from_secs_f64(arguments.message_cost / 1e6);
    let games = arguments.games.unwrap_or_else(|| experiment.games());
    let threads = u64::from(job.cpus_per_task);
    writeln!(
        out,
        "{}{} of {:.4} s (mean of {}), {:.1} µs per message, {:.1} µs per record, {} per rank",
        at_most(experiment.sequential.is_some()),
        counted(games, "game"),
        found.seconds_per_game,
        found.games.len(),
        arguments.message_cost,
        1e6 * record.as_secs_f64(),
        counted(threads, "thread")
    )?;
    writeln!(
        out,
        "{:>8} {:>12} {:>12} {:>11} {:>12} {:>7}",
        "cores", "seconds", "games/s", "efficiency", "rank 0 busy", "tail"
    )?;
    let mut cores = threads;
    loop {
        let plan = ScalingPlan {
            games,
            ranks: (cores / threads).max(1),
            threads,
            durations: found.games.iter().map(|(_, took)| *took).collect(),
            message,
            record,
            latency: message,
            // The sleep between two polls is 4 ms at most when idle, and far shorter under load.
            look: Duration::from_millis(2),
            // A look and a round wait for all games before.
            order: experiment.looks().map(|looks| looks as u64).or(experiment.rounds.map(u64::from)).map(|steps| {
                let until = |step: u64| games * step / steps;
                let rounds = (1..=steps).map(|step| until(step) - until(step - 1)).filter(|round| *round > 0);
                GameOrder { groups: vec![rounds.collect()], lag: 1 }
            }),
        };
        let projection = project_scaling(&plan);
        writeln!(
            out,
            "{:>8} {:>12.1} {:>12.1} {:>10.1}% {:>11.1}% {:>6.1}%",
            projection.cores,
            projection.seconds,
            projection.games_per_second,
            100.0 * projection.efficiency,
            100.0 * projection.leader_busy,
            100.0 * projection.tail
        )?;
        if cores >= arguments.cores {
            return Ok(());
        }
        cores = (cores * 4).min(arguments.cores.next_multiple_of(threads));
    }
}

/// The cost of checking and writing a record on this machine. The records of the calibration go to a temporary journal.
fn record_cost(experiment: &Experiment, found: &Calibration) -> Result<Duration, Failure> {
    let folder = std::env::temp_dir().join(format!("evouct-simulate-{}", std::process::id()));
    let (header, of) = (Header::of(experiment, None), experiment.binding());
    let measured = (|| {
        let mut journal = JournalWriter::open(&folder.join("games.jsonl"), &header)?;
        let clock = crate::clock::WallClock::start();
        let mut records = 0_u32;
        while records < 200 || clock.now() < Duration::from_millis(200) {
            for (entry, _) in &found.games {
                // What rank 0 does with an entry; the result is known to be good.
                drop(entry.check(entry.id(), &of));
                journal.append(entry, clock.now())?;
                records += 1;
            }
        }
        Ok::<_, crate::store::RecordError>(clock.now() / records)
    })();
    drop(std::fs::remove_dir_all(&folder));
    measured.map_err(Failure::failed)
}
