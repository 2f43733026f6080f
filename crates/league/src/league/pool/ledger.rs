//! What is asked of the workers of a pool, what came of it, and what of that is believed.
//!
//! An answer is checked against the names of its units. A record waits until its worker is confirmed: of every so many
//! records one is done again by another worker, and compared. Where two differ, or the same worker did it again, this process
//! does the unit itself. A worker that was wrong is named, what it answered and was not confirmed is dropped and done again, and
//! nothing more is taken from it.

use super::super::chunk::{Answer, Unread, chunk, read};
use super::super::job::Job;
use super::PoolError;
use evouct_base::plural::{counted, is_or_are};
use evouct_platform::clock::WallClock;
use evouct_search::search::Clock;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

/// A unit that was lost so often is an error.
const LOST: u32 = 5;
/// A unit that only workers answer which are not believed, so often, is done by this process, or an error where there are no others.
const UNBELIEVED: u32 = 30;
/// The most units of a chunk.
const MOST: u64 = 4_096;
/// A chunk that takes longer than this multiple of its time is asked for a second time.
const STRAGGLER: u32 = 5;

/// A unit that was handed out and is not released.
struct Asked<Record> {
    name: String,
    /// The chunks under way that have it, stragglers not counted.
    copies: u32,
    lost: u32,
    unbelieved: u32,
    /// The record and the worker it came from.
    answer: Option<(usize, Record)>,
    /// Whether a second answer is wanted, to compare.
    is_checked: bool,
}

impl<Record> Asked<Record> {
    fn new(name: String) -> Asked<Record> {
        Asked { name, copies: 0, lost: 0, unbelieved: 0, answer: None, is_checked: false }
    }

    /// Whether a first or a second answer is missing.
    fn is_wanted(&self) -> bool {
        self.answer.is_none() || self.is_checked
    }
}

/// What is known of the workers of a pool.
#[derive(Default)]
pub(super) struct Known {
    workers: Vec<Seen>,
    /// The usual time of a unit, once one was done.
    usual: Option<Duration>,
}

/// A worker that has answered.
#[derive(Default)]
struct Seen {
    name: String,
    /// Its units that wait to be confirmed.
    held: Vec<u64>,
    /// How many of them are being done again.
    checks: u32,
    /// The part of a check that is due.
    due: f64,
    lies: bool,
}

/// A chunk under way.
struct Flight {
    units: Vec<u64>,
    since: Duration,
    /// Whether it is a straggler that was asked for again.
    is_doubled: bool,
}

/// The units of a job on their way through a pool.
pub(super) struct Ledger<'a, J: Job> {
    pub(super) job: &'a J,
    task: String,
    agreement: String,
    replay: f64,
    asked: HashMap<u64, Asked<J::Record>>,
    /// Units to ask for again, or a second time.
    again: VecDeque<u64>,
    /// By tickets, the oldest first.
    flights: BTreeMap<u64, Flight>,
    tickets: u64,
    known: Known,
    clock: WallClock,
    /// How many workers there are.
    pub(super) workers: usize,
    /// Whether no unit will follow.
    is_last: bool,
    /// Records that are believed, in the order in which they came.
    pub(super) ready: Vec<J::Record>,
    /// What workers did wrong.
    pub(super) problems: Vec<String>,
}

impl<'a, J: Job> Ledger<'a, J>
where
    J::Error: From<PoolError>,
{
    /// Nothing is asked yet of the workers that are known.
    pub(super) fn of(job: &'a J, task: String, replay: f64, known: Known) -> Ledger<'a, J> {
        Ledger {
            job,
            task,
            agreement: job.agreement(),
            replay,
            asked: HashMap::new(),
            again: VecDeque::new(),
            flights: BTreeMap::new(),
            tickets: 0,
            known,
            clock: WallClock::start(),
            workers: 1,
            is_last: false,
            ready: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// What is known of the workers at the end.
    pub(super) fn end(self) -> Known {
        let mut known = self.known;
        known.workers.iter_mut().for_each(|worker| worker.checks = 0);
        known
    }

    /// Chunks under way, stragglers not counted.
    pub(super) fn under_way(&self) -> usize {
        self.flights.values().filter(|flight| !flight.is_doubled).count()
    }

    /// Whether nothing is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.flights.is_empty()
    }

    /// Records that wait to be confirmed.
    pub(super) fn held(&self) -> usize {
        self.known.workers.iter().map(|worker| worker.held.len()).sum()
    }

    /// Whether every unit is released and no other will follow.
    pub(super) fn is_done(&self) -> bool {
        self.is_last && self.asked.is_empty() && self.job.units().left() == 0
    }

    /// The next chunk with its ticket: units to be done again, or new ones.
    pub(super) fn next(&mut self, time: Duration) -> Option<(u64, String)> {
        // First: what is added between the two looks is found by the second one.
        self.is_last = self.job.units().is_last();
        let left = self.job.units().left() + self.again.len() as u64;
        let fits = |usual: Duration| (time.as_nanos() / usual.as_nanos().max(1)).clamp(1, MOST.into()) as u64;
        let size = self.known.usual.map_or(1, fits).min(left.div_ceil(2 * self.workers as u64).max(1)) as usize;
        let mut units = Vec::new();
        while units.len() < size {
            if let Some(unit) = self.again.pop_front() {
                let Some(asked) = self.asked.get(&unit).filter(|asked| asked.is_wanted()) else { continue };
                // What was lost travels alone: then one bad unit takes no other with it.
                if asked.lost > 0 && !units.is_empty() {
                    self.again.push_front(unit);
                    break;
                }
                units.push(unit);
                if asked.lost > 0 {
                    break;
                }
            } else if let Some(unit) = self.job.units().take() {
                self.asked.insert(unit, Asked::new(self.job.named(unit)));
                units.push(unit);
            } else {
                break;
            }
        }
        (!units.is_empty()).then(|| self.send(units))
    }

    /// The missing units of the oldest chunk that takes too long, as a chunk of their own.
    pub(super) fn straggler(&mut self, time: Duration) -> Option<(u64, String)> {
        let (usual, now) = (self.known.usual?, self.clock.now());
        let takes_long = |flight: &Flight| {
            let expected = time.max(usual.saturating_mul(flight.units.len().try_into().unwrap_or(u32::MAX)));
            !flight.is_doubled && now.saturating_sub(flight.since) > STRAGGLER * expected
        };
        let flight = self.flights.values_mut().find(|flight| takes_long(flight))?;
        flight.is_doubled = true;
        let is_missing = |unit: &u64| self.asked.get(unit).is_some_and(Asked::is_wanted);
        let all = flight.units.clone();
        let units: Vec<u64> = all.iter().copied().filter(is_missing).collect();
        // It may never come.
        self.count(&all, -1);
        (!units.is_empty()).then(|| self.send(units))
    }

    /// So many more chunks under way have these units.
    fn count(&mut self, units: &[u64], more: i32) {
        for unit in units {
            if let Some(asked) = self.asked.get_mut(unit) {
                asked.copies = asked.copies.saturating_add_signed(more);
            }
        }
    }

    fn send(&mut self, units: Vec<u64>) -> (u64, String) {
        self.count(&units, 1);
        let names = units.iter().filter_map(|unit| Some(self.asked.get(unit)?.name.clone()));
        self.tickets += 1;
        let chunk = chunk(&self.task, names.collect(), self.tickets);
        self.flights.insert(self.tickets, Flight { units, since: self.clock.now(), is_doubled: false });
        (self.tickets, chunk)
    }

    /// Takes an answer, or why there is none.
    pub(super) fn receive(&mut self, ticket: u64, answer: Result<String, String>) -> Result<(), J::Error> {
        let Some(Flight { units, is_doubled, .. }) = self.flights.remove(&ticket) else { return Ok(()) };
        if is_doubled {
            // It is counted again, since it came after all.
            self.count(&units, 1);
        }
        let name = |unit: &u64| self.asked.get(unit).map_or_else(|| self.job.named(*unit), |asked| asked.name.clone());
        let names: Vec<String> = units.iter().map(name).collect();
        let read = answer.map_err(Unread::Damaged).and_then(|text| read::<J::Record>(&text, &self.agreement, &names));
        let Answer { worker, took, records } = match read {
            Ok(answer) => answer,
            Err(Unread::Refused { worker, problem }) => return Err(PoolError::Refused { worker, problem }.into()),
            Err(Unread::Damaged(problem)) => return units.iter().try_for_each(|unit| self.lose(*unit, &problem)),
        };
        let records = match records {
            Ok(records) => records,
            Err(problem) => {
                let problem = format!("worker {worker} sent a wrong answer: {problem}");
                self.note(problem.clone());
                return units.iter().try_for_each(|unit| self.lose(*unit, &problem));
            }
        };
        let each = took / u32::try_from(records.len()).unwrap_or(u32::MAX).max(1);
        self.known.usual = Some(self.known.usual.map_or(each, |usual| (usual * 3 + each) / 4));
        let worker = self.worker(worker);
        let mut records = records.into_iter();
        for unit in units {
            match records.next() {
                Some(record) => self.take(unit, worker, record)?,
                // The worker came to the end of its time.
                None => self.ask_again(unit),
            }
        }
        Ok(())
    }

    /// The place of a worker.
    fn worker(&mut self, name: String) -> usize {
        let known = self.known.workers.iter().position(|worker| worker.name == name);
        known.unwrap_or_else(|| {
            // Its first record is checked.
            self.known.workers.push(Seen { name, due: 1.0, ..Seen::default() });
            self.known.workers.len() - 1
        })
    }

    /// Says what a worker did wrong, once.
    fn note(&mut self, problem: String) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// A copy of a unit came back without a record that counts: it is asked for again, unless it is not wanted or another
    /// copy is under way.
    fn ask_again(&mut self, unit: u64) {
        let Some(asked) = self.asked.get_mut(&unit) else { return };
        asked.copies = asked.copies.saturating_sub(1);
        if asked.copies == 0 && asked.is_wanted() {
            self.again.push_back(unit);
        }
    }

    /// The same of a unit that was lost.
    fn lose(&mut self, unit: u64, problem: &str) -> Result<(), J::Error> {
        if let Some(asked) = self.asked.get_mut(&unit).filter(|asked| asked.is_wanted() && asked.copies == 1) {
            asked.lost += 1;
            if asked.lost >= LOST {
                let (unit, problem) = (format!("{:.100}", asked.name), problem.to_owned());
                return Err(PoolError::Lost { unit, problem, times: LOST }.into());
            }
        }
        self.ask_again(unit);
        Ok(())
    }

    /// Takes the record of a unit from a worker.
    fn take(&mut self, unit: u64, worker: usize, record: J::Record) -> Result<(), J::Error> {
        // A second answer to what is released.
        let Some(asked) = self.asked.get_mut(&unit) else { return Ok(()) };
        if self.known.workers[worker].lies {
            asked.unbelieved += 1;
            if asked.unbelieved >= UNBELIEVED {
                return self.settle(unit);
            }
            self.ask_again(unit);
            return Ok(());
        }
        if let Err(why) = self.job.accept(unit, &record) {
            let problem = format!("worker {} sent a wrong answer: {why}", self.known.workers[worker].name);
            self.note(problem.clone());
            return self.lose(unit, &problem);
        }
        match &asked.answer {
            None => {
                asked.copies = asked.copies.saturating_sub(1);
                asked.answer = Some((worker, record));
                let seen = &mut self.known.workers[worker];
                seen.held.push(unit);
                seen.due += self.replay;
                if self.replay > 0.0 && seen.due >= 1.0 {
                    seen.due -= 1.0;
                    seen.checks += 1;
                    asked.is_checked = true;
                    self.again.push_front(unit);
                } else if self.replay == 0.0 {
                    self.release(worker);
                }
            }
            Some(_) if !asked.is_checked => asked.copies = asked.copies.saturating_sub(1),
            Some((first, theirs)) => {
                // Where the same worker answers both times, this process does the unit itself: no executor sends a chunk to another.
                let agrees = *first != worker && self.job.agree(theirs, &record);
                asked.copies = asked.copies.saturating_sub(1);
                if agrees { self.confirm(unit) } else { self.judge(unit, worker, &record)? }
            }
        }
        Ok(())
    }

    /// Does a unit here: the workers that are believed are slower than those that are not.
    fn settle(&mut self, unit: u64) -> Result<(), J::Error> {
        if self.known.workers.iter().filter(|worker| worker.lies).count() >= self.workers {
            return Err(PoolError::Liars(self.problems.join("; ")).into());
        }
        let ours = self.job.work(unit)?;
        match self.asked.get(&unit).and_then(|asked| asked.answer.as_ref()) {
            Some((_, theirs)) if self.job.agree(&ours, theirs) => self.confirm(unit),
            Some((first, _)) => self.accuse(*first, unit),
            None => {
                self.asked.remove(&unit);
                self.ready.push(ours);
            }
        }
        Ok(())
    }

    /// Does a unit here, to see whether its worker is wrong, or which of two.
    fn judge(&mut self, unit: u64, second: usize, record: &J::Record) -> Result<(), J::Error> {
        let ours = self.job.work(unit)?;
        let Some((first, theirs)) = self.asked.get(&unit).and_then(|asked| asked.answer.as_ref()) else {
            return Ok(());
        };
        let first = *first;
        let [first_is_right, second_is_right] = [theirs, record].map(|record| self.job.agree(&ours, record));
        // What comes out differently each time convicts nobody.
        if !first_is_right && !second_is_right && !self.job.agree(&ours, &self.job.work(unit)?) {
            self.confirm(unit);
            return Ok(());
        }
        if !second_is_right && second != first {
            self.accuse(second, unit);
        }
        if first_is_right {
            self.confirm(unit)
        } else {
            self.accuse(first, unit)
        }
        Ok(())
    }

    /// A worker was wrong: what it answered and is not released is done again.
    fn accuse(&mut self, worker: usize, unit: u64) {
        let seen = &mut self.known.workers[worker];
        (seen.lies, seen.checks) = (true, 0);
        let held = std::mem::take(&mut seen.held);
        let name = self.asked.get(&unit).map_or(String::new(), |asked| asked.name.clone());
        let what = match held.len() {
            0 => "nothing of it is kept".to_owned(),
            count => format!("{} of it {} done again", counted(count, "unit"), is_or_are(count)),
        };
        let problem = format!("worker {} answered wrong for {name:.100}: {what}", seen.name);
        self.note(problem);
        for unit in held {
            if let Some(asked) = self.asked.get_mut(&unit) {
                (asked.answer, asked.is_checked) = (None, false);
                if asked.copies == 0 && !self.again.contains(&unit) {
                    self.again.push_back(unit);
                }
            }
        }
    }

    /// A second answer says the same: if it was asked for as a check, its worker is believed up to here.
    fn confirm(&mut self, unit: u64) {
        let Some(asked) = self.asked.get_mut(&unit) else { return };
        // An answer that is not believed, and was not asked for as a check, confirms nothing.
        if !std::mem::take(&mut asked.is_checked) {
            return;
        }
        let Some((worker, _)) = asked.answer else { return };
        self.known.workers[worker].checks -= 1;
        if self.known.workers[worker].checks == 0 {
            self.release(worker);
        }
    }

    /// Releases what a worker has answered.
    fn release(&mut self, worker: usize) {
        for unit in std::mem::take(&mut self.known.workers[worker].held) {
            let answer = self.asked.remove(&unit).and_then(|asked| asked.answer);
            self.ready.extend(answer.map(|(_, record)| record));
        }
    }

    /// Releases what waits for no check, where there is nothing else to hand out now: others may wait for it.
    pub(super) fn release_idle(&mut self) {
        if !self.again.is_empty() || self.job.units().left() > 0 {
            return;
        }
        self.release_confirmed();
    }

    /// Releases what waits for no check: the first record of a worker always waits for one.
    pub(super) fn release_confirmed(&mut self) {
        for worker in 0..self.known.workers.len() {
            if self.known.workers[worker].checks == 0 {
                self.release(worker);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Squares;
    use super::*;

    #[test]
    fn an_answer_that_is_not_believed_is_no_check() {
        let job = Squares::new(0);
        let mut ledger = Ledger::of(&job, String::new(), 0.02, Known::default());
        ledger.workers = 3;
        let [right, wrong] = ["right", "wrong"].map(|name| ledger.worker(name.to_owned()));
        ledger.known.workers[wrong].lies = true;
        ledger.asked.extend([1, 2].map(|unit| (unit, Asked::new(unit.to_string()))));
        // The first unit of a worker is checked, the second waits for that.
        ledger.take(1, right, 1).unwrap();
        ledger.take(2, right, 4).unwrap();
        for _ in 0..UNBELIEVED {
            ledger.take(2, wrong, 5).unwrap();
        }
        assert_eq!((ledger.known.workers[right].checks, ledger.ready.len()), (1, 0));
        let other = ledger.worker("other".to_owned());
        ledger.take(1, other, 1).unwrap();
        assert_eq!(ledger.ready, [1, 4]);
    }
}
