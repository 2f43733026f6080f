//! Jobs by the workers of a pool, which is somebody else's: processes, a cluster of Dask, ranks of mpi4py.
//!
//! A pool carries texts ([`chunk`](super::chunk)): the caller sends units by their names and is the only one who writes.
//! Chunks take about two seconds, two per worker are under way, and what a lost worker had is asked for again. Nothing
//! is trusted: see [`Ledger`].

mod ledger;

use super::job::{End, Executor, Job, Taker};
use ledger::{Known, Ledger};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Chunks under way per worker: one is done while the next one travels.
const PER_WORKER: usize = 2;
/// The interval between two looks at the stop.
const TICK: Duration = Duration::from_millis(100);

/// Workers that answer texts.
pub trait Pool {
    /// How many there are now.
    ///
    /// # Errors
    /// Why the pool cannot go on.
    fn workers(&mut self) -> Result<usize, String>;

    /// The time that a chunk is to take.
    fn chunk_time(&self) -> Duration;

    /// Has a worker answer a chunk.
    ///
    /// # Errors
    /// Why the pool cannot go on.
    fn submit(&mut self, ticket: u64, chunk: String) -> Result<(), String>;

    /// Answers by their tickets, in any order, or why a chunk was lost. Waits for the first one at most for this time.
    ///
    /// # Errors
    /// Why the pool cannot go on.
    fn answers(&mut self, wait: Duration) -> Result<Vec<Ticketed>, String>;

    /// Forgets all chunks that are under way.
    fn forget(&mut self);
}

/// The answer to the chunk with a ticket, or why it was lost.
pub type Ticketed = (u64, Result<String, String>);

/// Why the workers of a pool cannot do a job.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// The job does not follow from a text, so that no worker finds it.
    #[error("its file does not say all of it, so that no other process can take part")]
    Untold,
    /// A worker has another version, processor or game.
    #[error("worker {worker} cannot take part: {problem}")]
    Refused {
        /// Its machine and process.
        worker: String,
        /// Why.
        problem: String,
    },
    /// Units were lost with several workers.
    #[error("{unit}: {problem}, {times} times; what is recorded is safe, and the same command goes on")]
    Lost {
        /// The name of one of them.
        unit: String,
        /// What happened the last time.
        problem: String,
        /// How often.
        times: u32,
    },
    /// Only workers that answer wrong are left.
    #[error("no worker is left that can be trusted: {0}")]
    Liars(String),
    /// The pool has no workers any more, or takes no work.
    #[error("the executor cannot go on: {0}; what is recorded is safe, and the same call with another one goes on")]
    Broken(String),
}

/// The workers of a pool as an executor, which remembers from job to job who answered wrong.
pub struct PoolWorkers<P> {
    pool: P,
    replay: f64,
    known: Known,
    /// What workers did wrong, in sentences.
    pub problems: Vec<String>,
}

impl<P: Pool> PoolWorkers<P> {
    /// The workers of this pool. Of what a worker answers a share of `replay` is done again by another one, its first unit
    /// among them.
    pub fn of(pool: P, replay: f64) -> PoolWorkers<P> {
        PoolWorkers { pool, replay, known: Known::default(), problems: Vec::new() }
    }

    /// Does what is missing; the records are in the ledger where it ends early.
    fn go_on<J: Job>(
        &mut self,
        ledger: &mut Ledger<J>,
        stop: &AtomicBool,
        taker: &mut dyn Taker<J::Record, J::Error>,
    ) -> Result<End, J::Error>
    where
        J::Error: From<PoolError>,
    {
        let broken = |problem| J::Error::from(PoolError::Broken(problem));
        let mut done = 0;
        while !stop.load(Ordering::Relaxed) {
            let (workers, time) = (self.pool.workers().map_err(broken)?.max(1), self.pool.chunk_time());
            ledger.workers = workers;
            let straggler = ledger.straggler(time);
            let room = |ledger: &Ledger<J>| ledger.under_way() < PER_WORKER * workers;
            let more = std::iter::from_fn(|| room(ledger).then(|| ledger.next(time))?);
            for (ticket, chunk) in straggler.into_iter().chain(more) {
                self.pool.submit(ticket, chunk).map_err(broken)?;
            }
            if ledger.is_done() {
                return Ok(End::Done);
            }
            if ledger.is_idle() {
                ledger.job.units().wait();
            } else {
                for (ticket, answer) in self.pool.answers(TICK).map_err(broken)? {
                    ledger.receive(ticket, answer)?;
                }
            }
            ledger.release_idle();
            for record in ledger.ready.drain(..) {
                taker.take(record)?;
                done += 1;
            }
            taker.tick(done + ledger.held())?;
        }
        Ok(End::Interrupted)
    }
}

impl<P: Pool, J: Job> Executor<J> for PoolWorkers<P>
where
    J::Error: From<PoolError>,
{
    fn carry_out(
        &mut self,
        job: &Arc<J>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker<J::Record, J::Error>,
    ) -> Result<End, J::Error> {
        let task = job.task().ok_or(PoolError::Untold)?;
        let mut ledger = Ledger::of(&**job, task, self.replay, std::mem::take(&mut self.known));
        let end = self.go_on(&mut ledger, stop, taker);
        self.pool.forget();
        // A worker that is being checked may be wrong: where it ends early, its units are done again by the next run.
        ledger.release_confirmed();
        let kept = ledger.ready.drain(..).try_for_each(|record| taker.take(record));
        self.problems.append(&mut ledger.problems);
        self.known = ledger.end();
        end.and_then(|end| kept.map(|()| end))
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunk::{Found, answer};
    use super::super::local::StartError;
    use super::super::supply::{Listed, Supply};
    use super::*;
    use std::collections::{BTreeMap, HashSet, VecDeque};

    const UNITS: u64 = 200;

    #[derive(Debug, PartialEq, Eq, thiserror::Error)]
    pub(super) enum SquareError {
        #[error(transparent)]
        Pool(#[from] PoolError),
        #[error(transparent)]
        Start(#[from] StartError),
    }

    /// Squares of numbers, plus what a wrong worker adds.
    pub(super) struct Squares(Listed<std::ops::Range<u64>>, u64);

    impl Squares {
        pub(super) fn new(added: u64) -> Squares {
            Squares(Listed::of(0..UNITS, UNITS), added)
        }
    }

    impl Job for Squares {
        type Record = u64;
        type Error = SquareError;

        fn units(&self) -> &dyn Supply {
            &self.0
        }

        fn work(&self, unit: u64) -> Result<u64, SquareError> {
            Ok(unit * unit + self.1)
        }

        fn announcement(&self) -> String {
            String::new()
        }

        fn agreement(&self) -> String {
            "squares".to_owned()
        }

        fn accept(&self, unit: u64, record: &u64) -> Result<(), String> {
            if *record < unit { Err(format!("{record} is no square")) } else { Ok(()) }
        }

        fn task(&self) -> Option<String> {
            Some("{}".to_owned())
        }
    }

    /// Workers in turn, each of which adds something to its squares, and what happens to the chunks with some tickets.
    struct Turns {
        added: Vec<u64>,
        lost: fn(u64) -> bool,
        hangs: fn(u64) -> bool,
        chunks: VecDeque<(u64, String)>,
        /// All chunks that were asked.
        asked: HashSet<String>,
        done: usize,
        /// Set after two answers, if there is one.
        stop: Option<Arc<AtomicBool>>,
    }

    impl Turns {
        fn of(added: &[u64]) -> Turns {
            let (added, chunks) = (added.to_vec(), VecDeque::new());
            Turns { added, lost: |_| false, hangs: |_| false, chunks, asked: HashSet::new(), done: 0, stop: None }
        }
    }

    impl Pool for Turns {
        fn workers(&mut self) -> Result<usize, String> {
            Ok(self.added.len())
        }

        fn chunk_time(&self) -> Duration {
            Duration::from_micros(50)
        }

        fn submit(&mut self, ticket: u64, chunk: String) -> Result<(), String> {
            assert!(self.asked.insert(chunk.clone()), "a pool may compute equal chunks once: {chunk}");
            self.chunks.push_back((ticket, chunk));
            Ok(())
        }

        fn answers(&mut self, _: Duration) -> Result<Vec<Ticketed>, String> {
            let Some((ticket, chunk)) = self.chunks.pop_front() else { return Ok(Vec::new()) };
            if (self.hangs)(ticket) {
                return Ok(Vec::new());
            }
            if (self.lost)(ticket) {
                return Ok(vec![(ticket, Err("gone".to_owned()))]);
            }
            self.done += 1;
            self.stop.iter().filter(|_| self.done == 2).for_each(|stop| stop.store(true, Ordering::Relaxed));
            let worker = self.done % self.added.len();
            let added = self.added[worker];
            // Workers keep the jobs that they found by their tasks.
            let chunk = chunk.replacen("{}", &format!("add {added}"), 1);
            let text = answer(&chunk, |_| Ok(Found::of(Squares::new(added))));
            Ok(vec![(ticket, Ok(text.replacen(&std::process::id().to_string(), &format!("w{worker}"), 1)))])
        }

        fn forget(&mut self) {
            self.chunks.clear();
        }
    }

    fn squares(pool: Turns, replay: f64) -> (Result<End, SquareError>, Vec<u64>, Vec<String>) {
        let (mut workers, mut taken) = (PoolWorkers::of(pool, replay), Vec::new());
        let job = Arc::new(Squares::new(0));
        let stop = workers.pool.stop.clone().unwrap_or_default();
        let end = workers.carry_out(&job, &stop, &mut |record: u64| -> Result<(), SquareError> {
            taken.push(record);
            Ok(())
        });
        taken.sort_unstable();
        (end, taken, workers.problems)
    }

    fn expected() -> Vec<u64> {
        (0..UNITS).map(|unit| unit * unit).collect()
    }

    #[test]
    fn every_unit_is_done_once_whatever_is_lost_or_hangs() {
        for (added, replay) in [(&[0][..], 0.0), (&[0, 0], 0.02), (&[0, 0, 0], 1.0)] {
            let pools = [
                Turns::of(added),
                Turns { lost: |ticket| ticket % 7 == 3 && ticket < 30, ..Turns::of(added) },
                Turns { hangs: |ticket| ticket % 5 == 4, ..Turns::of(added) },
            ];
            for pool in pools {
                assert_eq!(squares(pool, replay), (Ok(End::Done), expected(), Vec::new()), "{added:?} {replay}");
            }
        }
    }

    #[test]
    fn a_worker_that_answers_wrong_is_named_and_its_units_are_done_again() {
        for added in [&[0, 1][..], &[5, 0, 0]] {
            let (end, taken, problems) = squares(Turns::of(added), 0.02);
            assert_eq!((end, taken), (Ok(End::Done), expected()));
            let liar = added.iter().position(|added| *added > 0).unwrap();
            assert!(
                problems.len() == 1 && problems[0].contains(&format!(":w{liar} answered wrong for ")),
                "{problems:?}"
            );
        }
    }

    #[test]
    fn workers_that_are_wrong_and_fast_stop_no_others() {
        let (end, taken, problems) = squares(Turns::of(&(0..61).collect::<Vec<_>>()), 0.02);
        assert_eq!((end, taken, problems.len()), (Ok(End::Done), expected(), 60));
    }

    #[test]
    fn an_early_end_keeps_nothing_of_workers_that_are_being_checked() {
        let pool = Turns { stop: Some(Arc::default()), ..Turns::of(&[1, 1]) };
        assert_eq!(squares(pool, 0.02), (Ok(End::Interrupted), Vec::new(), Vec::new()));
    }

    #[test]
    fn nothing_is_taken_where_no_worker_can_be_trusted() {
        let (end, taken, _) = squares(Turns::of(&[1, 2]), 0.02);
        assert!(matches!(end, Err(SquareError::Pool(PoolError::Liars(_)))) && taken.is_empty(), "{end:?}");
        let (end, ..) = squares(Turns { lost: |_| true, ..Turns::of(&[0]) }, 0.02);
        assert_eq!(
            end.unwrap_err().to_string(),
            "0: gone, 5 times; what is recorded is safe, and the same command goes on"
        );
    }

    /// Workers in a time of their own: a unit takes 20 ms, a chunk and its answer travel for 2 ms each, and a record costs the
    /// caller 0.1 ms.
    struct Modelled {
        /// When each worker is free.
        free: Vec<Duration>,
        /// Answers and their units by the time when they come.
        coming: BTreeMap<(Duration, u64), (String, u32)>,
        now: Duration,
    }

    const UNIT: Duration = Duration::from_millis(20);
    const TRAVEL: Duration = Duration::from_millis(2);
    const RECORD: Duration = Duration::from_micros(100);

    impl Pool for Modelled {
        fn workers(&mut self) -> Result<usize, String> {
            Ok(self.free.len())
        }

        fn chunk_time(&self) -> Duration {
            Duration::from_secs(2)
        }

        fn submit(&mut self, ticket: u64, chunk: String) -> Result<(), String> {
            let (worker, free) = self.free.iter_mut().enumerate().min_by_key(|(_, free)| **free).unwrap();
            let text = answer(&chunk, |_| Ok(Found::of(Squares::new(0))));
            let (head, lines) = text.split_once('\n').unwrap();
            let units = lines.lines().count() as u32;
            *free = (*free).max(self.now + TRAVEL) + UNIT * units;
            let mut head: serde_json::Value = serde_json::from_str(head).unwrap();
            (head["worker"], head["seconds"]) = (format!("w{worker}").into(), (UNIT * units).as_secs_f64().into());
            self.coming.insert((*free + TRAVEL, ticket), (format!("{head}\n{lines}"), units));
            Ok(())
        }

        fn answers(&mut self, _: Duration) -> Result<Vec<Ticketed>, String> {
            let Some(((time, ticket), (text, units))) = self.coming.pop_first() else { return Ok(Vec::new()) };
            self.now = self.now.max(time) + RECORD * units;
            Ok(vec![(ticket, Ok(text))])
        }

        fn forget(&mut self) {
            self.coming.clear();
        }
    }

    #[test]
    fn workers_have_little_to_wait_for() {
        for count in [2, 8, 64] {
            // Half a minute for each.
            let units = 1_500 * count;
            let free = vec![Duration::ZERO; count as usize];
            let pool = Modelled { free, coming: BTreeMap::new(), now: Duration::ZERO };
            let (mut workers, mut taken) = (PoolWorkers::of(pool, 0.02), 0);
            let job = Arc::new(Squares(Listed::of(0..units, units), 0));
            let end = workers.carry_out(&job, &Arc::default(), &mut |_: u64| -> Result<(), SquareError> {
                taken += 1;
                Ok(())
            });
            assert_eq!((end, taken), (Ok(End::Done), units));
            let share = (UNIT * units as u32).as_secs_f64() / workers.pool.now.as_secs_f64() / count as f64;
            println!("{count} workers: {share:.3} of their time in units");
            assert!(share > 0.95, "{count} workers: {share}");
        }
    }
}
