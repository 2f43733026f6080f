//! A run folder: its journals, read as one.

use super::journal::{JournalReader, Line};
use super::schema::{Ended, FORMAT, GameRecord, Header};
use crate::config::{ConfigError, Experiment, differences};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

/// Why records cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The system refused.
    #[error("{}: {what}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// Another run writes the journal.
    #[error("{}: another run is writing this journal; wait for it or choose another folder with --out", path.display())]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// The folder is no run folder.
    #[error("{}: {problem}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The experiment in the header cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl RecordError {
    pub(super) fn io(path: &Path, what: &'static str, error: io::Error) -> RecordError {
        RecordError::Io { path: path.to_owned(), what, error }
    }

    /// A folder or file that is not what it should be.
    pub fn folder(path: &Path, problem: impl Into<String>) -> RecordError {
        RecordError::Folder { path: path.to_owned(), problem: problem.into() }
    }
}

/// Something about a journal that a user should know; no record is lost by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where: file and line.
    pub place: String,
    /// What.
    pub text: String,
}

/// The journals of a folder.
#[derive(Clone, Debug)]
pub struct Run {
    folder: PathBuf,
    /// Each with the hash of its experiment.
    journals: Vec<(PathBuf, String)>,
    /// The header; where a run was extended, that of the last extension.
    pub header: Header,
}

impl Run {
    /// Opens a run folder.
    ///
    /// # Errors
    /// If there is no journal, or the journals are of different experiments.
    pub fn open(folder: &Path) -> Result<Run, RecordError> {
        let journals = journals(folder)?;
        let mut headers = Vec::new();
        for path in &journals {
            if let Some(header) = read_header(path)? {
                headers.push((path.clone(), header));
            }
        }
        let Some((first, header)) = headers.first().cloned() else {
            return Err(RecordError::folder(folder, "no journal (games.jsonl) here; is this a run folder?"));
        };
        // An extended run has a journal for each extension; the header that adds to all others is the run's.
        let mut widest = header;
        for (path, other) in &headers {
            let adds_to = |to: &Header, from: &Header| {
                differences(&from.experiment, &to.experiment).iter().all(|difference| difference.extends)
            };
            if adds_to(other, &widest) {
                widest = other.clone();
            } else if !adds_to(&widest, other) {
                let problem = format!("this journal is of another experiment than {}", first.display());
                return Err(RecordError::folder(path, problem));
            }
        }
        let journals = headers.into_iter().map(|(path, header)| (path, header.hash)).collect();
        Ok(Run { folder: folder.to_owned(), journals, header: widest })
    }

    /// Whether a folder holds a journal with at least a header. Journals that cannot be read count.
    pub fn has_journals(folder: &Path) -> bool {
        let has_header = |path: &PathBuf| !matches!(read_header(path), Ok(None));
        journals(folder).is_ok_and(|journals| journals.iter().any(has_header))
    }

    /// The plain journal of the experiment with this hash.
    pub fn journal_with_hash(&self, hash: &str) -> Option<PathBuf> {
        let plain = |path: &Path| path.extension().is_some_and(|ending| ending == "jsonl");
        self.journals.iter().find(|(path, other)| other == hash && plain(path)).map(|(path, _)| path.clone())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The journals, in the order of their names.
    pub fn journals(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.journals.iter().map(|(path, _)| path.as_path())
    }

    /// The experiment, from the header.
    ///
    /// # Errors
    /// If this version cannot read it.
    pub fn experiment(&self) -> Result<Experiment, RecordError> {
        let file = format!("{}: experiment in the header", self.journals[0].0.display());
        Ok(Experiment::parse(&self.header.toml, &file, self.header.preset_override)?)
    }

    /// Hands out every game once, and says what is wrong with the journals. A failed game that was played again is handed
    /// out as it ended then; games that remain failed come last. The visitor may end the reading by an error.
    ///
    /// # Errors
    /// If a journal cannot be read, or the visitor's.
    pub fn games<E: From<RecordError>>(
        &self,
        mut visit: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<Vec<Problem>, E> {
        let mut problems = Vec::new();
        let mut seen = HashSet::new();
        let mut failed: BTreeMap<String, GameRecord> = BTreeMap::new();
        for path in self.journals() {
            let mut reader = JournalReader::open(path)?;
            while let Some((number, line)) = reader.next_line()? {
                let mut problem = |text: String| {
                    problems.push(Problem { place: format!("{}:{number}", path.display()), text });
                };
                match line {
                    Line::Header(_) if number == 1 => {}
                    Line::Header(_) => problem("a second header is passed over".to_owned()),
                    Line::Game(game) if seen.contains(&game.id) => {
                        problem(format!("game {} is recorded twice; the first record counts", game.id));
                    }
                    Line::Game(game) if game.ended != Ended::Finished => {
                        failed.insert(game.id.clone(), *game);
                    }
                    Line::Game(game) => {
                        failed.remove(&game.id);
                        seen.insert(game.id.clone());
                        visit(*game)?;
                    }
                    Line::Damaged(why) => problem(format!("this line is passed over: {why}")),
                    Line::Torn => problem("the last line was cut off and is passed over".to_owned()),
                }
            }
        }
        failed.into_values().try_for_each(visit)?;
        Ok(problems)
    }
}

/// The journals in a folder, in the order of their names.
fn journals(folder: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let failed = |error| RecordError::io(folder, "cannot read the run folder", error);
    let mut journals = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_journal = [".jsonl", ".jsonl.gz", ".jsonl.zst"].iter().any(|ending| name.ends_with(ending));
        if name.starts_with("games") && is_journal {
            journals.push(path);
        }
    }
    journals.sort();
    Ok(journals)
}

/// The header of a journal; none where the run was cut off before it was written.
pub(super) fn read_header(path: &Path) -> Result<Option<Header>, RecordError> {
    match JournalReader::open(path)?.next_line()? {
        None | Some((_, Line::Torn)) => Ok(None),
        Some((_, Line::Header(header))) if header.format == FORMAT => Ok(Some(*header)),
        Some((_, Line::Header(header))) => {
            let problem = format!("journal format {} is not {FORMAT}, which this version reads", header.format);
            Err(RecordError::folder(path, problem))
        }
        Some((_, Line::Damaged(why))) => {
            Err(RecordError::folder(path, format!("line 1 is not the header of a journal: {why}")))
        }
        Some((_, Line::Game(_))) => Err(RecordError::folder(path, "line 1 is a game, not the header of a journal")),
    }
}
