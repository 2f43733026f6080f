//! An evolution in its folder: what is measured already, what is missing, and measuring it.
//!
//! The journal `evolution.jsonl` holds one measured genome, or the answer of a proposer, per line. A resumed evolution takes
//! its course again from the start and finds all that it needs in the journal, until it comes to what is missing.
//!
//! Shards share a folder: each takes the whole course, measures its part of every batch (in a steady state births of its
//! own) into a journal of its own, and waits for the parts of the others. The first shard asks the proposers.

use super::bank::Bank;
use super::course::calibrate::{CalibrationGate, CalibrationJudge, calibrate};
use super::course::finals::{EvolutionResult, course};
use super::course::history::{Flow, GenerationRow, History, Judge};
use super::error::EvolutionError;
use super::executor::{Batch, BlockSum, Blocks};
use super::fitness::measure::{MeasureError, Measured, Measurer, Purpose, Request};
use super::folder::EvolutionFolder;
use super::journal::{EvolutionHeader, FORMAT, Known, Used, key_of, read_journal};
use super::journal_flow::JournalFlow;
use super::plan::MAX_BLOCKS;
use super::plan::identity::hash_measured_by;
use super::plan::proposer::{Programs, Proposal, Question};
use super::records::{Records, Sums};
use evouct_base::panic::catch;
use evouct_base::plural::counted;
use evouct_league::config::check_name;
use evouct_league::league::{End, Executor, Taker};
use evouct_league::schedule::Shard;
use evouct_search::search::Clock;
use evouct_store::{EVOLUTION_STEM, FolderKind, JournalHeader, Problem, RecordError, SCORES_STEM, Store, VERSION};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::plan::EvolutionPlan;

/// How an evolution is carried out.
pub struct RunContext<'a> {
    /// Who computes.
    pub executor: &'a mut dyn Executor<Blocks>,
    /// Set from outside to end early.
    pub stop: &'a Arc<AtomicBool>,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// How long a shard waits without news from others.
    pub patience: Duration,
}

/// What is asked of an evolution besides its plan.
#[derive(Clone, Debug, Default)]
pub struct EvolutionOptions {
    /// The seed that replaces the file's, if one does: journals record it.
    pub seed: Option<u64>,
    /// The part that is measured; none for all of it.
    pub shard: Option<Shard>,
    /// What genomes are measured for.
    pub purpose: Purpose,
    /// Whether the evolution may have more generations than the folder has: what is recorded stays a part of it, and the
    /// result is that of an evolution which began with as many.
    pub extend: bool,
    /// Who measures in place of evouct, by a name of letters, digits and `. _ -`. The journal says so: no other session
    /// takes its values, and none of its values is taken for a measurement of evouct.
    pub measured_by: Option<String>,
}

/// An evolution that is ready to continue.
pub struct EvolutionSession {
    measurer: Arc<Measurer>,
    store: Store<EvolutionHeader>,
    known: Known,
    /// Lines that could not be read; they are measured again.
    pub problems: Vec<Problem>,
}

impl EvolutionSession {
    /// Reads the folder of an evolution. Nothing is written.
    ///
    /// # Errors
    /// If the bank does not fit, the folder holds another evolution, or files cannot be read; with
    /// [`extend`](EvolutionOptions::extend) if a longer evolution would have gone another way from the start.
    pub fn plan(
        plan: EvolutionPlan,
        bank: Option<Bank>,
        folder: &Path,
        options: &EvolutionOptions,
    ) -> Result<EvolutionSession, EvolutionError> {
        let EvolutionOptions { seed, shard, purpose, extend, measured_by } = options;
        let measured_by = measured_by.as_deref();
        if let Some(by) = measured_by {
            check_measurer(by).map_err(|problem| EvolutionError::Plan(format!("measured_by: {problem}")))?;
        }
        let mut measurer = Measurer::new(plan, bank, *purpose).map_err(EvolutionError::Plan)?;
        let plan = measurer.plan();
        let hash = measurer.hash();
        let header = EvolutionHeader {
            format: FORMAT,
            evouct: VERSION.to_owned(),
            name: plan.name.clone(),
            hash: measured_by.map_or(hash.to_owned(), |by| hash_measured_by(hash, by)),
            seed: plan.seed,
            bank: measurer.bank_digest().to_owned(),
            positions: measurer.positions_digest().to_owned(),
            toml: plan.toml.clone(),
            seed_override: *seed,
            measured_by: measured_by.map(str::to_owned),
            per_point: plan.games[0].rules.domain().scale().per_point(),
            course: plan.course,
        };
        let (kind, stem) = match purpose {
            Purpose::Scores(_) => (FolderKind::Scores, SCORES_STEM),
            _ => (FolderKind::Evolution, EVOLUTION_STEM),
        };
        kind.check(folder)?;
        let mut store = Store::new(folder, stem, *shard, header);
        let files = store.journals()?;
        if let Some(first) = files.first()
            && let Some(theirs) = EvolutionHeader::of_file(first)?
        {
            // What version 0.1 began goes on under its hash.
            if measured_by.is_none() && theirs.hash == plan.hash_of_0_1(measurer.bank_digest()) {
                store.header.hash = theirs.hash;
            }
            // It also goes on by the rules by which it began.
            store.header.course = theirs.course;
            measurer.set_course(theirs.course);
        }
        let (mut known, mut problems) = (Known::default(), Vec::new());
        let headers = files.iter().map(|file| EvolutionHeader::of_file(file)).collect::<Result<Vec<_>, _>>()?;
        // Once an extension is recorded, the same file goes on with it.
        let is_recorded = headers.iter().flatten().any(|theirs| theirs.hash == store.header.hash);
        for (file, theirs) in files.iter().zip(&headers) {
            let problem = theirs.as_ref().and_then(|theirs| match store.header.extends(theirs) {
                true => {
                    Some(RecordError::folder(file, store.header.not_extended(theirs, file, *extend || is_recorded)?))
                }
                false => {
                    let problem = store.header.objection(theirs, file)?;
                    Some(RecordError::Other { path: file.clone(), problem })
                }
            });
            if let Some(problem) = problem {
                return Err(problem.into());
            }
            read_journal(file, &store.header, &mut known, &mut problems)?;
        }
        Ok(EvolutionSession { measurer: Arc::new(measurer), store, known, problems })
    }

    /// The plan.
    pub fn evolution(&self) -> &EvolutionPlan {
        self.measurer.plan()
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.store.folder()
    }

    /// Whether proposers are asked here: of shards only the first one asks.
    pub fn asks_proposers(&self) -> bool {
        is_first(self.store.shard())
    }

    /// The number of shards that share it.
    pub fn shards(&self) -> u32 {
        self.store.shard().map_or(1, Shard::count)
    }

    /// Measurements that are recorded.
    pub fn recorded(&self) -> usize {
        self.known.measured.len()
    }

    /// What measures.
    pub fn measurer(&self) -> &Arc<Measurer> {
        &self.measurer
    }

    /// Who measures, if it is not evouct.
    pub fn measured_by(&self) -> Option<&str> {
        self.store.header.measured_by.as_deref()
    }

    /// A batch without blocks: a rank that helps measures those that rank 0 names.
    pub fn blocks(&self) -> Blocks {
        Blocks::of(&self.measurer, Arc::new(Batch::open()))
    }

    /// Evolves to the end.
    ///
    /// # Errors
    /// If it is interrupted, a genome cannot be measured, or the journal cannot be written.
    pub fn run(
        self,
        workers: RunContext,
        each: &mut dyn FnMut(&History, &[GenerationRow]),
    ) -> Result<EvolutionResult, EvolutionError> {
        let measured_by = self.store.header.measured_by.clone();
        let (taken, used) = self.with_judge(workers, each, |plan, judge| course(plan, judge))?;
        Ok(EvolutionResult::of(taken, used, measured_by.as_deref()))
    }

    /// Measures formulas of all kinds by every stage: see [`calibrate`]. The journal is that of the evolution. `other`
    /// is a folder in which the same formulas were measured with a bank of another value seed: it judges what a choice
    /// by position wins.
    ///
    /// # Errors
    /// As [`run`](EvolutionSession::run).
    pub fn calibrate(
        self,
        count: usize,
        other: Option<&EvolutionFolder>,
        workers: RunContext,
    ) -> Result<CalibrationGate, EvolutionError> {
        let positions = self.measurer.test_positions();
        if let Some(other) = other {
            other.may_judge(self.evolution(), &self.store.header, count, positions).map_err(EvolutionError::Plan)?;
        }
        let answer = |request: &Request| other.and_then(|other| other.measured(request));
        let other = other.map(|_| CalibrationJudge { positions, measured: &answer });
        let calibrated = |plan: &EvolutionPlan, judge: &mut JournalJudge| calibrate(plan, count, other.as_ref(), judge);
        Ok(self.with_judge(workers, &mut |_, _| {}, calibrated)?.0)
    }

    /// Does something with a judge, and returns it with all that was asked for.
    pub(super) fn with_judge<T>(
        self,
        RunContext { executor, stop, clock, patience }: RunContext,
        each: &mut dyn FnMut(&History, &[GenerationRow]),
        work: impl FnOnce(&EvolutionPlan, &mut JournalJudge) -> Result<T, EvolutionError>,
    ) -> Result<(T, Used), EvolutionError> {
        let journal = self.store.open().map_err(EvolutionError::Folder)?;
        let measurer = Arc::clone(&self.measurer);
        let records = Records {
            measurer: Arc::clone(&measurer),
            stop,
            clock,
            patience,
            store: self.store,
            journal,
            known: self.known,
            has_repeats: false,
            used: Used::default(),
        };
        let mut judge = JournalJudge { records, executor, programs: Programs::default(), each };
        // Operators and algorithms may be those of a user.
        let taken = catch(|| work(measurer.plan(), &mut judge));
        let taken = taken.unwrap_or_else(|problem| Err(EvolutionError::Method(problem)));
        let synced = judge.records.journal.sync(clock.now());
        let taken = taken?;
        synced?;
        Ok((taken, judge.records.used))
    }
}

/// Refuses a name of who measures that is none, or that of evouct.
fn check_measurer(name: &str) -> Result<(), String> {
    check_name(name)?;
    match name.eq_ignore_ascii_case("evouct") {
        true => Err("evouct measures itself; leave it out, or name who else measures".to_owned()),
        false => Ok(()),
    }
}

fn is_first(shard: Option<Shard>) -> bool {
    shard.is_none_or(|shard| shard.index() == 0)
}

/// Has an executor measure what is not recorded, and remembers.
pub(super) struct JournalJudge<'a> {
    records: Records<'a>,
    executor: &'a mut dyn Executor<Blocks>,
    programs: Programs,
    each: &'a mut dyn FnMut(&History, &[GenerationRow]),
}

impl Judge for JournalJudge<'_> {
    fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, EvolutionError> {
        let mut keys = HashSet::new();
        let unique: Vec<&Request> = requests.iter().filter(|request| keys.insert(key_of(request))).collect();
        let plan = self.records.measurer.plan();
        let blocks: u64 = unique.iter().map(|request| u64::from(plan.blocks(request))).sum();
        if blocks > MAX_BLOCKS {
            let (genomes, most) = (counted(unique.len(), "genome"), format!("at most {MAX_BLOCKS} blocks are planned"));
            return Err(EvolutionError::Plan(format!(
                "{most} at once, found {blocks} of {genomes}; measure fewer together"
            )));
        }
        // The part of a shard depends on the batch alone, not on what is recorded.
        let missing = |ours: bool| -> Vec<Request> {
            let places = (0..).zip(&unique).filter(|(place, _)| self.records.store.has(*place) == ours);
            let missing = places.filter(|(_, request)| self.records.recorded(request).is_none());
            missing.map(|(_, request)| (*request).clone()).collect()
        };
        let (own, others) = (missing(true), missing(false));
        if !own.is_empty() {
            self.measure_missing(own)?;
        }
        if !others.is_empty() {
            let left = |records: &Records| others.iter().filter(|request| records.recorded(request).is_none()).count();
            self.records.wait_until(&left)?;
        }
        let answer = |request: &Request| self.records.answer(request).ok_or_else(|| unanswered(request));
        requests.iter().map(answer).collect()
    }

    fn propose(&mut self, question: &Question) -> Result<Proposal, EvolutionError> {
        let measurer = Arc::clone(&self.records.measurer);
        let proposer = &measurer.plan().proposers[question.proposer];
        let known = |records: &Records| records.known.proposal(&proposer.name, question.generation).cloned();
        let proposal = match known(&self.records) {
            Some(proposal) => proposal,
            None if is_first(self.records.store.shard()) => {
                if !proposer.exists() {
                    let program = &proposer.command.list()[0];
                    return Err(EvolutionError::Plan(format!("{}: there is no program {program:?}", proposer.name)));
                }
                let asked = self.programs.ask(proposer, question, self.records.stop).map_err(EvolutionError::Plan)?;
                let asked = asked.ok_or(EvolutionError::Interrupted)?;
                if let Some(problem) = &asked.problem {
                    tracing::warn!("{}: generation {}: {problem}", proposer.name, question.generation + 1);
                }
                self.records.record_proposal(&asked)?;
                asked
            }
            None => {
                self.records.wait_until(&|records| usize::from(known(records).is_none()))?;
                known(&self.records).ok_or_else(|| EvolutionError::Plan(format!("{}: no answer", proposer.name)))?
            }
        };
        self.records.used.proposed.push(proposal.clone());
        Ok(proposal)
    }

    fn flow(&mut self, flow: &mut dyn Flow) -> Result<(), EvolutionError> {
        let (measurer, stop) = (Arc::clone(&self.records.measurer), self.records.stop);
        let mut flow = JournalFlow::begin(&mut self.records, flow, self.each);
        let batch = Arc::clone(flow.batch());
        if !batch.is_open() {
            return Ok(());
        }
        done(self.executor.carry_out(&Arc::new(Blocks::of(&measurer, batch)), stop, &mut flow)?)
    }

    fn generation(&mut self, history: &History, rows: &[GenerationRow]) {
        (self.each)(history, rows);
    }
}

impl JournalJudge<'_> {
    fn measure_missing(&mut self, missing: Vec<Request>) -> Result<(), EvolutionError> {
        let (measurer, stop) = (Arc::clone(&self.records.measurer), self.records.stop);
        let sums = missing.iter().map(|request| Sums::of(measurer.plan().blocks(request))).collect();
        let batch = Arc::new(Batch::new(&measurer, missing));
        let job = Blocks::of(&measurer, Arc::clone(&batch));
        let mut taker = Recorder { records: &mut self.records, batch: &batch, sums };
        done(self.executor.carry_out(&Arc::new(job), stop, &mut taker)?)
    }
}

/// That the journals have no answer to a request although its batch is complete.
fn unanswered(request: &Request) -> EvolutionError {
    let problem = format!("stage {}, batch {}: it was not measured", request.stage + 1, request.batch);
    EvolutionError::Measure(MeasureError { genome: request.genome.key(), problem })
}

fn done(end: End) -> Result<(), EvolutionError> {
    match end {
        End::Done => Ok(()),
        End::Interrupted => Err(EvolutionError::Interrupted),
    }
}

/// Records the measurements of a batch.
struct Recorder<'a, 'b> {
    records: &'a mut Records<'b>,
    batch: &'a Batch,
    sums: Vec<Sums>,
}

impl Taker<BlockSum, EvolutionError> for Recorder<'_, '_> {
    fn take(&mut self, (job, sum): BlockSum) -> Result<(), EvolutionError> {
        let (at, request, block) = self.batch.job(job).expect("an executor computes the jobs of its batch");
        match self.sums[at].take(block, sum.map_err(EvolutionError::Measure)?) {
            Some(measured) => self.records.record(&request, measured),
            None => Ok(()),
        }
    }
}
