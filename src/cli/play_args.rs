//! How a command plays: on how many threads, where, and which part.

use super::environment;
use crate::error::Failure;
use crate::league::granted;
use crate::schedule::Shard;
use clap::{Args, ValueEnum};

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

/// The part to play: what --shard asks for, or that of the task of a job array.
///
/// # Errors
/// If the array is not a range of numbers.
pub(super) fn shard(asked: Option<Shard>) -> Result<Option<Shard>, Failure> {
    asked.map_or_else(|| environment::shard().map_err(Failure::Usage), |shard| Ok(Some(shard)))
}
