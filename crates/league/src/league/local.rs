//! A league on the cores of one machine.

use evouct_base::phrase::Phrase;
use evouct_base::plural::counted;
use evouct_base::stack::STACK;
use evouct_platform::external::end_programs;
use rayon::ThreadPoolBuilder;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All games were played.
    Done,
    /// It was asked to stop. Games in progress are lost and will be played again.
    Interrupted,
}

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

/// Plays jobs on `threads` threads, in their order; results come as they are made, until the jobs run out or `stop` is
/// set. A panic of `play` ends the process: panics of players are records, others are bugs.
///
/// # Errors
/// If threads cannot be started.
pub(super) fn work_on<Job, Result>(
    jobs: impl Iterator<Item = Job> + Send + 'static,
    threads: usize,
    play: impl Fn(&Job) -> Result + Send + Sync + 'static,
    stop: &Arc<AtomicBool>,
) -> std::result::Result<Receiver<Result>, StartError>
where
    Job: Send + 'static,
    Result: Send + 'static,
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
    let (send, receive) = sync_channel::<Result>(2 * threads.max(1));
    let jobs = Mutex::new(jobs);
    let stopped = Arc::clone(stop);
    pool.spawn_broadcast(move |_| {
        // Each thread takes the next job of the list: the order of the schedule is kept, and the tail is short.
        while !stopped.load(Ordering::Relaxed) {
            let Some(job) = jobs.lock().ok().and_then(|mut jobs| jobs.next()) else { break };
            if send.send(play(&job)).is_err() {
                break;
            }
        }
    });
    Ok(receive)
}

/// Plays jobs on `threads` threads, in their order, and passes each result to `take` on the calling thread as it
/// arrives.
///
/// Once `stop` is set no further result is taken; threads that are still playing are not joined, so that the caller
/// can end the process at once.
///
/// # Errors
/// That threads cannot be started, or the first error of `take`, which also ends the run.
pub fn run<Job, Result, Error>(
    jobs: impl Iterator<Item = Job> + Send + 'static,
    threads: usize,
    play: impl Fn(&Job) -> Result + Send + Sync + 'static,
    stop: &Arc<AtomicBool>,
    progress: &mut dyn Progress,
    mut take: impl FnMut(Result) -> std::result::Result<(), Error>,
) -> std::result::Result<End, Error>
where
    Job: Send + 'static,
    Result: Send + 'static,
    Error: From<StartError>,
{
    let receive = work_on(jobs, threads, play, stop)?;
    let mut done = 0;
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(End::Interrupted);
        }
        match receive.recv_timeout(TICK) {
            Ok(result) => {
                if let Err(error) = take(result) {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                done += 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            // Every thread has found the list empty, or the stop, and every result is taken.
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(if stop.load(Ordering::Relaxed) { End::Interrupted } else { End::Done });
            }
        }
        progress.tick(done);
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
                |job: &u64| job * job,
                &stop(),
                &mut (),
                |result| {
                    results.push(result);
                    Ok::<(), StartError>(())
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
        let end = run(
            0..1_000_000,
            2,
            |job: &u64| *job,
            &stopping,
            &mut (),
            |_| {
                taken += 1;
                if taken == 10 {
                    stopping.store(true, Ordering::Relaxed);
                }
                Ok::<(), StartError>(())
            },
        );
        assert_eq!((end, taken), (Ok(End::Interrupted), 10));
        let full = StartError { threads: 2, problem: "the disk is full".to_owned() };
        let end = run(0..1_000_000, 2, |job: &u64| *job, &stop(), &mut (), |_| Err(full.clone()));
        assert_eq!(end, Err(full));
    }
}
