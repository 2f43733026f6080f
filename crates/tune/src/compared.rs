//! Tunings beside the first of them.

use super::error::TuneError;
use super::outcome::TuningOutcome;
use super::tables;
use super::tuning::Tuning;
use evouct_base::plural::counted;
use evouct_report::FolderComparison;
use evouct_report::page::{Dot, PageFigure};
use evouct_store::RecordError;
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};

/// A tuning in its folder.
#[derive(Serialize)]
pub(super) struct TuningBeside {
    /// The folder.
    pub folder: String,
    /// What its players thought in all games, in seconds.
    pub core_seconds: f64,
    /// Its result.
    #[serde(flatten)]
    pub outcome: TuningOutcome,
}

/// The tuning in a folder with its outcome; none of a folder that is no tuning.
///
/// # Errors
/// If it cannot be read, or is not complete.
pub fn ended(folder: &Path) -> Result<Option<(Tuning, TuningOutcome)>, RecordError> {
    let failed = |error: TuneError| RecordError::folder(folder, error.to_string());
    let Some(tuning) = Tuning::open(folder).map_err(failed)? else { return Ok(None) };
    let course = tuning.course().map_err(failed)?;
    let outcome = course.outcome.clone().ok_or_else(|| {
        let missing = counted(tuning.rounds().games() - course.recorded(), "game");
        RecordError::folder(folder, format!("the tuning is not complete: {missing} missing"))
    })?;
    Ok(Some((tuning, outcome)))
}

/// Tunings, one in each folder, beside the first.
///
/// # Errors
/// If a folder cannot be read, is not complete or is no tuning, or differences have different units.
pub fn compare_tunings(folders: &[PathBuf]) -> Result<FolderComparison, RecordError> {
    let mut all: Vec<TuningBeside> = Vec::new();
    for path in folders {
        let found = ended(path)?.ok_or_else(|| RecordError::folder(path, "this folder has no tuning"))?;
        let (folder, outcome) = (path.display().to_string(), found.1);
        if let Some(first) = all.first().filter(|first| first.outcome.unit != outcome.unit) {
            let (own, theirs) = (outcome.unit, first.outcome.unit);
            let problem = format!("its differences are in {own}, those of {} in {theirs}", first.folder);
            return Err(RecordError::folder(path, problem));
        }
        all.push(TuningBeside { folder, core_seconds: outcome.seconds, outcome });
    }
    let mut headline: Vec<String> =
        all.iter().map(|own| format!("{}: {}.", own.folder, own.outcome.sentence())).collect();
    headline.push(
        "Each difference is from the default of its own tuning, on held-out decks of its own: none is a test of one tuning against \
         another."
            .to_owned(),
    );
    let dots = all.iter().enumerate().flat_map(|(colour, own)| {
        own.outcome.held_out.iter().filter_map(move |row| {
            let interval = row.interval.map(|ends| (ends.low, ends.high));
            Some(Dot { name: own.folder.clone(), value: row.mean?, interval, colour })
        })
    });
    let dots: Vec<Dot> = dots.collect();
    let unit = all.first().map_or("", |own| own.outcome.unit);
    let caption = "The selected candidate of each tuning less the default on held-out decks, with 95 % intervals: head to head, and \
                   below it against the opponents, if there are some.";
    let axis = format!("difference, {unit}");
    Ok(FolderComparison {
        first: folders[0].display().to_string(),
        about: "Tunings, each with what it selected.",
        headline,
        figures: if dots.is_empty() { Vec::new() } else { vec![PageFigure::of_dots(["gains", caption], &axis, &dots)] },
        tables: vec![("Tunings", tables::tunings(&all, unit)), ("Held-out decks", tables::held_out_of(&all, unit))],
        terminals: Vec::new(),
        json: json!(all),
        interim: Vec::new(),
        problems: Vec::new(),
    })
}
