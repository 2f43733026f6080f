//! Ranks of MPI that are stopped and do not die: the others give them up, and the same command goes on. Left out where there
//! is no Open MPI.
#![cfg(all(feature = "mpi", target_os = "linux"))]

use crate::{equality, external, program, seeds, tune};
use program::{Said, Scratch, evouct, succeed};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Some seconds of play.
const LEAGUE: &str = r#"
name = "stopped"
seed = 11
games_per_match = 20
[[player]]
kind = "mcts"
iterations = [30, 60]
[[player]]
kind = "random"
"#;

/// Stops a rank where it joins the world, has joined it, says its last word, and leaves.
const STALL: &str = r#"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static void stall(const char *here) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *stalls = getenv("STALLS");
    if (!strcmp(rank, "1") && !strcmp(here, stalls)) raise(SIGSTOP);
}
int PMPI_Init_thread(int *, char ***, int, int *), PMPI_Finalize(void);
int PMPI_Isend(const void *, int, void *, int, int, void *, void *);
int MPI_Init_thread(int *count, char ***words, int wanted, int *given) {
    stall("joins");
    int code = PMPI_Init_thread(count, words, wanted, given);
    stall("joined");
    return code;
}
int MPI_Isend(const void *bytes, int count, void *of, int to, int tag, void *world, void *request) {
    if (count == 0) stall("parts");
    return PMPI_Isend(bytes, count, of, to, tag, world, request);
}
int MPI_Finalize(void) {
    stall("leaves");
    return PMPI_Finalize();
}
"#;

/// A command on three ranks, of which none is waited for longer than three seconds. None without Open MPI.
fn on_ranks(command: &str, folder: &str, options: &[&str]) -> Option<Child> {
    let version = Command::new("mpirun").arg("--version").output().ok();
    if version.is_none_or(|version| !String::from_utf8_lossy(&version.stdout).contains("Open MPI")) {
        println!("left out: there is no Open MPI here");
        return None;
    }
    // What would hang fails.
    let mut ranks = Command::new("timeout");
    ranks
        .args(["120", "mpirun", "-n", "3", "--bind-to", "none", "--oversubscribe"])
        .args(options)
        .arg(evouct(&[]).get_program());
    ranks.args(command.split(' ')).args(["--out", folder, "--backend", "mpi", "--threads", "1", "--patience", "3"]);
    for allowed in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] {
        ranks.env(allowed, "1");
    }
    ranks.envs([("OMPI_MCA_pml", "ob1"), ("OMPI_MCA_btl", "self,tcp"), ("OMPI_MCA_btl_tcp_if_include", "lo")]);
    Some(ranks.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// The process of a rank that works in this folder.
fn process_of(rank: u32, folder: &str) -> Option<String> {
    let holds = |process: &Path, file: &str, word: &str| {
        let bytes = std::fs::read(process.join(file)).unwrap_or_default();
        bytes.split(|byte| *byte == 0).any(|found| found == word.as_bytes())
    };
    let variable = format!("OMPI_COMM_WORLD_RANK={rank}");
    let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let found = processes.into_iter().find(|it| holds(it, "environ", &variable) && holds(it, "cmdline", folder));
    found.map(|it| it.file_name().unwrap().to_string_lossy().into_owned())
}

/// The bytes of the journals of a folder and its sub-folders.
fn written(folder: &Path) -> u64 {
    let paths = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let bytes = |path: &Path| path.metadata().map_or(0, |data| data.len());
    paths
        .map(|path| match path.extension() {
            None => written(&path),
            Some(ending) => u64::from(ending == "jsonl") * bytes(&path),
        })
        .sum()
}

/// Ranks that were given up: one line says which, and the same command goes on to this digest.
fn are_given_up(ranks: Child, said: &str, (command, folder, digest): (&str, &str, &str)) {
    let ended = Said::of(ranks.wait_with_output().unwrap());
    let lines: Vec<&str> = ended.err.lines().filter(|line| line.starts_with("evouct: ")).collect();
    let [line] = lines[..] else { panic!("{command}: {}", ended.err) };
    assert!(line.starts_with(&format!("evouct: {said}")), "{command}: {line}");
    assert!(line.ends_with("or its machine is gone; what was played is kept, and the same command goes on"), "{line}");
    assert_eq!(ended.code, Some(75), "{command}: {}", ended.err);
    succeed(&command.split(' ').chain(["--out", folder]).collect::<Vec<_>>());
    assert_eq!(succeed(&["digest", folder]), digest, "{command}: {line}");
}

/// Stops a rank as soon as a tenth of the journals of the whole is written.
fn a_stopped_rank_is_given_up(command: &str, rank: u32) {
    let scratch = Scratch::new();
    let [whole, folder] = ["whole", "stopped"].map(|name| scratch.path(name));
    succeed(&command.split(' ').chain(["--out", &whole]).collect::<Vec<_>>());
    let digest = succeed(&["digest", &whole]);
    let Some(mut ranks) = on_ranks(command, &folder, &[]) else { return };
    while written(Path::new(&folder)) < written(Path::new(&whole)) / 10 {
        assert!(ranks.try_wait().unwrap().is_none(), "{command}: it ended before");
        std::thread::sleep(Duration::from_millis(1));
    }
    let process = process_of(rank, &folder).unwrap();
    assert!(Command::new("kill").args(["-s", "STOP", &process]).status().unwrap().success());
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let said = format!("rank {rank} on {} is silent for 3 s: it hangs, ", host.trim());
    are_given_up(ranks, &said, (command, &folder, &digest));
}

#[test]
fn a_rank_of_a_league_that_is_stopped_is_given_up() {
    let scratch = Scratch::new();
    let command = format!("run {}", scratch.write("stopped.toml", LEAGUE));
    std::thread::scope(|scope| {
        for (rank, command) in [(0, &command), (2, &command)] {
            scope.spawn(move || a_stopped_rank_is_given_up(command, rank));
        }
    });
}

#[test]
fn a_rank_of_an_evolution_or_a_tuning_that_is_stopped_is_given_up() {
    let scratch = Scratch::new();
    let evolution = equality::file("\"Q\", \"n\"", "").replace("iterations = 6", "iterations = 30");
    let evolve = format!("evolve {}", scratch.write("evolution.toml", &evolution));
    let league = scratch.write("cheap.toml", &format!("{}{}", tune::CHEAP, tune::RANDOM));
    let tuning = format!("tune {league} {}", tune::OVER.join(" "));
    std::thread::scope(|scope| {
        for command in [&evolve, &tuning] {
            scope.spawn(|| a_stopped_rank_is_given_up(command, 1));
        }
    });
}

/// Before the first message, and after the last one.
#[test]
fn a_rank_that_is_stopped_at_the_start_or_the_end_is_given_up() {
    let scratch = Scratch::new();
    let (source, library) = (scratch.write("stall.c", STALL), scratch.path("stall.so"));
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o", &library, &source]).status();
    if compiled.is_err() {
        println!("left out: there is no C compiler here");
        return;
    }
    let command = format!("run {}", scratch.write("small.toml", &LEAGUE.replace("= 20", "= 1")));
    let whole = scratch.path("whole");
    succeed(&command.split(' ').chain(["--out", &whole]).collect::<Vec<_>>());
    let digest = succeed(&["digest", &whole]);
    let preload = format!("LD_PRELOAD={library}");
    std::thread::scope(|scope| {
        for (stalls, said) in [
            ("joins", "after 3 s not all ranks have joined MPI: one hangs, "),
            ("joined", "rank 1 is silent for 3 s: it hangs, "),
            ("parts", "rank 1 on "),
            ("leaves", "after 3 s not all ranks have left MPI: one hangs, "),
        ] {
            let (command, digest, folder) = (&command, &digest, scratch.path(stalls));
            let ranks = on_ranks(command, &folder, &["-x", &preload, "-x", &format!("STALLS={stalls}")]);
            scope.spawn(move || ranks.map(|ranks| are_given_up(ranks, said, (command, &folder, digest))));
        }
    });
}

#[test]
fn seeds_are_evolved_on_ranks() {
    let scratch = Scratch::new();
    let command = format!("evolve {} --seeds 1..2", scratch.write("tiny.toml", &seeds::file(1, "")));
    let [ranks, threads] = ["ranks", "threads"].map(|name| scratch.path(name));
    let Some(working) = on_ranks(&command, &ranks, &[]) else { return };
    let ended = Said::of(working.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    succeed(&command.split(' ').chain(["--out", &threads]).collect::<Vec<_>>());
    assert_eq!(succeed(&["digest", &ranks]), succeed(&["digest", &threads]));
}

/// A game that takes longer than the patience is no silence.
#[test]
fn a_rank_that_plays_a_long_game_is_waited_for() {
    let scratch = Scratch::new();
    let script = scratch.write("slow.sh", &external::script("sleep 6"));
    let league = format!(
        "name = \"slow\"\nseed = 1\ngames_per_match = 2\n[[player]]\nkind = \"random\"\n[[player]]\nkind = \"external\"\n\
         name = \"slow\"\ncommand = [\"sh\", {script:?}]\n"
    );
    let command = format!("run {}", scratch.write("slow.toml", &league));
    let Some(ranks) = on_ranks(&command, &scratch.path("slow"), &[]) else { return };
    let ended = Said::of(ranks.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
}
