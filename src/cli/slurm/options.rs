//! The options of a job, each over what the profile says.

use clap::{Args, ValueEnum};
use evouct::cluster::{Job, Launcher};

#[derive(Args)]
#[command(next_help_heading = "The job (over the profile)")]
pub(super) struct Options {
    /// Who pays
    #[arg(long)]
    account: Option<String>,
    /// The queue
    #[arg(long)]
    partition: Option<String>,
    /// The quality of service
    #[arg(long)]
    qos: Option<String>,
    /// What nodes must have
    #[arg(long)]
    constraint: Option<String>,
    /// Nodes, with MPI
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    nodes: Option<u32>,
    /// Ranks a node, with MPI
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    tasks_per_node: Option<u32>,
    /// Cores, and threads, of each rank or task
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    cpus_per_task: Option<u32>,
    /// Tasks of the job array, a shard each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shards: Option<u32>,
    /// Memory a node, such as 4G
    #[arg(long)]
    memory: Option<String>,
    /// Time limit: minutes, HH:MM:SS or D-HH:MM:SS
    #[arg(long)]
    time: Option<String>,
    /// Whom to write to
    #[arg(long, value_name = "ADDRESS")]
    mail_user: Option<String>,
    /// About what, such as END,FAIL
    #[arg(long, value_name = "EVENTS")]
    mail_type: Option<String>,
    /// What starts the program
    #[arg(long)]
    launcher: Option<Named>,
    /// How srun talks to MPI: pmix for Open MPI, pmi2 for MPICH
    #[arg(long, value_name = "KIND")]
    mpi: Option<String>,
    /// Seconds before the time limit at which the program is told to end
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    warning: Option<u32>,
    /// A module to load; may be repeated, and replaces those of the profile
    #[arg(long = "module", value_name = "NAME")]
    modules: Vec<String>,
    /// A further #SBATCH option, such as --sbatch=--exclusive; may be repeated, and replaces those of the profile
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// A further line of the script; may be repeated, and replaces those of the profile
    #[arg(long, value_name = "LINE")]
    setup: Vec<String>,
    /// The program that the job runs [default: this one]
    #[arg(long, value_name = "PATH")]
    evouct: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Named {
    /// MPI ranks, started by srun
    Srun,
    /// MPI ranks, started by mpirun
    Mpirun,
    /// No MPI: a job array, a shard a task
    Array,
}

impl Options {
    /// Puts what was given in the place of what the job has.
    pub(super) fn apply(&self, job: &mut Job) {
        let words = [
            (&self.account, &mut job.account),
            (&self.partition, &mut job.partition),
            (&self.qos, &mut job.qos),
            (&self.constraint, &mut job.constraint),
            (&self.memory, &mut job.memory),
            (&self.time, &mut job.time),
            (&self.mail_user, &mut job.mail_user),
            (&self.mail_type, &mut job.mail_type),
        ];
        for (given, place) in words {
            if given.is_some() {
                place.clone_from(given);
            }
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
        let lists = [(&self.modules, &mut job.modules), (&self.sbatch, &mut job.sbatch), (&self.setup, &mut job.setup)];
        for (given, place) in lists {
            if !given.is_empty() {
                place.clone_from(given);
            }
        }
        if let Some(mpi) = &self.mpi {
            job.mpi.clone_from(mpi);
        }
        // A job finds a bare `evouct` only where it is installed; the file that runs now is there.
        let this = || std::env::current_exe().ok().and_then(|path| path.into_os_string().into_string().ok());
        job.evouct = self.evouct.clone().or_else(|| job.evouct.take()).or_else(this);
        job.launcher = match self.launcher {
            Some(Named::Srun) => Launcher::Srun,
            Some(Named::Mpirun) => Launcher::Mpirun,
            Some(Named::Array) => Launcher::Array,
            None => job.launcher,
        };
    }
}
