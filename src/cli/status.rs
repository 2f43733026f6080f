//! `evouct status`: the progress of a run, from its files.

use super::Outcome;
use crate::clock::unix_seconds;
use crate::error::Failure;
use crate::league::Status;
use crate::record::Run;
use crate::schedule::Shard;
use clap::Args;
use indicatif::HumanDuration;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    folder: PathBuf,
    /// Print JSON, one line per look
    #[arg(long, conflicts_with = "missing")]
    json: bool,
    /// Repeat until no game is missing
    #[arg(long)]
    watch: bool,
    /// Seconds between two looks, with --watch
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    every: u32,
    /// Print only the number of missing games, for scripts
    #[arg(long)]
    missing: bool,
    /// Count only the missing games of this shard, with --missing
    #[arg(long, value_name = "I/N", requires = "missing")]
    shard: Option<Shard>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    loop {
        let missing = look(arguments, out)?;
        out.flush()?;
        if !arguments.watch || missing == 0 {
            return Ok(());
        }
        std::thread::sleep(Duration::from_secs(arguments.every.into()));
    }
}

/// Prints the status once; returns the number of missing games.
fn look(arguments: &Arguments, out: &mut dyn Write) -> Result<u64, Failure> {
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    if let Some(shard) = arguments.shard {
        let missing = Status::missing_of(&run, shard).map_err(Failure::failed)?;
        writeln!(out, "{missing}")?;
        return Ok(missing);
    }
    let status = Status::of(&run, unix_seconds()).map_err(Failure::failed)?;
    if arguments.missing {
        writeln!(out, "{}", status.missing)?;
    } else if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&status).map_err(Failure::failed)?)?;
    } else {
        write!(out, "{}", text(&status))?;
    }
    Ok(status.missing)
}

fn text(status: &Status) -> String {
    let mut lines = vec![format!(
        "{}: {} of {} games recorded, {} missing, {} failed",
        status.name, status.recorded, status.scheduled, status.missing, status.failed
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
                "  {}: {part}, {} games, {} missing{rate}",
                journal.file, journal.games, journal.missing
            ));
        }
    }
    for shard in &status.missing_shards {
        let begun = if shard.begun { "is not being played" } else { "was never started" };
        lines.push(format!("missing: shard {} {begun}, {} games", shard.shard, shard.missing));
    }
    for overlap in &status.overlaps {
        let Some((first, second)) = Some((&overlap.first, &overlap.second)).filter(|(a, b)| a != b) else {
            lines.push(format!("overlap: {} has {} games twice", overlap.first, overlap.games));
            continue;
        };
        lines.push(format!("overlap: {first} and {second} both have {} games; the first record counts", overlap.games));
    }
    lines.extend(status.problems.iter().cloned());
    lines.join("\n") + "\n"
}
