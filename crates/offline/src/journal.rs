//! The journal of an evolution, `evolution.jsonl`: one measured genome, or the answer of a proposer, per line.

use super::fitness::measure::{Measured, PlayedDeck, Request};
use super::plan::EvolutionPlan;
use super::plan::identity::hash_measured_by;
use super::plan::proposer::Proposal;
use evouct_base::phrase::Phrase;
use evouct_base::plural::counted;
use evouct_gp::{Genome, Terminal};
use evouct_stats::distinct::Distinct;
use evouct_store::{
    Binding, Entries, JournalHeader, JournalRecord, Problem, RecordError, SCORES_STEM, digest_of_entries, entry,
};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;

/// The version of the format.
pub(super) const FORMAT: u32 = 1;
/// The journal in the folder of an evolution.
pub const EVOLUTION_FILE: &str = "evolution.jsonl";

/// The first line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvolutionHeader {
    /// The version of the format.
    pub format: u32,
    /// The evouct that wrote it.
    pub evouct: String,
    /// The name of the evolution.
    pub name: String,
    /// The hash of the plan and the bank.
    pub hash: String,
    /// The seed.
    pub seed: u64,
    /// The digest of the bank; empty without one.
    pub bank: String,
    /// The digest of the bank's positions without their values; empty without a bank.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub positions: String,
    /// The text of the file.
    pub toml: String,
    /// The seed that replaced the file's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_override: Option<u64>,
    /// Who measured, if it was not evouct: nothing in the journal is a measurement of evouct.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_by: Option<String>,
    /// How many of the whole numbers that the game scores in are a point of the sums. Earlier journals counted in whole
    /// numbers.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub per_point: u32,
    /// The rules of its course: see [`EvolutionPlan::course`]. Earlier journals do not have it.
    #[serde(default, skip_serializing_if = "evouct_base::is_default")]
    pub course: u32,
}

fn one() -> u32 {
    1
}

fn is_one(number: &u32) -> bool {
    *number == 1
}

impl JournalHeader for EvolutionHeader {
    fn binding(&self) -> Binding {
        Binding { hash: self.hash.clone(), seed: self.seed }
    }

    fn objection(&self, theirs: &EvolutionHeader, file: &Path) -> Option<String> {
        self.other(theirs, file).or_else(|| self.changes(theirs, file)).map(another)
    }

    fn extends(&self, theirs: &EvolutionHeader) -> bool {
        type Fixed<'a> = (u32, &'a str, u32, u32, Option<&'a str>, &'a str, u64);
        fn fixed(of: &EvolutionHeader) -> Fixed<'_> {
            (of.format, &of.evouct, of.per_point, of.course, of.measured_by.as_deref(), &of.bank, of.seed)
        }
        if theirs.hash == self.hash || fixed(theirs) != fixed(self) {
            return false;
        }
        let plans = [self, theirs].map(EvolutionHeader::plan);
        let [Some(own), Some(other)] = &plans else { return false };
        // What a program of its own has added to an evolution does not stand in its file.
        let stands = |header: &EvolutionHeader, plan: &EvolutionPlan| {
            let hash = plan.hash(&header.bank);
            header.hash == header.measured_by.as_ref().map_or(hash.clone(), |by| hash_measured_by(&hash, by))
        };
        own.extends(other) && stands(self, own) && stands(theirs, other)
    }
}

/// Whether a journal is one of scores.
fn are_scores(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(SCORES_STEM))
}

fn another(what: String) -> String {
    format!("this folder holds another evolution: {what}; {}", Phrase::OtherFolder)
}

impl EvolutionHeader {
    /// In what another journal is of another evolution; none if it is of this one.
    fn other(&self, theirs: &EvolutionHeader, file: &Path) -> Option<String> {
        let is_same = |key: fn(&EvolutionHeader) -> (&str, u32, &str, u32, u32)| key(theirs) == key(self);
        if is_same(|header| (&header.hash, header.format, &header.evouct, header.per_point, header.course)) {
            return None;
        }
        Some(if theirs.format != self.format || theirs.evouct != self.evouct {
            format!("evouct {} wrote it, this is {}", theirs.evouct, self.evouct)
        } else if theirs.measured_by != self.measured_by {
            let [theirs, ours] = [theirs, self].map(|header| header.measured_by.as_deref().unwrap_or("evouct"));
            format!("its values were measured by {theirs}, not by {ours}")
        } else if let Some(what) = other_points(theirs, self) {
            what
        } else if theirs.bank != self.bank {
            format!("its bank has the digest {:.12}, this one {:.12}", theirs.bank, self.bank)
        } else if theirs.seed != self.seed {
            format!("its seed is {}, now {}", theirs.seed, self.seed)
        } else if let Some(what) = self.changes(theirs, file) {
            what
        } else if let [Some(own), Some(other)] = [self, theirs].map(EvolutionHeader::plan)
            && let Some(what) = own.extension(&other)
        {
            format!("its {what}")
        } else if let Err(errors) = EvolutionPlan::parse(&theirs.toml, "the recorded evolution", theirs.seed_override) {
            errors.to_string()
        } else if theirs.course != self.course {
            format!("its course is {}, not {}", theirs.course, self.course)
        } else {
            "its file differs in what determines the evolution".to_owned()
        })
    }

    /// The first key of what no result may choose that the file of another journal has otherwise; none if it has none.
    pub(super) fn changes(&self, theirs: &EvolutionHeader, file: &Path) -> Option<String> {
        if (&theirs.toml, theirs.seed_override) == (&self.toml, self.seed_override) {
            return None;
        }
        self.plan()?.difference(&theirs.plan()?, are_scores(file)).map(|found| format!("its {found}"))
    }

    /// The plan of its file, if this version reads it.
    fn plan(&self) -> Option<EvolutionPlan> {
        EvolutionPlan::parse(&self.toml, "", self.seed_override).ok()
    }

    /// Why this evolution does not go on from that of another journal, which it extends; none if it does. `extend` permits
    /// it. Scores go on in any case: generations change none of them.
    pub(super) fn not_extended(&self, theirs: &EvolutionHeader, file: &Path, extend: bool) -> Option<String> {
        let [own, other] = [self.plan()?, theirs.plan()?];
        let what = format!("its {}", own.extension(&other)?);
        match own.no_extension().filter(|_| !are_scores(file)) {
            Some(why) => Some(another(format!("{what}, and it cannot be extended ({why})"))),
            None => {
                (!extend).then(|| format!("this folder holds another evolution: {what}; {}", Phrase::ExtendEvolution))
            }
        }
    }
}

/// A measured genome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// The stage, from 0.
    pub stage: usize,
    /// The batch of the stage.
    pub batch: u32,
    /// Units of the batch.
    pub units: u32,
    /// The genome.
    pub genome: String,
    /// The hall of fame that was played against, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hall: Vec<String>,
    /// The sum of each block, in points per game times units.
    pub sums: Vec<f64>,
    /// The same of the second objective; empty without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub second: Vec<f64>,
    /// The decks of games, block by block, if some of them repeat others; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decks: Vec<PlayedDeck>,
    /// What it took, in seconds of one core, to the microsecond; no part of the digest. Earlier journals do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum JournalEntry {
    Measurement(Measurement),
    Proposal(Proposal),
}

impl<'de> Deserialize<'de> for JournalEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JournalEntry, D::Error> {
        // What is wrong with a measurement is to be said in its own words.
        let json = Box::<RawValue>::deserialize(deserializer)?;
        let read = if json.get().starts_with("{\"proposer\"") {
            serde_json::from_str(json.get()).map(JournalEntry::Proposal)
        } else {
            serde_json::from_str(json.get()).map(JournalEntry::Measurement)
        };
        read.map_err(D::Error::custom)
    }
}

impl JournalRecord for Measurement {
    fn line_in(&self, of: &Binding) -> Result<Cow<'_, str>, String> {
        Ok(entry(self, of))
    }
}

impl JournalRecord for JournalEntry {
    fn line_in(&self, of: &Binding) -> Result<Cow<'_, str>, String> {
        Ok(entry(self, of))
    }
}

/// What is known of an evolution.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// What was measured.
    pub measured: HashMap<RequestKey, Measured>,
    /// What was proposed, by generation and proposer.
    pub proposed: BTreeMap<(u32, String), Proposal>,
}

impl Known {
    /// Takes the entries of a journal.
    fn take(&mut self, entries: Vec<JournalEntry>) {
        for entry in entries {
            match entry {
                JournalEntry::Measurement(measurement) => {
                    let Measurement { stage, batch, units, genome, hall, sums, second, decks, seconds } = measurement;
                    // Earlier versions also wrote −0.
                    let (genome, hall) =
                        (Genome::key_of(&genome), hall.iter().map(|own| Genome::key_of(own)).collect());
                    let key = RequestKey { stage, batch, units, genome, hall };
                    self.measured.insert(key, Measured { sums, second, decks, seconds });
                }
                JournalEntry::Proposal(proposal) => self.note(proposal),
            }
        }
    }

    /// Takes the entries of a journal of any evolution.
    pub(super) fn take_file(&mut self, file: &Path) -> Result<(), RecordError> {
        self.take(Entries::<EvolutionHeader, JournalEntry>::read(file)?.entries);
        Ok(())
    }

    /// What the proposer of this name proposed in a generation.
    pub(super) fn proposal(&self, proposer: &str, generation: u32) -> Option<&Proposal> {
        self.proposed.get(&(generation, proposer.to_owned()))
    }

    pub(super) fn note(&mut self, proposal: Proposal) {
        self.proposed.insert((proposal.generation, proposal.proposer.clone()), proposal);
    }
}

/// A request as journals and messages hold it: genomes are their keys. Requests are equal where their keys are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(super) struct RequestKey {
    pub stage: usize,
    pub batch: u32,
    pub units: u32,
    pub genome: String,
    pub hall: Vec<String>,
}

pub(super) fn key_of(request: &Request) -> RequestKey {
    let Request { stage, batch, units, genome, hall } = request;
    let hall = hall.iter().map(Genome::key).collect();
    RequestKey { stage: *stage, batch: *batch, units: *units, genome: genome.key(), hall }
}

impl RequestKey {
    /// The request, with formulas over these terminals.
    pub(super) fn request(&self, terminals: &[Terminal]) -> Result<Request, String> {
        let RequestKey { stage, batch, units, genome, hall } = self;
        let hall = hall.iter().map(|member| Genome::parse(member, terminals)).collect::<Result<_, String>>()?;
        Ok(Request { stage: *stage, batch: *batch, units: *units, genome: Genome::parse(genome, terminals)?, hall })
    }

    pub(super) fn entry(self, measured: Measured) -> Measurement {
        let RequestKey { stage, batch, units, genome, hall } = self;
        let Measured { sums, second, decks, seconds } = measured;
        let seconds = seconds.map(|seconds| (1e6 * seconds).round() / 1e6);
        Measurement { stage, batch, units, genome, hall, sums, second, decks, seconds }
    }
}

/// What an evolution has asked for.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Measurements.
    pub measured: BTreeMap<RequestKey, Measured>,
    /// Proposals.
    pub proposed: Vec<Proposal>,
}

/// Decks of games that an evolution has asked for, in measurements in which some repeat others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RepeatedDecks {
    /// Decks that were played.
    pub decks: u64,
    /// Those that repeat no earlier deck of the same formula against the same opponent: what errors and tests count.
    pub distinct: u64,
}

impl fmt::Display for RepeatedDecks {
    /// A sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RepeatedDecks { decks, distinct } = self;
        write!(
            f,
            "{}, {distinct} distinct: a deck that repeats the games of an earlier one of the same formula and opponent, move by \
             move, is no evidence. In a game without chance, openings = {{ plies = 4 }} in the file makes decks differ.",
            counted(*decks, "deck")
        )
    }
}

impl Used {
    /// The decks that repeat others; none where nothing repeats.
    pub(super) fn repeats(&self) -> Option<RepeatedDecks> {
        let mut seen: HashMap<&str, Distinct> = HashMap::new();
        let mut decks = 0;
        for (key, measured) in &self.measured {
            let distinct = seen.entry(&key.genome).or_default();
            for deck in &measured.decks {
                distinct.adds([deck.games]);
                decks += 1;
            }
        }
        let repeats = seen.values().map(Distinct::repeats).sum::<u64>();
        (repeats > 0).then_some(RepeatedDecks { decks, distinct: decks - repeats })
    }

    /// What all measurements took, in seconds of one core; none where that of some is not known.
    pub(super) fn seconds(&self) -> Option<f64> {
        self.measured.values().map(|measured| measured.seconds).sum()
    }

    /// The digest of all of it but the time.
    pub(super) fn digest(self) -> String {
        let timeless = |measured| Measured { seconds: None, ..measured };
        let measured = self.measured.into_iter().map(|(key, measured)| key.entry(timeless(measured)));
        let measured = measured.map(JournalEntry::Measurement);
        digest_of_entries(measured.chain(self.proposed.into_iter().map(JournalEntry::Proposal)))
    }
}

/// Reads a journal of this evolution.
pub(super) fn read_journal(
    file: &Path,
    header: &EvolutionHeader,
    known: &mut Known,
    problems: &mut Vec<Problem>,
) -> Result<(), RecordError> {
    let read = Entries::<EvolutionHeader, JournalEntry>::read(file)?;
    if let Some(theirs) = &read.header {
        if !header.extends(theirs)
            && let Some(what) = header.other(theirs, file)
        {
            return Err(RecordError::Other { path: file.to_owned(), problem: another(what) });
        }
        let said = |change| format!("this is fixed before the first measurement, and was changed after it: {change}");
        problems
            .extend(header.changes(theirs, file).map(|change| Problem::at(file.display().to_string(), said(change))));
    }
    problems.extend(read.problems);
    known.take(read.entries);
    Ok(())
}

/// What is wrong where two journals count in other points; none if they do not.
pub(super) fn other_points(theirs: &EvolutionHeader, ours: &EvolutionHeader) -> Option<String> {
    let text = || format!("its points are scores over {}, not over {}", theirs.per_point, ours.per_point);
    (theirs.per_point != ours.per_point).then(text)
}
