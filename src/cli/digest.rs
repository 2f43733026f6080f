//! `evouct digest`: the hash over everything reproducible in the records of a run, or of all runs of a tuning.

use super::{Outcome, evolution_folder, warn};
use crate::error::Failure;
use crate::record::{Digest, Digester, RecordError, Run};
use crate::schedule::Schedule;
use crate::series;
use crate::tune::Tuning;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, of a tuning or of an evolution
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if let Some(evolution) = evolution_folder::open(&arguments.folder)? {
        return evolution_folder::digest(&evolution, arguments.json, out);
    }
    if let Some(tuning) = Tuning::open(&arguments.folder).map_err(Failure::usage)? {
        let course = tuning.course().map_err(Failure::failed)?;
        let digest = series::digest(tuning.folder(), course.stages()).map_err(Failure::failed)?;
        return print(&digest, tuning.halving().games(), arguments.json, out);
    }
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let scheduled = Schedule::of(&run.experiment().map_err(Failure::usage)?).len();
    let mut digester = Digester::default();
    let problems = run.games(|game| -> Result<(), RecordError> {
        digester.add(&game);
        Ok(())
    });
    warn(&problems.map_err(Failure::failed)?);
    print(&digester.finish(), scheduled, arguments.json, out)
}

fn print(digest: &Digest, scheduled: u64, json: bool, out: &mut dyn Write) -> Outcome {
    if json {
        let mut json = serde_json::to_value(digest).map_err(Failure::failed)?;
        json["scheduled"] = scheduled.into();
        writeln!(out, "{json}")?;
        return Ok(());
    }
    writeln!(out, "{}  {} of {scheduled} games", digest.digest, digest.games)?;
    if digest.not_reproducible > 0 {
        writeln!(out, "{} games were limited by a clock and cannot be played again", digest.not_reproducible)?;
    }
    Ok(())
}
