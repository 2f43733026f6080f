//! How a command plays: on how many threads, where, and which part.

use super::Outcome;
use super::bank::open_whole;
use super::environment;
#[cfg(feature = "mpi")]
use super::ranks;
use crate::error::Failure;
use crate::league::granted;
#[cfg(feature = "mpi")]
use crate::offline::Ranks;
use crate::offline::{EvolutionPlan, EvolutionSession, Executor, Purpose, Threads};
use crate::schedule::Shard;
use clap::{Args, ValueEnum};
use std::path::Path;
use std::str::FromStr;

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

/// The number of threads, and where games are played.
#[derive(Args)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Where to play: threads of this machine, or the ranks of an MPI job (under mpirun or srun)
    #[arg(long, value_enum, default_value_t = Backend::Local)]
    pub backend: Backend,
}

/// How genomes are measured: the seed, where, and which part.
#[derive(Args)]
pub(super) struct MeasureArgs {
    /// Override the seed of the file. It is added to the name of the evolution
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..u64::MAX))]
    seed: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Where to measure: threads of this machine, or the ranks of an MPI job (under mpirun or srun)
    #[arg(long, value_enum, default_value_t = Backend::Local)]
    backend: Backend,
    /// Measure part I of N of each batch, counted from 0, together with the other shards in the same folder; auto: the
    /// part of this task of a SLURM job array
    #[arg(long, value_name = "I/N|auto")]
    pub shard: Option<Part>,
    /// How long a shard waits without news from the other shards, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub patience: u64,
}

/// Makes the executor of a session.
pub(super) type MakeExecutor<'a> = dyn Fn(&EvolutionSession) -> Box<dyn Executor + 'a> + 'a;

impl MeasureArgs {
    /// Threads of this process.
    pub(super) fn threads(&self) -> usize {
        self.threads.granted(u64::MAX)
    }

    /// Measures where it is asked for: `lead` is given what makes the executor of a session. Other ranks have sessions of
    /// their own, by `session`, and follow.
    pub(super) fn on_backend(
        &self,
        session: impl Fn() -> Result<EvolutionSession, Failure>,
        lead: impl for<'a> FnOnce(&'a MakeExecutor<'a>) -> Outcome,
    ) -> Outcome {
        let threads = self.threads();
        match self.backend {
            Backend::Local => lead(&|_| Box::new(Threads(threads))),
            #[cfg(feature = "mpi")]
            Backend::Mpi => {
                ranks::measure(threads, session, |world| lead(&|session| Box::new(Ranks::new(world, session, threads))))
            }
            #[cfg(not(feature = "mpi"))]
            Backend::Mpi => {
                drop(session);
                Err(Backend::unavailable())
            }
        }
    }

    /// What the file of an evolution describes, in its folder: `out`, or that of its name with an ending.
    pub(super) fn session(
        &self,
        file: &Path,
        out: Option<&Path>,
        ending: &str,
        purpose: Purpose,
    ) -> Result<EvolutionSession, Failure> {
        let plan = EvolutionPlan::load(file, self.seed).map_err(Failure::usage)?;
        let folder = out.map_or_else(|| Path::new("runs").join(format!("{}{ending}", plan.name)), Path::to_owned);
        let bank = plan.bank.as_ref().map(|bank| open_whole(bank)).transpose()?;
        EvolutionSession::plan(plan, bank, self.seed, &folder, shard(self.shard)?, purpose).map_err(Failure::usage)
    }
}

/// Where games are played.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Backend {
    Local,
    Mpi,
}

impl Backend {
    /// The error of a build without MPI.
    #[cfg(not(feature = "mpi"))]
    pub(super) fn unavailable() -> Failure {
        let build = "cargo build --release --features mpi";
        Failure::Usage(format!("--backend mpi needs a build with the feature mpi: {build}"))
    }
}

/// The part that `--shard` asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// This one.
    Shard(Shard),
    /// That of this task of a job array.
    OfTask,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        match text {
            "auto" => Ok(Part::OfTask),
            _ if text.contains('/') => text.parse().map(Part::Shard),
            _ => Err(format!("expected I/N such as 0/5, or auto in a SLURM job array, found {text:?}")),
        }
    }
}

/// The shard that `--shard` asks for, if it asks for one.
///
/// # Errors
/// If it is that of a task, and this is no task of a job array, or the array is not a range of numbers.
pub(super) fn shard(asked: Option<Part>) -> Result<Option<Shard>, Failure> {
    match asked {
        None => Ok(None),
        Some(Part::Shard(shard)) => Ok(Some(shard)),
        Some(Part::OfTask) => environment::shard().map(Some).map_err(Failure::Usage),
    }
}

/// Says that a task of a job array plays the whole, as it was not asked for a part: the array may be one over seeds.
pub(super) fn warn_of_whole(asked: Option<Part>) {
    if let (None, Some(task)) = (asked, environment::array_task()) {
        tracing::warn!(
            "this is task {task} of a job array, and it plays all games; --shard auto plays only this task's part"
        );
    }
}
