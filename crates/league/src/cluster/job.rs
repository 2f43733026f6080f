//! The resources that a batch job requests: from a TOML profile, overridden by the command line.

use crate::config::reader::{ConfigError, Source, TomlTable};
use evouct_base::named::Named;
use std::time::Duration;
use toml::de::DeTable;

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

/// The resources of a batch job. An absent value means the site's default.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// The account that is charged.
    pub account: Option<String>,
    /// The partition (queue).
    pub partition: Option<String>,
    /// Quality of service.
    pub qos: Option<String>,
    /// Features that the nodes must have.
    pub constraint: Option<String>,
    /// Number of nodes, for MPI.
    pub nodes: u32,
    /// Ranks per node, for MPI.
    pub tasks_per_node: u32,
    /// Cores and threads per rank or task.
    pub cpus_per_task: u32,
    /// Tasks of a job array.
    pub shards: u32,
    /// Memory per node, in SLURM's notation.
    pub memory: Option<String>,
    /// The time limit, in SLURM's notation.
    pub time: Option<String>,
    /// The mail address for notifications.
    pub mail_user: Option<String>,
    /// The events to notify about.
    pub mail_type: Option<String>,
    /// The command that starts the program.
    pub launcher: Launcher,
    /// The MPI plugin of `srun`.
    pub mpi: String,
    /// Seconds between the warning signal and the time limit.
    pub warning: u32,
    /// Modules to load.
    pub modules: Vec<String>,
    /// Further `#SBATCH` options.
    pub sbatch: Vec<String>,
    /// Further lines of the script, before the program starts.
    pub setup: Vec<String>,
    /// The path of the program; without it the job looks for `evouct` in its PATH.
    pub evouct: Option<String>,
}

impl Default for Job {
    fn default() -> Job {
        Job {
            account: None,
            partition: None,
            qos: None,
            constraint: None,
            nodes: 1,
            tasks_per_node: 1,
            cpus_per_task: 1,
            shards: 10,
            memory: None,
            time: None,
            mail_user: None,
            mail_type: None,
            launcher: Launcher::Array,
            mpi: "pmix".to_owned(),
            warning: 120,
            modules: Vec::new(),
            sbatch: Vec::new(),
            setup: Vec::new(),
            evouct: None,
        }
    }
}

impl Job {
    /// Reads a profile; errors name it `file`.
    ///
    /// # Errors
    /// The problem, with the line.
    pub fn parse(text: &str, file: &str) -> Result<Job, ConfigError> {
        let source = Source::new(file, text);
        let document = DeTable::parse(text)
            .map_err(|error| source.error(error.span().unwrap_or_default(), error.message().trim().to_lowercase()))?;
        let table = TomlTable::new(&source, &document, "");
        let mut job = Job::default();
        for (key, place) in job.words() {
            *place = table.text(key)?.map(str::to_owned);
        }
        for (key, most, place) in job.counts() {
            *place = table.count(key, 1..most + 1)?.map_or(*place, |count| count as u32);
        }
        for (key, place) in [("modules", &mut job.modules), ("sbatch", &mut job.sbatch), ("setup", &mut job.setup)] {
            *place = list(&table, key)?;
        }
        job.launcher = table.choice("launcher", Launcher::NAMES)?.unwrap_or(job.launcher);
        job.mpi = table.text("mpi")?.map_or(job.mpi, str::to_owned);
        job.evouct = table.text("evouct")?.map(str::to_owned);
        table.finish()?;
        job.check().map_err(|problem| table.error(problem))?;
        Ok(job)
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

    /// The options that are numbers from 1, by their keys in a profile, with the largest value.
    fn counts(&mut self) -> [(&'static str, u64, &mut u32); 5] {
        [
            ("nodes", 100_000, &mut self.nodes),
            ("tasks_per_node", 10_000, &mut self.tasks_per_node),
            ("cpus_per_task", 10_000, &mut self.cpus_per_task),
            ("shards", 100_000, &mut self.shards),
            ("warning", 86_400, &mut self.warning),
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
        let lines = self.modules.iter().chain(&self.sbatch).chain(&self.setup).chain([&self.mpi]).chain(&self.evouct);
        for line in lines {
            if line.contains(char::is_control) {
                return Err(format!("{line:?} is not one line"));
            }
        }
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

fn list(table: &TomlTable, key: &'static str) -> Result<Vec<String>, ConfigError> {
    let items = table.list(key)?;
    let text = |item: &&toml::de::DeValue| item.as_str().map(str::to_owned);
    items
        .iter()
        .map(|item| text(item).ok_or_else(|| table.error_at(key, format!("{key} is not a list of texts"))))
        .collect()
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
        let job = Job::parse(text, "profile.toml").unwrap();
        assert_eq!((job.account.as_deref(), job.cores(), job.launcher), (Some("project_1"), 64, Launcher::Srun));
        assert_eq!(job.modules, ["gcc", "openmpi/4.1"]);
        for (wrong, words) in [
            ("acount = \"x\"", "profile.toml:1: unknown key acount; did you mean account?"),
            ("nodes = 0", "nodes = 0 is not a whole number from 1"),
            ("launcher = \"sruns\"", "is not srun | mpirun | array | single (did you mean srun?)"),
            ("time = \"1h\"", "time = \"1h\" is not minutes, HH:MM:SS"),
            ("partition = \"a b\"", "partition = \"a b\" is not one word"),
            ("setup = [\"a\\nb\"]", "is not one line"),
            ("modules = [3]", "modules is not a list of texts"),
        ] {
            let error = Job::parse(wrong, "profile.toml").unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
