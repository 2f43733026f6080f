//! The resources that a batch job requests: from a TOML profile, overridden by the command line.

use super::system::System;
use crate::config::ConfigErrors;
use crate::config::reader::read_document;
use evouct_base::parameter::{Parameter, Parameters, Preset, Values};
use std::sync::LazyLock;
use std::time::Duration;

evouct_base::named! {
    /// The command that starts the program in a job.
    pub enum Launcher {
        /// MPI ranks, started by `srun`.
        Srun = "srun",
        /// MPI ranks, started by `mpirun`.
        Mpirun = "mpirun",
        /// No MPI: a job array with one shard per task.
        Array = "array",
        /// No MPI: one process.
        Single = "single",
    }
}

impl Launcher {
    /// Whether it starts MPI ranks.
    pub fn uses_mpi(self) -> bool {
        matches!(self, Launcher::Srun | Launcher::Mpirun)
    }
}

evouct_base::parameters! {
    /// The resources of a batch job: the keys of a profile. An absent value means the site's default.
    pub struct BatchJob {
        /// The batch system.
        system: System = System::Slurm;
        /// The account that is charged.
        account: Option<String> = None;
        /// The partition (queue).
        partition: Option<String> = None;
        /// Quality of service.
        qos: Option<String> = None;
        /// Features that the nodes must have.
        constraint: Option<String> = None;
        /// Number of nodes, for MPI.
        nodes: u32 = 1, values = Values::Count(1, 100_000);
        /// Ranks per node, for MPI.
        tasks_per_node: u32 = 1, values = Values::Count(1, 10_000);
        /// Cores and threads per rank or task.
        cpus_per_task: u32 = 1, values = Values::Count(1, 10_000);
        /// Tasks of a job array.
        shards: u32 = 10, values = Values::Count(1, 100_000);
        /// Memory per node, in SLURM's notation.
        memory: Option<String> = None;
        /// The time limit, in SLURM's notation.
        time: Option<String> = None;
        /// The mail address for notifications.
        mail_user: Option<String> = None;
        /// The events to notify about.
        mail_type: Option<String> = None;
        /// The command that starts the program.
        launcher: Launcher = Launcher::Array;
        /// The MPI plugin of `srun`.
        mpi: String = "pmix".to_owned();
        /// Seconds between the warning signal and the time limit.
        warning: u32 = 120, values = Values::Count(1, 86_400);
        /// Modules to load.
        modules: Vec<String> = Vec::new();
        /// Further options of the batch system, such as those after `#SBATCH`.
        directives: Vec<String> = Vec::new(), was = "sbatch";
        /// Further lines of the script, before the program starts.
        setup: Vec<String> = Vec::new();
        /// The path of the program; without it the job looks for `evouct` in its PATH.
        evouct: Option<String> = None;
    }
}

static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(BatchJob::table);

impl Default for BatchJob {
    fn default() -> BatchJob {
        BatchJob::defaults(Preset::Text)
    }
}

impl BatchJob {
    /// Reads a profile; errors name it `file`.
    ///
    /// # Errors
    /// Everything that is wrong, with the lines.
    pub fn parse(text: &str, file: &str) -> Result<BatchJob, ConfigErrors> {
        read_document(text, file, |table| {
            let job = BatchJob::read(table.fill(&KEYS, &[]).values());
            job.check().unwrap_or_else(|problem| table.note(problem));
            Some(job)
        })
    }

    /// The options of one word, by their keys in a profile.
    pub fn words(&mut self) -> [(&'static str, &mut Option<String>); 8] {
        [
            ("account", &mut self.account),
            ("partition", &mut self.partition),
            ("qos", &mut self.qos),
            ("constraint", &mut self.constraint),
            ("memory", &mut self.memory),
            ("time", &mut self.time),
            ("mail_user", &mut self.mail_user),
            ("mail_type", &mut self.mail_type),
        ]
    }

    /// Checks values from a profile or from the command line.
    ///
    /// # Errors
    /// The value found, and what was expected.
    pub fn check(&self) -> Result<(), String> {
        for (key, value) in self.clone().words() {
            let Some(value) = value else { continue };
            if value.is_empty() || value.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
                return Err(format!("{key} = {value:?} is not one word"));
            }
        }
        let is_memory = |text: &str| {
            let number = text.strip_suffix(['K', 'M', 'G', 'T']).unwrap_or(text);
            !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit())
        };
        if let Some(memory) = self.memory.as_ref().filter(|text| !is_memory(text)) {
            return Err(format!("memory = {memory:?} is not a number with K, M, G or T, such as 4000M or 16G"));
        }
        let lines =
            self.modules.iter().chain(&self.directives).chain(&self.setup).chain([&self.mpi]).chain(&self.evouct);
        for line in lines {
            if line.contains(char::is_control) {
                return Err(format!("{line:?} is not one line"));
            }
        }
        self.system.check(self)?;
        self.limit().map(drop)
    }

    /// The time limit.
    ///
    /// # Errors
    /// If SLURM cannot read it.
    pub fn limit(&self) -> Result<Option<Duration>, String> {
        let Some(text) = &self.time else { return Ok(None) };
        let seconds = seconds(text).ok_or_else(|| {
            format!("time = {text:?} is not minutes, HH:MM:SS or D-HH:MM:SS, such as 90, 01:30:00 or 2-00:00:00")
        })?;
        Ok(Some(Duration::from_secs(seconds)))
    }

    /// The time limit in seconds, if there is one that can be read.
    pub(super) fn seconds(&self) -> Option<u64> {
        self.limit().ok().flatten().map(|limit| limit.as_secs())
    }

    /// The memory, such as `4G`, with this behind its letter. Without a letter it counts megabytes.
    pub(super) fn memory_with(&self, unit: &str) -> Option<String> {
        self.memory.as_ref().map(|memory| {
            let letter = if memory.ends_with(|last: char| last.is_ascii_digit()) { "M" } else { "" };
            format!("{memory}{letter}{unit}")
        })
    }

    /// The ranks or tasks that share the memory of a node.
    pub fn tasks_of_node(&self) -> u32 {
        if self.launcher.uses_mpi() { self.tasks_per_node } else { 1 }
    }

    /// The number of threads of all ranks or tasks.
    pub fn cores(&self) -> u64 {
        let tasks = match self.launcher {
            Launcher::Array => u64::from(self.shards),
            Launcher::Single => 1,
            Launcher::Srun | Launcher::Mpirun => u64::from(self.nodes) * u64::from(self.tasks_per_node),
        };
        tasks * u64::from(self.cpus_per_task)
    }
}

/// The seconds of a time limit in SLURM's notation: M, M:S, H:M:S, D-H, D-H:M or D-H:M:S.
fn seconds(text: &str) -> Option<u64> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(days.parse::<u64>().ok()?), rest),
        None => (None, text),
    };
    let parts: Vec<u64> =
        rest.split(':').map(|part| part.parse::<u32>().map(u64::from)).collect::<Result<_, _>>().ok()?;
    let seconds = match (days, &parts[..]) {
        (None, [minutes]) => minutes * 60,
        (None, [minutes, seconds]) => minutes * 60 + seconds,
        (Some(_), [hours]) => hours * 3_600,
        (Some(_), [hours, minutes]) => hours * 3_600 + minutes * 60,
        (_, [hours, minutes, seconds]) => hours * 3_600 + minutes * 60 + seconds,
        _ => return None,
    };
    days.unwrap_or(0).checked_mul(86_400)?.checked_add(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limits_are_read_as_slurm_reads_them() {
        for (text, expected) in [
            ("90", Some(5_400)),
            ("90:30", Some(5_430)),
            ("01:30:00", Some(5_400)),
            ("2-00:00:00", Some(172_800)),
            ("1-12", Some(129_600)),
            ("1-12:30", Some(131_400)),
            ("", None),
            ("1h", None),
            ("-5", None),
            ("1:2:3:4", None),
            ("99999999999999999999-0", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn a_profile_is_read_key_by_key() {
        let text = "account = \"project_1\"\nnodes = 4\ncpus_per_task = 16\nlauncher = \"srun\"\nmodules = [\"gcc\", \"openmpi/4.1\"]\n";
        let job = BatchJob::parse(text, "profile.toml").unwrap();
        assert_eq!((job.account.as_deref(), job.cores(), job.launcher), (Some("project_1"), 64, Launcher::Srun));
        assert_eq!(job.modules, ["gcc", "openmpi/4.1"]);
        for (wrong, words) in [
            ("acount = \"x\"", "profile.toml:1: unknown key acount; did you mean account?"),
            ("nodes = 0", "nodes = 0 is not a whole number from 1"),
            ("launcher = \"sruns\"", "is not srun | mpirun | array | single (did you mean srun?)"),
            ("time = \"1h\"", "time = \"1h\" is not minutes, HH:MM:SS"),
            ("partition = \"a b\"", "partition = \"a b\" is not one word"),
            ("setup = [\"a\\nb\"]", "is not one line"),
            ("modules = [3]", "modules = [3] is not a list of texts"),
        ] {
            let error = BatchJob::parse(wrong, "profile.toml").unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
