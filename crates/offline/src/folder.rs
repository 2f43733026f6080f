//! The folder of an evolution as it was left: how far the evolution has come, from its records alone.

use super::bank::Bank;
use super::course::calibrate::{calibration_genomes, calibration_requests};
use super::course::finals::{EvolutionResult, course};
use super::course::history::{Flow, FlowRequest, GenerationRow, History, Judge, generations_of};
use super::error::EvolutionError;
use super::fitness::measure::{CALIBRATION, Measured, Measurer, Purpose, Request};
use super::fitness::oracle_gain::REPEATS;
use super::journal::{EvolutionHeader, Known, RequestKey, Used, key_of, other_points, read_journal};
use super::output::PROOF_FILE;
use super::plan::EvolutionPlan;
use super::plan::proposer::{Proposal, Question};
use evouct_base::sampling::shuffle;
use evouct_base::seed::Key;
use evouct_league::config::{PYTHON, check_name};
use evouct_store::disk::read_text;
use evouct_store::{EVOLUTION_STEM, JournalHeader, Problem, RecordError, has_begun, journals};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The largest file of a league that tests a champion, in bytes.
const MAX_PROOF: u64 = 1 << 20;

/// An evolution in its folder, read-only.
#[derive(Debug)]
pub struct EvolutionFolder {
    folder: PathBuf,
    header: EvolutionHeader,
    plan: EvolutionPlan,
    known: Known,
    /// Lines that could not be read, or are of another evolution.
    pub problems: Vec<Problem>,
}

/// How far an evolution has come.
#[derive(Clone, Debug)]
pub struct EvolutionProgress {
    /// The course so far: generations that are complete.
    pub history: History,
    /// The result; none if measurements are missing.
    pub evolved: Option<EvolutionResult>,
    /// Measurements that the evolution has used.
    pub measurements: usize,
    /// What all of them took.
    pub spent: Effort,
    /// By generation that is complete, what all measurements up to its end took.
    pub effort: Vec<Effort>,
    /// Measurements that are missing in the batch where it stands.
    pub missing: usize,
    /// Measurements of that batch.
    pub of_batch: usize,
    /// The proposer whose answer is what is missing, where it is not measurements.
    pub proposer: Option<String>,
    /// The stage of that batch, from 0.
    pub stage: usize,
}

/// What measurements took.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// [Games or positions](EvolutionPlan::unit_of_effort).
    pub units: u64,
    /// Seconds of one core; none where the time of some is not known.
    pub seconds: Option<f64>,
}

/// That the league which tests the champion has other decks than the evolution began with: earlier versions let their
/// number change.
fn other_proof(folder: &Path, decks: u32) -> Option<Problem> {
    let file = folder.join(PROOF_FILE);
    let text = read_text(&file, MAX_PROOF).ok()?;
    let found: u32 = text.lines().find_map(|line| line.strip_prefix("games_per_match = "))?.trim().parse().ok()?;
    let text = format!("this league has {found} decks, but held_out_decks was {decks} before the first measurement");
    (found != decks).then(|| Problem::at(file.display().to_string(), text))
}

/// The journals of an evolution that has begun, and the header: of an extended one that of the last extension.
fn header_of(folder: &Path) -> Result<Option<(Vec<PathBuf>, EvolutionHeader)>, RecordError> {
    let files = if folder.is_dir() { journals(folder, EVOLUTION_STEM)? } else { Vec::new() };
    let Some(first) = files.iter().find(|file| has_begun(file)) else { return Ok(None) };
    let mut header: Option<EvolutionHeader> = None;
    for found in files.iter().filter_map(|file| EvolutionHeader::of_file(file).transpose()) {
        let found = found?;
        if header.as_ref().is_none_or(|header| found.extends(header)) {
            header = Some(found);
        }
    }
    let header = header.ok_or_else(|| RecordError::folder(first, "the journal has no header".to_owned()))?;
    Ok(Some((files, header)))
}

impl EvolutionFolder {
    /// Opens a folder; none if it has no journal of an evolution that has begun.
    ///
    /// # Errors
    /// If journals cannot be read, or are of different evolutions.
    pub fn open(folder: &Path) -> Result<Option<EvolutionFolder>, RecordError> {
        let Some((files, header)) = header_of(folder)? else { return Ok(None) };
        let first = files.iter().find(|file| has_begun(file)).unwrap_or(&files[0]);
        // It is printed.
        let is_name = header.measured_by.as_deref().map_or(Ok(()), check_name);
        is_name.map_err(|problem| RecordError::folder(first, format!("measured_by: {problem}")))?;
        let plan = EvolutionPlan::parse(&header.toml, "the recorded evolution", header.seed_override);
        let mut plan = plan.map_err(|errors| RecordError::folder(first, errors.to_string()))?;
        plan.course = header.course;
        let ours = EvolutionHeader { per_point: plan.games[0].rules.domain().scale().per_point(), ..header.clone() };
        if let Some(what) = other_points(&header, &ours) {
            return Err(RecordError::folder(first, what));
        }
        let (mut known, mut problems) = (Known::default(), Vec::new());
        for file in &files {
            read_journal(file, &header, &mut known, &mut problems)?;
        }
        problems.extend(other_proof(folder, plan.evolve.held_out_decks));
        Ok(Some(EvolutionFolder { folder: folder.to_owned(), header, plan, known, problems }))
    }

    /// The name of an evolution that needs callables of Python, and how many measurements its journals hold. None if the
    /// folder has another evolution, or none.
    ///
    /// # Errors
    /// If journals cannot be read.
    pub fn recorded_with_python(folder: &Path) -> Result<Option<(String, usize)>, RecordError> {
        let Some((files, header)) = header_of(folder)? else { return Ok(None) };
        let has_python = |file: toml::Table| file.contains_key(PYTHON);
        if !header.toml.parse().is_ok_and(has_python) {
            return Ok(None);
        }
        let mut known = Known::default();
        for file in &files {
            known.take_file(file)?;
        }
        Ok(Some((header.name, known.measured.len())))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The plan.
    pub fn plan(&self) -> &EvolutionPlan {
        &self.plan
    }

    /// The digest of the bank; empty without one.
    pub fn bank_digest(&self) -> &str {
        &self.header.bank
    }

    /// The seed that was given in place of the file's, if one was.
    pub fn seed_override(&self) -> Option<u64> {
        self.header.seed_override
    }

    /// Who measured, if it was not evouct.
    pub fn measured_by(&self) -> Option<&str> {
        self.header.measured_by.as_deref()
    }

    /// Measurements that are recorded, used or not.
    pub fn recorded(&self) -> usize {
        self.known.measured.len()
    }

    /// The recorded answer to a request.
    pub(super) fn measured(&self, request: &Request) -> Option<Measured> {
        self.known.measured.get(&key_of(request)).cloned()
    }

    /// Whether this folder can judge a calibration of `count` formulas by the plan with this header, whose bank has so
    /// many test positions.
    pub(super) fn may_judge(
        &self,
        plan: &EvolutionPlan,
        header: &EvolutionHeader,
        count: usize,
        positions: usize,
    ) -> Result<(), String> {
        let refused = |why: &str| Err(format!("{} cannot judge: {why}", self.folder.display()));
        if let Some(by) = self.measured_by() {
            return refused(&format!("its values were measured by {by}, not by evouct"));
        }
        if self.plan.hash("") != plan.hash("") {
            return refused("its file differs in more than the bank");
        }
        if self.header.bank == header.bank {
            return refused("it has the same bank; make one with another value_seed");
        }
        if self.header.positions != header.positions {
            return refused("its bank has other positions; only value_seed may differ in the recipes");
        }
        let judged: Vec<usize> = (0..plan.stages.len()).filter(|stage| plan.stages[*stage].is_by_position()).collect();
        if judged.is_empty() {
            return refused("no stage measures positions with block = 1");
        }
        let needed = REPEATS * positions;
        if let Some(stage) = judged.iter().find(|stage| (plan.stages[**stage].most_units() as usize) < needed) {
            return refused(&format!(
                "stage {} does not measure each of the {positions} test positions twice; give it {needed} positions or more",
                stage + 1
            ));
        }
        let genomes = calibration_genomes(plan, count);
        let requests = judged.iter().flat_map(|stage| calibration_requests(plan, *stage, &genomes));
        let missing = requests.filter(|request| self.measured(request).is_none()).count();
        match missing {
            0 => Ok(()),
            _ => refused(&format!("{missing} of its measurements are missing; calibrate it with as many formulas")),
        }
    }

    /// Takes the course of the evolution as far as its records go.
    pub fn progress(&self) -> EvolutionProgress {
        let (used, history, ended) = (Used::default(), History::default(), Missing::default());
        let effort = (Effort { units: 0, seconds: Some(0.0) }, Vec::new());
        let mut judge = RecordedJudge { plan: &self.plan, known: &self.known, used, history, ended, effort };
        let taken = course(&self.plan, &mut judge);
        let RecordedJudge { used, history, ended, effort: (spent, effort), .. } = judge;
        let measurements = used.measured.len();
        match taken {
            Ok((history, finals)) => {
                let taken = (history.clone(), finals);
                let evolved = EvolutionResult::of(taken, used, self.measured_by());
                EvolutionProgress {
                    history,
                    evolved: Some(evolved),
                    measurements,
                    spent,
                    effort,
                    missing: 0,
                    of_batch: 0,
                    proposer: None,
                    stage: 0,
                }
            }
            Err(_) => {
                let Missing { missing, of_batch, proposer, stage } = ended;
                let evolved = None;
                EvolutionProgress { history, evolved, measurements, spent, effort, missing, of_batch, proposer, stage }
            }
        }
    }

    /// Makes `count` of the recorded measurements again, drawn by a seed, and returns those that differ.
    ///
    /// # Errors
    /// If evouct did not measure, the bank is not the one that the evolution used, or a measurement fails.
    pub fn verify(&self, bank: Option<Bank>, count: usize, seed: u64) -> Result<Verified, EvolutionError> {
        if let Some(by) = self.measured_by() {
            let problem = format!("its values were measured by {by}, not by evouct, which cannot make them again");
            return Err(EvolutionError::Plan(format!("{}: {problem}", self.folder.display())));
        }
        let digest = bank.as_ref().map_or("", |bank| &bank.digest);
        if digest != self.header.bank {
            let found =
                if digest.is_empty() { "none is given".to_owned() } else { format!("this one has {digest:.12}") };
            let problem = format!("the evolution used a bank with the digest {:.12}, {found}", self.header.bank);
            return Err(EvolutionError::Plan(problem));
        }
        let calibrated =
            !self.known.measured.is_empty() && self.known.measured.keys().all(|key| key.batch == CALIBRATION);
        let purpose = if calibrated { Purpose::Calibration } else { Purpose::Evolution };
        let measurer = Measurer::new(self.plan.clone(), bank, purpose).map_err(EvolutionError::Plan)?;
        let terminals = self.plan.terminals();
        let mut all: Vec<(&RequestKey, &Measured)> = self.known.measured.iter().collect();
        all.sort_by_key(|(key, _)| *key);
        shuffle(&mut Key::experiment(seed).stream(), &mut all);
        let (mut checked, mut differing) = (0, Vec::new());
        for (key, measured) in all.into_iter().take(count) {
            let request = key.request(&terminals).map_err(EvolutionError::Plan)?;
            let again = (0..self.plan.blocks(&request)).map(|block| measurer.block(&request, block));
            let mut again = again.collect::<Result<Measured, _>>().map_err(EvolutionError::Measure)?;
            if measured.decks.is_empty() {
                // Earlier versions did not record which decks repeat others.
                again.decks.clear();
            }
            again.seconds = measured.seconds;
            checked += 1;
            if again != *measured {
                differing.push(format!("stage {}, batch {}: {}", key.stage + 1, key.batch, key.genome));
            }
        }
        Ok(Verified { checked, differing })
    }
}

/// Measurements that were made again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// Their number.
    pub checked: usize,
    /// Those whose values differ from the record.
    pub differing: Vec<String>,
}

/// Where an evolution stands.
#[derive(Default)]
struct Missing {
    missing: usize,
    of_batch: usize,
    proposer: Option<String>,
    stage: usize,
}

/// Answers from the records.
struct RecordedJudge<'a> {
    plan: &'a EvolutionPlan,
    known: &'a Known,
    used: Used,
    /// The course up to the last complete generation.
    history: History,
    /// What it ended at.
    ended: Missing,
    /// What all measurements so far took, and the same at the end of each generation.
    effort: (Effort, Vec<Effort>),
}

impl RecordedJudge<'_> {
    fn end(&mut self, ended: Missing) -> EvolutionError {
        let missing = ended.missing;
        self.ended = ended;
        EvolutionError::Waiting { missing }
    }
}

impl Judge for RecordedJudge<'_> {
    fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, EvolutionError> {
        let mut missing: BTreeSet<RequestKey> = BTreeSet::new();
        let mut answers = Vec::new();
        for request in requests {
            let key = key_of(request);
            // As an evolution that goes on: an answer of another number of blocks is none.
            match self.known.measured.get(&key).filter(|measured| self.plan.fits(request, measured)) {
                Some(measured) => {
                    if self.used.measured.insert(key, measured.clone()).is_none() {
                        let Effort { units, seconds } = &mut self.effort.0;
                        *units += self.plan.effort(request);
                        *seconds = seconds.zip(measured.seconds).map(|(all, own)| all + own);
                    }
                    answers.push(measured.clone());
                }
                None => {
                    missing.insert(key);
                }
            }
        }
        if missing.is_empty() {
            return Ok(answers);
        }
        let stage = requests.first().map_or(0, |request| request.stage);
        let all: BTreeSet<RequestKey> = requests.iter().map(key_of).collect();
        Err(self.end(Missing { missing: missing.len(), of_batch: all.len(), proposer: None, stage }))
    }

    fn propose(&mut self, question: &Question) -> Result<Proposal, EvolutionError> {
        let name = &self.plan.proposers[question.proposer].name;
        let proposal = self.known.proposal(name, question.generation).cloned();
        let proposer = Some(name.clone());
        let missing = || Missing { missing: 1, of_batch: 1, proposer, stage: 0 };
        let proposal = proposal.ok_or_else(|| self.end(missing()))?;
        self.used.proposed.push(proposal.clone());
        Ok(proposal)
    }

    fn flow(&mut self, flow: &mut dyn Flow) -> Result<(), EvolutionError> {
        let mut missing = 0;
        loop {
            let asked = flow.ask();
            if asked.is_empty() {
                break;
            }
            for FlowRequest { number, request, .. } in asked {
                match self.measure(&[request]) {
                    Ok(measured) => measured.into_iter().for_each(|measured| flow.tell(number, measured)),
                    Err(_) => missing += self.ended.missing,
                }
                let (history, rows) = flow.news();
                if !rows.is_empty() {
                    self.generation(history, rows);
                }
            }
        }
        match missing {
            0 => Ok(()),
            _ => Err(self.end(Missing { missing, of_batch: missing, proposer: None, stage: 0 })),
        }
    }

    fn generation(&mut self, history: &History, rows: &[GenerationRow]) {
        self.history = history.clone();
        // One answer may end several generations.
        self.effort.1.extend(generations_of(rows).map(|_| self.effort.0));
        // Where generations do not wait, some of the next one may be there already.
        let last = rows.last().map_or(0, |row| row.generation);
        self.history.individuals.retain(|individual| individual.born <= last);
    }
}
