//! The options of a job, each of which overrides the profile.

use crate::cluster::{BatchJob, Launcher};
use clap::{Args, ValueEnum};

#[derive(Args)]
#[command(next_help_heading = "Job options (override the profile)")]
pub(super) struct Options {
    /// Account to charge
    #[arg(long)]
    account: Option<String>,
    /// Partition (queue)
    #[arg(long)]
    partition: Option<String>,
    /// Quality of service (SLURM)
    #[arg(long)]
    qos: Option<String>,
    /// Features that nodes must have (SLURM)
    #[arg(long)]
    constraint: Option<String>,
    /// Number of nodes, with MPI
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    nodes: Option<u32>,
    /// Ranks per node, with MPI
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    tasks_per_node: Option<u32>,
    /// Cores and threads per rank or task
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    cpus_per_task: Option<u32>,
    /// Tasks of the job array, one shard per task
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) shards: Option<u32>,
    /// Memory per node, such as 4G; without a letter in megabytes
    #[arg(long)]
    memory: Option<String>,
    /// Time limit: minutes, HH:MM:SS or D-HH:MM:SS
    #[arg(long)]
    time: Option<String>,
    /// Address for mail
    #[arg(long, value_name = "ADDRESS")]
    mail_user: Option<String>,
    /// Events that send mail, such as END,FAIL (SLURM; elsewhere the end and a failure)
    #[arg(long, value_name = "EVENTS")]
    mail_type: Option<String>,
    /// How the program is started
    #[arg(long)]
    launcher: Option<Named>,
    /// How srun talks to MPI: pmix for Open MPI, pmi2 for MPICH
    #[arg(long, value_name = "KIND")]
    mpi: Option<String>,
    /// Seconds before the time limit at which the program is signalled to end
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    warning: Option<u32>,
    /// Module to load; repeatable, replaces those of the profile
    #[arg(long = "module", value_name = "NAME")]
    modules: Vec<String>,
    /// Further option of the batch system, such as --directive=--exclusive; repeatable, replaces those of the profile
    #[arg(long = "directive", visible_alias = "sbatch", value_name = "OPTION", allow_hyphen_values = true)]
    directives: Vec<String>,
    /// Further line of the script; repeatable, replaces those of the profile
    #[arg(long, value_name = "LINE")]
    setup: Vec<String>,
    /// Program that the job runs [default: this one]
    #[arg(long, value_name = "PATH")]
    evouct: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Named {
    /// MPI ranks, started by srun (SLURM)
    Srun,
    /// MPI ranks, started by mpirun (SLURM)
    Mpirun,
    /// No MPI: a job array, one shard per task
    Array,
    /// No MPI: one process with --cpus-per-task threads
    Single,
}

impl Options {
    /// Overrides the options of a job with those that were given.
    pub(super) fn apply(&self, job: &mut BatchJob) {
        let given = [
            &self.account,
            &self.partition,
            &self.qos,
            &self.constraint,
            &self.memory,
            &self.time,
            &self.mail_user,
            &self.mail_type,
        ];
        for (given, (_, place)) in given.into_iter().zip(job.words()) {
            *place = given.clone().or(place.take());
        }
        let numbers = [
            (self.nodes, &mut job.nodes),
            (self.tasks_per_node, &mut job.tasks_per_node),
            (self.cpus_per_task, &mut job.cpus_per_task),
            (self.shards, &mut job.shards),
            (self.warning, &mut job.warning),
        ];
        for (given, place) in numbers {
            *place = given.unwrap_or(*place);
        }
        let lists =
            [(&self.modules, &mut job.modules), (&self.directives, &mut job.directives), (&self.setup, &mut job.setup)];
        for (given, place) in lists {
            if !given.is_empty() {
                place.clone_from(given);
            }
        }
        if let Some(mpi) = &self.mpi {
            job.mpi.clone_from(mpi);
        }
        // A bare `evouct` works only if it is installed; the running one always exists.
        let this = || crate::cli::program().and_then(|path| path.into_os_string().into_string().ok());
        job.evouct = self.evouct.clone().or_else(|| job.evouct.take()).or_else(this);
        job.launcher = match self.launcher {
            Some(Named::Srun) => Launcher::Srun,
            Some(Named::Mpirun) => Launcher::Mpirun,
            Some(Named::Array) => Launcher::Array,
            Some(Named::Single) => Launcher::Single,
            None => job.launcher,
        };
    }
}
