//! Headers that may be those of journals which lost their own.

use super::experiment_file::EXPERIMENT_FILE;
use super::scan::{Scan, name};
use super::schema::Header;
use crate::config::{Experiment, Overrides, Resolved, differences};
use evouct_base::named::Named;
use evouct_base::parameter::Preset;
use evouct_store::{JournalHeader, VERSION, disk};
use serde::Deserialize;
use std::path::Path;

/// The largest experiment and manifest that are read, in bytes.
const MAX_FILE: u64 = 10_000_000;

/// A header that may be that of a journal which lost its own.
pub(super) struct Candidate {
    pub header: Header,
    /// Where it is from, and what of it could not be checked.
    pub from: String,
}

/// The header of an experiment that was read from a text, by the version that played most of the games.
fn header_of(experiment: &Experiment, scans: &[Scan]) -> Header {
    let versions = scans.iter().flat_map(|scan| &scan.versions).max_by_key(|(_, games)| **games);
    let evouct = versions.map_or_else(|| VERSION.to_owned(), |(version, _)| version.clone());
    Header { evouct, ..Header::of(experiment, None) }
}

/// A player whom the games call otherwise than the experiment does: its name, and one that they have.
fn renamed(experiment: &Experiment, scans: &[Scan]) -> Option<(String, String)> {
    experiment.players.iter().find_map(|player| {
        let short = player.identity.short();
        let mut names = scans.iter().filter_map(|scan| scan.names.get(&short)).flatten().peekable();
        let first = names.peek().map(|name| (*name).clone())?;
        (!names.any(|name| *name == player.name)).then(|| (player.name.clone(), first))
    })
}

/// The warning about a header that was made from a text: its hash covers only what changes a game.
const UNCHECKED: &str = "; not checked: its description, printed numbers and log, and names of players without games";

/// All headers that may be those of the run, the surest first, and why there are not more.
pub(super) fn candidates(folder: &Path, scans: &[Scan], manifest: Option<&Manifest>) -> (Vec<Candidate>, String) {
    let (mut found, mut why): (Vec<Candidate>, String) = (Vec::new(), String::new());
    let mut add = |header: Header, from: String| {
        if found.iter().all(|candidate| candidate.header.binding() != header.binding()) {
            found.push(Candidate { header, from });
        }
    };
    for is_restored in [false, true] {
        for scan in scans.iter().filter(|scan| scan.is_restored == is_restored) {
            if let Some(header) = &scan.header {
                add(header.clone(), format!("from {}", name(&scan.path)));
            }
        }
    }
    let named = |hash: &str| scans.iter().any(|scan| scan.bound.keys().any(|of| of.hash == hash));
    if let Ok(toml) = disk::read_text(&folder.join(EXPERIMENT_FILE), MAX_FILE) {
        let is_wanted = |hash: &str| named(hash) || manifest.is_some_and(|manifest| manifest.hash == hash);
        let nothing_named = manifest.is_none() && scans.iter().all(|scan| scan.bound.is_empty());
        for overrides in overrides(scans, manifest) {
            let Ok(experiment) = Experiment::parse(&toml, "experiment.toml", overrides) else { continue };
            let plain = overrides == Overrides::default();
            if is_wanted(&experiment.hash()) || (plain && nothing_named) {
                let other = renamed(&experiment, scans);
                let other = other.map(|(is, was)| format!("; it calls a player {is:?} that the games call {was:?}"));
                let from = format!("from experiment.toml{UNCHECKED}{}", other.unwrap_or_default());
                add(header_of(&experiment, scans), from);
            }
        }
    }
    for scan in scans.iter().filter(|scan| !scan.is_restored) {
        let Some(header) = what_is_left(&scan.damaged) else { continue };
        let file = name(&scan.path);
        // Two sources that agree: the hash that it names or that lines name, and that of its experiment.
        let Ok(experiment) = header.read(&file) else { continue };
        let hash = experiment.hash();
        if hash != header.hash && !named(&hash) {
            continue;
        }
        match renamed(&experiment, scans) {
            None => {
                let from = format!("from what is left of the header of {file}{UNCHECKED}");
                let restated = header.restated;
                add(Header { restated, ..header_of(&experiment, scans) }, from);
            }
            Some((is, was)) => {
                why =
                    format!("; what is left of the header of {file} calls a player {is:?} that the games call {was:?}");
            }
        }
    }
    (found, why)
}

/// The header of a damaged line, if it is still one but for the checksum.
pub(super) fn what_is_left(line: &[u8]) -> Option<Header> {
    #[derive(Deserialize)]
    struct Left {
        header: Header,
    }
    serde_json::from_slice::<Left>(line).ok().map(|left| left.header)
}

/// What is read of `manifest.json`.
#[derive(Deserialize)]
pub(super) struct Manifest {
    hash: String,
    experiment: Resolved,
}

pub(super) fn manifest(folder: &Path) -> Option<Manifest> {
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
pub(super) fn of_one_run(candidates: Vec<Candidate>, scans: &[Scan], manifest: Option<&Manifest>) -> Vec<Candidate> {
    let lines = |candidate: &Candidate| scans.iter().map(|scan| scan.lines_of(candidate)).sum::<u64>();
    // Of those with as many lines the first.
    let was_reported = |candidate: &Candidate| {
        lines(candidate) > 0 && manifest.is_some_and(|manifest| manifest.hash == candidate.header.hash)
    };
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
