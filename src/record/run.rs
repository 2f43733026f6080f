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
    /// Another run writes games that are also of this one.
    #[error("{}: another run is writing this journal, {theirs}, which has games of {ours}; wait for it or choose another folder with --out", path.display())]
    Overlap {
        /// The other journal.
        path: PathBuf,
        /// What it holds, in words.
        theirs: String,
        /// What this run would play, in words.
        ours: String,
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
    /// The journal, if it is that its last line was cut off.
    pub torn: Option<PathBuf>,
}

/// A journal of a folder.
#[derive(Clone, Debug)]
pub struct Journal {
    /// Where it is.
    pub path: PathBuf,
    /// The hash of its experiment.
    pub hash: String,
    /// The shard it is of, `I/N` counted from 0; none where it is of a whole run.
    pub shard: Option<String>,
}

impl Problem {
    fn at(place: String, text: String) -> Problem {
        Problem { place, text, torn: None }
    }
}

/// The journals of a folder.
#[derive(Clone, Debug)]
pub struct Run {
    folder: PathBuf,
    journals: Vec<Journal>,
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
        // An extended run has a journal for each extension; the header that adds to all others is the run's, of those that
        // have the same games the one that was written last.
        let mut widest = header;
        for (path, other) in &headers {
            let adds_to = |to: &Header, from: &Header| {
                differences(&from.experiment, &to.experiment).iter().all(|difference| difference.extends)
            };
            let same = adds_to(other, &widest) && adds_to(&widest, other);
            if same && other.restated <= widest.restated {
                continue;
            } else if adds_to(other, &widest) {
                widest = other.clone();
            } else if !adds_to(&widest, other) {
                let problem = format!("this journal is of another experiment than {}", first.display());
                return Err(RecordError::folder(path, problem));
            }
        }
        let journal = |(path, header): (PathBuf, Header)| Journal { path, hash: header.hash, shard: header.shard };
        let journals = headers.into_iter().map(journal).collect();
        Ok(Run { folder: folder.to_owned(), journals, header: widest })
    }

    /// Whether a folder holds a journal with at least a header. Journals that cannot be read count.
    pub fn has_journals(folder: &Path) -> bool {
        let has_header = |path: &PathBuf| !matches!(read_header(path), Ok(None));
        journals(folder).is_ok_and(|journals| journals.iter().any(has_header))
    }

    /// The plain journal of the experiment with this hash and of this shard, if any.
    pub fn journal_to_go_on(&self, hash: &str, shard: Option<&str>) -> Option<PathBuf> {
        let plain = |path: &Path| path.extension().is_some_and(|ending| ending == "jsonl");
        let found = self
            .journals
            .iter()
            .find(|journal| journal.hash == hash && journal.shard.as_deref() == shard && plain(&journal.path));
        found.map(|journal| journal.path.clone())
    }

    /// The name of a journal that does not exist yet: `stem.jsonl`, or with a number. A file without even a header is free.
    pub fn free_journal(folder: &Path, stem: &str) -> PathBuf {
        let taken = |name: &str| {
            let mut forms = ["", ".gz", ".zst"].iter().map(|ending| folder.join(format!("{name}.jsonl{ending}")));
            forms.any(|path| path.exists() && !matches!(read_header(&path), Ok(None)))
        };
        let mut name = stem.to_owned();
        let mut number = 0;
        while taken(&name) {
            number += 1;
            name = format!("{stem}-{number}");
        }
        folder.join(name + ".jsonl")
    }

    /// The length of every journal in a folder, in bytes, headers read or not. What is not there is empty.
    pub fn lengths(folder: &Path) -> BTreeMap<PathBuf, u64> {
        let length = |path: PathBuf| std::fs::metadata(&path).ok().map(|data| (path, data.len()));
        journals(folder).unwrap_or_default().into_iter().filter_map(length).collect()
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The journals, in the order of their names.
    pub fn journals(&self) -> &[Journal] {
        &self.journals
    }

    /// The experiment, from the header.
    ///
    /// # Errors
    /// If this version cannot read it.
    pub fn experiment(&self) -> Result<Experiment, RecordError> {
        let file = format!("{}: experiment in the header", self.journals[0].path.display());
        Ok(Experiment::parse(&self.header.toml, &file, self.header.overrides())?)
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
        let mut seen = HashSet::new();
        let mut failed: BTreeMap<String, GameRecord> = BTreeMap::new();
        let mut again = Vec::new();
        let mut problems = self.lines(|_, place, game| -> Result<(), E> {
            let id = &game.id;
            match (seen.contains(id), game.ended == Ended::Finished) {
                // It was played again since, and recorded in a journal whose name comes first.
                (true, false) => {}
                (true, true) => {
                    again.push(Problem::at(place(), format!("game {id} is recorded twice; the first record counts")))
                }
                (false, false) => drop(failed.insert(id.clone(), game)),
                (false, true) => {
                    failed.remove(id);
                    seen.insert(id.clone());
                    visit(game)?;
                }
            }
            Ok(())
        })?;
        problems.append(&mut again);
        failed.into_values().try_for_each(visit)?;
        Ok(problems)
    }

    /// Hands out every game line as it stands in the journals, with the number of the journal and its place, and says
    /// which lines cannot be read.
    ///
    /// # Errors
    /// If a journal cannot be read, or the visitor's.
    pub fn lines<E: From<RecordError>>(
        &self,
        mut visit: impl FnMut(usize, &dyn Fn() -> String, GameRecord) -> Result<(), E>,
    ) -> Result<Vec<Problem>, E> {
        let mut problems = Vec::new();
        for (index, Journal { path, .. }) in self.journals().iter().enumerate() {
            let mut reader = JournalReader::open(path)?;
            while let Some((number, line)) = reader.next_line()? {
                let place = || format!("{}:{number}", path.display());
                let mut problem = |text: &str| problems.push(Problem::at(place(), text.to_owned()));
                match line {
                    Line::Header(_) if number == 1 => {}
                    Line::Header(_) => problem("a second header is passed over"),
                    Line::Game(game) => visit(index, &place, *game)?,
                    Line::Damaged(why) => problem(&format!("this line is passed over: {why}")),
                    Line::Torn => {
                        let text = "the last line was cut off and is passed over".to_owned();
                        problems.push(Problem { place: place(), text, torn: Some(path.clone()) });
                    }
                }
            }
        }
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

/// Names and lengths of the journals of a folder: the text changes when something is recorded.
///
/// # Errors
/// If the folder cannot be read.
pub fn stamp(folder: &Path) -> Result<String, RecordError> {
    let failed = |error| RecordError::io(folder, "cannot read the run folder", error);
    let mut parts = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("games") && name.contains(".jsonl") {
            parts.push(format!("{name} {}", entry.metadata().map_err(failed)?.len()));
        }
    }
    parts.sort();
    Ok(parts.join("\n"))
}
