//! The arguments of `evouct batch` and `evouct slurm`, and what becomes of the script.

use super::super::experiment_args::ExperimentArgs;
use super::super::{Outcome, output_file, stderr};
use super::options::Options;
use super::submission::{check_array, check_report, submit};
use crate::cluster::{BatchJob, BatchRun, System, Work, report_script, script};
use crate::error::Failure;
use crate::named::Named;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The size limit of a profile, and of files whose kind is looked at, in bytes.
pub(super) const MAX_PROFILE: u64 = 1_000_000;

#[derive(Args)]
pub(in crate::cli) struct ScriptArgs {
    #[command(flatten)]
    pub(super) chosen: ExperimentArgs,
    /// The run folder [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Profile with defaults for the job options [default: slurm/profile.toml if it exists, and a line says so; of other
    /// systems pbs/profile.toml and so on]
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    pub(super) options: Options,
    /// Write the script to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Submit the script: with sbatch, qsub or bsub
    #[arg(long)]
    submit: bool,
    /// Also submit a job that writes the report when the run has ended
    #[arg(long, requires = "submit")]
    pub(super) then_report: bool,
    /// Play on this machine for about this many seconds to estimate the duration, and propose time and memory where none
    /// is given; 0 for no estimate. Programs of external players are started only if this is given [default: 5]
    #[arg(long, value_name = "S")]
    pub(super) calibrate: Option<f64>,
    /// Play on this machine as --calibrate does, print a projection to more cores, and write no script
    #[arg(long, conflicts_with_all = ["submit", "script"])]
    pub(super) simulate: bool,
    /// Largest number of cores, with --simulate
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) cores: u64,
    /// Microseconds that a message and its answer cost rank 0, with --simulate; the example `ranks --trips` measures it
    #[arg(long, value_name = "US", default_value_t = 15.0)]
    pub(super) message_cost: f64,
    /// Number of games, with --simulate [default: that of the experiment]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(super) games: Option<u64>,
    /// Tune a player of the experiment: the job runs `evouct tune` with the arguments after --
    #[arg(long)]
    pub(super) tune: bool,
    /// Further arguments of the command that the job runs (run, evolve, bank or tune), after --
    #[arg(last = true)]
    pub(super) run: Vec<String>,
}

impl ScriptArgs {
    /// What a message and its answer cost.
    pub(super) fn message(&self) -> Duration {
        Duration::from_secs_f64(self.message_cost / 1e6)
    }

    /// The folder: `--out`, or that of this name in `runs`.
    pub(super) fn folder(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| Path::new("runs").join(name))
    }

    /// Writes or submits the script of a run of this name in this folder. `notes` are lines for its readers.
    pub(super) fn hand_over(
        &self,
        job: &BatchJob,
        (work, name, folder): (Work, String, &Path),
        notes: Vec<String>,
        out: &mut dyn Write,
    ) -> Outcome {
        let arguments = [self.chosen.overrides().options(), self.run.clone()].concat();
        let (file, folder) = (self.chosen.experiment.display().to_string(), folder.display().to_string());
        let run = &BatchRun { work, name, file, folder, arguments, notes };
        check_array(job, self.submit)?;
        check_report(job, self.then_report)?;
        let text = script(job, run);
        match &self.script {
            Some(path) => output_file::write(path, &text, &output_file::SCRIPT)?,
            None if !self.submit => write!(out, "{text}")?,
            None => {}
        }
        if self.submit {
            let id = submit(job.system, &[], &text)?;
            writeln!(out, "submitted job {id}")?;
            // After any exit: a run with failed games has a report too.
            if let Some(after) = job.system.after(&id).filter(|_| self.then_report) {
                let report = submit(job.system, &after, &report_script(job, run))?;
                writeln!(out, "submitted job {report}, which writes the report when job {id} has ended")?;
            }
        }
        Ok(())
    }

    /// The job options of the profile.
    pub(super) fn profile(&self, system: Option<System>) -> Result<BatchJob, Failure> {
        let usual = Path::new(system.unwrap_or(System::Slurm).name()).join("profile.toml");
        let path = match &self.profile {
            Some(path) => path,
            None if usual.exists() => &usual,
            None => return Ok(BatchJob::default()),
        };
        let unreadable =
            |error: std::io::Error| Failure::Usage(format!("{}: cannot read the profile: {error}", path.display()));
        let text = crate::disk::read_text(path, MAX_PROFILE).map_err(unreadable)?;
        let job = BatchJob::parse(&text, &path.display().to_string()).map_err(Failure::usage)?;
        if self.profile.is_none() && job != BatchJob::default() {
            stderr::say(&format!("job options from {}", path.display()));
        }
        Ok(job)
    }
}
