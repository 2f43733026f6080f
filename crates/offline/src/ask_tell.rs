//! An evolution that asks for measurements and is told what they are worth, so that the caller decides who computes.
//!
//! The course runs in a session on a thread of its own, whose executor computes nothing: it hands each batch to the
//! caller and waits for the sums. So journal, course and digest are those of [`EvolutionSession::run`].
//!
//! What evouct has computed has a seal ([`PlayedBlock`]). Other values are refused, unless the session was planned for
//! somebody else who measures ([`measured_by`](super::EvolutionOptions::measured_by)), whose journal says so in its first
//! line.

use super::asked::{AskedBlock, PlayedBlock};
use super::course::finals::EvolutionResult;
use super::error::EvolutionError;
use super::executor::{Batch, BlockSum, Blocks};
use super::fitness::measure::{BlockValue, Measurer};
use super::session::{EvolutionSession, RunContext};
use evouct_base::stack;
use evouct_league::league::{End, Executor, StartError, Taker};
use evouct_search::search::Clock;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The value of a block, as the caller reports it.
#[derive(Clone, PartialEq, Debug)]
pub enum Told {
    /// What [`AskedBlock::play`] has computed.
    Played(PlayedBlock),
    /// What somebody else has measured.
    Other(f64),
}

/// Why values are not taken. Places are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum TellError {
    /// The evolution needs nothing more.
    #[error("the evolution has ended, so it takes no values")]
    Ended,
    /// The batch was not asked for.
    #[error("there is nothing to tell yet: ask for measurements first")]
    NotAsked,
    /// More or fewer values than blocks.
    #[error("expected one value for each of {expected} measurements, found {found}")]
    Count {
        /// The number of blocks.
        expected: usize,
        /// The number of values.
        found: usize,
    },
    /// No number of points.
    #[error("value {place}: expected a finite number of points, found {found}")]
    NotFinite {
        /// Its place.
        place: usize,
        /// The value.
        found: f64,
    },
    /// The session is not one of [`measured_by`](super::EvolutionOptions::measured_by).
    #[error(
        "value {place}: evouct has not computed {found}; an evolution that says measured_by takes values of others"
    )]
    NotPlayed {
        /// Its place.
        place: usize,
        /// The value.
        found: f64,
    },
    /// The seal is that of something else.
    #[error(
        "value {place}: it was computed for another measurement, in another evolution or by another version of evouct"
    )]
    OfAnother {
        /// Its place.
        place: usize,
    },
    /// A block that is not missing.
    #[error("measurement {place}: the evolution does not ask for it, or it was told already")]
    NotMissing {
        /// Its place.
        place: usize,
    },
    /// The evolution cannot go on.
    #[error(transparent)]
    Evolution(#[from] EvolutionError),
}

/// An evolution whose blocks the caller measures.
///
/// ```
/// use evouct_offline::{AskTell, EvolutionPlan, EvolutionSession, Purpose, Told};
/// use evouct_search::search::Stopped;
/// # evouct_carcassonne::add();
///
/// let plan = r#"
/// name = "asked"
/// evolve = { seeds = ["Q", "Q + 1/n"], population = 3, islands = 1, generations = 1, elite = 1, constant_offspring = 0 }
/// player = [{ kind = "formula", iterations = 4 }]
/// opponent = [{ kind = "random" }]
/// stage = [{ measure = "games", decks = 1 }]
/// "#;
/// let plan = EvolutionPlan::parse(plan, "asked.toml", None)?;
/// let folder = tempfile::tempdir()?;
/// let session = EvolutionSession::plan(plan, None, &folder.path().join("asked"), &Default::default())?;
/// let mut evolution = AskTell::begin(session, Box::new(Stopped))?;
/// loop {
///     let blocks = evolution.ask()?;
///     if blocks.is_empty() {
///         break;
///     }
///     // Any thread, process or machine can play these.
///     let played = blocks.iter().map(|block| block.play(evolution.measurer()));
///     let told = played.map(|played| played.map(Told::Played)).collect::<Result<Vec<Told>, _>>()?;
///     evolution.tell(&told)?;
/// }
/// assert_eq!(evolution.result().unwrap().digest.len(), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AskTell {
    measurer: Arc<Measurer>,
    /// Whether values of others are taken.
    is_of_others: bool,
    /// Ends the course where it is set.
    stop: Arc<AtomicBool>,
    /// None when the course has ended.
    course: Option<Course>,
    /// The batch, which may grow by what is told.
    batch: Option<Arc<Batch>>,
    /// The blocks of the batch that were not told, by job.
    missing: BTreeMap<usize, AskedBlock>,
    /// Their jobs by the texts of the blocks.
    jobs: HashMap<String, usize>,
    /// How many jobs of the batch are known.
    known: usize,
    /// The jobs that [`ask`](AskTell::ask) has returned last.
    asked: Vec<usize>,
    result: Option<EvolutionResult>,
}

/// The thread of the course.
#[derive(Debug)]
struct Course {
    thread: JoinHandle<Result<EvolutionResult, EvolutionError>>,
    events: Receiver<Event>,
    /// The course ends when this is dropped.
    sums: Sender<Vec<BlockSum>>,
}

/// What the course says.
enum Event {
    /// It needs this batch.
    Needs(Arc<Batch>),
    /// Sums are in the journal.
    Taken,
}

impl AskTell {
    /// Begins the evolution of a session, or goes on with it. Its journal is locked until this value is dropped.
    ///
    /// # Errors
    /// If no thread can be started, or the plan has a second objective.
    pub fn begin(session: EvolutionSession, clock: Box<dyn Clock>) -> Result<AskTell, EvolutionError> {
        if session.evolution().second.is_some() {
            let problem = "second: who measures from outside tells points only; evouct evolve measures both objectives";
            return Err(EvolutionError::Plan(problem.to_owned()));
        }
        let (measurer, is_of_others) = (Arc::clone(session.measurer()), session.measured_by().is_some());
        let (event, events) = channel();
        let (sums, told) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let work = move || {
            let mut executor = Teller { event, told };
            // There are no other shards to wait for.
            let patience = Duration::ZERO;
            session
                .run(RunContext { executor: &mut executor, stop: &stopped, clock: &*clock, patience }, &mut |_, _| {})
        };
        let thread = stack::thread("evolution")
            .spawn(work)
            .map_err(|error| StartError { threads: 1, problem: error.to_string() })?;
        let course = Some(Course { thread, events, sums });
        let (batch, missing, jobs) = (None, BTreeMap::new(), HashMap::new());
        let (known, asked, result) = (0, Vec::new(), None);
        Ok(AskTell { measurer, is_of_others, stop, course, batch, missing, jobs, known, asked, result })
    }

    /// What ends the course where it is set, also while it waits for a proposer; then [`ask`](AskTell::ask) says that it was
    /// interrupted.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// What measures: any thread may play blocks with it.
    pub fn measurer(&self) -> &Arc<Measurer> {
        &self.measurer
    }

    /// What came of the evolution; none before its end.
    pub fn result(&self) -> Option<&EvolutionResult> {
        self.result.as_ref()
    }

    /// The blocks that the evolution needs next and was not told, in the order of the batch; none at the end.
    ///
    /// # Errors
    /// If the journal cannot be written, or the evolution has ended by an error.
    pub fn ask(&mut self) -> Result<Vec<AskedBlock>, EvolutionError> {
        if self.missing.is_empty() && self.result.is_none() {
            let course = self.course.as_ref().ok_or(EvolutionError::Interrupted)?;
            match course.events.recv() {
                Ok(Event::Needs(batch)) => {
                    (self.batch, self.known) = (Some(batch), 0);
                    self.jobs.clear();
                    self.look();
                }
                // It has nothing more to say.
                Ok(Event::Taken) | Err(_) => self.result = Some(self.end()?),
            }
        }
        self.asked = self.missing.keys().copied().collect();
        Ok(self.missing.values().cloned().collect())
    }

    /// Takes the values of all blocks that [`ask`](AskTell::ask) has returned last and that were not told since, in their
    /// order. Measurements that are whole by then are in the journal.
    ///
    /// # Errors
    /// What is wrong with the values, of which none is taken then, or that the journal cannot be written.
    pub fn tell(&mut self, values: &[Told]) -> Result<(), TellError> {
        let blocks: Vec<AskedBlock> = self.asked.iter().filter_map(|job| self.missing.get(job)).cloned().collect();
        self.tell_of(&blocks, values)
    }

    /// Takes the values of some of these blocks, in any order: the others are asked for again, and in a steady state new
    /// ones may be. A measurement is in the journal once all its blocks are told.
    ///
    /// # Errors
    /// As [`tell`](AskTell::tell).
    pub fn tell_of(&mut self, blocks: &[AskedBlock], values: &[Told]) -> Result<(), TellError> {
        if self.result.is_some() {
            return Err(TellError::Ended);
        }
        if self.missing.is_empty() {
            return Err(TellError::NotAsked);
        }
        if blocks.len() != values.len() {
            return Err(TellError::Count { expected: blocks.len(), found: values.len() });
        }
        let (mut jobs, mut sums): (HashSet<usize>, Vec<BlockSum>) = Default::default();
        for (place, (asked, told)) in (1..).zip(blocks.iter().zip(values)) {
            let job = self.jobs.get(&asked.to_text()).filter(|job| jobs.insert(**job));
            let job = job.ok_or(TellError::NotMissing { place })?;
            let seconds = if let Told::Played(played) = told { played.seconds } else { None };
            let value = BlockValue { sum: self.checked(place, asked, told)?, seconds, ..BlockValue::default() };
            sums.push((*job as u64, Ok(value)));
        }
        let course = self.course.as_ref().ok_or(EvolutionError::Interrupted)?;
        // A course that has ended takes nothing.
        let _ = course.sums.send(sums);
        if !matches!(course.events.recv(), Ok(Event::Taken)) {
            self.end()?;
            return Err(TellError::Ended);
        }
        for job in jobs {
            if let Some(told) = self.missing.remove(&job) {
                self.jobs.remove(&told.to_text());
            }
        }
        self.look();
        Ok(())
    }

    /// Takes up what was added to the batch.
    fn look(&mut self) {
        let Some(batch) = &self.batch else { return };
        for job in self.known..batch.len() {
            let (_, request, block) = batch.job(job as u64).expect("the batch has so many jobs");
            let asked = AskedBlock { request, block };
            self.jobs.insert(asked.to_text(), job);
            self.missing.insert(job, asked);
        }
        self.known = batch.len();
    }

    /// The sum of a block, if its value may be taken for it.
    fn checked(&self, place: usize, asked: &AskedBlock, told: &Told) -> Result<f64, TellError> {
        let (Told::Played(PlayedBlock { sum: found, .. }) | Told::Other(found)) = *told;
        match told {
            _ if !found.is_finite() => Err(TellError::NotFinite { place, found }),
            Told::Played(played) if played.seal != asked.seal(found, &self.measurer) => {
                Err(TellError::OfAnother { place })
            }
            Told::Other(_) if !self.is_of_others => Err(TellError::NotPlayed { place, found }),
            _ => Ok(found),
        }
    }

    /// What the course has come to. One that still waits for sums is interrupted.
    fn end(&mut self) -> Result<EvolutionResult, EvolutionError> {
        let Course { thread, events, sums } = self.course.take().ok_or(EvolutionError::Interrupted)?;
        drop((events, sums));
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

impl Drop for AskTell {
    /// Ends the course, so that the journal is free.
    fn drop(&mut self) {
        if let Some(Course { thread, events, sums }) = self.course.take() {
            self.stop.store(true, Ordering::Relaxed);
            drop((events, sums));
            // Its error is that it was interrupted.
            let _ = thread.join();
        }
    }
}

/// Computes nothing: it is told the sums.
struct Teller {
    event: Sender<Event>,
    told: Receiver<Vec<BlockSum>>,
}

impl Executor<Blocks> for Teller {
    fn carry_out(
        &mut self,
        job: &Arc<Blocks>,
        _: &Arc<AtomicBool>,
        taker: &mut dyn Taker<BlockSum, EvolutionError>,
    ) -> Result<End, EvolutionError> {
        let batch = &job.batch;
        // The caller may be gone, in which case nothing is told.
        let _ = self.event.send(Event::Needs(Arc::clone(batch)));
        let mut known = 0;
        // There are no other shards, so that a batch that is open has jobs.
        while known < batch.len() {
            let Ok(told) = self.told.recv() else { return Ok(End::Interrupted) };
            known += told.len();
            told.into_iter().try_for_each(|sum| taker.take(sum))?;
            let _ = self.event.send(Event::Taken);
        }
        Ok(End::Done)
    }
}
