//! The scripts that `evouct slurm` and `evouct batch` write, under bash, on clusters of small shell scripts: what fails,
//! stalls or lies costs no work, and a job without progress ends.
#![cfg(unix)]

use crate::{faults, program};
use program::{LEAGUE, Said, Scratch, digest, evouct, fail, fails, say, succeed};

/// A cluster of small shell scripts: each notes how it was called, in the file `asked`, and does what a test says.
struct Cluster(Scratch);

/// The commands of batch systems where nothing is wrong, and the program: it plays as many games as the test says.
const WELL: [(&str, &str); 7] = [
    ("squeue", "echo RUNNING"),
    ("scontrol", "exit 0"),
    ("sbatch", "exit 0"),
    ("qsub", "cat > submitted; echo '79.server'"),
    // Pauses are noted, and not taken; what stalls is ended soon.
    ("sleep", ""),
    (
        "timeout",
        "case $1 in --foreground) shift 4; exec \"$@\" ;; esac; shift 2; exec /usr/bin/timeout --kill-after=1 0.5 \"$@\"",
    ),
    (
        "program",
        "case $1 in status) cat left ;; run) if [ -n \"$SIGNAL\" ]; then trap 'exit 75' USR1; kill -s \"$SIGNAL\" $PPID; \
         while :; do /bin/sleep 0.02; done; fi; echo \"$LEFT\" > left; exit \"$CODE\" ;; esac",
    ),
];

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
        self.script_by(&["slurm"], program, options)
    }

    /// The script that a command writes.
    fn script_by(&self, command: &[&str], program: &str, options: &[&str]) -> String {
        let experiment = self.0.write("small.toml", LEAGUE);
        let folder = self.0.path("run");
        let fixed = [&experiment, "--out", &folder, "--calibrate", "0", "--shards", "2", "--evouct", program];
        self.0.write("job.sh", &succeed(&[command, &fixed, options].concat()))
    }

    /// Runs the script as a task of an array. The file `asked` then has what this attempt asked of SLURM.
    fn attempt(&self, script: &str, variables: &[(&str, &str)]) -> Said {
        std::fs::remove_file(self.0.path("asked")).ok();
        let path = format!("{}:{}", self.0.0.path().display(), std::env::var("PATH").unwrap());
        let mut command = std::process::Command::new("bash");
        command.arg(script).current_dir(self.0.path("")).env("PATH", path);
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
        let said = cluster.attempt(&cluster.script(&[]), &[("LEFT", "7")]);
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

#[test]
fn a_job_that_was_cancelled_or_requeued_already_is_left_alone() {
    let cluster = Cluster::new();
    let script = cluster.script(&[]);
    for state in ["CANCELLED", "COMPLETING", "TIMEOUT"] {
        cluster.stub("squeue", &format!("echo {state}"));
        let said = cluster.attempt(&script, &[("LEFT", "7"), ("CODE", "1")]);
        assert!(said.err.contains(&format!("the job is {state}: not requeued")), "{said:?}");
        assert_eq!((said.code, cluster.calls("scontrol requeue").len()), (Some(1), 0), "{said:?}");
        cluster.0.write("left", "10\n");
    }
    // The request seemed to fail, and was carried out: no second job is submitted.
    cluster.stub("squeue", "n=$(grep -c '^squeue' asked); [ \"$n\" = 1 ] && echo RUNNING || echo PENDING");
    cluster.stub("scontrol", "exit 1");
    let said = cluster.attempt(&script, &[("LEFT", "7")]);
    assert!(said.code == Some(75) && !said.err.contains("evouct: "), "{said:?}");
    assert!(cluster.calls("sbatch").is_empty(), "{said:?}");
}

#[test]
fn an_attempt_that_is_cut_short_is_no_lack_of_progress() {
    let cluster = Cluster::new();
    let long = cluster.script(&["--time", "04:00:00"]);
    let script = std::fs::read_to_string(&long).unwrap();
    assert!(script.contains("\nmost=30\n") && script.contains("limit=14400"), "{script}");
    let requeued = |script: &str, variables: &[(&str, &str)]| {
        let said = cluster.attempt(script, variables);
        let count = cluster.calls("scontrol requeue 77_1").len();
        assert!(said.code == Some(75) && said.err.is_empty() == (count == 1), "{variables:?}: {said:?}");
        count == 1
    };
    // Preempted before the first new game, as often in a row as the script says; restarts that played games do not count.
    let cut = [("SIGNAL", "TERM"), ("SLURM_RESTART_COUNT", "1000")];
    let kept = "run/.cut-short-1";
    assert!(requeued(&long, &[("SIGNAL", "USR1")]) && requeued(&long, &cut));
    assert_eq!(cluster.0.read(kept), "2\n");
    cluster.0.write(kept, "29\n");
    assert!(requeued(&long, &cut) && !requeued(&long, &cut));
    // The next job begins the row again, and so does a game. Each task of an array has its own.
    assert!(requeued(&long, &cut) && cluster.0.read(kept) == "1\n");
    cluster.0.write("run/.cut-short-0", "30\n");
    cluster.0.write(kept, "30\n");
    assert!(requeued(&long, &[("LEFT", "9"), ("SLURM_RESTART_COUNT", "1000")]) && !cluster.0.exists(kept));
    cluster.0.write("left", "10\n");
    assert!(requeued(&long, &cut) && cluster.0.read("run/.cut-short-0") == "30\n");
    // A job that is submitted in place of another continues it.
    cluster.0.write(kept, "12\n");
    cluster.stub("scontrol", "exit 1");
    cluster.attempt(&long, &cut);
    assert_eq!(cluster.calls("sbatch"), [format!("sbatch --array=1 {long}")]);
    assert_eq!(cluster.0.read(kept), "13\n");
    cluster.stub("scontrol", "exit 0");
    // Where the number cannot be kept, the job ends.
    std::fs::remove_file(cluster.0.path(kept)).unwrap();
    std::fs::create_dir(cluster.0.path(kept)).unwrap();
    assert!(!requeued(&long, &cut));
    std::fs::remove_dir(cluster.0.path(kept)).unwrap();
    // The signal came before the program.
    let early = cluster.script(&["--time", "04:00:00", "--setup", "kill -TERM $$"]);
    assert!(requeued(&early, &[]) && cluster.calls("program run").is_empty());
}

/// Where neither the script nor the environment has the time limit, squeue tells when the job will end.
#[test]
fn a_time_limit_that_is_unknown_is_asked_for() {
    let cluster = Cluster::new();
    let script = cluster.script(&[]);
    for (end, code) in [
        ("echo 2001-01-01T00:00:00", 1),
        ("echo 2999-01-01T00:00:00", 75),
        ("echo N/A", 75),
        ("exit 1", 75),
        ("exec /bin/sleep 600", 75),
    ] {
        cluster.stub("squeue", &format!("case $* in *%e) {end} ;; *) echo RUNNING ;; esac"));
        let said = cluster.attempt(&script, &[("SIGNAL", "USR1")]);
        let requeued = cluster.calls("scontrol requeue").len();
        assert_eq!((said.code, requeued), (Some(code), usize::from(code == 75)), "{end}: {said:?}");
        assert_eq!(cluster.calls("squeue -h -j 77_1 -o %e").len(), 1, "{end}: {said:?}");
        assert!(said.err.contains("added no game: not requeued") == (code == 1), "{end}: {said:?}");
    }
}

#[test]
fn a_job_that_makes_no_progress_ends() {
    let cluster = Cluster::new();
    let ends = |script: &str, variables: &[(&str, &str)], code: i32| {
        let said = cluster.attempt(script, variables);
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

/// The other systems: how each names the second task of an array, and the exit code that asks for another attempt.
const OTHERS: [(&str, (&str, &str), i32); 3] =
    [("pbs", ("PBS_ARRAY_INDEX", "2"), 75), ("lsf", ("LSB_JOBINDEX", "2"), 75), ("sge", ("SGE_TASK_ID", "2"), 99)];

#[test]
fn other_systems_are_asked_for_the_same() {
    let scratch = Scratch::new();
    let experiment = scratch.write("7:small.toml", &LEAGUE.replace("small", "7:small"));
    let given =
        "--account=mine --partition=long --memory=4G --time=90 --mail-user=me@x.org --directive=-X --cpus-per-task=4";
    let given: Vec<&str> = given.split(' ').collect();
    for (system, expected) in [
        (
            "pbs",
            "#PBS -N evouct-7-small\n#PBS -S /bin/bash\n#PBS -j oe\n#PBS -r y\n#PBS -A mine\n#PBS -q long\n#PBS -M me@x.org\n\
             #PBS -l select=1:ncpus=4:mem=4gb\n#PBS -l walltime=01:30:00\n#PBS -J 1-3\n#PBS -X\n",
        ),
        (
            "lsf",
            "#BSUB -J \"7:small[1-3]\"\n#BSUB -o \"7:small-%J-%I.out\"\n#BSUB -r\n#BSUB -Q 75\n#BSUB -P mine\n#BSUB -q long\n\
             #BSUB -u me@x.org\n#BSUB -n 4 -R \"span[hosts=1]\"\n#BSUB -M 4GB -R \"rusage[mem=4GB]\"\n#BSUB -W 90\n#BSUB -X\n",
        ),
        (
            "sge",
            "#$ -N evouct-7-small\n#$ -S /bin/bash\n#$ -cwd -r y -j y\n#$ -o evouct-7-small-$JOB_ID.$TASK_ID.out\n#$ -P mine\n\
             #$ -q long\n#$ -m ea -M me@x.org\n#$ -pe smp 4\n#$ -l mem_free=4G\n#$ -l h_rt=01:30:00\n#$ -t 1-3\n#$ -X\n",
        ),
    ] {
        let fixed = ["batch", &experiment, "--system", system, "--calibrate", "0"];
        let text = succeed(&[&fixed[..], &["--shards", "3"], &given].concat());
        assert!(text.starts_with(&format!("#!/bin/bash\n{expected}# Written by `evouct batch`; ")), "{text}");
        assert!(text.contains("--signal=USR1 5280 \"$evouct\" run ") && text.contains("\nshard=\"$task/3\""), "{text}");
        // The system may stand in the profile; what only SLURM has is refused.
        let profile = scratch.write("profile.toml", &format!("system = \"{system}\"\n"));
        let single = ["--launcher", "single", "--memory", "500"];
        let by_profile =
            succeed(&[&["batch", &experiment, "--profile", &profile, "--calibrate", "0"], &single[..]].concat());
        assert_eq!(by_profile, succeed(&[&fixed[..], &single].concat()));
        assert!(
            !by_profile.contains("$task/") && !by_profile.contains(" 1-") && by_profile.contains("500"),
            "{by_profile}"
        );
        for (options, words) in [
            (["--launcher", "srun"], "the launchers srun and mpirun are for SLURM"),
            (["--qos", "high"], "qos is for SLURM; elsewhere directives have the options of the system"),
            (["--constraint", "x"], "constraint is for SLURM"),
            (["--mail-type", "END"], "mail_type is for SLURM"),
        ] {
            fails(&[&fixed[..], &options].concat(), 2, words);
        }
        // `evouct slurm` is for SLURM whatever a profile says.
        assert!(
            succeed(&["slurm", &experiment, "--profile", &profile, "--calibrate", "0"])
                .contains("\n#SBATCH --array=0-9\n")
        );
    }
    // PBS has no array of one task.
    let one = succeed(&["batch", &experiment, "--system", "pbs", "--calibrate", "0", "--shards", "1"]);
    assert!(one.contains("#PBS -v EVOUCT_TASK=1\n") && !one.contains("\n#PBS -J"), "{one}");
    let same = |command: &[&str]| succeed(&[command, &[&experiment, "--calibrate", "0"]].concat());
    assert_eq!(same(&["batch"]), same(&["slurm"]));
    assert!(fail(&["batch", &experiment, "--system", "lfs"], 2).contains("invalid value 'lfs'"));
}

/// An attempt that added games is followed by another one, unless the job was signalled from outside; one that added none
/// is the last, unless it waits for other tasks.
#[test]
fn a_job_of_another_system_goes_on() {
    for (system, task, again) in OTHERS {
        let cluster = Cluster::new();
        let script =
            cluster.script_by(&["batch", "--system", system], &cluster.0.path("program"), &["--time", "04:00:00"]);
        let attempt = |variables: &[(&str, &str)]| {
            let said = cluster.attempt(&script, &[&[task][..], variables].concat());
            assert!(["squeue", "scontrol", "sbatch"].iter().all(|name| cluster.calls(name).is_empty()), "{said:?}");
            let further = cluster.calls("qsub");
            let asked = system == "pbs" && said.code == Some(75);
            assert!(further.is_empty() || further == ["qsub -v EVOUCT_TASK=2"], "{further:?}");
            (said, asked, further.len())
        };
        for (left, code, signal, expected) in [
            ("7", "75", "", again),
            ("6", "1", "", again),
            ("6", "1", "", 1),
            ("5", "137", "", again),
            ("5", "2", "", 2),
            ("4", "75", "TERM", 143),
            ("0", "1", "", 1),
            ("0", "0", "", 0),
        ] {
            let (said, asked, further) = attempt(&[("LEFT", left), ("CODE", code), ("SIGNAL", signal)]);
            assert_eq!((said.code, further), (Some(expected), usize::from(asked)), "{system} {left} {code}: {said:?}");
            assert_eq!(cluster.calls("program run").len(), 1, "{said:?}");
            assert!(cluster.0.read("asked").contains("--shard 1/2 "), "{said:?}");
        }
        // Patience with other tasks ends.
        cluster.0.write("left", "10\n");
        std::fs::create_dir(cluster.0.path("run")).unwrap();
        cluster.0.write("run/.cut-short-1", "29\n");
        assert_eq!(attempt(&[]).0.code, Some(again));
        let (said, ..) = attempt(&[]);
        assert_eq!(said.code, Some(if system == "lsf" { 1 } else { 75 }), "{said:?}");
        assert!(said.err.contains("31 attempts in a row were cut short and added no game: not requeued"), "{said:?}");
        // Outside of an array there is no such part.
        let name = [(task.0, if system == "sge" { "undefined" } else { "" })];
        let said = cluster.attempt(&script, &name);
        assert!(cluster.0.read("asked").contains("--shard -1/2 "), "{said:?}");
    }
}

/// PBS takes a further job, of this task alone: a server that fails, stalls or lies is asked again.
#[test]
fn a_job_of_pbs_continues_as_another() {
    let later = "cat > submitted; n=$(grep -c '^qsub' asked); [ \"$n\" -ge 3 ] || exit 1; echo 80.server";
    for (qsub, calls, words) in [
        (WELL[3].1, 1, ""),
        (later, 3, ""),
        ("exit 1", 6, "six tries"),
        ("exec /bin/sleep 600", 6, "six tries"),
        ("echo 'qsub: cannot connect to server (errno=111)'", 6, "six tries"),
        ("true", 6, "six tries"),
    ] {
        let cluster = Cluster::new();
        cluster.stub("qsub", qsub);
        let script = cluster.script_by(&["batch", "--system", "pbs"], &cluster.0.path("program"), &[]);
        let said = cluster.attempt(&script, &[("EVOUCT_TASK", "1"), ("LEFT", "7")]);
        assert_eq!((said.code, cluster.calls("qsub -v EVOUCT_TASK=1").len()), (Some(75), calls), "{qsub}: {said:?}");
        assert!(
            said.err.contains(words) && said.out.contains("continues as job ") == words.is_empty(),
            "{qsub}: {said:?}"
        );
        if words.is_empty() {
            let text = std::fs::read_to_string(&script).unwrap();
            assert_eq!(cluster.0.read("submitted"), text.replace("#PBS -J 1-2\n", ""));
        }
    }
}

/// What a submission prints is an id, or one line says what it was.
#[test]
fn a_submission_that_fails_stalls_or_lies_is_one_line() {
    let cluster = Cluster::new();
    let experiment = cluster.0.write("small.toml", LEAGUE);
    for (system, command, good) in [
        ("slurm", "sbatch", "4711;cluster"),
        ("pbs", "qsub", "4711[].server"),
        ("lsf", "bsub", "Job <4711> is submitted to queue <normal>."),
        ("sge", "qsub", "4711.1-10:1"),
    ] {
        let submit = |body: &str, options: &[&str]| {
            cluster.stub(command, body);
            let path = format!("{}:{}", cluster.0.0.path().display(), std::env::var("PATH").unwrap());
            let fixed = ["batch", &experiment, "--system", system, "--calibrate", "0", "--submit"];
            let mut command = evouct(&[&fixed[..], options].concat());
            Said::of(command.env("PATH", path).current_dir(cluster.0.path("")).output().unwrap())
        };
        let said = submit(&format!("cat > submitted; echo '{good}'"), &[]);
        assert_eq!((said.out.as_str(), said.code), ("submitted job 4711\n", Some(0)), "{said:?}");
        assert!(cluster.0.read("submitted").starts_with("#!/bin/bash\n#"), "{said:?}");
        let said = submit(&format!("cat >> submitted; echo '{good}'"), &["--then-report"]);
        let reports = system != "pbs";
        assert_eq!(cluster.0.read("submitted").contains("\n\"$evouct\" report "), reports, "{said:?}");
        let words =
            if reports { "submitted job 4711, which writes the report" } else { "--then-report: a run in PBS may" };
        assert!([said.out, said.err].concat().contains(words), "{system}");
        for (body, words) in [
            ("echo 'unknown queue' >&2; exit 1", "unknown queue"),
            ("exec /bin/sleep 600", "no answer within two minutes"),
            ("cat > submitted; echo 'cannot connect to server'", "it gave no id of a job, but \"cannot connect"),
            ("cat > submitted", "it gave no id of a job, but \"\""),
        ] {
            let said = submit(body, &[]);
            assert_eq!(said.code, Some(1), "{system}: {said:?}");
            assert!(
                said.err.starts_with(&format!("evouct: {command}: ")) && said.err.contains(words),
                "{system}: {said:?}"
            );
        }
    }
}

/// A league of two players that play fast.
const FAST: &str =
    "name = \"fast\"\nseed = 3\n[[player]]\nkind = \"mcts\"\niterations = 10\n[[player]]\nkind = \"random\"\n";

#[test]
fn a_script_tunes_by_one_process_by_ranks_or_by_shards() {
    let cluster = Cluster::new();
    let experiment = cluster.0.write("fast.toml", FAST);
    let (folder, other) = (cluster.0.path("tuned"), cluster.0.path("other"));
    let over = ["--over", "iterations=5,10", "--budget", "160"];
    let fixed = ["slurm", &experiment, "--tune", "--out", &folder];
    let said =
        say(&[&fixed[..], &["--calibrate", "0.1", "--cpus-per-task", "2", "--launcher", "single", "--"], &over]
            .concat());
    let script = cluster.0.write("tune.sh", &said.out);
    assert!(said.out.contains("#SBATCH --ntasks=1\n") && !said.out.contains("--array"), "{said:?}");
    assert!(said.out.contains("#SBATCH --time=00:10:00\n") && said.err.contains("games of "), "{said:?}");
    assert!(!cluster.0.exists("tuned"));
    let said = cluster.attempt(&script, &[]);
    assert!(said.code == Some(0) && said.out.contains("games missing: all before, 0 now"), "{said:?}");
    succeed(&[&["tune", &experiment, "--out", &other][..], &over].concat());
    assert_eq!(digest(&folder), digest(&other));
    let done = succeed(&[&fixed[..], &["--"], &over].concat());
    assert!(done.contains("no games are missing") && done.contains("no job is needed"), "{done}");
    // A round begins when all tasks have played their parts of the one before.
    let parts = cluster.0.path("parts");
    let array = ["slurm", &experiment, "--tune", "--out", &parts, "--calibrate", "0", "--shards", "2", "--"];
    let text = succeed(&[&array[..], &over, &["--patience", "0"]].concat());
    assert!(
        text.contains("#SBATCH --array=0-1\n")
            && text.contains(" tune \"$file\" --out \"$folder\" --shard \"$shard\" ")
    );
    let script = cluster.0.write("parts.sh", &text);
    for (task, code) in [("0", 75), ("1", 75), ("0", 0)] {
        let said = cluster.attempt(&script, &[("SLURM_ARRAY_TASK_ID", task)]);
        let requeued = cluster.calls("scontrol requeue").len();
        assert_eq!((said.code, requeued), (Some(code), usize::from(code == 75)), "{said:?}");
    }
    assert_eq!(digest(&parts), digest(&other));
    let ranks = ["slurm", &experiment, "--tune", "--calibrate", "0", "--launcher", "srun", "--nodes", "2", "--"];
    let text = succeed(&[&ranks[..], &over].concat());
    assert!(
        text.contains("\"$evouct\" tune \"$file\" --out \"$folder\" --over iterations=5,10 --budget 160 --backend mpi")
    );
    for (options, words) in [
        (&["--", "--over", "iterations=5,10"][..], "--games <N>"),
        (&["--", "--ovr", "k=1,2"], "did you mean"),
        (&["--", "--over", "nothing=5,10", "--budget", "160"], "nothing"),
        (&["--simulate", "--", "--over", "iterations=5,10", "--budget", "160"], "--tune takes neither --simulate"),
    ] {
        fails(&[&["slurm", &experiment, "--tune"][..], options].concat(), 2, words);
    }
}

/// The line with the digest of a bank.
fn digest_of_bank(out: &str) -> String {
    out.lines().find(|line| line.starts_with("digest ")).unwrap_or_else(|| panic!("{out}")).to_owned()
}

#[test]
fn a_script_makes_a_bank() {
    let cluster = Cluster::new();
    let recipe = "name = \"small-bank\"\ngames = 6\npositions_per_game = 2\nrewards = 2\n[[player]]\nkind = \"random\"\n\
                  [[value]]\nkind = \"mcts\"\niterations = 20\n";
    let recipe = cluster.0.write("bank.toml", recipe);
    let (folder, program) = (cluster.0.path("bank"), cluster.0.path("program"));
    let fixed = ["slurm", &recipe, "--out", &folder, "--launcher", "single", "--calibrate", "0"];
    let estimated = say(&["slurm", &recipe, "--out", &folder, "--calibrate", "0.1"]);
    assert!(estimated.code == Some(0) && estimated.err.contains("evouct: 6 games of "), "{estimated:?}");
    assert!(
        estimated.err.contains("--memory ") && estimated.out.contains("#SBATCH --time=00:10:00\n"),
        "{estimated:?}"
    );
    let said = say(&[&fixed[..], &["--evouct", &program]].concat());
    assert!(said.err.is_empty() && !said.out.contains("--time="), "{said:?}");
    // It goes on while the bank grows.
    let script = cluster.0.write("bank.sh", &said.out);
    std::fs::create_dir(&folder).unwrap();
    cluster.stub("program", "[ \"$GROWS\" != yes ] || echo line >> bank/bank.jsonl; exit \"$CODE\"");
    for (grows, code, expected) in [("yes", "75", 75), ("yes", "1", 75), ("no", "1", 1), ("no", "2", 2), ("no", "0", 0)]
    {
        let said = cluster.attempt(&script, &[("GROWS", grows), ("CODE", code)]);
        let requeued = cluster.calls("scontrol requeue 78").len();
        assert_eq!((said.code, requeued), (Some(expected), usize::from(expected == 75)), "{grows} {code}: {said:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let script = cluster.0.write("bank.sh", &say(&fixed).out);
    let said = cluster.attempt(&script, &[]);
    assert!(said.code == Some(0) && said.out.contains("bank of 6 games"), "{said:?}");
    assert!(succeed(&fixed).contains("no games are missing"));
    let whole = digest_of_bank(&said.out);
    std::fs::remove_dir_all(&folder).unwrap();
    // In shards: the last one has the bank.
    let said = say(&["slurm", &recipe, "--out", &folder, "--shards", "2", "--calibrate", "0"]);
    assert!(said.out.contains("#SBATCH --array=0-1\n") && said.err.is_empty(), "{said:?}");
    let script = cluster.0.write("bank.sh", &said.out);
    let first = cluster.attempt(&script, &[("SLURM_ARRAY_TASK_ID", "0")]);
    assert!(first.code == Some(0) && first.out.contains("shard 0/2 is complete; 3 games of other"), "{first:?}");
    let last = cluster.attempt(&script, &[]);
    assert!(last.code == Some(0) && digest_of_bank(&last.out) == whole, "{last:?}");
    for options in [&["--launcher", "srun"][..], &["--simulate"], &["--seed", "3"], &["--submit", "--then-report"]] {
        fail(&[&fixed[..], options].concat(), 2);
    }
}

/// What a shell would run if it evaluated it: `run` stands for a command. A number before or behind it hides it.
const HOSTILE: [&str; 20] = [
    "signals[$(run)]",
    "a[`run`]",
    "$(run)",
    "`run`",
    "; run",
    "\nrun\n",
    "x=$(run)",
    "BASH_VERSINFO[$(run)0]",
    "1+a[$(run)]",
    "0 && run",
    "| run",
    "& run &",
    "$((a[$(run)]))",
    "${a[$(run)]}",
    "' ; run ; '",
    "\" ; run ; \"",
    ") ; run ; (",
    "} ; run ; {",
    "-v a[$(run)]",
    "x -o -v a[$(run)]",
];

/// Where a script of SLURM takes a value from: a file of the folder, variables, and what commands print.
const PLACES: [&str; 9] = [
    "run/.cut-short-0",
    "SLURM_JOB_START_TIME",
    "SLURM_JOB_END_TIME",
    "SLURM_ARRAY_TASK_ID",
    "SLURM_ARRAY_JOB_ID",
    "SLURM_JOB_ID",
    "SQUEUE",
    "SCONTROL",
    "STATUS",
];

/// The same of other systems. The first is read where the fourth is not set.
const OTHER_PLACES: [&str; 7] =
    ["EVOUCT_TASK", "run/.cut-short-0", "STATUS", "PBS_ARRAY_INDEX", "LSB_JOBINDEX", "SGE_TASK_ID", "QSUB"];

/// A thousand hostile values, as many at once as SLURM has places, and four at once in those of other systems; with
/// `EVOUCT_FAULTS=all` each alone in each place. The scripts run in a shell that has the commands of batch systems and the
/// program as functions.
#[test]
fn nothing_that_a_script_reads_is_evaluated() {
    let cluster = Cluster::new();
    let experiment = cluster.0.write("small.toml", LEAGUE);
    let (mut slurm, mut others) = (Vec::new(), Vec::new());
    for system in ["slurm", "pbs", "lsf", "sge"] {
        for options in [["--launcher", "single"], ["--shards", "2"]] {
            let fixed =
                ["batch", &experiment, "--system", system, "--out", "run", "--calibrate", "0", "--evouct", "program"];
            let (name, scripts) =
                (format!("{system}{}.sh", options[0]), if system == "slurm" { &mut slurm } else { &mut others });
            cluster.0.write(&name, &succeed(&[&fixed[..], &options].concat()));
            scripts.push(name);
        }
    }
    let values: Vec<String> = (0..50)
        .flat_map(|round: usize| {
            let [before, behind] = [round % 7, round / 7].map(|count| "0".repeat(count));
            HOSTILE.map(|value| format!("{before}{}{behind}", value.replace("run", "touch PWNED")))
        })
        .collect();
    assert_eq!(values.len(), 1_000);
    let quoted = |(place, value): (&str, &String)| format!(" {place} '{}'", value.replace('\'', "'\\''"));
    let attempts = |places: &[&'static str], at_once: usize, scripts: &[String]| -> Vec<String> {
        let sets: Vec<String> = if faults::tries_all() {
            values.iter().flat_map(|value| places.iter().map(move |place| quoted((*place, value)))).collect()
        } else {
            let turned = |n| places.iter().copied().cycle().skip(n);
            let chunks = values.chunks(at_once).enumerate();
            chunks.map(|(n, values)| turned(n).zip(values).map(quoted).collect()).collect()
        };
        sets.iter().zip(scripts.iter().cycle()).map(|(set, script)| format!("attempt {script}{set}\n")).collect()
    };
    let attempts = [attempts(&PLACES, PLACES.len(), &slurm), attempts(&OTHER_PLACES, 4, &others)].concat();
    let shell = r#"#!/bin/bash
mkdir -p run
squeue() { printf '%s\n' "${SQUEUE-RUNNING}"; }
scontrol() { printf '%s\n' "JobState=${SCONTROL-RUNNING}"; }
sbatch() { return 1; }
qsub() { cat >/dev/null; printf '%s\n' "${QSUB-}"; }
sleep() { :; }
rm() { :; }
timeout() { shift 2; "$@"; }
program() { case $1 in status) printf '%s\n' "${STATUS-10}" ;; *) return 75 ;; esac; }
attempt() (
    export SLURM_ARRAY_JOB_ID=77 SLURM_ARRAY_TASK_ID=0 SLURM_JOB_ID=78 SLURM_JOB_START_TIME=1 SLURM_JOB_END_TIME=99999
    script=$1
    shift
    while [ $# -gt 0 ]; do
        case $1 in run/*) printf '%s' "$2" >"$1" ;; *) printf -v "$1" '%s' "$2" ;; esac
        shift 2
    done
    . "./$script"
)
"#;
    let path = cluster.0.write("attempts.sh", &format!("{shell}{}", attempts.concat()));
    let mut command = std::process::Command::new("bash");
    let said = Said::of(command.arg(path).current_dir(cluster.0.path("")).output().unwrap());
    assert!(!cluster.0.exists("PWNED"), "{said:?}");
    // They came to their ends.
    assert_eq!(said.out.matches("evouct: exit code 75; games missing: ").count(), attempts.len(), "{said:?}");
}

/// The number of attempts that were cut short is one of digits: what else a file has counts as none.
#[test]
fn a_file_of_the_run_folder_is_no_program() {
    let cluster = Cluster::new();
    let script = cluster.script(&["--time", "04:00:00"]);
    let kept = "run/.cut-short-1";
    std::fs::create_dir(cluster.0.path("run")).unwrap();
    for (text, then) in [
        ("signals[$(touch PWNED)]", "1\n"),
        ("3x", "1\n"),
        ("08\n", "9\n"),
        ("-4", "1\n"),
        ("99999999999999999999999", "1\n"),
        ("12\n", "13\n"),
        ("", "1\n"),
    ] {
        cluster.0.write(kept, text);
        let said = cluster.attempt(&script, &[("SIGNAL", "TERM")]);
        assert!(said.code == Some(75) && said.err.is_empty(), "{text}: {said:?}");
        assert_eq!((cluster.0.read(kept).as_str(), cluster.0.exists("PWNED")), (then, false), "{text}");
    }
}

/// Names and options are words of the script, whatever is in them.
#[test]
fn hostile_names_are_words() {
    let cluster = Cluster::new();
    for (number, value) in HOSTILE.iter().enumerate() {
        let value = value.replace("run", "touch PWNED").replace('/', "_");
        let experiment = cluster.0.write(&format!("a{value}.toml"), LEAGUE);
        let folder = cluster.0.path(&format!("-{number}{value}"));
        let fixed = [&experiment, "--out", &folder, "--calibrate", "0", "--launcher", "single"];
        let fixed = [&fixed[..], &["--time", "90"]].concat();
        let other = OTHERS[number % OTHERS.len()].0;
        for command in [&["slurm"][..], &["batch", "--system", other]] {
            let said = say(&[
                command,
                &fixed[..],
                &["--evouct", &cluster.0.path("program"), "--setup", ":", "--", &format!("--player={value}")],
            ]
            .concat());
            assert_eq!(said.code, Some(0), "{said:?}");
            let script = cluster.0.write("job.sh", &said.out);
            let said = cluster.attempt(&script, &[]);
            assert!(
                !cluster.0.exists("PWNED") && said.err.is_empty(),
                "{value}: {said:?}\n{}",
                cluster.0.read("job.sh")
            );
            assert!(cluster.0.read("asked").contains(&format!("--player={value} ")), "{value}: {said:?}");
        }
    }
}

/// Scripts of the repository and those that the program writes are what `shellcheck` calls sound.
#[test]
fn every_script_is_sound() {
    if std::process::Command::new("shellcheck").arg("--version").output().is_err() {
        println!("skipped: the check of scripts, because shellcheck is missing (apt-get install shellcheck)");
        return;
    }
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let bank = "name = \"b\"\ngames = 6\n[[player]]\nkind = \"random\"\n[[value]]\nkind = \"mcts\"\niterations = 20\n";
    let recipe = scratch.write("bank.toml", bank);
    let evolution = "name = \"e\"\n[evolve]\nseeds = [\"Q\"]\n[[player]]\nkind = \"formula\"\n[[opponent]]\nkind = \"random\"\n\
                     [[stage]]\nmeasure = \"games\"\ndecks = 2\n";
    let evolution = scratch.write("evolution.toml", evolution);
    let over = ["--", "--over", "iterations=5,10", "--budget", "600"];
    let mut scripts = Vec::new();
    let slurm = ["array", "single", "srun", "mpirun"].map(|launcher| ("slurm", launcher));
    let others = OTHERS.iter().flat_map(|(system, ..)| ["array", "single"].map(|launcher| (*system, launcher)));
    for (system, launcher) in slurm.into_iter().chain(others) {
        let folder = scratch.path("it's new");
        let options =
            ["--launcher", launcher, "--calibrate", "0", "--module", "gcc/13", "--time", "90", "--out", &folder];
        let mut write = |file: &str, more: &[&str]| {
            let text = succeed(&[&["batch", file, "--system", system][..], &options, more].concat());
            scripts.push(scratch.write(&format!("{system}-{launcher}-{}.sh", scripts.len()), &text));
        };
        write(&experiment, &[]);
        write(&evolution, &[]);
        write(&experiment, &[&["--tune"][..], &over].concat());
        if !launcher.ends_with("run") {
            write(&recipe, &[]);
        }
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["slurm", "scripts"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let is_bash = |path: &std::path::PathBuf| {
            std::fs::read(path).is_ok_and(|text| {
                text.starts_with(b"#!")
                    && text.split(|b| *b == b'\n').next().is_some_and(|line| line.ends_with(b"bash"))
            })
        };
        scripts.extend(entries.filter(is_bash).map(|path| path.to_str().unwrap().to_owned()));
    }
    assert!(scripts.len() > 44, "{scripts:?}");
    let said = Said::of(std::process::Command::new("shellcheck").args(&scripts).output().unwrap());
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""));
}

/// The same with the program itself.
#[test]
fn a_script_plays_its_shard() {
    let cluster = Cluster::new();
    let script = cluster.script_of(env!("CARGO_BIN_EXE_evouct"), &[]);
    let said = cluster.attempt(&script, &[]);
    assert!(said.code == Some(0) && said.out.contains("games missing: all before, 0 now"), "{said:?}");
    assert!(cluster.0.exists("run/games-shard-1-of-2.jsonl") && cluster.calls("scontrol").is_empty(), "{said:?}");
    // A usage error: retrying will not help.
    let text = std::fs::read_to_string(&script).unwrap();
    let broken = cluster.0.write("broken.sh", &text.replace("small.toml", "nowhere.toml"));
    assert_eq!(cluster.attempt(&broken, &[("SLURM_ARRAY_TASK_ID", "0")]).code, Some(2));
}

/// A task over several seeds has seeds of its own: it is requeued while it adds to them, and ends with them.
#[test]
fn a_task_over_seeds_ends_with_its_seeds() {
    let cluster = Cluster::new();
    let evouct = env!("CARGO_BIN_EXE_evouct");
    let cut = "truncate -s -100 run/seed-2/evolution.jsonl; exit 75";
    cluster.stub("program", &format!("{evouct} \"$@\" || exit; if [ $1 = evolve ] && [ -n \"$CUT\" ]; then {cut}; fi"));
    let (program, folder) = (cluster.0.path("program"), cluster.0.path("run"));
    let file = cluster.0.write("tiny.toml", &crate::seeds::file(1, ""));
    let fixed = ["slurm", &file, "--out", &folder, "--calibrate", "0", "--shards", "2", "--evouct", &program];
    let script = cluster.0.write("job.sh", &succeed(&[&fixed[..], &["--", "--seeds", "1..3"]].concat()));
    let said = cluster.attempt(&script, &[("CUT", "yes")]);
    assert!(said.code == Some(75) && cluster.calls("scontrol requeue 77_1").len() == 1, "{said:?}");
    let said = cluster.attempt(&script, &[("CUT", "")]);
    assert!(said.code == Some(0) && cluster.calls("scontrol").is_empty(), "{said:?}");
    let missing = |shard: &str| succeed(&["status", &folder, "--missing", "--shard", shard]);
    assert_eq!((missing("1/2").trim(), missing("0/2").trim()), ("0", "2"), "seeds 1 and 3 were not begun");
}
