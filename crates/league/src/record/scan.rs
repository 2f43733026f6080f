//! What is known of a journal before it is decided which header it gets.

use super::journal::{GameReader, UNBOUND};
use super::lost_header::Candidate;
use super::schema::{FORMAT, Header};
use evouct_store::{Binding, JournalHeader, Line, RecordError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// So many players, names of a player and versions are remembered, whatever a journal holds.
const MOST_PLAYERS: usize = 100_000;
const MOST_NAMES: usize = 10;
const MOST_VERSIONS: usize = 100;

/// What is known of a journal before its header is decided on.
pub(super) struct Scan {
    pub path: PathBuf,
    /// The first header in it that is whole, or in which one bit was wrong.
    pub header: Option<Header>,
    /// Whether one bit of it was wrong.
    pub is_restored: bool,
    /// The first line, where it is damaged.
    pub damaged: Vec<u8>,
    /// What its games call players, by identity.
    pub names: BTreeMap<String, BTreeSet<String>>,
    /// The versions of evouct that played its games.
    pub versions: BTreeMap<String, u64>,
    /// Lines by what they are bound to.
    pub bound: BTreeMap<Binding, u64>,
    pub unbound: u64,
}

pub(super) fn scan(path: &Path) -> Result<Scan, RecordError> {
    let mut reader = GameReader::open(path)?;
    let mut scan = Scan {
        path: path.to_owned(),
        header: None,
        is_restored: false,
        damaged: Vec::new(),
        names: BTreeMap::new(),
        versions: BTreeMap::new(),
        bound: BTreeMap::new(),
        unbound: 0,
    };
    let mut second = Vec::new();
    while let Some((number, line)) = reader.next_line()? {
        match line {
            Line::Header(header) if (UNBOUND..=FORMAT).contains(&header.format) => {
                scan.header.get_or_insert(*header);
            }
            Line::Record(game, of) => {
                match of {
                    Some(of) => *scan.bound.entry(of).or_default() += 1,
                    None => scan.unbound += 1,
                }
                if scan.versions.len() < MOST_VERSIONS {
                    *scan.versions.entry(game.run.evouct).or_default() += 1;
                }
                for (seat, name) in game.seats.into_iter().zip(game.run.players) {
                    if scan.names.len() < MOST_PLAYERS {
                        let names = scan.names.entry(seat).or_default();
                        if names.len() < MOST_NAMES {
                            names.insert(name);
                        }
                    }
                }
            }
            Line::Damaged(_) | Line::Torn if number == 1 => scan.damaged = reader.bytes().to_vec(),
            Line::Damaged(_) | Line::Torn if number == 2 => second = reader.bytes().to_vec(),
            _ => {}
        }
    }
    let restored: Option<Header> =
        (!scan.damaged.is_empty()).then(|| evouct_store::restored(&scan.damaged, &second)).flatten();
    if let Some(header) = restored.filter(|header| (UNBOUND..=FORMAT).contains(&header.format)) {
        (scan.header, scan.is_restored) = (Some(header), true);
    }
    Ok(scan)
}

impl Scan {
    /// Lines that are of this candidate.
    pub(super) fn lines_of(&self, candidate: &Candidate) -> u64 {
        let of = candidate.header.binding();
        let is_own = self.header.as_ref().is_some_and(|header| header.binding() == of);
        self.bound.get(&of).copied().unwrap_or_default() + if is_own { self.unbound } else { 0 }
    }
}

/// What most lines are bound to, and how many lines.
pub(super) fn most_lines(scans: &[Scan]) -> Option<(Binding, u64)> {
    let mut bound: BTreeMap<&Binding, u64> = BTreeMap::new();
    scans.iter().flat_map(|scan| &scan.bound).for_each(|(of, lines)| *bound.entry(of).or_default() += lines);
    bound.into_iter().max_by_key(|(_, lines)| *lines).map(|(of, lines)| (of.clone(), lines))
}

pub(super) fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
