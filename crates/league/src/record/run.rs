//! A run folder: its journals, read as one.

use super::by_results::ByResults;
use super::games::Games;
use super::journal::{GameReader, UNBOUND, next_line};
use super::schema::{GameRecord, Header};
use crate::config::{Experiment, Sequential, differences};
use evouct_base::plural::{counted, is_or_are};
use evouct_platform::domain::ScoreScale;
use evouct_platform::registry;
use evouct_store::{
    Binding, FolderKind, GAMES_STEM, JournalHeader, Line, Problem, Problems, RecordError, has_begun, journals,
};
use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// A journal of a folder.
#[derive(Clone, Debug)]
pub struct Journal {
    /// Where it is.
    pub path: PathBuf,
    /// The hash of its experiment.
    pub hash: String,
    /// What its lines are bound to.
    pub of: Binding,
    /// The version of its format.
    pub format: u32,
    /// The shard it is of, `I/N` counted from 0; none for a whole run.
    pub shard: Option<String>,
}

/// The journals of a folder.
#[derive(Clone, Debug)]
pub struct Run {
    folder: PathBuf,
    journals: Vec<Journal>,
    /// A header of each experiment that journals are of: one, but for extensions.
    headers: BTreeMap<String, Header>,
    /// The header; for an extended run that of the last extension.
    pub header: Header,
    /// The header with which the run began, where its file had another text.
    begun: Option<Header>,
}

impl Run {
    /// Opens a run folder.
    ///
    /// # Errors
    /// If there is no journal, or the journals are of different experiments.
    pub fn open(folder: &Path) -> Result<Run, RecordError> {
        let journals = journals(folder, GAMES_STEM)?;
        let mut headers = Vec::new();
        for path in &journals {
            if let Some(header) = Header::of_file(path)? {
                headers.push((path.clone(), header));
            }
        }
        let Some((first, header)) = headers.first().cloned() else {
            return Err(no_journal(folder));
        };
        // An extended run has a journal for each extension; the header that adds to all others is the run's, of those
        // that have the same games the one that was written last.
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
        let begun = headers.iter().map(|(_, header)| header).min_by_key(|header| header.restated);
        let begun = begun.filter(|begun| begun.toml != widest.toml).cloned();
        let mut by_hash = BTreeMap::new();
        let mut journals = Vec::new();
        for (path, header) in headers {
            let (hash, of, shard) = (header.hash.clone(), header.binding(), header.shard.clone());
            journals.push(Journal { path, hash, of, format: header.format, shard });
            by_hash.entry(header.hash.clone()).or_insert(header);
        }
        Ok(Run { folder: folder.to_owned(), journals, headers: by_hash, header: widest, begun })
    }

    /// Whether a folder holds a journal with at least a header. Journals that cannot be read count.
    pub fn has_journals(folder: &Path) -> bool {
        journals(folder, GAMES_STEM).is_ok_and(|journals| journals.iter().any(|path| has_begun(path)))
    }

    /// The plain journal of the experiment with this hash and of this shard, if any.
    pub fn resumable_journal(&self, hash: &str, shard: Option<&str>) -> Option<PathBuf> {
        let plain = |path: &Path| path.extension().is_some_and(|ending| ending == "jsonl");
        let found = self
            .journals
            .iter()
            .find(|journal| journal.hash == hash && journal.shard.as_deref() == shard && plain(&journal.path));
        found.map(|journal| journal.path.clone())
    }

    /// The name of a journal that does not exist yet: `stem.jsonl`, or with a number. A file without even a header is
    /// free.
    pub fn free_journal(folder: &Path, stem: &str) -> PathBuf {
        let taken = |name: &str| {
            let mut forms = ["", ".gz", ".zst"].iter().map(|ending| folder.join(format!("{name}.jsonl{ending}")));
            forms.any(|path| path.exists() && has_begun(&path))
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
        journals(folder, GAMES_STEM).unwrap_or_default().into_iter().filter_map(length).collect()
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The journals, in the order of their names.
    pub fn journals(&self) -> &[Journal] {
        &self.journals
    }

    /// The experiment, from the header, with the test that it had before the first game.
    ///
    /// # Errors
    /// If this version cannot read it.
    pub fn experiment(&self) -> Result<Experiment, RecordError> {
        let stated = self.stated(&self.header)?;
        let sequential = match &self.begun {
            // Of players that an extension has added the test knows nothing.
            Some(begun) => self.stated(begun)?.sequential.filter(|_| !self.has_more_players(begun)),
            None => stated.sequential,
        };
        Ok(Experiment { sequential, ..stated })
    }

    /// The experiment of a header.
    fn stated(&self, header: &Header) -> Result<Experiment, RecordError> {
        Ok(header.read(&format!("{}: experiment in the header", self.journals[0].path.display()))?)
    }

    fn has_more_players(&self, than: &Header) -> bool {
        self.header.experiment.players.len() > than.experiment.players.len()
    }

    /// How scores of its records become points.
    ///
    /// # Errors
    /// As [`experiment`](Run::experiment).
    pub fn scale(&self) -> Result<ScoreScale, RecordError> {
        Ok(self.experiment()?.rules.domain().scale())
    }

    /// Visits every game once and returns the problems of the journals. A failed game that was played again is visited
    /// as it ended then; games that remain failed come last. The visitor may end the reading by an error.
    ///
    /// Where results decide what is played, some records belong to no run and are passed over. Beyond the deck that ends
    /// a sequential test of a match shards play ahead of one another, and earlier versions went on when the hypotheses of
    /// the file had changed. In Swiss rounds games of an earlier round may be lost, and have other results when they are
    /// played again: then other players meet.
    ///
    /// # Errors
    /// If a journal cannot be read, or the visitor's.
    pub fn games<E: From<RecordError>>(
        &self,
        visit: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<Vec<Problem>, E> {
        self.each_once(|_, _, game| Ok(game), visit)
    }

    /// Visits what is kept of every game, as [`games`](Run::games) visits games. `keep` is given the number of the
    /// journal, and its reader, which has read the line of the game last.
    pub(super) fn each_once<T, E: From<RecordError>>(
        &self,
        keep: impl Fn(usize, &GameReader, GameRecord) -> Result<T, RecordError>,
        mut visit: impl FnMut(T) -> Result<(), E>,
    ) -> Result<Vec<Problem>, E> {
        let schedule = self.by_results()?;
        let astray = Cell::new(0);
        let kept = |index: usize, reader: &GameReader, game: GameRecord| {
            astray.set(astray.get() + u64::from(self.is_astray(index, &game, &schedule)));
            schedule.has(&game).then(|| keep(index, reader, game)).transpose()
        };
        let mut problems = self.each_recorded(kept, |kept| kept.map_or(Ok(()), &mut visit))?;
        problems.extend(self.problems_of(&schedule, astray.get())?);
        Ok(problems)
    }

    /// What the results say of the games that belong to the run.
    pub(crate) fn by_results(&self) -> Result<ByResults, RecordError> {
        let mut found = ByResults::of(&self.experiment()?);
        if matches!(found, ByResults::All) {
            return Ok(found);
        }
        let keep = |_: usize, _: &GameReader, game: GameRecord| Ok(game);
        self.each_recorded(keep, |game| -> Result<(), RecordError> {
            found.add(&game);
            Ok(())
        })?;
        if let ByResults::Rounds(league) = &mut found {
            league.advance();
        }
        Ok(found)
    }

    /// Whether a game belongs to no run, though no shard played it ahead.
    pub(crate) fn is_astray(&self, journal: usize, game: &GameRecord, schedule: &ByResults) -> bool {
        let is_ahead = matches!(schedule, ByResults::Match(_)) && self.journals[journal].shard.is_some();
        !is_ahead && !schedule.has(game)
    }

    /// What is to be said of a run with so many games astray, and of a test whose hypotheses changed.
    pub(crate) fn problems_of(&self, schedule: &ByResults, astray: u64) -> Result<Vec<Problem>, RecordError> {
        let place = self.folder.display().to_string();
        let mut problems = Vec::new();
        if let Some(begun) = &self.begun {
            let [was, is] = [begun, &self.header].map(|header| self.stated(header).map(|stated| stated.sequential));
            let counts = if self.has_more_players(begun) { "no test counts" } else { "the first test counts" };
            problems.extend(Sequential::change(was?, is?).map(|change| {
                let text = format!("the hypotheses changed after games were played: {change}; {counts}");
                Problem { lines: 0, ..Problem::at(&place, text) }
            }));
        }
        if astray == 0 {
            return Ok(problems);
        }
        let (games, are) = (counted(astray, "game"), is_or_are(astray));
        let text = match schedule {
            ByResults::All => return Ok(problems),
            ByResults::Match(test) => {
                let why = match test.pairs().repeats_after() {
                    Some(_) => "an earlier version went on though decks repeat earlier ones",
                    None => "the hypotheses changed after games were played, or failed games were played again",
                };
                let last = test.pairs().last_deck().unwrap_or_default();
                format!("{games} beyond deck {last}, which ends the test, {are} passed over: {why}")
            }
            ByResults::Rounds(_) => format!(
                "{games} of pairs that no round has {are} passed over: games of an earlier round were lost, and had other \
                 results when they were played again"
            ),
        };
        problems.push(Problem { lines: astray, ..Problem::at(&place, text) });
        Ok(problems)
    }

    /// Visits what is kept of every game that is recorded.
    fn each_recorded<T, E: From<RecordError>>(
        &self,
        keep: impl Fn(usize, &GameReader, GameRecord) -> Result<T, RecordError>,
        mut visit: impl FnMut(T) -> Result<(), E>,
    ) -> Result<Vec<Problem>, E> {
        let mut seen = HashSet::new();
        let mut failed: BTreeMap<String, T> = BTreeMap::new();
        let problems = self.visit(|index, place, game, problems, reader| -> Result<(), E> {
            let id = game.id.clone();
            match (seen.contains(&id), game.is_result()) {
                // It was played again since, and recorded in a journal whose name comes first.
                (true, false) => {}
                (true, true) => {
                    problems.add(place, || format!("game {id} is recorded twice; the first record counts"));
                }
                (false, false) => drop(failed.insert(id, keep(index, reader, game)?)),
                (false, true) => {
                    failed.remove(&id);
                    seen.insert(id);
                    visit(keep(index, reader, game)?)?;
                }
            }
            Ok(())
        })?;
        failed.into_values().try_for_each(visit)?;
        Ok(problems)
    }

    /// Hands out every game line as it stands in the journals, with the number of the journal and its place, and says
    /// which lines cannot be read or are of another experiment.
    ///
    /// # Errors
    /// If a journal cannot be read, or the visitor's.
    pub fn lines<E: From<RecordError>>(
        &self,
        mut visit: impl FnMut(usize, &dyn Fn() -> String, GameRecord) -> Result<(), E>,
    ) -> Result<Vec<Problem>, E> {
        self.visit(|index, place, game, _, _| visit(index, place, game))
    }

    fn visit<E: From<RecordError>>(
        &self,
        mut visit: impl FnMut(usize, &dyn Fn() -> String, GameRecord, &mut Problems, &GameReader) -> Result<(), E>,
    ) -> Result<Vec<Problem>, E> {
        let mut problems = Problems::default();
        // None of a game that is not here: its lines are told by their checksums alone.
        let mut experiments: BTreeMap<&str, Option<Games>> = BTreeMap::new();
        for (index, journal) in self.journals().iter().enumerate() {
            let path = &journal.path;
            if !experiments.contains_key(journal.hash.as_str()) {
                let header = self.headers.get(&journal.hash).unwrap_or(&self.header);
                let file = format!("{}: experiment in the header", path.display());
                let games = match header.read(&file) {
                    Ok(experiment) => Some(Games::of(&experiment)),
                    Err(_) if registry::game(&header.experiment.game).is_err() => None,
                    Err(errors) => return Err(RecordError::from(errors).into()),
                };
                experiments.insert(&journal.hash, games);
            }
            let games = experiments[journal.hash.as_str()].as_ref();
            let mut reader = GameReader::open(path)?;
            while let Some((number, line)) = next_line(&mut reader)? {
                let place = || format!("{}:{number}", path.display());
                match line {
                    Line::Header(_) if number == 1 => {}
                    Line::Header(_) => problems.add(&place, || "a second header is ignored".to_owned()),
                    Line::Record(game, of) => match journal.stranger(games, &game, of.as_ref()) {
                        None => visit(index, &place, *game, &mut problems, &reader)?,
                        Some(why) => problems.add(&place, || format!("this line is ignored: {why}")),
                    },
                    Line::Damaged(why) => problems.add(&place, || format!("this line is ignored: {why}")),
                    Line::Torn => problems.add_torn(place(), path.clone()),
                    Line::Unreadable(why) => problems.add_unreadable(place(), &why),
                }
            }
        }
        Ok(problems.finish())
    }
}

impl Journal {
    /// Why a line is not of this journal's experiment, whose games these are; none if it is.
    fn stranger(&self, games: Option<&Games>, game: &GameRecord, of: Option<&Binding>) -> Option<String> {
        match of {
            Some(of) if *of != self.of => {
                Some(format!("it is of {}, this journal is of {}", of.words(), self.of.words()))
            }
            None if self.format > UNBOUND => Some("it does not name its experiment".to_owned()),
            _ if games.is_none_or(|games| games.has(game)) => None,
            _ => Some(format!("game {:.100} is not one of {}", game.id, self.of.words())),
        }
    }
}

/// The error that a folder is not one of a run.
pub(super) fn no_journal(folder: &Path) -> RecordError {
    let other = FolderKind::Run.other_in(folder);
    let problem = other.map_or("is this a run folder?", FolderKind::instead_of_run);
    RecordError::folder(folder, format!("no journal (games.jsonl) here; {problem}"))
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
        if ["games", "evolution"].iter().any(|stem| name.starts_with(stem)) && name.contains(".jsonl") {
            parts.push(format!("{name} {}", entry.metadata().map_err(failed)?.len()));
        }
    }
    parts.sort();
    Ok(parts.join("\n"))
}
