//! Batch scripts: they contain what was requested, the examples are what the program writes, and a shell accepts them.

mod program;

use program::{LEAGUE, Said, Scratch, digest, evouct, fail, say, succeed};
use std::path::Path;

/// The examples in `slurm/`, each with what makes it.
const EXAMPLES: [(&str, &[&str]); 3] = [
    (
        "array.sbatch",
        &["--launcher", "array", "--shards", "20", "--cpus-per-task", "4", "--memory", "4G", "--time", "04:00:00"],
    ),
    (
        "srun.sbatch",
        &[
            "--launcher",
            "srun",
            "--account",
            "project_2001234",
            "--partition",
            "medium",
            "--nodes",
            "4",
            "--tasks-per-node",
            "2",
            "--cpus-per-task",
            "64",
            "--time",
            "1-00:00:00",
            "--mail-type",
            "END,FAIL",
            "--module",
            "gcc/13.2",
            "--module",
            "openmpi/4.1.6",
            "--sbatch=--exclusive",
        ],
    ),
    (
        "mpirun.sbatch",
        &[
            "--launcher",
            "mpirun",
            "--nodes",
            "2",
            "--tasks-per-node",
            "1",
            "--cpus-per-task",
            "32",
            "--time",
            "08:00:00",
            "--setup",
            "export OMPI_MCA_btl=self,vader,tcp",
        ],
    ),
];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_examples_are_what_the_program_writes() {
    // Not in the repository, which may have a run of it already.
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("experiments")).unwrap();
    std::fs::copy(repository().join("experiments/quick.toml"), scratch.path("experiments/quick.toml")).unwrap();
    for (name, options) in EXAMPLES {
        let fixed = ["slurm", "experiments/quick.toml", "--calibrate", "0", "--evouct", "evouct"];
        let mut command = evouct(&[&fixed[..], options].concat());
        let output = command.current_dir(scratch.path("")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let written = String::from_utf8(output.stdout).unwrap();
        let path = repository().join("slurm").join(name);
        if std::env::var_os("UPDATE_SLURM").is_some() {
            std::fs::write(&path, &written).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(kept, written, "slurm/{name} is out of date; UPDATE_SLURM=1 cargo test --test slurm renews it");
        let checked = std::process::Command::new("bash").arg("-n").arg(&path).output().unwrap();
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    }
}

#[test]
fn every_key_of_the_profile_is_known_and_the_command_line_comes_first() {
    // All keys at once, with the # taken away.
    let profile = std::fs::read_to_string(repository().join("slurm/profile.toml")).unwrap();
    let keys = profile.lines().filter(|line| line.contains(" = "));
    let profile: String = keys.map(|line| line.trim_start_matches("# ").to_owned() + "\n").collect();
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let path = scratch.write("profile.toml", &profile);
    let write = |options: &[&str]| {
        let fixed = ["slurm", &experiment, "--profile", &path, "--calibrate", "0"];
        succeed(&[&fixed[..], options].concat())
    };
    let text = write(&[]);
    for line in [
        "#SBATCH --account=project_2001234",
        "#SBATCH --partition=small",
        "#SBATCH --qos=normal",
        "#SBATCH --constraint=milan",
        "#SBATCH --mem=4G",
        "#SBATCH --time=04:00:00",
        "#SBATCH --mail-user=me@example.org",
        "#SBATCH --mail-type=END,FAIL",
        "#SBATCH --array=0-9",
        "#SBATCH --exclusive",
        "#SBATCH --signal=B:USR1@120",
        "module load gcc/13.2 openmpi/4.1.6",
        "export OMPI_MCA_btl=self,vader,tcp",
        "evouct=/projects/me/bin/evouct",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} is missing in\n{text}");
    }
    // Without --evouct: the program itself, with the preset.
    let bare = succeed(&["slurm", &experiment, "--calibrate", "0", "--preset", "reference"]);
    let program = format!("evouct={}", env!("CARGO_BIN_EXE_evouct"));
    assert!(bare.lines().any(|line| line == program) && bare.contains(" --preset reference"), "{bare}");
    let named = scratch.write("named.toml", "evouct = \"evouct\"\n");
    let text = succeed(&["slurm", &experiment, "--calibrate", "0", "--profile", &named]);
    assert!(text.contains("\nevouct=evouct\n"), "{text}");
    // More decks for a run that has been played.
    let played = scratch.path("played");
    succeed(&["run", &experiment, "--out", &played]);
    let more = ["slurm", &experiment, "--out", &played, "--calibrate", "0", "--games-per-match", "3"];
    assert!(fail(&more, 2).contains("--extend adds to it"));
    let text = succeed(&[&more[..], &["--", "--extend"]].concat());
    assert!(text.contains(" --games-per-match 3 --extend"), "{text}");
    let text = write(&["--account", "other", "--launcher", "srun", "--nodes", "3", "--mpi", "pmi2", "--", "--extend"]);
    assert!(text.contains("--account=other\n") && !text.contains("project_2001234"), "{text}");
    assert!(
        text.contains("--nodes=3\n") && text.contains("srun --mpi=pmi2") && text.contains("--out \"$folder\" --extend")
    );
}

#[test]
fn wrong_jobs_are_one_line() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let profile = scratch.write("profile.toml", "partitoin = \"small\"\n");
    for (options, words) in [
        (&["--profile", &profile][..], "profile.toml:1: unknown key partitoin; did you mean partition?"),
        (&["--profile", "nowhere.toml"], "nowhere.toml: cannot read the profile"),
        (&["--time", "2 hours"], "time = \"2 hours\" is not one word"),
        (&["--time", "2h"], "time = \"2h\" is not minutes, HH:MM:SS"),
        (&["--memory", "much"], "memory = \"much\" is not a number with K, M, G or T"),
        (&["--account", "a\nb"], "account = \"a\\nb\" is not one word"),
        (&["--nodes", "0"], "0 is not from 1 to 100000"),
        (&["--calibrate=-1"], "--calibrate is a number from 0"),
        (&["--then-report"], "--submit"),
        (&["--launcher", "ssh"], "invalid value 'ssh'"),
    ] {
        let line = fail(&[&["slurm", &experiment][..], options].concat(), 2);
        assert!(line.contains(words), "{line}");
    }
    // No scheduler here: nothing is submitted.
    let output =
        evouct(&["slurm", &experiment, "--submit", "--calibrate", "0"]).env("PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("sbatch cannot be started"));
    assert!(!scratch.exists("run"));
}

#[test]
fn the_time_is_estimated_and_more_cores_are_projected() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let output =
        evouct(&["slurm", &experiment, "--calibrate", "0.5", "--time", "1", "--warning", "60"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains("12 games of "), "{said}");
    assert!(said.contains("exceeds the time limit of 60 seconds"), "{said}");
    let table =
        succeed(&["slurm", &experiment, "--simulate", "--cores", "64", "--games", "2000", "--calibrate", "0.5"]);
    let last: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last[0], "64", "{table}");
}

#[test]
fn an_array_has_no_more_tasks_than_games() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let folder = scratch.path("run");
    let write = |shards: &str| {
        let arguments = ["slurm", &experiment, "--out", &folder, "--calibrate", "0", "--shards", shards];
        let said = say(&arguments);
        assert_eq!(said.code, Some(0), "{said:?}");
        said
    };
    let said = write("5000");
    assert!(said.out.contains("#SBATCH --array=0-11\n") && said.out.contains("TASK_ID/12\""), "{said:?}");
    assert!(said.err.contains("12 shards instead of 5000: there are no more games"), "{said:?}");
    assert!(write("12").err.is_empty());
    // Of a run that has been played in part: the games that are missing.
    succeed(&["run", &experiment, "--out", &folder, "--shard", "0/2"]);
    assert!(write("12").out.contains("#SBATCH --array=0-5\n"));
    // Many games: most clusters allow fewer tasks.
    let many = scratch.write("many.toml", &LEAGUE.replace("games_per_match = 2", "games_per_match = 1000"));
    let said = say(&["slurm", &many, "--out", &scratch.path("many"), "--calibrate", "0", "--shards", "1002"]);
    assert!(said.out.contains("--array=0-1001\n"), "{said:?}");
    assert!(said.err.contains("--shards 1002: most clusters allow 1001 tasks of an array"), "{said:?}");
}

#[test]
fn time_and_memory_are_proposed_where_they_are_not_given() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let fixed = ["slurm", &experiment, "--calibrate", "0.2", "--shards", "3"];
    let said = say(&fixed);
    // A league of seconds: the least that is proposed.
    assert!(said.code == Some(0) && said.out.contains("#SBATCH --time=00:10:00\n"), "{said:?}");
    let proposed: Vec<&str> = said.err.lines().filter(|line| line.starts_with("proposed: ")).collect();
    assert!(proposed[0].contains("--time 00:10:00 is 1.5 times the estimate"), "{said:?}");
    assert!(proposed.iter().all(|line| line.ends_with(" on this machine)")), "{said:?}");
    assert!(proposed.iter().all(|line| said.out.contains(&format!("\n# {line}\n"))), "{said:?}");
    if cfg!(target_os = "linux") {
        assert!(said.out.contains("#SBATCH --mem=1G\n") && proposed[1].contains("--memory 1G"), "{said:?}");
    }
    // What is given stands, on the command line or in the profile.
    let said = say(&[&fixed[..], &["--time", "90", "--memory", "7G"]].concat());
    assert!(said.out.contains("--time=90\n") && said.out.contains("--mem=7G\n") && !said.out.contains("proposed"));
    let profile = scratch.write("profile.toml", "time = \"80\"\n");
    let said = say(&[&fixed[..], &["--profile", &profile]].concat());
    assert!(said.out.contains("--time=80\n") && !said.err.contains("--time"), "{said:?}");
    let said = say(&["slurm", &experiment, "--calibrate", "0"]);
    assert!(!said.out.contains("--time") && !said.out.contains("--mem") && said.err.is_empty(), "{said:?}");
}

/// The login node of a cluster is no place for the programs of a file, nor for job options that nobody knows of.
#[cfg(unix)]
#[test]
fn programs_start_only_when_asked_for_and_a_profile_is_named() {
    let scratch = Scratch::new();
    let program = scratch.write("player.sh", &format!("touch {}\n", scratch.path("started")));
    let own = format!("[[player]]\nname = \"own\"\nkind = \"external\"\ncommand = [\"sh\", \"{program}\"]\n");
    let league = format!("name = \"own\"\n[[player]]\nkind = \"random\"\n{own}");
    let experiment = scratch.write("programs.toml", &league);
    let slurm = |arguments: &[&str]| {
        let all = [&["slurm", &experiment][..], arguments].concat();
        Said::of(evouct(&all).current_dir(scratch.path("")).output().unwrap())
    };
    let said = slurm(&[]);
    let words = format!("no estimate: it would start sh {program} (own); --calibrate 5 does");
    assert!(said.code == Some(0) && said.err.contains(&words) && said.out.starts_with("#!/bin/bash"), "{said:?}");
    let said = slurm(&["--simulate"]);
    assert!(said.code == Some(2) && said.err.contains("--simulate would start sh "), "{said:?}");
    assert!(!scratch.exists("started") && !said.err.contains("profile"), "{said:?}");
    let said = slurm(&["--calibrate", "0.2"]);
    assert!(said.err.contains(&format!("starts sh {program} (own) on this machine")), "{said:?}");
    assert!(scratch.exists("started"), "{said:?}");
    std::fs::create_dir(scratch.path("slurm")).unwrap();
    scratch.write("slurm/profile.toml", "account = \"mine\"\n");
    let said = slurm(&[]);
    assert!(said.out.contains("#SBATCH --account=mine\n"), "{said:?}");
    assert!(said.err.contains("job options from slurm/profile.toml\n"), "{said:?}");
}

/// A cluster of small shell scripts: each notes how it was called, in the file `asked`, and does what a test says.
#[cfg(unix)]
struct Cluster(Scratch);

/// SLURM's commands where nothing is wrong, and the program: it plays as many games as the test says.
#[cfg(unix)]
const WELL: [(&str, &str); 6] = [
    ("squeue", "echo RUNNING"),
    ("scontrol", "exit 0"),
    ("sbatch", "exit 0"),
    // Pauses are noted, and not taken; what stalls is ended soon.
    ("sleep", ""),
    ("timeout", "shift 2; exec /usr/bin/timeout --kill-after=1 0.5 \"$@\""),
    (
        "program",
        "case $1 in status) cat left ;; run) if [ -n \"$SIGNAL\" ]; then trap 'exit 75' USR1; kill -s \"$SIGNAL\" $PPID; \
         while :; do /bin/sleep 0.02; done; fi; echo \"$LEFT\" > left; exit \"$CODE\" ;; esac",
    ),
];

#[cfg(unix)]
impl Cluster {
    fn new() -> Cluster {
        let cluster = Cluster(Scratch::new());
        for (name, body) in WELL {
            cluster.stub(name, body);
        }
        cluster.0.write("left", "10\n");
        cluster
    }

    /// A command that does this.
    fn stub(&self, name: &str, body: &str) {
        use std::os::unix::fs::PermissionsExt;
        let asked = self.0.path("asked");
        let path = self.0.write(name, &format!("#!/bin/bash\necho \"{name} $*\" >> {asked}\n{body}\n"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The script of two shards that the program writes.
    fn script(&self, options: &[&str]) -> String {
        self.script_of(&self.0.path("program"), options)
    }

    fn script_of(&self, program: &str, options: &[&str]) -> String {
        let experiment = self.0.write("small.toml", LEAGUE);
        let folder = self.0.path("run");
        let fixed = ["slurm", &experiment, "--out", &folder, "--calibrate", "0", "--shards", "2", "--evouct", program];
        self.0.write("job.sh", &succeed(&[&fixed[..], options].concat()))
    }

    /// Runs the script as a task of an array. The file `asked` then has what this attempt asked of SLURM.
    fn attempt(&self, script: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Said {
        std::fs::remove_file(self.0.path("asked")).ok();
        let path = format!("{}:{}", self.0.0.path().display(), std::env::var("PATH").unwrap());
        let mut command = std::process::Command::new("bash");
        command.arg(script).args(arguments).current_dir(self.0.path("")).env("PATH", path);
        command.envs([("SLURM_ARRAY_JOB_ID", "77"), ("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_JOB_ID", "78")]);
        command.env("SLURM_SUBMIT_DIR", self.0.path("")).envs([("LEFT", "10"), ("CODE", "75"), ("SIGNAL", "")]);
        Said::of(command.envs(variables.iter().copied()).output().unwrap())
    }

    /// The calls of a command in the last attempt, as far as they begin like this.
    fn calls(&self, beginning: &str) -> Vec<String> {
        let asked = std::fs::read_to_string(self.0.path("asked")).unwrap_or_default();
        asked.lines().filter(|line| line.starts_with(beginning)).map(str::to_owned).collect()
    }
}

/// Games are missing after an attempt that added some: the job goes on, whatever the controller does.
#[cfg(unix)]
#[test]
fn a_controller_that_fails_stalls_or_lies_is_asked_again() {
    let fails = "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1";
    let stalls = "exec /bin/sleep 600";
    let lies = "echo 'slurm_load_jobs error: Unable to contact slurm controller'";
    // The third call is the first that is answered.
    let later = "n=$(grep -c '^squeue' asked); [ \"$n\" -ge 3 ] || exit 1; echo RUNNING";
    let shows = "[ \"$1\" = requeue ] || echo \"   JobState=RUNNING Reason=None Dependency=(null)\"";
    let busy = "[ \"$1\" = show ] || { n=$(grep -c '^scontrol requeue' asked); [ \"$n\" -ge 3 ]; }";
    let refuses = "[ \"$1\" = show ] || { echo 'Requested operation is presently disabled' >&2; exit 1; }";
    let dead = "exit 1";
    // What squeue, scontrol and sbatch do; calls of squeue, requests to requeue, submissions; the words at the end.
    for (squeue, scontrol, sbatch, calls, words) in [
        ("echo RUNNING", "exit 0", dead, (1, 1, 0), ""),
        (later, "exit 0", dead, (3, 1, 0), ""),
        (fails, shows, dead, (1, 1, 0), ""),
        (stalls, shows, dead, (1, 1, 0), ""),
        // What is no state is no answer, and scontrol is not asked where squeue says something.
        (lies, shows, dead, (6, 0, 0), "six tries"),
        ("", shows, dead, (1, 1, 0), ""),
        ("echo RUNNING", busy, dead, (3, 3, 1), ""),
        ("echo RUNNING", refuses, "exit 0", (2, 2, 1), ""),
        ("echo RUNNING", refuses, dead, (6, 6, 5), "six tries"),
        ("echo RUNNING", stalls, stalls, (6, 6, 5), "six tries"),
        (fails, fails, dead, (6, 0, 0), "six tries"),
        (stalls, stalls, stalls, (6, 0, 0), "six tries"),
    ] {
        let cluster = Cluster::new();
        for (name, body) in [("squeue", squeue), ("scontrol", scontrol), ("sbatch", sbatch)] {
            cluster.stub(name, body);
        }
        let said = cluster.attempt(&cluster.script(&[]), &[], &[("LEFT", "7")]);
        let about = format!("squeue: {squeue}; scontrol: {scontrol}; sbatch: {sbatch}: {said:?}");
        assert_eq!(said.code, Some(75), "{about}");
        let made = ["squeue", "scontrol requeue 77_1", "sbatch"].map(|name| cluster.calls(name).len());
        let lines = said.err.lines().filter(|line| line.starts_with("evouct: ")).count();
        assert_eq!(made, [calls.0, calls.1, calls.2], "{about}");
        assert!(lines == usize::from(!words.is_empty()) && said.err.contains(words), "{about}");
        // With pauses, and within bounds.
        assert!(cluster.calls("sleep").len() <= 6 && !cluster.calls("timeout --kill-after=5 15").is_empty(), "{about}");
    }
}

#[cfg(unix)]
#[test]
fn a_job_that_was_cancelled_or_requeued_already_is_left_alone() {
    let cluster = Cluster::new();
    let script = cluster.script(&[]);
    for state in ["CANCELLED", "COMPLETING", "TIMEOUT"] {
        cluster.stub("squeue", &format!("echo {state}"));
        let said = cluster.attempt(&script, &[], &[("LEFT", "7"), ("CODE", "1")]);
        assert!(said.err.contains(&format!("the job is {state}: not requeued")), "{said:?}");
        assert_eq!((said.code, cluster.calls("scontrol requeue").len()), (Some(1), 0), "{said:?}");
        cluster.0.write("left", "10\n");
    }
    // The request seemed to fail, and was carried out: no second job is submitted.
    cluster.stub("squeue", "n=$(grep -c '^squeue' asked); [ \"$n\" = 1 ] && echo RUNNING || echo PENDING");
    cluster.stub("scontrol", "exit 1");
    let said = cluster.attempt(&script, &[], &[("LEFT", "7")]);
    assert!(said.code == Some(75) && !said.err.contains("evouct: "), "{said:?}");
    assert!(cluster.calls("sbatch").is_empty(), "{said:?}");
}

#[cfg(unix)]
#[test]
fn an_attempt_that_is_cut_short_is_no_lack_of_progress() {
    let cluster = Cluster::new();
    let long = cluster.script(&["--time", "04:00:00"]);
    let script = std::fs::read_to_string(&long).unwrap();
    assert!(script.contains("\nmost=30\n") && script.contains("limit=14400"), "{script}");
    let requeued = |said: &Said| {
        let count = cluster.calls("scontrol requeue 77_1").len();
        assert!(count == 0 || said.code == Some(75), "{said:?}");
        count == 1
    };
    // Preempted before the first new game, as often as the script says.
    for signal in ["TERM", "USR1"] {
        for restarts in ["0", "1", "29"] {
            let said = cluster.attempt(&long, &[], &[("SIGNAL", signal), ("SLURM_RESTART_COUNT", restarts)]);
            assert!(requeued(&said) && said.out.contains("exit code 75"), "{signal} {restarts}: {said:?}");
        }
    }
    // Restarts of a job that was submitted in place of another count too.
    for (earlier, restarts) in [("0", "30"), ("30", "0"), ("12", "25")] {
        let said = cluster.attempt(&long, &[earlier], &[("SIGNAL", "TERM"), ("SLURM_RESTART_COUNT", restarts)]);
        assert!(!requeued(&said) && said.code == Some(75), "{said:?}");
        assert!(said.err.contains("cut short and added no game, and the job was restarted"), "{said:?}");
    }
    // With new games there is no bound.
    let said = cluster.attempt(&long, &[], &[("LEFT", "9"), ("SLURM_RESTART_COUNT", "1000")]);
    assert!(requeued(&said), "{said:?}");
    cluster.0.write("left", "10\n");
    // A new job continues the count.
    cluster.stub("scontrol", "exit 1");
    let said = cluster.attempt(&long, &["4"], &[("SIGNAL", "TERM"), ("SLURM_RESTART_COUNT", "3")]);
    let submitted = cluster.calls("sbatch");
    assert!(submitted == [format!("sbatch --array=1 {long} 8")], "{submitted:?} {said:?}");
    cluster.stub("scontrol", "exit 0");
    // The signal came before the program.
    let early = cluster.script(&["--time", "04:00:00", "--setup", "kill -TERM $$"]);
    let said = cluster.attempt(&early, &[], &[]);
    assert!(requeued(&said) && cluster.calls("program run").is_empty(), "{said:?}");
}

#[cfg(unix)]
#[test]
fn a_job_that_makes_no_progress_ends() {
    let cluster = Cluster::new();
    let ends = |script: &str, variables: &[(&str, &str)], code: i32| {
        let said = cluster.attempt(script, &[], variables);
        assert_eq!((said.code, cluster.calls("scontrol requeue").len()), (Some(code), 0), "{variables:?}: {said:?}");
        said
    };
    let long = cluster.script(&["--time", "04:00:00"]);
    // It crashes, or is killed for its memory; a usage error keeps its code.
    for code in ["1", "101", "137"] {
        let said = ends(&long, &[("CODE", code)], 1);
        assert!(said.err.contains("this attempt added no game: not requeued"), "{said:?}");
    }
    ends(&long, &[("CODE", "2")], 2);
    // The signal is that of the time limit: of the script, or of SLURM where it says it.
    let limited = [("SIGNAL", "USR1"), ("SLURM_JOB_START_TIME", "1000"), ("SLURM_JOB_END_TIME", "1150")];
    ends(&long, &limited, 1);
    let short = cluster.script(&["--time", "3", "--warning", "120"]);
    ends(&short, &[("SIGNAL", "USR1")], 1);
    // All games are there: the code is that of the program, but for a signal after the last of them.
    for (code, expected) in [("0", 0), ("1", 1), ("75", 0)] {
        ends(&long, &[("LEFT", "0"), ("CODE", code)], expected);
        cluster.0.write("left", "10\n");
    }
}

/// On submission the cluster is asked how many tasks an array may have.
#[cfg(unix)]
#[test]
fn an_array_has_no_more_tasks_than_the_cluster_allows() {
    let cluster = Cluster::new();
    let many = cluster.0.write("many.toml", &LEAGUE.replace("games_per_match = 2", "games_per_match = 1000"));
    cluster.stub("sbatch", "cat > submitted; echo 4711");
    let submit = |shards: &str| {
        std::fs::remove_file(cluster.0.path("submitted")).ok();
        let path = format!("{}:{}", cluster.0.0.path().display(), std::env::var("PATH").unwrap());
        let mut command = evouct(&["slurm", &many, "--calibrate", "0", "--submit", "--shards", shards]);
        Said::of(command.env("PATH", path).current_dir(cluster.0.path("")).output().unwrap())
    };
    cluster.stub("scontrol", "echo 'MaxArraySize            = 501'; echo 'MaxDBDMsgs              = 20008'");
    let said = submit("502");
    assert!(said.code == Some(2) && said.err.contains("--shards 502: this cluster allows 501 tasks"), "{said:?}");
    assert!(!cluster.0.exists("submitted"));
    let said = submit("501");
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "submitted job 4711\n", ""));
    assert!(cluster.0.read("submitted").contains("#SBATCH --array=0-500\n"));
    // A controller that fails, stalls or lies: sbatch decides.
    for scontrol in ["exit 1", "exec /bin/sleep 600", "echo 'MaxArraySize = many'"] {
        cluster.stub("scontrol", scontrol);
        let said = submit("1002");
        assert!(said.code == Some(0) && said.err.contains("most clusters allow 1001"), "{scontrol}: {said:?}");
    }
}

/// A league of two players that play fast.
#[cfg(unix)]
const FAST: &str =
    "name = \"fast\"\nseed = 3\n[[player]]\nkind = \"mcts\"\niterations = 10\n[[player]]\nkind = \"random\"\n";

#[cfg(unix)]
#[test]
fn a_script_tunes_by_one_process_or_by_ranks() {
    let cluster = Cluster::new();
    let experiment = cluster.0.write("fast.toml", FAST);
    let (folder, other) = (cluster.0.path("tuned"), cluster.0.path("other"));
    let over = ["--over", "iterations=5,10", "--budget", "160"];
    let fixed = ["slurm", &experiment, "--tune", "--out", &folder];
    let said = say(&[&fixed[..], &["--calibrate", "0.1", "--cpus-per-task", "2", "--"], &over].concat());
    let script = cluster.0.write("tune.sh", &said.out);
    assert!(said.out.contains("#SBATCH --ntasks=1\n") && !said.out.contains("--array"), "{said:?}");
    assert!(said.out.contains("#SBATCH --time=00:10:00\n") && said.err.contains("games of "), "{said:?}");
    assert!(!cluster.0.exists("tuned"));
    let said = cluster.attempt(&script, &[], &[]);
    assert!(said.code == Some(0) && said.out.contains("games missing: all before, 0 now"), "{said:?}");
    succeed(&[&["tune", &experiment, "--out", &other][..], &over].concat());
    assert_eq!(digest(&folder), digest(&other));
    let done = succeed(&[&fixed[..], &["--"], &over].concat());
    assert!(done.contains("no games are missing") && done.contains("no job is needed"), "{done}");
    let ranks = ["slurm", &experiment, "--tune", "--calibrate", "0", "--launcher", "srun", "--nodes", "2", "--"];
    let text = succeed(&[&ranks[..], &over].concat());
    assert!(
        text.contains("\"$evouct\" tune \"$file\" --out \"$folder\" --over iterations=5,10 --budget 160 --backend mpi")
    );
    for (options, words) in [
        (&["--", "--over", "iterations=5,10"][..], "--budget <GAMES>"),
        (&["--", "--ovr", "k=1,2"], "did you mean"),
        (&["--", "--over", "nothing=5,10", "--budget", "160"], "nothing"),
        (&["--shards", "3", "--", "--over", "iterations=5,10", "--budget", "160"], "--shards: a round of a tuning"),
        (&["--simulate", "--", "--over", "iterations=5,10", "--budget", "160"], "--tune takes neither --simulate"),
    ] {
        let line = fail(&[&["slurm", &experiment, "--tune"][..], options].concat(), 2);
        assert!(line.contains(words), "{line}");
    }
}

/// The line with the digest of a bank.
#[cfg(unix)]
fn digest_of_bank(out: &str) -> String {
    out.lines().find(|line| line.starts_with("digest ")).unwrap_or_else(|| panic!("{out}")).to_owned()
}

#[cfg(unix)]
#[test]
fn a_script_makes_a_bank() {
    let cluster = Cluster::new();
    let recipe = "name = \"small-bank\"\ngames = 6\npositions_per_game = 2\nrewards = 2\n[[player]]\nkind = \"random\"\n\
                  [[value]]\nkind = \"mcts\"\niterations = 20\n";
    let recipe = cluster.0.write("bank.toml", recipe);
    let (folder, program) = (cluster.0.path("bank"), cluster.0.path("program"));
    let fixed = ["slurm", &recipe, "--out", &folder, "--launcher", "single"];
    let said = say(&[&fixed[..], &["--evouct", &program]].concat());
    assert!(said.err.contains("no estimate for a bank: without --time and --memory"), "{said:?}");
    // It goes on while the bank grows.
    let script = cluster.0.write("bank.sh", &said.out);
    std::fs::create_dir(&folder).unwrap();
    cluster.stub("program", "[ \"$GROWS\" != yes ] || echo line >> bank/bank.jsonl; exit \"$CODE\"");
    for (grows, code, expected) in [("yes", "75", 75), ("yes", "1", 75), ("no", "1", 1), ("no", "2", 2), ("no", "0", 0)]
    {
        let said = cluster.attempt(&script, &[], &[("GROWS", grows), ("CODE", code)]);
        let requeued = cluster.calls("scontrol requeue 78").len();
        assert_eq!((said.code, requeued), (Some(expected), usize::from(expected == 75)), "{grows} {code}: {said:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let script = cluster.0.write("bank.sh", &say(&fixed).out);
    let said = cluster.attempt(&script, &[], &[]);
    assert!(said.code == Some(0) && said.out.contains("bank of 6 games"), "{said:?}");
    assert!(succeed(&fixed).contains("no games are missing"));
    let whole = digest_of_bank(&said.out);
    std::fs::remove_dir_all(&folder).unwrap();
    // In shards: the last one has the bank.
    let said = say(&["slurm", &recipe, "--out", &folder, "--shards", "2", "--time", "30", "--memory", "1G"]);
    assert!(said.out.contains("#SBATCH --array=0-1\n") && said.err.is_empty(), "{said:?}");
    let script = cluster.0.write("bank.sh", &said.out);
    let first = cluster.attempt(&script, &[], &[("SLURM_ARRAY_TASK_ID", "0")]);
    assert!(first.code == Some(0) && first.out.contains("shard 0/2 is complete; 3 games of other"), "{first:?}");
    let last = cluster.attempt(&script, &[], &[]);
    assert!(last.code == Some(0) && digest_of_bank(&last.out) == whole, "{last:?}");
    for options in [&["--launcher", "srun"][..], &["--simulate"], &["--seed", "3"], &["--submit", "--then-report"]] {
        fail(&[&fixed[..], options].concat(), 2);
    }
}

/// The same with the program itself.
#[cfg(unix)]
#[test]
fn a_script_plays_its_shard() {
    let cluster = Cluster::new();
    let script = cluster.script_of(env!("CARGO_BIN_EXE_evouct"), &[]);
    let said = cluster.attempt(&script, &[], &[]);
    assert!(said.code == Some(0) && said.out.contains("games missing: all before, 0 now"), "{said:?}");
    assert!(cluster.0.exists("run/games-shard-1-of-2.jsonl") && cluster.calls("scontrol").is_empty(), "{said:?}");
    // A usage error: retrying will not help.
    let text = std::fs::read_to_string(&script).unwrap();
    let broken = cluster.0.write("broken.sh", &text.replace("small.toml", "nowhere.toml"));
    assert_eq!(cluster.attempt(&broken, &[], &[("SLURM_ARRAY_TASK_ID", "0")]).code, Some(2));
}
