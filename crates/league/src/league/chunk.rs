//! Chunks of a job for workers that know nothing of it, and their answers: texts, so that any pool can carry them.
//!
//! A chunk is an object of JSON in one line: how the worker finds the job, and the names of units. The answer has lines: who
//! answers and what it understands by the job, then an entry with a checksum per unit, as in a journal. A worker keeps the
//! jobs that it found, and a record is made where the unit is done.

use super::job::Job;
use evouct_platform::clock::WallClock;
use evouct_search::search::Clock;
use evouct_store::line::{Content, Label, bound_json, decode};
use evouct_store::{Binding, VERSION};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::env::consts::ARCH;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A worker begins no further unit of a chunk after this time: what is left is asked for again.
const LONGEST: Duration = Duration::from_secs(4);
/// The jobs that a worker keeps.
const KEPT: usize = 4;

/// What a worker is asked.
#[derive(Serialize, Deserialize)]
struct Chunk {
    task: String,
    units: Vec<String>,
    /// No two chunks are the same text: Dask computes equal calls once.
    ticket: u64,
}

/// The first line of an answer.
#[derive(Serialize, Deserialize)]
struct Head {
    evouct: String,
    processor: String,
    worker: String,
    /// What the worker understands by the task, or why it cannot take part.
    agreement: Result<String, String>,
    /// The time that the units took.
    seconds: f64,
}

/// What stands in an entry.
#[derive(Serialize, Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    unit: Cow<'a, str>,
    #[serde(borrow)]
    record: &'a RawValue,
}

/// The record of the unit of a name, as JSON, or why it cannot be done here.
type Work = dyn Fn(&str) -> Result<String, String> + Send + Sync;

/// A job as a worker does it.
pub struct Found {
    agreement: String,
    work: Box<Work>,
}

impl Found {
    /// This job.
    pub fn of<J: Job>(job: J) -> Found {
        let agreement = job.agreement();
        let work = move |name: &str| {
            let record = job.work_named(name)?;
            serde_json::to_string(&record).map_err(|error| error.to_string())
        };
        Found { agreement, work: Box::new(work) }
    }
}

/// The jobs that this process found, by their tasks.
static FOUND: Mutex<Vec<(String, Arc<Found>)>> = Mutex::new(Vec::new());

/// The job of a task, found once.
fn found(task: &str, find: impl Fn(&str) -> Result<Found, String>) -> Result<Arc<Found>, String> {
    let known = || FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, job)) = known().iter().find(|(known, _)| known == task) {
        return Ok(Arc::clone(job));
    }
    // The lock is free meanwhile: a game in Python may wait for another thread.
    let job = Arc::new(find(task)?);
    let mut known = known();
    known.truncate(KEPT - 1);
    known.insert(0, (task.to_owned(), Arc::clone(&job)));
    Ok(job)
}

/// What is added to the checksum of every entry, so that it is taken for no other job.
fn binding(agreement: &str) -> Binding {
    Binding { hash: blake3::hash(agreement.as_bytes()).to_hex()[..16].to_owned(), seed: 0 }
}

/// The text of a chunk.
pub(super) fn chunk(task: &str, units: Vec<String>, ticket: u64) -> String {
    serde_json::to_string(&Chunk { task: task.to_owned(), units, ticket }).expect("texts and a number")
}

/// As a worker: does the units of a chunk, and answers. `find` finds a job by its task.
pub fn answer(chunk: &str, find: impl Fn(&str) -> Result<Found, String>) -> String {
    let chunk = serde_json::from_str::<Chunk>(chunk).map_err(|error| format!("cannot read the chunk: {error}"));
    let clock = WallClock::start();
    let mut lines = String::new();
    let agreement = chunk.and_then(|Chunk { task, units, .. }| {
        let job = found(&task, find)?;
        let of = binding(&job.agreement);
        for unit in units.iter().enumerate().take_while(|(place, _)| *place == 0 || clock.now() < LONGEST) {
            let record = RawValue::from_string((job.work)(unit.1)?).map_err(|error| error.to_string())?;
            let entry = Entry { unit: unit.1.into(), record: &record };
            lines += &bound_json(Label::Entry, &serde_json::to_string(&entry).expect("texts"), &of);
        }
        Ok(job.agreement.clone())
    });
    let worker = format!("{}:{}", gethostname::gethostname().to_string_lossy(), std::process::id());
    let (evouct, processor, seconds) = (VERSION.to_owned(), ARCH.to_owned(), clock.now().as_secs_f64());
    let head = Head { evouct, processor, worker, agreement, seconds };
    format!("{}\n{lines}", serde_json::to_string(&head).expect("texts and a number"))
}

/// What a worker answered.
pub(super) struct Answer<Record> {
    /// Its machine and process.
    pub worker: String,
    /// The time that the units took.
    pub took: Duration,
    /// The records of the first units of the chunk, or what is wrong with them.
    pub records: Result<Vec<Record>, String>,
}

/// Why nothing of an answer is taken.
pub(super) enum Unread {
    /// It is no answer.
    Damaged(String),
    /// This worker cannot take part.
    Refused {
        /// Its machine and process.
        worker: String,
        /// Why.
        problem: String,
    },
}

/// Reads the answer of a worker to a chunk of these units.
pub(super) fn read<Record: DeserializeOwned>(
    text: &str,
    agreement: &str,
    units: &[String],
) -> Result<Answer<Record>, Unread> {
    let (head, lines) = text.split_once('\n').unwrap_or((text, ""));
    let head = serde_json::from_str::<Head>(head);
    let Head { evouct, processor, worker, agreement: theirs, seconds } =
        head.map_err(|error| Unread::Damaged(format!("a worker sent no answer: {error}")))?;
    let problem = match theirs {
        _ if evouct != VERSION => Some(format!("it has evouct {evouct:.100}, this is {VERSION}")),
        _ if processor != ARCH => Some(format!("its processor is {processor:.100}, this is {ARCH}")),
        Err(problem) => Some(problem),
        Ok(theirs) if theirs != agreement => Some(format!("it understands {theirs:.500}, expected {agreement}")),
        Ok(_) => None,
    };
    if let Some(problem) = problem {
        return Err(Unread::Refused { worker, problem });
    }
    let of = binding(agreement);
    let (given, mut expected) = (lines.lines().count(), units.iter());
    let record = |line: &str| {
        let unit = expected.next().ok_or_else(|| format!("{given} lines for {} units", units.len()))?;
        let json = match decode(line)? {
            Content::Record(Label::Entry, json, Some(theirs)) if theirs == of => json,
            _ => return Err("a line of something else".to_owned()),
        };
        let entry: Entry = serde_json::from_str(json).map_err(|error| error.to_string())?;
        if entry.unit != *unit {
            return Err(format!("a line of {:.100}, expected {unit:.100}", entry.unit));
        }
        serde_json::from_str(entry.record.get()).map_err(|error| error.to_string())
    };
    let records: Result<Vec<Record>, String> = lines.lines().map(record).collect();
    let records = records.and_then(|records| match records.is_empty() && !units.is_empty() {
        true => Err("no line".to_owned()),
        false => Ok(records),
    });
    let took = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    Ok(Answer { worker, took, records })
}
