//! `evouct status`: the progress of a run, or of all runs, from their files.

use super::Outcome;
use super::form::TableArgs;
use super::play_args::{Part, shard};
use super::standing::{Standing, StandingRow, table, text, whole};
use super::{evolution_folder, evolution_set};
use crate::clock::unix_seconds;
use crate::error::Failure;
use crate::league::Status;
use crate::plural::counted;
use crate::record::Run;
use crate::registry;
use crate::schedule::{Schedule, Shard};
use crate::tune::Tuning;
use clap::Args;
use serde_json::{Value as Json, json};
use std::fs::{DirEntry, read_dir};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Above the table.
const TITLE: &str = "Status";

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, of a tuning or of an evolution [default: all in the folder runs, a line each]
    #[arg(value_name = "RUN", required_if_eq_any([("watch", "true"), ("missing", "true")]))]
    folder: Option<PathBuf>,
    #[command(flatten)]
    form: TableArgs,
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
        return list(arguments.form, out);
    };
    let shard = shard(arguments.shard)?;
    loop {
        let missing = match shard {
            _ if arguments.watch && !has_begun(folder) => {
                tracing::warn!("{}: nothing has begun", folder.display());
                u64::MAX
            }
            Some(shard) => {
                let missing = missing_of(folder, shard)?;
                writeln!(out, "{missing}")?;
                missing
            }
            None => look(folder, arguments, out)?,
        };
        out.flush()?;
        if !arguments.watch || missing == 0 {
            return Ok(());
        }
        std::thread::sleep(Duration::from_secs(arguments.every.into()));
    }
}

/// Whether there is a journal with a line, a plan, or a folder inside: the first task of a submitted job makes them.
fn has_begun(folder: &Path) -> bool {
    let is_made = |entry: DirEntry| {
        let is_known = entry.path().extension().is_some_and(|ending| ending == "json" || ending == "jsonl");
        entry.metadata().is_ok_and(|data| data.is_dir() || is_known && data.len() > 0)
    };
    folder.is_file() || read_dir(folder).is_ok_and(|entries| entries.flatten().any(is_made))
}

/// Prints the status once; returns the number of missing games.
fn look(folder: &Path, arguments: &Arguments, out: &mut dyn Write) -> Result<u64, Failure> {
    let Standing { missing, text, json, rows, problems } = standing(folder)?;
    if arguments.missing {
        let missing = missing.ok_or_else(|| Failure::failed(text.trim_end()))?;
        writeln!(out, "{missing}")?;
    } else if arguments.form.is_text() {
        write!(out, "{text}")?;
    } else if let Some(format) = arguments.form.of_tables() {
        problems.iter().for_each(|problem| tracing::warn!("{problem}"));
        write!(out, "{}", table(TITLE, rows, format))?;
    } else {
        writeln!(out, "{json}")?;
    }
    Ok(missing.unwrap_or(0))
}

/// Prints each folder in `runs`: the whole of its status, or why it has none.
fn list(form: TableArgs, out: &mut dyn Write) -> Outcome {
    let entries = read_dir("runs").map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::Usage("there is no folder runs here; name the folder of a run".to_owned()),
        _ => Failure::Failed(format!("runs: {error}")),
    })?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    let found = folders.iter().map(|folder| {
        let standing = standing(folder).map_err(|failure| failure.message().unwrap_or_default().to_owned());
        (folder.display().to_string(), standing)
    });
    if form.is_text() {
        for (path, standing) in found {
            let line = standing.map_or_else(|problem| problem, |standing| standing.text);
            let line = line.lines().next().unwrap_or_default();
            writeln!(out, "{path}: {}", without_name(&path, line))?;
        }
        if folders.is_empty() {
            writeln!(out, "the folder runs is empty")?;
        }
    } else if let Some(format) = form.of_tables() {
        let rows = found.map(|(name, standing)| match standing.map(|standing| standing.rows.into_iter().next()) {
            Ok(whole) => StandingRow { name, ..whole.unwrap_or_default() },
            Err(problem) => {
                let state = without_name(&name, &problem).to_owned();
                StandingRow { name, state, ..StandingRow::default() }
            }
        });
        write!(out, "{}", table(TITLE, rows.collect(), format))?;
    } else {
        let json = found.map(|(folder, standing)| match standing {
            Ok(standing) => json!({ "folder": folder, "status": standing.json }),
            Err(problem) => json!({ "folder": folder, "problem": problem }),
        });
        writeln!(out, "{}", json.collect::<Json>())?;
    }
    Ok(())
}

/// A line without the path that it begins with, or the name. An error begins with the path of the folder, any other line
/// with the name of the run; the path is printed once.
fn without_name<'a>(path: &str, line: &'a str) -> &'a str {
    let name = path.strip_prefix("runs/").unwrap_or(path);
    [path, name].into_iter().find_map(|begin| line.strip_prefix(begin)?.strip_prefix(": ")).unwrap_or(line)
}

fn standing(folder: &Path) -> Result<Standing, Failure> {
    match evolution_folder::open(folder) {
        Ok(Some(evolution)) => return Ok(evolution_folder::status(&evolution)),
        Ok(None) => {}
        Err(failure) => return evolution_folder::status_of_lines(folder)?.ok_or(failure),
    }
    if let Some(set) = evolution_set::open(folder)? {
        return evolution_set::status(&set);
    }
    if let Some(tuning) = Tuning::open(folder).map_err(Failure::usage)? {
        return standing_of_tuning(&tuning);
    }
    let run = Run::open(folder).map_err(Failure::usage)?;
    match registry::game(&run.header.experiment.game) {
        Ok(_) => Status::of(&run, unix_seconds()).map(|status| Standing::of_run(&status)),
        Err(_) => Standing::of_lines(&run),
    }
    .map_err(Failure::failed)
}

/// Games of later stages count as missing.
fn standing_of_tuning(tuning: &Tuning) -> Result<Standing, Failure> {
    let course = tuning.course().map_err(Failure::failed)?;
    let (name, recorded, scheduled) = (tuning.name(), course.recorded(), tuning.rounds().games());
    let missing = scheduled - recorded;
    let at = course.open().map_or("complete", |group| &group.name);
    let mut all =
        format!("{name}: tuning, {at}, {recorded} of {} recorded, {missing} missing\n", counted(scheduled, "game"));
    let mut rows = vec![StandingRow {
        name: name.to_owned(),
        state: at.to_owned(),
        recorded: Some((recorded, Some(scheduled))),
        missing: Some(missing),
        failed: Some(course.failed()),
        ..StandingRow::default()
    }];
    let (mut stages, mut problems) = (Vec::new(), Vec::new());
    for stage in course.stages() {
        if let Some(run) = stage.open(tuning.folder()).map_err(Failure::failed)? {
            let status = Status::of(&run, unix_seconds()).map_err(Failure::failed)?;
            // Of a complete stage the first line says all.
            let lines = if status.missing == 0 { 1 } else { usize::MAX };
            text(&status).lines().take(lines).for_each(|line| all += &format!("  {line}\n"));
            rows.push(whole(&status));
            problems.extend(Standing::of_run(&status).problems);
            stages.push(status);
        }
    }
    let json = json!({
        "name": name, "stage": at, "scheduled": scheduled, "recorded": recorded, "failed": course.failed(),
        "missing": missing, "stages": stages,
    });
    Ok(Standing { missing: Some(missing), text: all, json, rows, problems })
}

/// The games of a shard that are missing. In a tuning, a shard has no part in stages before those before them are
/// complete.
fn missing_of(folder: &Path, shard: Shard) -> Result<u64, Failure> {
    // Shards of one evolution share every batch: what is missing is missing for each of them.
    if let Some(evolution) = evolution_folder::open(folder)? {
        return Ok(evolution_folder::status(&evolution).missing.unwrap_or(0));
    }
    if let Some(set) = evolution_set::open(folder)? {
        return evolution_set::missing_of(&set, shard);
    }
    let Some(tuning) = Tuning::open(folder).map_err(Failure::usage)? else {
        let run = Run::open(folder).map_err(Failure::usage)?;
        let experiment = run.experiment().map_err(Failure::failed)?;
        return Status::missing_of(&run, &experiment, shard).map_err(Failure::failed);
    };
    let mut missing = 0;
    for stage in tuning.course().map_err(Failure::failed)?.stages() {
        missing += match stage.open(tuning.folder()).map_err(Failure::failed)? {
            Some(run) => Status::missing_of(&run, &stage.experiment, shard).map_err(Failure::failed)?,
            None => (0..Schedule::of(&stage.experiment).len()).filter(|position| shard.has(*position)).count() as u64,
        };
    }
    Ok(missing)
}
