//! `evouct slurm`: the batch script of an experiment, an evolution, a tuning or a bank, an estimate of its duration, and
//! a projection to more cores.

mod bank;
mod estimate;
mod evolution;
mod options;
mod submission;
mod tuning;

use super::environment::threads;
use super::experiment_args::ExperimentArgs;
use super::{Outcome, output_file, signals, stderr, tune};
use crate::cluster::{BatchRun, Job, Work, report_script, script};
use crate::config::{Experiment, FileKind};
use crate::error::Failure;
use crate::league::{Calibration, Permissions, ScalingPlan, Session, calibrate, project_scaling};
use crate::plural::counted;
use crate::record::{Binding, Header, JournalWriter};
use crate::search::Clock;
use clap::Args;
use estimate::{NONE_ENDED, propose_for_games};
use options::Options;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use submission::{check_array, no_idle_shards, submit};

/// The default profile, used if the file exists.
const PROFILE: &str = "slurm/profile.toml";
/// The size limit of a profile, and of files whose kind is looked at, in bytes.
const MAX_PROFILE: u64 = 1_000_000;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: ExperimentArgs,
    /// The run folder [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Profile with defaults for the job options [default: slurm/profile.toml if it exists, and a line says so]
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
    /// Write the script to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Submit the script with sbatch
    #[arg(long)]
    submit: bool,
    /// Also submit a job that writes the report when the run has ended
    #[arg(long, requires = "submit")]
    then_report: bool,
    /// Play on this machine for about this many seconds to estimate the duration, and propose time and memory where none
    /// is given; 0 for no estimate. Programs of external players are started only if this is given [default: 5]
    #[arg(long, value_name = "S")]
    calibrate: Option<f64>,
    /// Play on this machine as --calibrate does, print a projection to more cores, and write no script
    #[arg(long, conflicts_with_all = ["submit", "script"])]
    simulate: bool,
    /// Largest number of cores, with --simulate
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    cores: u64,
    /// Microseconds that a message and its answer cost rank 0, with --simulate; the example `ranks --trips` measures it
    #[arg(long, value_name = "US", default_value_t = 15.0)]
    message_cost: f64,
    /// Number of games, with --simulate [default: that of the experiment]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,
    /// Tune a player of the experiment: the job runs `evouct tune` with the arguments after --
    #[arg(long)]
    tune: bool,
    /// Further arguments of the command that the job runs (run, evolve, bank or tune), after --
    #[arg(last = true)]
    run: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    for (name, value) in
        [("--calibrate", arguments.calibrate.unwrap_or(0.0)), ("--message-cost", arguments.message_cost)]
    {
        if !(0.0..=86_400.0).contains(&value) {
            return Err(Failure::Usage(format!("{name} is a number from 0 to 86400, found {value}")));
        }
    }
    let mut job = arguments.profile()?;
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
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(&experiment.name));
    if arguments.simulate {
        return project(arguments, &job, experiment, out);
    }
    let extend = arguments.run.iter().any(|word| word == "--extend");
    let permissions = Permissions { allow_version: true, extend, ..Permissions::default() };
    let session = Session::plan(experiment, &folder, None, permissions);
    let session = session.map_err(Failure::usage)?;
    if session.missing() == 0 {
        writeln!(out, "no games are missing in {}: no job is needed", folder.display())?;
        return Ok(());
    }
    no_idle_shards(&mut job, session.missing(), "game");
    let (experiment, missing) = (session.experiment(), session.missing());
    let calibrate = |threads, limit| calibrate(experiment, threads, limit);
    let notes = propose_for_games(arguments, &experiment.players, missing, &mut job, calibrate)?;
    let run = BatchRun {
        work: Work::Games,
        name: experiment.name.clone(),
        file: arguments.chosen.experiment.display().to_string(),
        folder: folder.display().to_string(),
        arguments: [arguments.chosen.overrides().options(), arguments.run.clone()].concat(),
        notes,
    };
    arguments.hand_over(&job, &run, out)
}

/// What a file describes, as far as it can be told.
fn kind(file: &Path) -> Option<FileKind> {
    FileKind::of_text(&crate::disk::read_text(file, MAX_PROFILE).ok()?)
}

impl Arguments {
    /// Writes or submits the script of a run.
    fn hand_over(&self, job: &Job, run: &BatchRun, out: &mut dyn Write) -> Outcome {
        check_array(job, self.submit)?;
        let text = script(job, run);
        match &self.script {
            Some(path) => output_file::write(path, &text, &output_file::SCRIPT)?,
            None if !self.submit => write!(out, "{text}")?,
            None => {}
        }
        if self.submit {
            let id = submit(&[], &text)?;
            writeln!(out, "submitted job {id}")?;
            if self.then_report {
                // After any exit: a run with failed games has a report too.
                let report = submit(&[&format!("--dependency=afterany:{id}")], &report_script(job, run))?;
                writeln!(out, "submitted job {report}, which writes the report when job {id} has ended")?;
            }
        }
        Ok(())
    }

    fn profile(&self) -> Result<Job, Failure> {
        let path = match &self.profile {
            Some(path) => path.as_path(),
            None if Path::new(PROFILE).exists() => Path::new(PROFILE),
            None => return Ok(Job::default()),
        };
        let unreadable =
            |error: std::io::Error| Failure::Usage(format!("{}: cannot read the profile: {error}", path.display()));
        let text = crate::disk::read_text(path, MAX_PROFILE).map_err(unreadable)?;
        let job = Job::parse(&text, &path.display().to_string()).map_err(Failure::usage)?;
        if self.profile.is_none() && job != Job::default() {
            stderr::say(&format!("job options from {PROFILE}"));
        }
        Ok(job)
    }
}

/// Prints a projection to more and more cores, from game times measured on this machine.
fn project(arguments: &Arguments, job: &Job, experiment: Experiment, out: &mut dyn Write) -> Outcome {
    let experiment = Arc::new(experiment);
    let limit = arguments.simulation(&experiment.players)?;
    let found = calibrate(&experiment, threads(), limit).ok_or_else(|| Failure::Failed(NONE_ENDED.to_owned()))?;
    let record = record_cost(&experiment, &found)?;
    let message = Duration::from_secs_f64(arguments.message_cost / 1e6);
    let games = arguments.games.unwrap_or_else(|| crate::schedule::Schedule::of(&experiment).len());
    let threads = u64::from(job.cpus_per_task);
    writeln!(
        out,
        "{} of {:.4} s (mean of {}), {:.1} µs per message, {:.1} µs per record, {} per rank",
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
    let (header, of) = (Header::of(experiment, None), Binding::of_experiment(experiment));
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
        Ok::<_, crate::record::RecordError>(clock.now() / records)
    })();
    drop(std::fs::remove_dir_all(&folder));
    measured.map_err(Failure::failed)
}
