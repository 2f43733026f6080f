//! `evouct repair`: saves what can be read of a damaged run into a new folder.

use super::phrases::at_most;
use super::{Outcome, evolution_set};
use crate::config::Experiment;
use crate::error::Failure;
use crate::league::MissingGames;
use crate::plural::{counted, is_or_are};
use crate::record::{Run, Saved, repair};
use crate::store::{
    BANK_STEM, EVOLUTION_STEM, RecordError, SCORES_STEM, TUNING_PLAN, check_repair_folder, claim, copy_plan,
};
use crate::tune::Tuning;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What goes on with a saved folder that no file of an experiment names.
const AGAIN: &str = "the command that began it, with the folder";

#[derive(Args)]
pub(super) struct Arguments {
    /// Damaged run folder; it is only read
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Folder for the saved games: new or empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// The folder of an evolution, of scores or of a bank: a header with one wrong bit is restored in a copy. Nothing else is to
/// be saved: what is damaged is made again, and answers of proposers are asked for again. False for other folders.
fn repair_entries(folder: &Path, to: &Path, out: &mut dyn Write) -> Result<bool, Failure> {
    let asked = "; what a proposer answered is asked for again, so the evolution may become another one";
    let kinds = [
        (EVOLUTION_STEM, "an evolution", "measured again", asked),
        (SCORES_STEM, "scores", "measured again", ""),
        (BANK_STEM, "a bank", "made again", ""),
    ];
    let has = |stem: &str| folder.is_dir() && crate::store::journals(folder, stem).is_ok_and(|found| !found.is_empty());
    let Some((stem, what, again, further)) = kinds.into_iter().find(|(stem, ..)| has(stem)) else { return Ok(false) };
    let lines = format!("damaged lines are left out, and {again} by the command that began it{further}");
    let copied = crate::store::copy_with_headers(folder, to, stem, false).map_err(Failure::usage)?;
    if copied.is_empty() {
        return Err(Failure::Usage(format!(
            "{} is the folder of {what}, its headers are whole: {lines}",
            folder.display()
        )));
    }
    for copied in copied {
        let header = if copied.is_restored { "one bit of its header was wrong and is restored" } else { "copied" };
        writeln!(out, "{}: {header}", copied.name)?;
    }
    writeln!(out, "{lines}\nto go on: {AGAIN} {}", to.display())?;
    Ok(true)
}

/// The folder of a tuning: its plan, and the games of every stage whose header is found. False for other folders.
fn repair_tuning(folder: &Path, to: &Path, out: &mut dyn Write) -> Result<bool, Failure> {
    if Tuning::open(folder).map_err(Failure::usage)?.is_none() {
        return Ok(false);
    }
    check_repair_folder(folder, to).and_then(|()| claim(to)).map_err(Failure::usage)?;
    copy_plan(&folder.join(TUNING_PLAN), &to.join(TUNING_PLAN)).map_err(Failure::usage)?;
    let entries = std::fs::read_dir(folder).map_err(Failure::usage)?;
    let mut stages: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    stages.retain(|stage| stage.is_dir() && Run::has_journals(stage));
    stages.sort();
    for stage in stages {
        let name = stage.file_name().unwrap_or_default();
        writeln!(out, "{}:", name.display())?;
        match repair(&stage, &to.join(name)) {
            Ok(saved) => list(&saved, out)?,
            Err(error) => writeln!(out, "left out: {error}")?,
        }
    }
    writeln!(out, "games that are left out are played again\nto go on: {AGAIN} {}", to.display())?;
    Ok(true)
}

/// What was kept of each journal, and what was not.
fn list(saved: &Saved, out: &mut dyn Write) -> std::io::Result<()> {
    for file in &saved.files {
        match &file.header {
            Some(from) => writeln!(out, "{}: {} kept; header: {from}", file.name, counted(file.kept, "game"))?,
            None => writeln!(out, "{}: left out", file.name)?,
        }
        for problem in &file.left_out {
            writeln!(out, "  {problem}")?;
        }
    }
    Ok(())
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let (folder, to) = (&arguments.folder, &arguments.out);
    if let Some(set) = evolution_set::open(folder)? {
        return evolution_set::repair(&set, to, out);
    }
    if repair_entries(folder, to, out)? || repair_tuning(folder, to, out)? {
        return Ok(());
    }
    let saved = repair(folder, to).map_err(Failure::usage)?;
    list(&saved, out)?;
    let folder = arguments.out.display();
    let run = Run::open(&arguments.out).map_err(Failure::failed)?;
    let experiment = run.experiment().map_err(Failure::failed)?;
    let mut missing = missing(&run, &experiment)?;
    let (games, scheduled) = (missing.seen(), missing.scheduled());
    let at_most = at_most(experiment.sequential.is_some() && scheduled > games);
    writeln!(out, "{games} of {at_most}{} {} in {folder}", counted(scheduled, "game"), is_or_are(games))?;
    let mut options = saved.overrides.options();
    if saved.is_of_other_version {
        options.push("--allow-version".to_owned());
    }
    let options: String = options.iter().map(|option| format!(" {option}")).collect();
    let what = if games == scheduled { "to report it" } else { "to play the missing games" };
    writeln!(out, "{what}: evouct run {folder}/experiment.toml{options} --out {folder}")?;
    Ok(())
}

/// The games that the saved run has and lacks, without what shards recorded beyond the decision of a test.
fn missing(run: &Run, experiment: &Experiment) -> Result<MissingGames, Failure> {
    let mut missing = MissingGames::of(experiment);
    let seen = run.games(|game| -> Result<(), RecordError> {
        missing.see(&game);
        Ok(())
    });
    seen.map_err(Failure::failed)?;
    Ok(missing)
}
