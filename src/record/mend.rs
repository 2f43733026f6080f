//! Salvage: what can be read of a damaged run goes to a new folder, with a reason for everything that does not.
//!
//! The damaged folder is only read. A header that was lost comes back from the other journals of the folder, from what
//! is left of itself, or from `experiment.toml` (and `manifest.json`, for what the command line had put in place of the
//! file's values); it must have the hash that the lines name, or, where these name none, their games must be in its
//! schedule.

use super::binding::{Binding, Games};
use super::experiment_file::write_experiment;
use super::journal::{JournalReader, JournalWriter, Line};
use super::line::{Content, decode};
use super::problems::{Problem, Problems};
use super::run::{RecordError, Run, UNBOUND, journals, no_journal};
use super::schema::{FORMAT, GameRecord, Header};
use super::trace::TRACE_STEM;
use crate::config::{Experiment, Overrides, Resolved, differences};
use crate::disk::{self, DiskFile};
use crate::named::Named;
use crate::parameter::Preset;
use crate::schedule::{Schedule, Shard};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest experiment and manifest that are read, in bytes.
const MAX_FILE: u64 = 10_000_000;

/// What a salvage came to.
#[derive(Clone, Debug)]
pub struct Saved {
    /// By journal, in the order of their names.
    pub files: Vec<SavedFile>,
    /// Games kept.
    pub games: u64,
    /// Games of the experiment.
    pub scheduled: u64,
    /// The options that `run` needs with the experiment's file.
    pub overrides: Overrides,
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

/// What is known of a journal before its header is decided on.
struct Scan {
    path: PathBuf,
    /// The first header in it that is whole.
    header: Option<Header>,
    /// The first line, where it is damaged.
    damaged: Vec<u8>,
    /// Lines by what they are bound to.
    bound: BTreeMap<Binding, u64>,
    unbound: u64,
}

/// A header that may be that of a journal which lost its own.
struct Candidate {
    header: Header,
    from: String,
}

/// Saves what can be read of the run in `folder` into `out`, which must be new or empty.
///
/// # Errors
/// If `out` holds something or is in `folder`, if files cannot be read or written, or if no header can be found.
pub fn mend(folder: &Path, out: &Path) -> Result<Saved, RecordError> {
    check_out(folder, out)?;
    let scans: Vec<Scan> = journals(folder, "games")?.iter().map(|path| scan(path)).collect::<Result<_, _>>()?;
    if scans.is_empty() {
        return Err(no_journal(folder));
    }
    let manifest = manifest(folder);
    let candidates = of_one_run(candidates(folder, &scans, manifest.as_ref()), &scans, manifest.as_ref());
    if candidates.is_empty() {
        let problem = "no journal has its header, and no experiment.toml here is the one that the games are of";
        return Err(RecordError::folder(folder, problem));
    }
    let mut keeper = Keeper::new(out, &candidates)?;
    let files = scans.iter().map(|scan| keeper.save(scan)).collect::<Result<Vec<SavedFile>, _>>()?;
    keeper.finish()?;
    copy_traces(folder, out)?;
    let run = Run::open(out)?;
    write_experiment(out, &run.header, false)?;
    let scheduled = Schedule::of(&run.experiment()?).len();
    let games = files.iter().map(|file| file.kept).sum();
    Ok(Saved { files, games, scheduled, overrides: run.header.overrides() })
}

/// The original is never changed: nothing is written into it, nor over anything else.
fn check_out(folder: &Path, out: &Path) -> Result<(), RecordError> {
    let absolute = |path: &Path| {
        std::path::absolute(path).and_then(|path| match path.canonicalize() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(path),
            found => found,
        })
    };
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| RecordError::io(&path, "cannot read the folder", error)
    };
    let (folder_at, out_at) = (absolute(folder).map_err(unreadable(folder))?, absolute(out).map_err(unreadable(out))?);
    if out_at.starts_with(&folder_at) {
        return Err(RecordError::folder(out, "this is the damaged run's own folder, which is not changed"));
    }
    match std::fs::read_dir(out) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(RecordError::io(out, "cannot read the folder", error)),
        Ok(entries) => match entries.count() {
            0 => Ok(()),
            _ => Err(RecordError::folder(out, "this folder is not empty; choose a new one with --out")),
        },
    }
}

fn scan(path: &Path) -> Result<Scan, RecordError> {
    let mut reader = JournalReader::open(path)?;
    let mut scan =
        Scan { path: path.to_owned(), header: None, damaged: Vec::new(), bound: BTreeMap::new(), unbound: 0 };
    while let Some((number, line)) = reader.next_line()? {
        match line {
            Line::Header(header) if (UNBOUND..=FORMAT).contains(&header.format) => {
                scan.header.get_or_insert(*header);
            }
            Line::Game(_, Some(of)) => *scan.bound.entry(of).or_default() += 1,
            Line::Game(_, None) => scan.unbound += 1,
            Line::Damaged(_) | Line::Torn if number == 1 => scan.damaged = reader.bytes().to_vec(),
            _ => {}
        }
    }
    Ok(scan)
}

/// All headers that may be those of the run.
fn candidates(folder: &Path, scans: &[Scan], manifest: Option<&Manifest>) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |header: Header, from: String| {
        if found.iter().all(|candidate| Binding::of(&candidate.header) != Binding::of(&header)) {
            found.push(Candidate { header, from });
        }
    };
    for scan in scans {
        if let Some(header) = &scan.header {
            add(header.clone(), format!("from {}", name(&scan.path)));
        }
    }
    let named = |hash: &str| scans.iter().any(|scan| scan.bound.keys().any(|of| of.hash == hash));
    for scan in scans {
        if let Some(header) = what_is_left(&scan.damaged) {
            let file = name(&scan.path);
            // Two sources that agree: the hash that it names or that lines name, and that of its experiment.
            let hash = header.read(&file).map(|experiment| experiment.hash()).unwrap_or_default();
            if hash == header.hash || named(&hash) {
                let header = Header { hash, format: FORMAT, ..header };
                add(header, format!("from what is left of the header of {file}"));
            }
        }
    }
    if let Ok(toml) = disk::read_text(&folder.join("experiment.toml"), MAX_FILE) {
        let is_wanted = |hash: &str| named(hash) || manifest.is_some_and(|manifest| manifest.hash == hash);
        let nothing_named = manifest.is_none() && scans.iter().all(|scan| scan.bound.is_empty());
        for overrides in overrides(scans, manifest) {
            let Ok(experiment) = Experiment::parse(&toml, "experiment.toml", overrides) else { continue };
            let plain = overrides == Overrides::default();
            if is_wanted(&experiment.hash()) || (plain && nothing_named) {
                add(Header::of(&experiment, None), "from experiment.toml".to_owned());
            }
        }
    }
    found
}

/// The header of a damaged line, if it is still one but for the checksum.
fn what_is_left(line: &[u8]) -> Option<Header> {
    #[derive(Deserialize)]
    struct Left {
        header: Header,
    }
    serde_json::from_slice::<Left>(line).ok().map(|left| left.header)
}

/// What is read of `manifest.json`.
#[derive(Deserialize)]
struct Manifest {
    hash: String,
    experiment: Resolved,
}

fn manifest(folder: &Path) -> Option<Manifest> {
    serde_json::from_str(&disk::read_text(&folder.join("manifest.json"), MAX_FILE).ok()?).ok()
}

/// What may have taken the place of the values of `experiment.toml`, nothing first.
fn overrides(scans: &[Scan], manifest: Option<&Manifest>) -> Vec<Overrides> {
    let of_lines = scans.iter().flat_map(|scan| scan.bound.keys().map(|of| of.seed));
    let mut seeds: Vec<Option<u64>> =
        of_lines.chain(manifest.map(|manifest| manifest.experiment.seed)).map(Some).collect();
    seeds.push(None);
    seeds.sort_unstable();
    seeds.dedup();
    let games = [None, manifest.map(|manifest| manifest.experiment.games_per_match)];
    let mut all = Vec::new();
    for preset in std::iter::once(None).chain(Preset::NAMES.iter().map(|(_, preset)| Some(*preset))) {
        for seed in &seeds {
            for games_per_match in games {
                all.push(Overrides { preset, seed: *seed, games_per_match });
            }
        }
    }
    all
}

/// Of these headers those of one run: that which the last report was of or, without a report, most lines are of, and
/// what it extends or is extended by.
fn of_one_run(candidates: Vec<Candidate>, scans: &[Scan], manifest: Option<&Manifest>) -> Vec<Candidate> {
    let lines = |candidate: &Candidate| -> u64 {
        let of = Binding::of(&candidate.header);
        let is_own = |scan: &Scan| scan.header.as_ref().is_some_and(|header| Binding::of(header) == of);
        let own = scans.iter().filter(|scan| is_own(scan)).map(|scan| scan.unbound).sum::<u64>();
        own + scans.iter().filter_map(|scan| scan.bound.get(&of)).sum::<u64>()
    };
    // Of those with as many lines the first.
    let was_reported = |candidate: &Candidate| manifest.is_some_and(|manifest| manifest.hash == candidate.header.hash);
    let most = candidates.iter().rev().max_by_key(|candidate| (was_reported(candidate), lines(candidate)));
    let Some(most) = most else { return candidates };
    let most = most.header.experiment.clone();
    let adds_to = |from: &Resolved, to: &Resolved| differences(from, to).iter().all(|difference| difference.extends);
    let belongs = |candidate: &Candidate| {
        let other = &candidate.header.experiment;
        adds_to(&most, other) || adds_to(other, &most)
    };
    candidates.into_iter().filter(belongs).collect()
}

/// Writes what is kept.
struct Keeper<'a> {
    out: PathBuf,
    candidates: &'a [Candidate],
    games: BTreeMap<Binding, Games>,
    /// Games kept, and whether they had finished.
    seen: HashMap<String, bool>,
    /// Journals for lines that stood in the journal of another experiment of the run.
    moved: BTreeMap<Binding, JournalWriter>,
    /// Journals that are written already.
    written: Vec<JournalWriter>,
}

impl<'a> Keeper<'a> {
    fn new(out: &Path, candidates: &'a [Candidate]) -> Result<Keeper<'a>, RecordError> {
        let mut games = BTreeMap::new();
        for Candidate { header, from } in candidates {
            games.insert(Binding::of(header), Games::of(&header.read(&format!("header {from}"))?));
        }
        Ok(Keeper {
            out: out.to_owned(),
            candidates,
            games,
            seen: HashMap::new(),
            moved: BTreeMap::new(),
            written: Vec::new(),
        })
    }

    fn candidate(&self, of: &Binding) -> Option<&'a Candidate> {
        self.candidates.iter().find(|candidate| Binding::of(&candidate.header) == *of)
    }

    /// The header that a journal gets, and where it is from; none if it is of another run.
    fn header(&self, scan: &Scan) -> Option<(Header, String)> {
        if let Some(header) = &scan.header {
            return self.candidate(&Binding::of(header)).map(|_| (header.clone(), "its own".to_owned()));
        }
        let most = scan.bound.iter().filter(|(of, _)| self.games.contains_key(of)).max_by_key(|(_, lines)| **lines);
        let found = match most {
            Some((of, _)) => self.candidate(of),
            None if scan.bound.is_empty() => self.candidates.first(),
            None => None,
        }?;
        let shard = shard_of(&scan.path).or_else(|| what_is_left(&scan.damaged)?.shard);
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
        let of = Binding::of(&header);
        let mut writer = JournalWriter::open(&free(&self.out, &plain), &header)?;
        let mut problems = Problems::default();
        let mut reader = JournalReader::open(&scan.path)?;
        while let Some((number, line)) = reader.next_line()? {
            let place = || format!("{}:{number}", file.name);
            let why = match line {
                Line::Header(_) => continue,
                Line::Damaged(_) | Line::Torn if number == 1 && scan.header.is_none() => {
                    "this line was the header, and is replaced".to_owned()
                }
                Line::Damaged(why) => why,
                Line::Unreadable(why) => {
                    problems.add_unreadable(place(), &why);
                    continue;
                }
                // A line may be whole but for its end.
                Line::Game(..) | Line::Torn => match self.keep(reader.bytes(), &mut writer, &of, is_bound) {
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
            Ok(Content::Game(json, of)) => (json, of),
            Ok(Content::Entry(..)) => return Ok(Err("an entry of another file, not a game".to_owned())),
            Ok(Content::Header(_)) => return Ok(Err("a header without its end".to_owned())),
            Err(why) => return Ok(Err(format!("the line was cut off: {why}"))),
        };
        let game: GameRecord = match serde_json::from_str(json) {
            Ok(game) => game,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let of = match of {
            Some(of) => of,
            None if is_bound => return Ok(Err("it does not name its experiment".to_owned())),
            None => journal.clone(),
        };
        let Some(games) = self.games.get(&of) else { return Ok(Err(format!("it is of {}", of.words()))) };
        if !games.has(&game) {
            return Ok(Err(format!("game {:.100} is not one of {}", game.id, of.words())));
        }
        let finished = game.ended.is_result();
        match self.seen.get(&game.id) {
            Some(true) => return Ok(Err(format!("game {} is recorded twice; the first record is kept", game.id))),
            Some(false) if !finished => return Ok(Err(format!("game {} failed twice; the first is kept", game.id))),
            _ => self.seen.insert(game.id, finished),
        };
        if of == *journal { writer.append_json(json) } else { self.moved(&of)?.append_json(json) }.map(Ok)
    }

    /// The journal for lines of this experiment that stood in that of another.
    fn moved(&mut self, of: &Binding) -> Result<&mut JournalWriter, RecordError> {
        if !self.moved.contains_key(of) {
            let header = self.candidate(of).map(|candidate| candidate.header.clone());
            let header =
                header.ok_or_else(|| RecordError::folder(&self.out, format!("no header of {}", of.words())))?;
            let header = Header { format: FORMAT, shard: None, restated: 0, ..header };
            let writer = JournalWriter::open(&free(&self.out, "games-moved.jsonl"), &header)?;
            self.moved.insert(of.clone(), writer);
        }
        Ok(self.moved.get_mut(of).expect("it was put there"))
    }

    fn finish(self) -> Result<(), RecordError> {
        let mut writers: Vec<JournalWriter> = self.written.into_iter().chain(self.moved.into_values()).collect();
        writers.iter_mut().try_for_each(|writer| writer.sync(Duration::ZERO))
    }
}

/// A journal of this name that does not exist yet, or of one like it.
fn free(out: &Path, name: &str) -> PathBuf {
    Run::free_journal(out, name.trim_end_matches(".jsonl"))
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
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
