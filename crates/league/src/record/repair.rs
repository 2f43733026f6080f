//! Salvage: what can be read of a damaged run goes to a new folder, with a reason for everything that does not.
//!
//! The damaged folder is only read. A header that was lost comes back from itself if one bit of it is wrong, from another
//! journal of the folder, or from `experiment.toml`: it must be of what the lines name or, where these name nothing, their
//! games must be in its schedule. What changes no game cannot be checked in a file, and this is reported.

use super::experiment_file::write_experiment;
use super::games::Games;
use super::journal::{GameReader, UNBOUND};
use super::lost_header::{Candidate, Scan, candidates, name, scan};
use super::run::{Run, no_journal};
use super::schema::{FORMAT, GameRecord, Header};
use super::trace::TRACE_STEM;
use crate::config::Overrides;
use crate::schedule::Shard;
use evouct_store::disk::{self, DiskFile};
use evouct_store::line::{Content, Label, bound_json, decode};
use evouct_store::{
    Binding, JournalHeader, JournalRecord, JournalWriter, Line, Problem, Problems, RecordError, VERSION,
    check_repair_folder, journals,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a salvage came to.
#[derive(Clone, Debug)]
pub struct Saved {
    /// By journal, in the order of their names.
    pub files: Vec<SavedFile>,
    /// Games kept.
    pub games: u64,
    /// The options that `run` needs with the experiment's file.
    pub overrides: Overrides,
    /// Whether another version of evouct wrote the journals, which `run` must be told to go on with.
    pub is_of_other_version: bool,
}

/// What became of a journal.
#[derive(Clone, Debug)]
pub struct SavedFile {
    /// Its name.
    pub name: String,
    /// Where its header is from; none where the whole file is left out.
    pub header: Option<String>,
    /// Games kept.
    pub kept: u64,
    /// What is left out, and why.
    pub left_out: Vec<Problem>,
}

/// Saves what can be read of the run in `folder` into `out`, which must be new or empty.
///
/// # Errors
/// If `out` holds something or is in `folder`, if files cannot be read or written, or if no header can be found.
pub fn repair(folder: &Path, out: &Path) -> Result<Saved, RecordError> {
    check_repair_folder(folder, out)?;
    let scans: Vec<Scan> = journals(folder, "games")?.iter().map(|path| scan(path)).collect::<Result<_, _>>()?;
    if scans.is_empty() {
        return Err(no_journal(folder));
    }
    let none = "no journal has its header, and no experiment.toml here is the one that the games are of";
    let candidates =
        candidates(folder, &scans).map_err(|named| RecordError::folder(folder, format!("{none}{named}")))?;
    let mut keeper = Keeper::new(out, &candidates)?;
    let files = scans.iter().map(|scan| keeper.save(scan)).collect::<Result<Vec<SavedFile>, _>>()?;
    keeper.finish()?;
    copy_traces(folder, out)?;
    let run = Run::open(out)?;
    write_experiment(out, &run.header, false)?;
    let games = files.iter().map(|file| file.kept).sum();
    let is_of_other_version = run.header.evouct != VERSION;
    Ok(Saved { files, games, overrides: run.header.overrides(), is_of_other_version })
}

/// Writes what is kept.
struct Keeper<'a> {
    out: PathBuf,
    candidates: &'a [Candidate],
    games: BTreeMap<Binding, Games>,
    /// Games kept, and whether they had finished.
    seen: HashMap<String, bool>,
    /// Journals that are written already.
    written: Vec<JournalWriter>,
}

impl<'a> Keeper<'a> {
    fn new(out: &Path, candidates: &'a [Candidate]) -> Result<Keeper<'a>, RecordError> {
        let mut games = BTreeMap::new();
        for Candidate { header, from } in candidates {
            games.insert(header.binding(), Games::of(&header.read(&format!("header {from}"))?));
        }
        Ok(Keeper { out: out.to_owned(), candidates, games, seen: HashMap::new(), written: Vec::new() })
    }

    fn candidate(&self, of: &Binding) -> Option<&'a Candidate> {
        self.candidates.iter().find(|candidate| candidate.header.binding() == *of)
    }

    /// The header that a journal gets, and where it is from; none if it is of another run.
    fn header(&self, scan: &Scan) -> Option<(Header, String)> {
        if let Some(header) = &scan.header
            && self.candidate(&header.binding()).is_some()
        {
            let own = if scan.is_restored { "its own, in which one bit was wrong" } else { "its own" };
            return Some((header.clone(), own.to_owned()));
        }
        let found = match scan.most() {
            Some(of) => self.candidate(of),
            None if scan.header.is_none() => self.candidates.first(),
            None => None,
        }?;
        let shard = shard_of(&scan.path);
        Some((Header { shard, restated: 0, ..found.header.clone() }, found.from.clone()))
    }

    fn save(&mut self, scan: &Scan) -> Result<SavedFile, RecordError> {
        let mut file = SavedFile { name: name(&scan.path), header: None, kept: 0, left_out: Vec::new() };
        let Some((header, from)) = self.header(scan) else {
            let text = "the whole file is left out: its header is of another experiment than the run";
            file.left_out = vec![Problem::at(file.name.clone(), text)];
            return Ok(file);
        };
        file.header = Some(from);
        // Where the header is lost, lines that are bound show that all were.
        let is_bound = scan.header.as_ref().map_or(!scan.bound.is_empty(), |header| header.format > UNBOUND);
        let plain = file.name.trim_end_matches(".gz").trim_end_matches(".zst").to_owned();
        let header = Header { format: FORMAT, ..header };
        let of = header.binding();
        let mut writer = JournalWriter::open(&free(&self.out, &plain), &header)?;
        let mut problems = Problems::default();
        let mut reader = GameReader::open(&scan.path)?;
        while let Some((number, line)) = reader.next_line()? {
            let place = || format!("{}:{number}", file.name);
            let why = match line {
                Line::Header(_) => continue,
                Line::Damaged(_) | Line::Torn if number == 1 && (scan.header.is_none() || scan.is_restored) => {
                    "this line was the header, and is replaced".to_owned()
                }
                Line::Damaged(why) => why,
                Line::Unreadable(why) => {
                    problems.add_unreadable(place(), &why);
                    continue;
                }
                // A line may be whole but for its end.
                Line::Record(..) | Line::Torn => match self.keep(reader.bytes(), &mut writer, &of, is_bound) {
                    Ok(Ok(())) => {
                        file.kept += 1;
                        continue;
                    }
                    Ok(Err(why)) => why,
                    Err(error) => return Err(error),
                },
            };
            problems.add(&place, || why);
        }
        self.written.push(writer);
        file.left_out = problems.finish();
        Ok(file)
    }

    /// Keeps a line, or says why not.
    fn keep(
        &mut self,
        line: &[u8],
        writer: &mut JournalWriter,
        journal: &Binding,
        is_bound: bool,
    ) -> Result<Result<(), String>, RecordError> {
        let text = String::from_utf8_lossy(line);
        let (json, of) = match decode(text.trim_end()) {
            Ok(Content::Record(Label::Game, json, of)) => (json, of),
            Ok(Content::Record(label, ..)) => return Ok(Err(label.elsewhere().to_owned())),
            Ok(Content::Header(_)) => return Ok(Err("a header without its end".to_owned())),
            Err(why) => return Ok(Err(format!("the line was cut off: {why}"))),
        };
        let game: GameRecord = match serde_json::from_str(json) {
            Ok(game) => game,
            Err(error) => return Ok(Err(error.to_string())),
        };
        match of {
            Some(of) if of != *journal => return Ok(Err(format!("it is of {}", of.words()))),
            None if is_bound => return Ok(Err("it does not name its experiment".to_owned())),
            _ => {}
        }
        if !self.games[journal].has(&game) {
            return Ok(Err(format!("game {:.100} is not one of {}", game.id, journal.words())));
        }
        let finished = game.is_result();
        match self.seen.get(&game.id) {
            Some(true) => return Ok(Err(format!("game {} is recorded twice; the first record is kept", game.id))),
            Some(false) if !finished => return Ok(Err(format!("game {} failed twice; the first is kept", game.id))),
            _ => self.seen.insert(game.id, finished),
        };
        writer.append(&KeptGame(json), Duration::ZERO).map(Ok)
    }

    fn finish(mut self) -> Result<(), RecordError> {
        self.written.iter_mut().try_for_each(|writer| writer.sync(Duration::ZERO))
    }
}

/// A game as it stood in a damaged journal. All are synced at the end.
struct KeptGame<'a>(&'a str);

impl JournalRecord for KeptGame<'_> {
    fn line_in(&self, of: &Binding) -> Result<Cow<'_, str>, String> {
        Ok(Cow::Owned(bound_json(Label::Game, self.0, of)))
    }
}

/// A journal of this name that does not exist yet, or of one like it.
fn free(out: &Path, name: &str) -> PathBuf {
    Run::free_journal(out, name.trim_end_matches(".jsonl"))
}

/// The shard that the name of a journal says, `I/N`.
fn shard_of(path: &Path) -> Option<String> {
    let name = name(path);
    let rest = name.strip_prefix("games-shard-")?.split_once(".jsonl")?.0;
    let (index, count) = rest.split_once("-of-")?;
    let count = count.split('-').next()?;
    Shard::new(index.parse().ok()?, count.parse().ok()?).ok().map(|shard| shard.to_string())
}

/// Traces are copied without a check.
fn copy_traces(folder: &Path, out: &Path) -> Result<(), RecordError> {
    for from in journals(folder, TRACE_STEM)? {
        let to = out.join(name(&from));
        let copied = disk::open(&from).and_then(|mut file| {
            let mut copy = DiskFile::create(&to)?;
            std::io::copy(&mut file, &mut copy)?;
            copy.sync()
        });
        copied.map_err(|error| RecordError::io(&to, "cannot copy the traces", error))?;
    }
    Ok(())
}
