//! `evouct digest`: the hash over everything reproducible in the records of a run, of all runs of a tuning, of an
//! evolution or of a bank.

use super::form::JsonArgs;
use super::tune::left;
use super::{Outcome, evolution_folder, evolution_set, warn, whole};
use crate::error::Failure;
use crate::league::MissingGames;
use crate::named::Named;
use crate::offline::{Bank, Split};
use crate::plural::{counted, was_or_were};
use crate::record::{Digest, Digester, Run};
use crate::series;
use crate::store::{BANK_FILE, RecordError};
use crate::tune::Tuning;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, of a tuning, of an evolution or of a bank
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    #[command(flatten)]
    form: JsonArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if let Some(evolution) = evolution_folder::open(&arguments.folder)? {
        return evolution_folder::digest(&evolution, arguments.form.is_json(), out);
    }
    if let Some(set) = evolution_set::open(&arguments.folder)? {
        return evolution_set::digest(&set, arguments.form.is_json(), out);
    }
    if arguments.folder.join(BANK_FILE).is_file() {
        return of_bank(&arguments.folder, arguments.form.is_json(), out);
    }
    if let Some(tuning) = Tuning::open(&arguments.folder).map_err(Failure::usage)? {
        let course = tuning.course().map_err(Failure::failed)?;
        let digest = series::digest(tuning.folder(), course.stages()).map_err(Failure::failed)?;
        print(&digest, tuning.rounds().games(), arguments.form.is_json(), out)?;
        return match tuning.rounds().games() - course.recorded() {
            0 => Ok(()),
            missing => Err(whole::interim(&arguments.folder, &left(missing))),
        };
    }
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let (mut digester, mut missing) = (Digester::default(), MissingGames::of(&experiment));
    let problems = run.games(|game| -> Result<(), RecordError> {
        digester.add(&game);
        missing.see(&game);
        Ok(())
    });
    warn(&problems.map_err(Failure::failed)?);
    print(&digester.finish(), missing.scheduled(), arguments.form.is_json(), out)?;
    whole::check(&arguments.folder, missing.count())
}

fn of_bank(folder: &Path, json: bool, out: &mut dyn Write) -> Outcome {
    let bank = Bank::open(folder).map_err(Failure::usage)?;
    warn(&bank.problems);
    let positions: usize = Split::NAMES.iter().map(|(_, split)| bank.positions(*split).len()).sum();
    match json {
        true => writeln!(out, "{}", serde_json::json!({ "digest": bank.digest, "positions": positions }))?,
        false => writeln!(out, "{}  {}", bank.digest, counted(positions, "position"))?,
    }
    bank.check_whole().map_err(Failure::failed)
}

fn print(digest: &Digest, scheduled: u64, json: bool, out: &mut dyn Write) -> Outcome {
    if json {
        let mut json = serde_json::to_value(digest).map_err(Failure::failed)?;
        json["scheduled"] = scheduled.into();
        writeln!(out, "{json}")?;
        return Ok(());
    }
    writeln!(out, "{}  {} of {}", digest.digest, digest.games, counted(scheduled, "game"))?;
    if digest.not_reproducible > 0 {
        writeln!(
            out,
            "{} {} limited by a clock or played by other programs and cannot be played again",
            counted(digest.not_reproducible, "game"),
            was_or_were(digest.not_reproducible)
        )?;
    }
    Ok(())
}
