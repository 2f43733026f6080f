//! The batch script of a run: plain text from a [`BatchJob`].

use super::job::{BatchJob, Launcher};
use super::requeue::{Attempt, attempt, before};
use super::system::System;

/// What a job carries out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// The games of an experiment: `evouct run`.
    Games,
    /// The measurements of an evolution: `evouct evolve`. All shards take part in every batch.
    Measurements,
    /// The games of a tuning: `evouct tune`. All shards take part in every round.
    Rounds,
    /// The games of a bank of positions: `evouct bank`, without MPI.
    Positions,
}

impl Work {
    fn command(self) -> &'static str {
        match self {
            Work::Games => "run",
            Work::Measurements => "evolve",
            Work::Rounds => "tune",
            Work::Positions => "bank",
        }
    }

    /// What is missing, in the plural and in the singular.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Work::Games | Work::Rounds | Work::Positions => ("games", "game"),
            Work::Measurements => ("measurements", "measurement"),
        }
    }
}

/// The run of a job.
#[derive(Clone, Debug)]
pub struct BatchRun {
    /// What is carried out.
    pub work: Work,
    /// The name of the experiment or evolution.
    pub name: String,
    /// Its file.
    pub file: String,
    /// The folder.
    pub folder: String,
    /// Further arguments of the command.
    pub arguments: Vec<String>,
    /// Lines for readers of the script.
    pub notes: Vec<String>,
}

/// A word, quoted for the shell.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./=+,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A path, quoted for the shell, that no program takes for an option.
fn quoted_path(path: &str) -> String {
    if path.starts_with('-') { quoted(&format!("./{path}")) } else { quoted(path) }
}

/// The lines before the program starts.
fn setup(job: &BatchJob) -> Vec<String> {
    let mut lines = Vec::new();
    if !job.modules.is_empty() {
        lines
            .push(format!("module load {}", job.modules.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(" ")));
    }
    lines.extend(job.setup.iter().cloned());
    lines.push(format!("evouct={}", quoted(job.evouct.as_deref().unwrap_or("evouct"))));
    lines
}

/// The lines that begin the work, in the folder from which the job was submitted.
fn entering(system: System) -> String {
    format!("set -u\ncd -- \"${{{}:-.}}\" || exit 2", system.folder())
}

/// The lines that start a program in the background.
fn start(job: &BatchJob, program: &str) -> Vec<String> {
    match job.launcher {
        Launcher::Array | Launcher::Single => {
            // SLURM signals the script before the time limit; elsewhere the script does it.
            let limit = job.seconds().filter(|_| job.system != System::Slurm);
            let timeout = limit.map_or(String::new(), |limit| {
                let until = limit.saturating_sub(u64::from(job.warning)).max(1);
                format!("timeout --foreground --preserve-status --signal=USR1 {until} ")
            });
            vec![format!("{timeout}{program} --threads {} &", job.cpus_per_task)]
        }
        Launcher::Srun => vec![
            "# Since SLURM 22.05 srun does not inherit the CPUs per task from the job.".to_owned(),
            "export SRUN_CPUS_PER_TASK=\"$SLURM_CPUS_PER_TASK\"".to_owned(),
            format!(
                "srun --mpi={} --kill-on-bad-exit=1 {program} --backend mpi --threads {} &",
                quoted(&job.mpi),
                job.cpus_per_task
            ),
        ],
        Launcher::Mpirun => vec![
            "# Each rank is bound to its own cores, which its threads share.".to_owned(),
            format!(
                "mpirun -n {} --map-by slot:PE={} {program} --backend mpi --threads {} &",
                u64::from(job.nodes) * u64::from(job.tasks_per_node),
                job.cpus_per_task,
                job.cpus_per_task
            ),
        ],
    }
}

/// The script that plays a run, for the batch system of the job. It requeues itself until no game is missing or an attempt that was not cut short adds
/// none.
pub fn script(job: &BatchJob, run: &BatchRun) -> String {
    let (system, array) = (job.system, job.launcher == Launcher::Array);
    let mut lines = system.head(job, &run.name, true);

    let command = system.command();
    lines
        .push(format!("# Written by `evouct {command}`; options: `evouct {command} --help`, docs/manual/clusters.md."));
    lines.extend(run.notes.iter().map(|note| format!("# {}", note.replace(char::is_control, " "))));
    lines.push(String::new());
    lines.push(entering(system));
    lines.push(before(system));
    lines.extend(setup(job));
    lines.push(format!("file={}", quoted_path(&run.file)));
    lines.push(format!("folder={}\n", quoted_path(&run.folder)));

    let task = if system == System::Slurm { "$SLURM_ARRAY_TASK_ID" } else { "$task" };
    let (shard, id) = if array {
        if let Some(number) = system.task() {
            lines.push(format!("task=$(($(number \"{number}\") - 1))"));
        }
        // The number of shards is part of the script: a task that is resubmitted alone is still the same shard.
        lines.push(format!("shard=\"{task}/{}\"", job.shards));
        (" --shard \"$shard\"", "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}")
    } else {
        ("", "$SLURM_JOB_ID")
    };
    let (things, thing) = run.work.words();
    // All shards of a tuning share its rounds. Those of several seeds have seeds of their own.
    let of_shard = if run.work == Work::Rounds { "" } else { shard };
    lines.push(match run.work {
        Work::Positions => "# A bank, or its shard, is complete when the program says so.\nmissing() { if [ \"${code:-75}\" = 0 ]; then echo 0; else echo some; fi; }".to_owned(),
        _ => format!(
            "# The number of missing {things} from the files of the folder; \"all\" before the first attempt.\n\
             missing() {{ \"$evouct\" status \"$folder\" --missing{of_shard} 2>/dev/null || echo all; }}"
        ),
    });
    lines.push("before=$(missing)".to_owned());
    // An evolution may miss as many measurements in one generation as in another: only the size of its journals shows
    // progress. So it is with a bank.
    let journals = match run.work {
        Work::Games | Work::Rounds => None,
        // Several seeds have a folder each.
        Work::Measurements => Some("{,seed-*/}evolution".to_owned()),
        Work::Positions if array => Some(format!("bank-shard-\"{task}\"-of-")),
        Work::Positions => Some("bank".to_owned()),
    };
    let added_nothing = match journals {
        None => "\"$after\" = \"$before\"",
        Some(stem) => {
            lines.push(format!(
                "recorded() {{ cat \"$folder\"/{stem}*.jsonl 2>/dev/null | wc -c; }}\nstood=$(recorded)"
            ));
            "\"$(recorded)\" = \"$stood\""
        }
    };
    lines.push(String::new());

    let program = format!(
        "\"$evouct\" {} \"$file\" --out \"$folder\"{shard}{}",
        run.work.command(),
        run.arguments.iter().map(|word| format!(" {}", quoted(word))).collect::<String>()
    );
    let (limit, warning) = (job.seconds(), job.warning);
    let end = Attempt { system, things: (things, thing), added_nothing, id, array, limit, warning };
    lines.push(attempt(&start(job, &program), &end));
    lines.join("\n")
}

/// The script that writes the report of a run.
pub fn report_script(job: &BatchJob, run: &BatchRun) -> String {
    let name = format!("{}-report", run.name);
    let job = &BatchJob { memory: None, time: Some("30".to_owned()), ..job.clone() };
    let mut lines = job.system.head(job, &name, false);
    lines.push(format!("# Written by `evouct {} --then-report`.\n", job.system.command()));
    lines.push(entering(job.system));
    lines.extend(setup(job));
    let folder = quoted_path(&run.folder);
    lines.push(format!("\"$evouct\" status {folder}\n\"$evouct\" report {folder}\n"));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_through_the_shell_unchanged() {
        assert_eq!(quoted("runs/quick-1.2"), "runs/quick-1.2");
        assert_eq!(quoted("my runs"), "'my runs'");
        assert_eq!(quoted("it's $HOME"), "'it'\\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn what_is_not_asked_for_is_left_to_the_site() {
        let run = BatchRun {
            work: Work::Games,
            name: "quick".to_owned(),
            file: "quick.toml".to_owned(),
            folder: "runs/quick".to_owned(),
            arguments: Vec::new(),
            notes: Vec::new(),
        };
        let text = script(&BatchJob::default(), &run);
        assert!(text.contains("#SBATCH --array=0-9\n") && text.contains("shard=\"$SLURM_ARRAY_TASK_ID/10\""));
        assert!(!text.contains("--account") && !text.contains("mpi") && !text.contains("module"));
        let job = BatchJob { launcher: Launcher::Srun, nodes: 3, account: Some("x".to_owned()), ..BatchJob::default() };
        let text = script(&job, &run);
        assert!(text.contains("#SBATCH --account=x\n") && text.contains("#SBATCH --nodes=3\n"));
        assert!(text.contains("srun --mpi=pmix") && !text.contains("array"));
        let run = BatchRun { work: Work::Measurements, ..run };
        let text = script(&BatchJob::default(), &run);
        assert!(text.contains("\"$evouct\" evolve \"$file\" --out \"$folder\" --shard \"$shard\""), "{text}");
        assert!(
            text.contains("status \"$folder\" --missing --shard \"$shard\" 2>") && text.contains("stood=$(recorded)"),
            "{text}"
        );
    }
}
