//! On what a command works: its folder and its part, on how many threads, and where.

use super::environment;
use super::input_bank::open_whole;
use crate::error::Failure;
use crate::league::granted;
use crate::offline::{EvolutionOptions, EvolutionPlan, EvolutionSession, Purpose};
use crate::schedule::Shard;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// The number of threads.
#[derive(Clone, Copy, Args)]
pub(super) struct ThreadArgs {
    /// Number of threads per process [default: SLURM_CPUS_PER_TASK, or all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl ThreadArgs {
    /// Threads to play so many games on. Warns if there are fewer than --threads asks for.
    pub(super) fn granted(self, missing: u64) -> usize {
        let (threads, why) = granted(self.threads.map_or_else(environment::threads, usize::from), missing);
        // Only a number that was asked for needs the warning.
        if let Some(why) = why.filter(|_| self.threads.is_some()) {
            tracing::warn!("--threads: {why}");
        }
        threads
    }
}

/// The folder of a command, and its part of the work there.
#[derive(Args)]
pub(super) struct PartArgs {
    /// The folder [default: runs/NAME; of tune runs/NAME-tune, of score runs/NAME-scores]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Do part I of N of the work, counted from 0, beside the other parts in the same folder; auto: the part of this task
    /// of a job array; auto/N where the batch system does not tell its number of tasks
    #[arg(long, value_name = "I/N|auto")]
    pub shard: Option<Part>,
}

impl PartArgs {
    /// The folder: `--out`, or that of this name in `runs`.
    pub(super) fn folder(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| Path::new("runs").join(name))
    }

    /// The shard that `--shard` asks for, if it asks for one.
    ///
    /// # Errors
    /// Those of [`shard`].
    pub(super) fn shard(&self) -> Result<Option<Shard>, Failure> {
        shard(self.shard)
    }

    /// Says that a task of a job array works on the whole, as it was not asked for a part, unless its number is the seed:
    /// then the array is one over seeds.
    pub(super) fn warn_of_whole(&self, seed: Option<u64>) {
        let task = environment::array_task().filter(|task| seed.is_none_or(|seed| *task != seed.to_string()));
        if let (None, Some(task)) = (self.shard, task) {
            tracing::warn!(
                "this is task {task} of a job array, and it plays all games; --shard auto plays only this task's part"
            );
        }
    }
}

/// The same for work that several processes or ranks do together.
#[derive(Args)]
pub(super) struct WorkArgs {
    #[command(flatten)]
    pub part: PartArgs,
    /// Where to work: on threads of this machine, or on the ranks of an MPI job (under mpirun or srun)
    #[arg(long, value_enum, default_value_t = Backend::Local)]
    pub backend: Backend,
    /// How long a shard that cannot go on without the others waits without news from them, and a rank without a sign of
    /// life from another one, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
}

impl WorkArgs {
    /// How long a shard or a rank waits without news from the others.
    pub(super) fn patience(&self) -> Duration {
        Duration::from_secs(self.patience)
    }
}

/// How genomes are measured: the seed, where, and which part.
#[derive(Args)]
pub(super) struct MeasureArgs {
    /// Override the seed of the file. It is added to the name of the evolution
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..u64::MAX))]
    seed: Option<u64>,
    #[command(flatten)]
    pub work: WorkArgs,
    /// Go on from an evolution of fewer generations: what is measured stays
    #[arg(long)]
    extend: bool,
}

impl MeasureArgs {
    /// What the file of an evolution describes, in its folder: `--out`, or that of its name with an ending.
    pub(super) fn session(&self, file: &Path, ending: &str, purpose: Purpose) -> Result<EvolutionSession, Failure> {
        let plan = EvolutionPlan::load(file, self.seed).map_err(Failure::usage)?;
        let folder = self.work.part.folder(&format!("{}{ending}", plan.name));
        let shard = self.work.part.shard()?;
        self.session_in(&folder, plan, EvolutionOptions { seed: self.seed, shard, purpose, ..Default::default() })
    }

    /// The session of a plan in a folder, with its bank.
    pub(super) fn session_in(
        &self,
        folder: &Path,
        plan: EvolutionPlan,
        options: EvolutionOptions,
    ) -> Result<EvolutionSession, Failure> {
        let bank = plan.bank.as_ref().map(|bank| open_whole(bank)).transpose()?;
        let options = EvolutionOptions { extend: self.extend, ..options };
        EvolutionSession::plan(plan, bank, folder, &options).map_err(Failure::usage)
    }

    /// Whether an evolution may become longer.
    pub(super) fn extends(&self) -> bool {
        self.extend
    }
}

/// Where games are played.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Backend {
    Local,
    Mpi,
}

/// The part that `--shard` asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// This one.
    Shard(Shard),
    /// That of this task of a job array, of so many if it is given.
    OfTask(Option<u32>),
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let unknown = || format!("expected I/N such as 0/5, or auto or auto/N in a job array, found {text:?}");
        match text.split_once('/') {
            None if text == "auto" => Ok(Part::OfTask(None)),
            Some(("auto", count)) => count.parse().map(|count| Part::OfTask(Some(count))).map_err(|_| unknown()),
            Some(_) => text.parse().map(Part::Shard),
            None => Err(unknown()),
        }
    }
}

/// The shard that `--shard` asks for, if it asks for one.
///
/// # Errors
/// If it is that of a task: those of [`environment::shard`].
pub(super) fn shard(asked: Option<Part>) -> Result<Option<Shard>, Failure> {
    match asked {
        None => Ok(None),
        Some(Part::Shard(shard)) => Ok(Some(shard)),
        Some(Part::OfTask(count)) => environment::shard(count).map(Some).map_err(Failure::Usage),
    }
}
