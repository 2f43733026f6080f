//! A folder of a run in the gallery: how far it is and what it shows, without reading its games.

use crate::tables::evolved::EvolvedReport;
use evouct_league::config::named_in;
use evouct_league::record::Run;
use evouct_league::schedule::Schedule;
use evouct_offline::EvolutionFolder;
use evouct_store::disk::{open, read_text};
use evouct_store::{
    BANK_STEM, EVOLUTION_STEM, FolderKind, GAMES_STEM, RecordError, SCORES_STEM, TUNING_PLAN, is_being_written,
    journals, read_lines,
};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The largest report that is read for its headline, in bytes.
const REPORT: u64 = 64 << 20;
/// The largest journal of an evolution whose course is repeated to see how far it is, in bytes.
const COURSE: u64 = 32 << 20;

/// Letters of a headline.
const HEADLINE: usize = 400;

/// A line of the gallery.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    /// A hash of its place, which stands in addresses.
    pub id: String,
    /// Where it is in the folder that is served.
    pub place: String,
    /// What it holds.
    pub kind: Option<FolderKind>,
    /// What is recorded, and how much there will be if that is known.
    pub done: (u64, Option<u64>),
    /// What is counted.
    pub unit: &'static str,
    /// Whether a process is writing it.
    pub is_written: bool,
    /// What is to be known first, or why the folder cannot be read.
    pub headline: String,
    /// Whether it cannot be read.
    pub is_broken: bool,
    /// When it grew last, in seconds since 1970.
    pub changed: u64,
    /// The names of its games and of its players.
    pub names: (Vec<String>, Vec<String>),
}

impl Row {
    /// Whether a page of its own is served, and it can be compared with another of its kind.
    pub(super) fn has_page(&self) -> bool {
        let is_whole = self.kind != Some(FolderKind::Tuning) || !self.headline.is_empty();
        let has_report = matches!(
            self.kind,
            Some(FolderKind::Run | FolderKind::Evolution | FolderKind::Evolutions | FolderKind::Tuning)
        );
        has_report && is_whole && !self.is_broken
    }
}

/// What is known of journals: how much of each was counted, and its lines.
pub(super) type Counted = HashMap<PathBuf, (u64, u64)>;

/// The files of a folder from which its line is made.
pub(super) struct Files {
    kind: FolderKind,
    folder: PathBuf,
    journals: Vec<PathBuf>,
    /// Names, sizes and times of the journals and of the report, and whether a journal is being written.
    pub stamp: String,
    is_written: bool,
    changed: u64,
    /// Whether the report was written after the last record.
    has_report: bool,
}

impl Files {
    /// Looks at a folder of this kind.
    pub(super) fn of(folder: &Path, kind: FolderKind) -> Result<Files, RecordError> {
        let mut journals = match kind {
            FolderKind::Run => journals(folder, GAMES_STEM)?,
            FolderKind::Evolution => journals(folder, EVOLUTION_STEM)?,
            FolderKind::Bank => journals(folder, BANK_STEM)?,
            FolderKind::Scores => journals(folder, SCORES_STEM)?,
            FolderKind::Tuning | FolderKind::Evolutions => Vec::new(),
        };
        let of_parts = match kind {
            FolderKind::Tuning => Some(GAMES_STEM),
            FolderKind::Evolutions => Some(EVOLUTION_STEM),
            _ => None,
        };
        if let Some(stem) = of_parts {
            for part in folders(folder)? {
                journals.extend(evouct_store::journals(&part, stem)?);
            }
        }
        let time = |path: &Path| {
            let data = std::fs::metadata(path).ok()?;
            Some((data.len(), data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?))
        };
        let times: Vec<_> = journals.iter().map(|path| time(path)).collect();
        let report = time(&folder.join("report.json"));
        let newest = times.iter().flatten().map(|(_, at)| *at).max();
        let is_written = journals.iter().any(|path| is_being_written(path));
        Ok(Files {
            stamp: format!("{journals:?} {times:?} {report:?} {is_written}"),
            has_report: !is_written && report.map(|(_, at)| at) >= newest && report.is_some(),
            changed: newest.or(time(folder).map(|(_, at)| at)).unwrap_or_default().as_secs(),
            kind,
            folder: folder.to_owned(),
            journals,
            is_written,
        })
    }

    /// Its line. Lines that were counted before are not counted again.
    pub(super) fn row(&self, counted: &mut Counted) -> Row {
        let begun = Row { kind: Some(self.kind), is_written: self.is_written, changed: self.changed, ..Row::default() };
        let filled = match self.kind {
            FolderKind::Run => self.league(counted),
            FolderKind::Evolution => self.evolution(counted),
            FolderKind::Evolutions => self.evolutions(counted),
            FolderKind::Tuning => self.tuning(counted),
            FolderKind::Bank => {
                self.lines(counted).map(|lines| Row { done: (lines, None), unit: "game", ..Row::default() })
            }
            FolderKind::Scores => {
                self.lines(counted).map(|lines| Row { done: (lines, None), unit: "measurement", ..Row::default() })
            }
        };
        let mut row = match filled {
            Ok(row) => Row { kind: begun.kind, is_written: begun.is_written, changed: begun.changed, ..row },
            Err(error) => Row { headline: error.to_string(), is_broken: true, ..begun },
        };
        row.names = self.file().and_then(|toml| named_in(&toml)).unwrap_or_default();
        row.headline = row.headline.chars().take(HEADLINE).collect();
        row
    }

    fn league(&self, counted: &mut Counted) -> Result<Row, RecordError> {
        /// What is read of `report.json`.
        #[derive(Deserialize)]
        struct Report {
            finished: u64,
            scheduled: u64,
            failures: Vec<IgnoredAny>,
            headline: Headline,
        }
        #[derive(Deserialize)]
        struct Headline {
            sentences: Vec<String>,
        }
        if let Some(Report { finished, scheduled, failures, headline }) = self.report() {
            let headline = headline.sentences.into_iter().next().unwrap_or_default();
            let recorded = finished.saturating_add(failures.len() as u64);
            return Ok(Row { done: (recorded, Some(scheduled)), unit: "game", headline, ..Row::default() });
        }
        let scheduled = Schedule::of(&Run::open(&self.folder)?.experiment()?).len();
        let recorded = self.lines(counted)?.min(scheduled);
        Ok(Row { done: (recorded, Some(scheduled)), unit: "game", ..Row::default() })
    }

    fn evolution(&self, counted: &mut Counted) -> Result<Row, RecordError> {
        /// What is read of `report.json`.
        #[derive(Deserialize)]
        struct Report {
            generations: (u32, u64),
            headline: Vec<String>,
        }
        let row = |(all, complete): (u32, u64), headline: &[String]| Row {
            done: (complete, Some(all.into())),
            unit: "generation",
            headline: headline.first().cloned().unwrap_or_default(),
            ..Row::default()
        };
        if let Some(Report { generations, headline }) = self.report() {
            return Ok(row(generations, &headline));
        }
        let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        let folder = match self.journals.iter().map(size).sum::<u64>() <= COURSE {
            true => EvolutionFolder::open(&self.folder)?,
            false => None,
        };
        let Some(folder) = folder else {
            return Ok(Row { done: (self.lines(counted)?, None), unit: "measurement", ..Row::default() });
        };
        let report = EvolvedReport::of(&folder, &folder.progress());
        let (all, complete) = report.generations;
        Ok(row((all, complete as u64), &report.headline))
    }

    fn evolutions(&self, counted: &mut Counted) -> Result<Row, RecordError> {
        /// What is read of `report.json`.
        #[derive(Deserialize)]
        struct Report {
            complete: u64,
            seeds: Vec<IgnoredAny>,
            headline: Vec<String>,
        }
        let Some(Report { complete, seeds, headline }) = self.report() else {
            return Ok(Row { done: (self.lines(counted)?, None), unit: "measurement", ..Row::default() });
        };
        let headline = headline.into_iter().next().unwrap_or_default();
        Ok(Row { done: (complete, Some(seeds.len() as u64)), unit: "seed", headline, ..Row::default() })
    }

    fn tuning(&self, counted: &mut Counted) -> Result<Row, RecordError> {
        let plan = self.folder.join(TUNING_PLAN);
        let failed = |error| RecordError::io(&plan, "cannot read the plan", error);
        let plan: Json = serde_json::from_str(&read_text(&plan, REPORT).map_err(failed)?)
            .map_err(|error| RecordError::folder(&plan, error.to_string()))?;
        let games = |part: &Json| part["games"].as_u64().unwrap_or(0);
        let parts = plan["rounds"].as_array().into_iter().flatten().chain([&plan["held_out"]]);
        let all = parts.map(games).fold(0, u64::saturating_add);
        let report: Option<Json> = self.report();
        let headline = report.map_or(String::new(), |report| {
            let name = |key: &str| report[key].as_str().unwrap_or("?").to_owned();
            let (challenger, player) = (name("challenger"), name("player"));
            match report["finding"].as_str() {
                Some("better") => format!("{challenger} is better than the default of {player}."),
                Some("worse") => format!("{challenger} is worse than the default of {player}."),
                _ => format!("No difference between {challenger} and the default of {player} is shown."),
            }
        });
        Ok(Row { done: (self.lines(counted)?.min(all), Some(all)), unit: "game", headline, ..Row::default() })
    }

    /// The text of the experiment's file: of the first line of a journal, or of the plan of a tuning.
    fn file(&self) -> Option<String> {
        let first = match self.kind {
            FolderKind::Tuning => read_text(&self.folder.join(TUNING_PLAN), REPORT).ok()?,
            _ => read_lines(self.journals.first()?).ok()?.next()?.ok()?,
        };
        let first: Json = serde_json::from_str(&first).ok()?;
        Some(first.get("header").unwrap_or(&first)["toml"].as_str()?.to_owned())
    }

    /// The report as JSON, if it is newer than the records.
    fn report<T: for<'de> Deserialize<'de>>(&self) -> Option<T> {
        let text = read_text(&self.folder.join("report.json"), REPORT).ok().filter(|_| self.has_report)?;
        serde_json::from_str(&text).ok()
    }

    /// The lines of all journals but their headers.
    fn lines(&self, counted: &mut Counted) -> Result<u64, RecordError> {
        self.journals.iter().map(|path| Ok(lines(path, counted)?.saturating_sub(1))).sum()
    }
}

/// The lines of a journal: those that it has more than before are counted.
fn lines(path: &Path, counted: &mut Counted) -> Result<u64, RecordError> {
    if path.extension().is_none_or(|ending| ending != "jsonl") {
        return Ok(read_lines(path)?.count() as u64);
    }
    let failed = |error| RecordError::io(path, "cannot read the journal", error);
    let mut file = open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let (mut read, mut lines) = counted.get(path).copied().filter(|(read, _)| *read <= length).unwrap_or_default();
    file.seek(SeekFrom::Start(read)).map_err(failed)?;
    let mut block = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut block).map_err(failed)?;
        if count == 0 {
            break;
        }
        read += count as u64;
        lines += block[..count].iter().filter(|byte| **byte == b'\n').count() as u64;
    }
    counted.insert(path.to_owned(), (read, lines));
    Ok(lines)
}

/// The folders in a folder, by name; hidden ones are left out.
pub(super) fn folders(folder: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let failed = |error| RecordError::io(folder, "cannot read the folder", error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !is_hidden && path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_once() {
        let folder = std::env::temp_dir().join(format!("evouct-lines-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("games.jsonl");
        let mut counted = Counted::new();
        std::fs::write(&path, "header\nfirst\nsec").unwrap();
        assert_eq!(lines(&path, &mut counted).unwrap(), 2);
        // What was counted is not read again.
        std::fs::write(&path, "header first sec").unwrap();
        assert_eq!(lines(&path, &mut counted).unwrap(), 2);
        std::fs::write(&path, "header first second\nthird\n").unwrap();
        assert_eq!(lines(&path, &mut counted).unwrap(), 4);
        // A shorter file is another one.
        std::fs::write(&path, "a\n").unwrap();
        assert_eq!(lines(&path, &mut counted).unwrap(), 1);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
