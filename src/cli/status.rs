//! `evouct status`: the progress of a run, or of all runs, from their files.

use super::Outcome;
use super::evolution_folder;
use super::form::JsonArgs;
use super::play_args::{Part, shard};
use crate::clock::unix_seconds;
use crate::error::Failure;
use crate::league::Status;
use crate::plural::counted;
use crate::record::Run;
use crate::schedule::Schedule;
use crate::tune::Tuning;
use clap::Args;
use indicatif::HumanDuration;
use std::fs::read_dir;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, of a tuning or of an evolution [default: all in the folder runs, a line each]
    #[arg(value_name = "RUN", required_if_eq_any([("json", "true"), ("format", "json"), ("watch", "true"), ("missing", "true")]))]
    folder: Option<PathBuf>,
    #[command(flatten)]
    form: JsonArgs,
    /// Repeat until no game is missing
    #[arg(long)]
    watch: bool,
    /// Seconds between two updates, with --watch
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    every: u32,
    /// Print only the number of missing games, for scripts
    #[arg(long, conflicts_with_all = ["json", "format"])]
    missing: bool,
    /// Count only the missing games of this shard, with --missing; auto: that of this task of a SLURM job array
    #[arg(long, value_name = "I/N|auto", requires = "missing")]
    shard: Option<Part>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let Some(folder) = &arguments.folder else {
        return list(arguments, out);
    };
    loop {
        let missing = look(folder, arguments, out)?;
        out.flush()?;
        if !arguments.watch || missing == 0 {
            return Ok(());
        }
        std::thread::sleep(Duration::from_secs(arguments.every.into()));
    }
}

/// Prints a line for each folder in `runs`: the first line of its status, or why it has none.
fn list(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let entries = read_dir("runs").map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::Usage("there is no folder runs here; name the folder of a run".to_owned()),
        _ => Failure::Failed(format!("runs: {error}")),
    })?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    for folder in &folders {
        let mut text = Vec::new();
        let line = match look(folder, arguments, &mut text) {
            Ok(_) => String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned(),
            Err(failure) => failure.message().unwrap_or_default().to_owned(),
        };
        // An error begins with the path of the folder, any other line with the name of the run. The path is printed once.
        let path = folder.display().to_string();
        let name = path.strip_prefix("runs/").unwrap_or(&path);
        let rest = [&path, name].into_iter().find_map(|begin| line.strip_prefix(begin)?.strip_prefix(": "));
        writeln!(out, "{path}: {}", rest.unwrap_or(&line))?;
    }
    if folders.is_empty() {
        writeln!(out, "the folder runs is empty")?;
    }
    Ok(())
}

/// Prints the status once; returns the number of missing games.
fn look(folder: &Path, arguments: &Arguments, out: &mut dyn Write) -> Result<u64, Failure> {
    if let Some(evolution) = evolution_folder::open(folder)? {
        if arguments.shard.is_some() {
            let problem = "shards of an evolution share every batch: leave --shard out";
            return Err(Failure::Usage(problem.to_owned()));
        }
        return evolution_folder::status(&evolution, (arguments.form.is_json(), arguments.missing), out);
    }
    if let Some(tuning) = Tuning::open(folder).map_err(Failure::usage)? {
        return look_at_tuning(&tuning, arguments, out);
    }
    let run = Run::open(folder).map_err(Failure::usage)?;
    if let Some(shard) = shard(arguments.shard)? {
        let experiment = run.experiment().map_err(Failure::failed)?;
        let missing = Status::missing_of(&run, &experiment, shard).map_err(Failure::failed)?;
        writeln!(out, "{missing}")?;
        return Ok(missing);
    }
    let status = Status::of(&run, unix_seconds()).map_err(Failure::failed)?;
    if arguments.missing {
        writeln!(out, "{}", status.missing)?;
    } else if arguments.form.is_json() {
        writeln!(out, "{}", serde_json::to_string(&status).map_err(Failure::failed)?)?;
    } else {
        write!(out, "{}", text(&status))?;
    }
    Ok(status.missing)
}

/// The same for a tuning. Games of later stages count as missing. A shard has no part in them until the stages before
/// are complete.
fn look_at_tuning(tuning: &Tuning, arguments: &Arguments, out: &mut dyn Write) -> Result<u64, Failure> {
    let course = tuning.course().map_err(Failure::failed)?;
    let missing = tuning.rounds().games() - course.recorded();
    if let Some(shard) = shard(arguments.shard)? {
        let mut of_shard = 0;
        for stage in course.stages() {
            of_shard += match stage.open(tuning.folder()).map_err(Failure::failed)? {
                Some(run) => Status::missing_of(&run, &stage.experiment, shard).map_err(Failure::failed)?,
                None => {
                    (0..Schedule::of(&stage.experiment).len()).filter(|position| shard.has(*position)).count() as u64
                }
            };
        }
        writeln!(out, "{of_shard}")?;
        return Ok(of_shard);
    }
    if arguments.missing {
        writeln!(out, "{missing}")?;
        return Ok(missing);
    }
    let mut stages = Vec::new();
    for stage in course.stages() {
        if let Some(run) = stage.open(tuning.folder()).map_err(Failure::failed)? {
            stages.push(Status::of(&run, unix_seconds()).map_err(Failure::failed)?);
        }
    }
    let (name, recorded, scheduled) = (tuning.name(), course.recorded(), tuning.rounds().games());
    let at = course.open().map_or("complete", |group| &group.name);
    if arguments.form.is_json() {
        let json = serde_json::json!({
            "name": name, "stage": at, "scheduled": scheduled, "recorded": recorded, "failed": course.failed(),
            "missing": missing, "stages": stages,
        });
        writeln!(out, "{json}")?;
        return Ok(missing);
    }
    writeln!(out, "{name}: tuning, {at}, {recorded} of {} recorded, {missing} missing", counted(scheduled, "game"))?;
    // Of a complete stage the first line says all.
    for status in &stages {
        let text = text(status);
        let lines = if status.missing == 0 { 1 } else { usize::MAX };
        text.lines().take(lines).try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    Ok(missing)
}

fn text(status: &Status) -> String {
    let mut lines = vec![format!(
        "{}: {} of {} recorded, {} missing, {} failed",
        status.name,
        status.recorded,
        counted(status.scheduled, "game"),
        status.missing,
        status.failed
    )];
    let working = status.journals.iter().filter(|journal| journal.being_written).count();
    let duration = |seconds: f64| HumanDuration(Duration::from_secs_f64(seconds.min(1e9)));
    match (working, status.games_per_second, status.seconds_left) {
        _ if status.missing == 0 => {}
        (0, ..) => lines.push("no process is playing; the same command resumes the run".to_owned()),
        (_, Some(rate), Some(left)) => {
            lines.push(format!("{rate:.2} games/s, {} left for the games being played", duration(left)));
        }
        _ => lines.push("being played, not long enough for a rate".to_owned()),
    }
    // The first line covers a run with one journal.
    if status.journals.len() > 1 || status.journals.iter().any(|journal| journal.shard.is_some()) {
        for journal in &status.journals {
            let part = journal.shard.as_ref().map_or("whole run".to_owned(), |shard| format!("shard {shard}"));
            let rate = match (journal.being_written, journal.games_per_second) {
                (true, Some(rate)) => format!(", {rate:.2} games/s"),
                (true, None) => ", being written".to_owned(),
                (false, _) => String::new(),
            };
            lines.push(format!(
                "  {}: {part}, {}, {} missing{rate}",
                journal.file,
                counted(journal.games, "game"),
                journal.missing
            ));
        }
    }
    for shard in &status.missing_shards {
        let begun = if shard.begun { "is not being played" } else { "was never started" };
        lines.push(format!("missing: shard {} {begun}, {}", shard.shard, counted(shard.missing, "game")));
    }
    for overlap in &status.overlaps {
        let Some((first, second)) = Some((&overlap.first, &overlap.second)).filter(|(a, b)| a != b) else {
            lines.push(format!("overlap: {} has {} twice", overlap.first, counted(overlap.games, "game")));
            continue;
        };
        lines.push(format!(
            "overlap: {first} and {second} both have {}; the first record counts",
            counted(overlap.games, "game")
        ));
    }
    lines.extend(status.problems.iter().cloned());
    lines.join("\n") + "\n"
}
