//! One evolution for each of several random seeds: ordinary evolutions in the sub-folders of one folder.
//!
//! The folder has a plan, the list of its seeds, and no other state. The evolution of a seed is that of the same file with
//! this seed alone: its folder has journals, shards, resume and reports like any other.

use super::folder::{EvolutionFolder, EvolutionProgress};
use super::plan::EvolutionPlan;
use evouct_base::phrase::Phrase;
use evouct_base::plural::counted;
use evouct_league::config::check_name;
use evouct_league::schedule::Shard;
use evouct_store::{FolderKind, RecordError, SEEDS_PLAN, VERSION, claim, read_plan, record_plan};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The version of the plan's format.
const FORMAT: u32 = 1;
/// The most seeds.
const MAX_SEEDS: usize = 1_000;

/// The plan, as it is recorded.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    format: u32,
    evouct: String,
    /// The name in the file of the evolution.
    name: String,
    seeds: Vec<u64>,
}

/// Evolutions of several seeds in their folder.
#[derive(Clone, Debug)]
pub struct EvolutionSet {
    folder: PathBuf,
    name: String,
    seeds: Vec<u64>,
}

/// The evolution of a seed.
#[derive(Debug)]
pub struct SeedEvolution {
    /// The seed.
    pub seed: u64,
    /// Its evolution, and how far it has come; none before it has begun.
    pub begun: Option<(EvolutionFolder, EvolutionProgress)>,
    /// Whether nothing is missing. An evolution that others of the set are longer than waits for its extension.
    pub is_complete: bool,
}

impl SeedEvolution {
    /// What came of it; none before its end.
    pub fn evolved(&self) -> Option<(&EvolutionPlan, &super::EvolutionResult)> {
        let (folder, progress) = self.begun.as_ref().filter(|_| self.is_complete)?;
        Some((folder.plan(), progress.evolved.as_ref()?))
    }
}

impl EvolutionSet {
    /// Reads seeds: numbers and ranges with both ends, such as `1..10` or `1,2,5..8`. They are sorted.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn seeds_of(text: &str) -> Result<Vec<u64>, String> {
        let unknown = || format!("expected seeds such as 1..10 or 1,2,5, found {text:?}");
        let number = |text: &str| {
            let seed = text.trim().parse::<u64>().map_err(|_| unknown())?;
            if seed < u64::MAX { Ok(seed) } else { Err(format!("{seed} is no seed: expected less")) }
        };
        let mut seeds = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(format!("{part} goes down; write {last}..{first}"));
            }
            if last - first >= MAX_SEEDS as u64 || seeds.len() + (last - first) as usize >= MAX_SEEDS {
                return Err(format!("expected at most {MAX_SEEDS} seeds, found {text}"));
            }
            seeds.extend(first..=last);
        }
        EvolutionSet::checked(seeds)
    }

    /// The seeds in order.
    ///
    /// # Errors
    /// If there are none, too many, or one twice.
    fn checked(mut seeds: Vec<u64>) -> Result<Vec<u64>, String> {
        seeds.sort_unstable();
        if let Some(twice) = seeds.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("the seed {} stands twice", twice[0]));
        }
        match seeds.len() {
            1..=MAX_SEEDS => Ok(seeds),
            count => Err(format!("expected 1 to {MAX_SEEDS} seeds, found {count}")),
        }
    }

    /// The set in a folder; none if it holds none.
    ///
    /// # Errors
    /// If its plan cannot be read.
    pub fn open(folder: &Path) -> Result<Option<EvolutionSet>, RecordError> {
        let path = folder.join(SEEDS_PLAN);
        let Some(plan) = read_plan::<Plan>(&path)? else { return Ok(None) };
        let other = |problem: String| RecordError::folder(&path, problem);
        if plan.format != FORMAT {
            return Err(other(format!("format {} of a plan is not {FORMAT}, which this version reads", plan.format)));
        }
        check_name(&plan.name).map_err(other)?;
        let seeds = EvolutionSet::checked(plan.seeds).map_err(other)?;
        Ok(Some(EvolutionSet { folder: folder.to_owned(), name: plan.name, seeds }))
    }

    /// The set of the evolution of this name with these seeds, in a folder that holds it, is empty or absent; with `extend`
    /// the folder may hold some of the seeds. Nothing is written.
    ///
    /// # Errors
    /// If the folder holds something else.
    pub fn plan(folder: &Path, name: &str, seeds: Vec<u64>, extend: bool) -> Result<EvolutionSet, RecordError> {
        let seeds = EvolutionSet::checked(seeds).map_err(|problem| RecordError::folder(folder, problem))?;
        FolderKind::Evolutions.check(folder)?;
        let set = EvolutionSet { folder: folder.to_owned(), name: name.to_owned(), seeds };
        let Some(theirs) = EvolutionSet::open(folder)? else { return Ok(set) };
        let said = |what: String, advice: Phrase| format!("this folder holds other evolutions: {what}; {advice}");
        let other =
            |what: String| RecordError::Other { path: folder.to_owned(), problem: said(what, Phrase::OtherFolder) };
        if theirs.name != set.name {
            return Err(other(format!("their name is {}, now {}", theirs.name, set.name)));
        }
        let has_all = theirs.seeds.iter().all(|seed| set.seeds.contains(seed));
        if theirs.seeds != set.seeds && !(has_all && extend) {
            let what = format!("their seeds are {}, now {}", listed(&theirs.seeds), listed(&set.seeds));
            return Err(if has_all {
                RecordError::folder(folder, said(what, Phrase::ExtendEvolution))
            } else {
                other(what)
            });
        }
        Ok(set)
    }

    /// Records the plan, unless the folder has it. Processes that start at once may all do so.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn record(&self) -> Result<(), RecordError> {
        if EvolutionSet::open(&self.folder)?.is_some_and(|recorded| recorded.seeds == self.seeds) {
            return Ok(());
        }
        claim(&self.folder)?;
        let (name, seeds) = (self.name.clone(), self.seeds.clone());
        let plan = Plan { format: FORMAT, evouct: VERSION.to_owned(), name, seeds };
        record_plan(&self.folder.join(SEEDS_PLAN), &plan)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name in the file of the evolution.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The seeds in order.
    pub fn seeds(&self) -> &[u64] {
        &self.seeds
    }

    /// The name of the sub-folder of a seed.
    pub fn sub_folder(seed: u64) -> String {
        format!("seed-{seed}")
    }

    /// The folder of a seed.
    pub fn folder_of(&self, seed: u64) -> PathBuf {
        self.folder.join(EvolutionSet::sub_folder(seed))
    }

    /// What a shard does: seeds of its own, each whole. Where there are more shards than seeds, several share a seed.
    pub fn part(&self, shard: Option<Shard>) -> Vec<(u64, Option<Shard>)> {
        let Some(shard) = shard else { return self.seeds.iter().map(|seed| (*seed, None)).collect() };
        let (count, index, all) = (shard.count(), shard.index(), self.seeds.len() as u32);
        let own = |place: u32| place % count == index % all;
        let seeds = (0..).zip(&self.seeds).filter(|(place, _)| own(*place));
        let sharers = (0..count).filter(|other| other % all == index % all).count() as u32;
        let shared = (count > all && sharers > 1).then(|| Shard::new(index / all, sharers).ok()).flatten();
        seeds.map(|(_, seed)| (*seed, shared)).collect()
    }

    /// The evolutions of all seeds, each as far as its records go.
    ///
    /// # Errors
    /// If journals cannot be read, or one is of another file or seed.
    pub fn evolutions(&self) -> Result<Vec<SeedEvolution>, RecordError> {
        let mut all = Vec::new();
        let mut first: Option<(EvolutionPlan, String)> = None;
        for seed in &self.seeds {
            let folder = EvolutionFolder::open(&self.folder_of(*seed))?;
            if let Some(own) = &folder {
                let other = |problem: String| RecordError::folder(own.folder(), problem);
                if own.plan().seed != *seed {
                    return Err(other(format!("this is the evolution of the seed {}", own.plan().seed)));
                }
                let (plan, bank) = first.get_or_insert_with(|| (own.plan().clone(), own.bank_digest().to_owned()));
                if !own.plan().is_of_file(plan) || *bank != own.bank_digest() {
                    return Err(other(format!(
                        "this evolution has another file or bank than that of seed {}",
                        plan.seed
                    )));
                }
            }
            let begun = folder.map(|folder| {
                let progress = folder.progress();
                (folder, progress)
            });
            all.push(SeedEvolution { seed: *seed, begun, is_complete: false });
        }
        let generations = |own: &SeedEvolution| own.begun.as_ref().map(|(folder, _)| folder.plan().evolve.generations);
        let most = all.iter().filter_map(generations).max();
        for own in &mut all {
            let has_ended = own.begun.as_ref().is_some_and(|(_, progress)| progress.evolved.is_some());
            own.is_complete = has_ended && generations(own) == most;
        }
        Ok(all)
    }

    /// The digest over the digests of all seeds; none before all are complete.
    pub fn digest(evolutions: &[SeedEvolution]) -> Option<String> {
        let mut hasher = blake3::Hasher::new();
        for own in evolutions {
            let (_, evolved) = own.evolved()?;
            hasher.update(format!("{} {}\n", EvolutionSet::sub_folder(own.seed), evolved.digest).as_bytes());
        }
        Some(hasher.finalize().to_hex().to_string())
    }

    /// How many of the seeds are complete, in words.
    pub fn standing(evolutions: &[SeedEvolution]) -> String {
        let complete = evolutions.iter().filter(|own| own.is_complete).count();
        match evolutions.len() - complete {
            0 => format!("complete, {}", counted(complete, "seed")),
            _ => format!("{complete} of {} complete", counted(evolutions.len(), "seed")),
        }
    }
}

/// Seeds as [`EvolutionSet::seeds_of`] reads them.
fn listed(seeds: &[u64]) -> String {
    let runs = seeds.chunk_by(|a, b| a + 1 == *b);
    let said = runs.map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}..{last}"),
        [] => String::new(),
    });
    said.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_numbers_and_ranges() {
        let read = EvolutionSet::seeds_of;
        assert_eq!(read("7,1..3, 5").map(|seeds| listed(&seeds)), Ok("1..3,5,7".to_owned()));
        assert_eq!(read("4..4"), Ok(vec![4]));
        for (text, words) in [
            ("", "expected seeds such as"),
            ("1-3", "expected seeds such as"),
            ("1..", "expected seeds such as"),
            ("3..1", "3..1 goes down; write 1..3"),
            ("1..3,2", "the seed 2 stands twice"),
            ("1..1001", "at most 1000 seeds"),
            ("0..18446744073709551614", "at most 1000 seeds"),
            ("18446744073709551615", "is no seed"),
        ] {
            let problem = read(text).unwrap_err();
            assert!(problem.contains(words), "{text}: {problem}");
        }
    }

    #[test]
    fn shards_have_every_seed_once() {
        for (seeds, shards) in [(3, 1), (3, 2), (3, 3), (3, 7), (5, 4), (1, 4)] {
            let set = EvolutionSet { folder: PathBuf::new(), name: String::new(), seeds: (1..=seeds).collect() };
            let parts = (0..shards).flat_map(|index| set.part(Some(Shard::new(index, shards).unwrap())));
            let parts: Vec<(u64, Option<Shard>)> = parts.collect();
            for seed in 1..=seeds {
                let own: Vec<Option<Shard>> =
                    parts.iter().filter(|(own, _)| *own == seed).map(|(_, shard)| *shard).collect();
                match &own[..] {
                    [None] => {}
                    shared => {
                        let count = shared.len() as u32;
                        let all = (0..count).map(|index| Some(Shard::new(index, count).unwrap()));
                        assert!(count > 1 && all.eq(shared.iter().copied()), "{seeds} {shards}: {shared:?}");
                    }
                }
            }
        }
        let set = EvolutionSet { folder: PathBuf::new(), name: String::new(), seeds: vec![2, 4] };
        assert_eq!(set.part(None), [(2, None), (4, None)]);
    }
}
