//! The batch systems: how each is asked for resources, and how it starts a job again.

use super::job::{BatchJob, Launcher};

evouct_base::named! {
    /// A batch system.
    pub enum System {
        /// SLURM.
        Slurm = "slurm",
        /// PBS Pro and OpenPBS.
        Pbs = "pbs",
        /// LSF.
        Lsf = "lsf",
        /// Grid Engine, in any of its forks.
        Sge = "sge",
    }
}

impl System {
    /// The command that submits a script from its standard input, with the options that make it print the job's id.
    pub fn submission(self) -> (&'static str, &'static [&'static str]) {
        match self {
            System::Slurm => ("sbatch", &["--parsable"]),
            System::Pbs => ("qsub", &[]),
            System::Lsf => ("bsub", &[]),
            System::Sge => ("qsub", &["-terse"]),
        }
    }

    /// The options with which a job waits for the end of another one, whatever it is. None where a run may continue in
    /// further jobs.
    pub fn after(self, id: &str) -> Option<Vec<String>> {
        match self {
            System::Slurm => Some(vec![format!("--dependency=afterany:{id}")]),
            System::Pbs => None,
            System::Lsf => Some(vec!["-w".to_owned(), format!("ended({id})")]),
            System::Sge => Some(vec!["-hold_jid".to_owned(), id.to_owned()]),
        }
    }

    /// The variable with the folder from which a job was submitted.
    pub(super) fn folder(self) -> &'static str {
        match self {
            System::Slurm => "SLURM_SUBMIT_DIR",
            System::Pbs => "PBS_O_WORKDIR",
            System::Lsf => "LS_SUBCWD",
            System::Sge => "SGE_O_WORKDIR",
        }
    }

    /// The number of a task of an array, counted from 1, for the shell; none for SLURM, whose scripts count from 0. A
    /// task of PBS that continues as a job of its own is told its number.
    pub(super) fn task(self) -> Option<&'static str> {
        match self {
            System::Slurm => None,
            System::Pbs => Some("${PBS_ARRAY_INDEX:-${EVOUCT_TASK:-}}"),
            System::Lsf => Some("${LSB_JOBINDEX:-}"),
            System::Sge => Some("${SGE_TASK_ID:-}"),
        }
    }

    /// The command that writes its scripts.
    pub(super) fn command(self) -> &'static str {
        if self == System::Slurm { "slurm" } else { "batch" }
    }

    /// What begins a line with options.
    fn prefix(self) -> &'static str {
        match self {
            System::Slurm => "#SBATCH",
            System::Pbs => "#PBS",
            System::Lsf => "#BSUB",
            System::Sge => "#$",
        }
    }

    /// What a job asks for that only SLURM has.
    pub(super) fn check(self, job: &BatchJob) -> Result<(), String> {
        if self == System::Slurm {
            return Ok(());
        }
        if job.launcher.uses_mpi() {
            return Err("the launchers srun and mpirun are for SLURM; elsewhere: array or single".to_owned());
        }
        let only = [("qos", &job.qos), ("constraint", &job.constraint), ("mail_type", &job.mail_type)];
        match only.into_iter().find(|(_, value)| value.is_some()) {
            Some((key, _)) => Err(format!("{key} is for SLURM; elsewhere directives have the options of the system")),
            None => Ok(()),
        }
    }

    /// The head of a script: the resources that the job requests. `tasks` are options of a job that plays.
    pub(super) fn head(self, job: &BatchJob, name: &str, plays: bool) -> Vec<String> {
        let array = plays && job.launcher == Launcher::Array;
        let options = match self {
            System::Slurm => slurm(job, name, plays, array),
            System::Pbs => pbs(job, &in_letters(name), array),
            System::Lsf => lsf(job, name, plays, array),
            System::Sge => sge(job, &in_letters(name), array),
        };
        let lines = options.iter().chain(&job.directives).map(|option| format!("{} {option}", self.prefix()));
        ["#!/bin/bash".to_owned()].into_iter().chain(lines).collect()
    }
}

/// A name of a job as PBS and Grid Engine allow it: it begins with a letter and has no `:`.
fn in_letters(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '-' };
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    format!("{}{}", if begins { "" } else { "evouct-" }, name.chars().map(plain).collect::<String>())
}

/// Those options for which the job has a value, such as `-q small` for (`-q `, Some(`small`)).
fn given<const N: usize>(options: [(&str, &Option<String>); N]) -> impl Iterator<Item = String> {
    options.map(|(option, value)| value.as_ref().map(|value| format!("{option}{value}"))).into_iter().flatten()
}

/// The time limit as HH:MM:SS.
fn clock(job: &BatchJob) -> Option<String> {
    job.seconds().map(|seconds| format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60))
}

fn slurm(job: &BatchJob, name: &str, plays: bool, array: bool) -> Vec<String> {
    let output = if array { "%x-%A_%a.out" } else { "%x-%j.out" };
    let mut options = vec![format!("--job-name={name}"), format!("--output={output}")];
    for (key, value) in job.clone().words() {
        if let Some(value) = value {
            let name = if key == "memory" { "mem".to_owned() } else { key.replace('_', "-") };
            options.push(format!("--{name}={value}"));
        }
    }
    if array {
        options.push(format!("--array=0-{}", job.shards - 1));
    }
    if plays && job.launcher.uses_mpi() {
        options.push(format!("--nodes={}", job.nodes));
        options.push(format!("--ntasks-per-node={}", job.tasks_per_node));
    } else {
        options.push("--ntasks=1".to_owned());
    }
    if plays {
        options.push(format!("--cpus-per-task={}", job.cpus_per_task));
        // All attempts log to one file; SLURM restarts the job after a node fails.
        options.push("--open-mode=append".to_owned());
        options.push("--requeue".to_owned());
        options.push(format!("--signal=B:USR1@{}", job.warning));
    }
    options
}

fn pbs(job: &BatchJob, name: &str, array: bool) -> Vec<String> {
    let mut options: Vec<String> = [format!("-N {name}"), "-S /bin/bash".into(), "-j oe".into(), "-r y".into()].into();
    options.extend(given([("-A ", &job.account), ("-q ", &job.partition), ("-M ", &job.mail_user)]));
    let memory = job.memory_with("b").map(|memory| memory.to_lowercase());
    let memory = given([(":mem=", &memory)]).collect::<String>();
    options.push(format!("-l select=1:ncpus={}{memory}", job.cpus_per_task));
    options.extend(given([("-l walltime=", &clock(job))]));
    if array {
        // A range of one task is refused.
        let one = job.shards == 1;
        options.push(if one { "-v EVOUCT_TASK=1".to_owned() } else { format!("-J 1-{}", job.shards) });
    }
    options
}

fn lsf(job: &BatchJob, name: &str, plays: bool, array: bool) -> Vec<String> {
    let (tasks, output) = if array { (format!("[1-{}]", job.shards), "%J-%I") } else { (String::new(), "%J") };
    let mut options = vec![format!("-J \"{name}{tasks}\""), format!("-o \"{name}-{output}.out\""), "-r".to_owned()];
    if plays {
        options.push("-Q 75".to_owned());
    }
    options.extend(given([("-P ", &job.account), ("-q ", &job.partition), ("-u ", &job.mail_user)]));
    options.push(format!("-n {} -R \"span[hosts=1]\"", job.cpus_per_task));
    options.extend(job.memory_with("B").map(|memory| format!("-M {memory} -R \"rusage[mem={memory}]\"")));
    options.extend(job.seconds().map(|seconds| format!("-W {}", seconds.div_ceil(60))));
    options
}

fn sge(job: &BatchJob, name: &str, array: bool) -> Vec<String> {
    let output = if array { "$JOB_ID.$TASK_ID" } else { "$JOB_ID" };
    let mut options = vec![format!("-N {name}"), "-S /bin/bash".to_owned(), "-cwd -r y -j y".to_owned()];
    options.push(format!("-o {name}-{output}.out"));
    options.extend(given([("-P ", &job.account), ("-q ", &job.partition), ("-m ea -M ", &job.mail_user)]));
    if job.cpus_per_task > 1 {
        options.push(format!("-pe smp {}", job.cpus_per_task));
    }
    options.extend(given([("-l mem_free=", &job.memory_with(""))]));
    options.extend(given([("-l h_rt=", &clock(job))]));
    if array {
        options.push(format!("-t 1-{}", job.shards));
    }
    options
}
