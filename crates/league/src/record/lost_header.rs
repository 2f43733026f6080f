//! Headers for journals that lost their own: each gets the one that its lines name.

use super::experiment_file::EXPERIMENT_FILE;
use super::journal::{GameReader, UNBOUND};
use super::schema::{FORMAT, Header};
use crate::config::{Experiment, Overrides, Resolved, differences};
use evouct_base::plural::counted;
use evouct_store::{Binding, JournalHeader, Line, RecordError, disk};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The largest experiment that is read, in bytes.
const MAX_FILE: u64 = 10_000_000;

/// What is known of a journal before it is decided which header it gets.
pub(super) struct Scan {
    pub path: PathBuf,
    /// The first header in it that is whole, or in which one bit was wrong.
    pub header: Option<Header>,
    /// Whether one bit of it was wrong.
    pub is_restored: bool,
    /// Lines by what they are bound to.
    pub bound: BTreeMap<Binding, u64>,
    /// Lines that name no experiment, as those of version 0.1.
    unbound: u64,
    /// The version of evouct that played its first game.
    version: Option<String>,
}

pub(super) fn scan(path: &Path) -> Result<Scan, RecordError> {
    let mut reader = GameReader::open(path)?;
    let (header, bound, version) = (None, BTreeMap::new(), None);
    let mut scan = Scan { path: path.to_owned(), header, is_restored: false, bound, unbound: 0, version };
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let is_known = |header: &Header| (UNBOUND..=FORMAT).contains(&header.format);
    while let Some((number, line)) = reader.next_line()? {
        match line {
            Line::Header(header) if is_known(&header) => {
                scan.header.get_or_insert(*header);
            }
            Line::Record(game, of) => {
                match of {
                    Some(of) => *scan.bound.entry(of).or_default() += 1,
                    None => scan.unbound += 1,
                }
                scan.version.get_or_insert(game.run.evouct);
            }
            Line::Damaged(_) | Line::Torn if number == 1 => first = reader.bytes().to_vec(),
            Line::Damaged(_) | Line::Torn if number == 2 => second = reader.bytes().to_vec(),
            _ => {}
        }
    }
    let restored: Option<Header> = (!first.is_empty()).then(|| evouct_store::restored(&first, &second)).flatten();
    if let Some(header) = restored.filter(is_known) {
        (scan.header, scan.is_restored) = (Some(header), true);
    }
    Ok(scan)
}

impl Scan {
    /// What most of its lines are of, if they name it.
    pub(super) fn most(&self) -> Option<&Binding> {
        self.bound.iter().max_by_key(|(_, lines)| **lines).map(|(of, _)| of)
    }

    fn lines_of(&self, header: &Header) -> u64 {
        let of = header.binding();
        let is_own = self.header.as_ref().is_some_and(|own| own.binding() == of);
        self.bound.get(&of).copied().unwrap_or_default() + if is_own { self.unbound } else { 0 }
    }
}

/// A header that may be that of a journal which lost its own.
pub(super) struct Candidate {
    pub header: Header,
    /// Where it is from, and what of it could not be checked.
    pub from: String,
}

/// The headers of the run: those of its journals, then that of `experiment.toml` where lines name it or, where no line and
/// no header names anything, as it is.
///
/// # Errors
/// What the lines name, if it has no header.
pub(super) fn candidates(folder: &Path, scans: &[Scan]) -> Result<Vec<Candidate>, String> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |header: Header, from: String| {
        if found.iter().all(|candidate| candidate.header.binding() != header.binding()) {
            found.push(Candidate { header, from });
        }
    };
    for scan in scans {
        if let Some(header) = &scan.header {
            add(header.clone(), format!("from {}", name(&scan.path)));
        }
    }
    let mut of_file = String::new();
    let named: BTreeSet<&Binding> = scans.iter().flat_map(|scan| scan.bound.keys()).collect();
    if let Ok(toml) = disk::read_text(&folder.join(EXPERIMENT_FILE), MAX_FILE) {
        let nothing_named = named.is_empty() && scans.iter().all(|scan| scan.header.is_none());
        for seed in named.iter().map(|of| Some(of.seed)).chain([None]) {
            let overrides = Overrides { seed, ..Overrides::default() };
            let Ok(experiment) = Experiment::recorded(&toml, EXPERIMENT_FILE, overrides, Experiment::LEAST_PLAYERS)
            else {
                continue;
            };
            // In the end the hash of the file as it stands.
            of_file = experiment.hash();
            if nothing_named || named.iter().any(|of| of.hash == of_file) {
                let header = Header::of(&experiment, None);
                let evouct = scans.iter().find_map(|scan| scan.version.clone()).unwrap_or(header.evouct);
                // The hash covers only what changes a game.
                let from =
                    "from experiment.toml; not checked: its description, printed numbers and log, and names of players";
                add(Header { evouct, ..header }, from.to_owned());
            }
        }
    }
    of_one_run(found, scans, &of_file).ok_or_else(|| {
        let lines = |of: &Binding| scans.iter().filter_map(|scan| scan.bound.get(of)).sum::<u64>();
        let most = named.into_iter().max_by_key(|of| lines(of));
        most.map_or(String::new(), |of| format!(": {} of {}", counted(lines(of), "line"), of.words()))
    })
}

/// Of these headers those of one run: that of `experiment.toml`, or else which most lines are of, and what it extends or is
/// extended by. None if lines name others.
fn of_one_run(candidates: Vec<Candidate>, scans: &[Scan], of_file: &str) -> Option<Vec<Candidate>> {
    let lines = |candidate: &Candidate| scans.iter().map(|scan| scan.lines_of(&candidate.header)).sum::<u64>();
    // Of those with as many lines the first.
    let is_of_file = |candidate: &Candidate| lines(candidate) > 0 && candidate.header.hash == of_file;
    let most = candidates.iter().rev().max_by_key(|candidate| (is_of_file(candidate), lines(candidate)))?;
    if lines(most) == 0 && scans.iter().any(|scan| !scan.bound.is_empty()) {
        return None;
    }
    let most = most.header.experiment.clone();
    let adds_to = |from: &Resolved, to: &Resolved| differences(from, to).iter().all(|difference| difference.extends);
    let belongs = |candidate: &Candidate| {
        let other = &candidate.header.experiment;
        adds_to(&most, other) || adds_to(other, &most)
    };
    Some(candidates.into_iter().filter(belongs).collect())
}

pub(super) fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
