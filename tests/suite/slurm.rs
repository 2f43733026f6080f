//! Batch scripts: they contain what was requested, the examples are what the program writes, and a shell accepts them.

use crate::program;

use program::{LEAGUE, Said, Scratch, evouct, fail, fails, say, succeed};
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
        assert_eq!(
            kept, written,
            "slurm/{name} is out of date; UPDATE_SLURM=1 cargo test --test suite slurm:: renews it"
        );
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
    assert!(text.contains(" --decks 3 --extend"), "{text}");
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
        fails(&[&["slurm", &experiment][..], options].concat(), 2, words);
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

/// On a login node no program of a file starts without being asked for, and the profile that is used is named.
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
    let words = format!("no estimate: it would start own (sh {program}); --calibrate 5 does");
    assert!(said.code == Some(0) && said.err.contains(&words) && said.out.starts_with("#!/bin/bash"), "{said:?}");
    let said = slurm(&["--simulate"]);
    assert!(said.code == Some(2) && said.err.contains("--simulate would start own (sh "), "{said:?}");
    assert!(!scratch.exists("started") && !said.err.contains("profile"), "{said:?}");
    let said = slurm(&["--calibrate", "0.2"]);
    assert!(said.err.contains(&format!("starts own (sh {program}) on this machine")), "{said:?}");
    assert!(scratch.exists("started"), "{said:?}");
    std::fs::create_dir(scratch.path("slurm")).unwrap();
    scratch.write("slurm/profile.toml", "account = \"mine\"\n");
    let said = slurm(&[]);
    assert!(said.out.contains("#SBATCH --account=mine\n"), "{said:?}");
    assert!(said.err.contains("job options from slurm/profile.toml\n"), "{said:?}");
}
