//! A league on the cores of one machine.

use super::job::{End, Executor, Job, Taker};
use super::pool::{PoolError, PoolWorkers};
use super::supply::OwnUnits;
use super::workers::Workers;
use evouct_base::phrase::Phrase;
use evouct_base::plural::counted;
use evouct_base::stack::STACK;
use evouct_platform::external::end_programs;
use rayon::ThreadPoolBuilder;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Receives the progress of a run.
pub trait Progress {
    /// Called several times a second and after every game.
    fn tick(&mut self, games_done: usize);
}

/// Shows nothing.
impl Progress for () {
    fn tick(&mut self, _: usize) {}
}

/// The interval between progress reports if no game ends.
const TICK: Duration = Duration::from_millis(100);

/// Threads cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot start {}: {problem}; {}", counted(*threads, "thread"), Phrase::FewerThreads)]
pub struct StartError {
    /// How many.
    pub threads: usize,
    /// What the system said.
    pub problem: String,
}

/// Does units on `threads` threads, in their order; records come as they are made, until the units run out or `stop` is
/// set. A panic of `play` ends the process: panics of players are records, others are bugs.
///
/// # Errors
/// If threads cannot be started.
pub(super) fn work_on<Unit, Record>(
    units: impl Iterator<Item = Unit> + Send + 'static,
    threads: usize,
    play: impl Fn(&Unit) -> Record + Send + Sync + 'static,
    stop: &Arc<AtomicBool>,
) -> Result<Receiver<Record>, StartError>
where
    Unit: Send + 'static,
    Record: Send + 'static,
{
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .thread_name(|n| format!("game-{n}"))
        .stack_size(STACK)
        .panic_handler(|_| {
            end_programs();
            std::process::exit(1)
        })
        .build()
        .map_err(|error| StartError { threads, problem: error.to_string() })?;
    // A short queue: threads wait instead of filling the memory with results.
    let (send, receive) = sync_channel::<Record>(2 * threads.max(1));
    let units = Mutex::new(units);
    let stopped = Arc::clone(stop);
    pool.spawn_broadcast(move |_| {
        // Each thread takes the next unit of the list: the order of the schedule is kept, and the tail is short.
        while !stopped.load(Ordering::Relaxed) {
            let Some(unit) = units.lock().ok().and_then(|mut units| units.next()) else { break };
            if send.send(play(&unit)).is_err() {
                break;
            }
        }
    });
    Ok(receive)
}

/// Does units on `threads` threads, in their order, and passes each record to the taker on the calling thread as it
/// arrives.
///
/// Once `stop` is set no further result is taken; threads that are still playing are not joined, so that the caller
/// can end the process at once.
///
/// # Errors
/// That threads cannot be started, or the first error of a unit or of the taker, which also ends the run.
pub(super) fn run<Unit, Record, Error>(
    units: impl Iterator<Item = Unit> + Send + 'static,
    threads: usize,
    play: impl Fn(&Unit) -> Result<Record, Error> + Send + Sync + 'static,
    stop: &Arc<AtomicBool>,
    taker: &mut dyn Taker<Record, Error>,
) -> Result<End, Error>
where
    Unit: Send + 'static,
    Record: Send + 'static,
    Error: From<StartError> + Send + 'static,
{
    let receive = work_on(units, threads, play, stop)?;
    let mut done = 0;
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(End::Interrupted);
        }
        let taken = match receive.recv_timeout(TICK) {
            Ok(record) => record.and_then(|record| taker.take(record)).map(|()| done += 1),
            Err(RecvTimeoutError::Timeout) => Ok(()),
            // Every thread has found the list empty, or the stop, and every result is taken.
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(if stop.load(Ordering::Relaxed) { End::Interrupted } else { End::Done });
            }
        };
        if let Err(error) = taken.and_then(|()| taker.tick(done)) {
            stop.store(true, Ordering::Relaxed);
            return Err(error);
        }
    }
}

/// Threads of this machine. For jobs of which a process does one unit at a time they are worker processes, which stay until
/// this value is dropped.
pub struct Threads {
    count: usize,
    workers: Option<PoolWorkers<Workers>>,
}

impl Threads {
    /// So many.
    pub fn of(count: usize) -> Threads {
        Threads { count, workers: None }
    }
}

impl<J: Job> Executor<J> for Threads
where
    J::Error: From<StartError> + From<PoolError>,
{
    fn carry_out(
        &mut self,
        job: &Arc<J>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker<J::Record, J::Error>,
    ) -> Result<End, J::Error> {
        let command = job.worker().filter(|_| self.count > 1 && job.task().is_some());
        if let Some(command) = command {
            // They are this process's own, so nothing is done again.
            let workers = || PoolWorkers::of(Workers::of(command, self.count), 0.0);
            return self.workers.get_or_insert_with(workers).carry_out(job, stop, taker);
        }
        let own = Arc::clone(job);
        let units = OwnUnits { job: Arc::clone(job), stop: Arc::clone(stop) };
        run(units, self.count, move |unit| own.work(*unit), stop, taker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop() -> Arc<AtomicBool> {
        Arc::new(AtomicBool::new(false))
    }

    #[test]
    fn every_job_is_played_once_on_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let mut results = Vec::new();
            let end = run(
                0..200,
                threads,
                |job: &u64| Ok(job * job),
                &stop(),
                &mut |result: u64| -> Result<(), StartError> {
                    results.push(result);
                    Ok(())
                },
            );
            assert_eq!(end, Ok(End::Done));
            results.sort_unstable();
            assert_eq!(results, (0..200).map(|job| job * job).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_stop_and_an_error_end_the_run() {
        let stopping = stop();
        let mut taken = 0;
        let end = run(0..1_000_000, 2, |job: &u64| Ok(*job), &stopping, &mut |_: u64| -> Result<(), StartError> {
            taken += 1;
            if taken == 10 {
                stopping.store(true, Ordering::Relaxed);
            }
            Ok(())
        });
        assert_eq!((end, taken), (Ok(End::Interrupted), 10));
        let full = StartError { threads: 2, problem: "the disk is full".to_owned() };
        let end = run(0..1_000_000, 2, |job: &u64| Ok(*job), &stop(), &mut |_: u64| Err(full.clone()));
        assert_eq!(end, Err(full));
    }
}
