//! Batch scripts: they contain what was requested, the examples are what the program writes, and a shell accepts them.

mod program;

use program::{LEAGUE, Scratch, evouct, fail, succeed};
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

/// A script as a cluster would run it, with what SLURM's commands would do noted in a file.
#[cfg(unix)]
#[test]
fn a_script_requeues_itself_only_while_attempts_add_games() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let folder = scratch.path("run");
    let program = env!("CARGO_BIN_EXE_evouct");
    let write = |program: &str, experiment: &str| {
        let fixed = ["slurm", experiment, "--out", &folder, "--calibrate", "0", "--shards", "2", "--evouct", program];
        scratch.write("job.sh", &succeed(&fixed))
    };
    scratch.write("scontrol", &format!("#!/bin/sh\necho \"$@\" >> {}\n", scratch.path("requeued")));
    let permit = |name: &str| {
        let status = std::process::Command::new("chmod").args(["+x", &scratch.path(name)]).status().unwrap();
        assert!(status.success());
    };
    permit("scontrol");
    let state = |state: &str| {
        scratch.write("squeue", &format!("#!/bin/sh\necho {state}\n"));
        permit("squeue");
    };
    state("RUNNING");
    let job = |script: &str, shard: &str| {
        let path = format!("{}:{}", scratch.0.path().display(), std::env::var("PATH").unwrap());
        let mut command = std::process::Command::new("bash");
        command.arg(script).env("PATH", path).env("SLURM_SUBMIT_DIR", scratch.0.path());
        command.envs([("SLURM_ARRAY_JOB_ID", "77"), ("SLURM_ARRAY_TASK_ID", shard), ("SLURM_JOB_ID", "78")]);
        command.output().unwrap()
    };
    // A usage error: retrying will not help.
    let script = std::fs::read_to_string(write(program, &experiment)).unwrap();
    let broken = scratch.write("broken.sh", &script.replace("small.toml", "nowhere.toml"));
    let output = job(&broken, "0");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    // A program that plays one game at a time and is then interrupted.
    let slow = format!(
        "#!/bin/bash\nif [ \"$1\" = run ]; then\n{program} \"$@\" > /dev/null\nf={folder}/games-shard-0-of-2.jsonl\n\
         n=$(cat {folder}/allowed)\nhead -n \"$n\" \"$f\" > \"$f.part\"; mv \"$f.part\" \"$f\"; exit 75\nfi\nexec {program} \"$@\"\n"
    );
    let slow_path = scratch.write("slow", &slow);
    permit("slow");
    std::fs::create_dir(&folder).unwrap();
    for (allowed, code, requeued) in [("3", 75, 1), ("5", 75, 2), ("5", 1, 2), ("7", 0, 2)] {
        scratch.write("run/allowed", allowed);
        let output = job(&write(&slow_path, &experiment), "0");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        // The exit code of the program is that of the job, but where all six games of the shard are there: the signal
        // came after the last.
        assert_eq!(output.status.code(), Some(code), "{allowed}: {said}");
        let requests = std::fs::read_to_string(scratch.path("requeued")).unwrap_or_default();
        assert_eq!(requests.lines().count(), requeued, "{allowed}: {said}");
        assert!(requests.lines().all(|line| line == "requeue 77_0"), "{requests}");
    }
    // The job was cancelled: it is not requeued.
    state("CANCELLED");
    scratch.write("run/allowed", "6");
    std::fs::write(scratch.path("run/games-shard-0-of-2.jsonl"), "").unwrap();
    let output = job(&write(&slow_path, &experiment), "0");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the job is CANCELLED: not requeued"), "{output:?}");
    let output = job(&write(program, &experiment), "1");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(scratch.exists("run/games-shard-1-of-2.jsonl"));
}
