//! All ranks but the first: ask for jobs, play them, send the results.

use super::super::batching::{AGAIN, BatchRequest};
use super::super::job::{End, Job};
use super::super::local::work_on;
use super::message::{ToFollower, ToLeader};
use super::pause::Pause;
use super::world::{World, WorldError};
use evouct_platform::clock::WallClock;
use evouct_search::search::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// A follower without results sends a message this often, to learn whether to stop.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// Results and requests of this time go in one message, unless a thread is idle: half of the work in store.
const GATHER: Duration = Duration::from_millis(10);
/// Results sent in one message, at most.
const IN_A_MESSAGE: usize = 1_024;

/// As a rank that follows: helps with the jobs that rank 0 announces, until there are no more. `find` finds a job by its
/// announcement, or says why this rank cannot take part.
///
/// # Errors
/// If messages cannot be read. The caller must then abort the world.
pub fn follow<J: Job>(
    world: &World,
    threads: usize,
    stop: &Arc<AtomicBool>,
    mut find: impl FnMut(&str) -> Result<Arc<J>, String>,
) -> Result<(), WorldError> {
    while let Some(announcement) = world.next_announcement()? {
        match find(&announcement) {
            // Rank 0 knows how it ended and decides what comes next. Its exit code also reports an interruption: mpirun
            // ends all ranks as soon as one exits with a code other than 0.
            Ok(job) => {
                let _end = help(world, &job, threads, stop)?;
            }
            // Rank 0 reports the error, once for all ranks.
            Err(problem) => world.decline(&problem)?,
        }
    }
    Ok(())
}

/// Does units for the leader until there are no more, or until it or the leader is stopped.
fn help<J: Job>(world: &World, job: &Arc<J>, threads: usize, stop: &Arc<AtomicBool>) -> Result<End, WorldError> {
    if !world.enlist(&job.agreement(), threads)? {
        return Ok(End::Done);
    }
    world.set_at_work(true);
    let (give, jobs) = channel::<u64>();
    let mut give = Some(give);
    let clock = Arc::new(WallClock::start());
    let players_clock = Arc::clone(&clock);
    let own = Arc::clone(job);
    let timed = move |unit: &u64| {
        let started = players_clock.now();
        let record = own.work(*unit);
        (*unit, record, players_clock.now().saturating_sub(started))
    };
    let receive = work_on(jobs.into_iter(), threads, timed, stop).map_err(|error| world.fault(error.to_string()))?;

    let mut results: Vec<(u64, J::Record)> = Vec::new();
    // Jobs that were given and whose result has not come.
    let mut held = 0_u64;
    // Until a game has ended, games are assumed to be long, and the store stays small.
    let mut usual = HEARTBEAT;
    let (mut answered, mut in_vain, mut finishing, mut left) = (true, false, false, false);
    let mut spoke = clock.now();
    let mut pause = Pause::new();
    loop {
        let mut wait = pause.next();
        while results.len() < IN_A_MESSAGE {
            match receive.recv_timeout(wait) {
                Ok((unit, record, took)) => {
                    results.push((unit, record.map_err(|error| world.fault(error.to_string()))?));
                    // After a stop no jobs are held, but finished games still arrive.
                    held = held.saturating_sub(1);
                    usual = (usual * 7 + took) / 8;
                    in_vain = false;
                    wait = Duration::ZERO;
                }
                Err(RecvTimeoutError::Timeout) => break,
                // The threads have ended, and all their results have arrived.
                Err(RecvTimeoutError::Disconnected) => {
                    std::thread::sleep(wait);
                    break;
                }
            }
        }
        if !answered {
            let Some((_, answer)) = world.receive::<ToFollower>()? else { continue };
            answered = true;
            pause.reset();
            match answer {
                _ if left => {
                    world.set_at_work(false);
                    return Ok(if answer == ToFollower::Stop { End::Interrupted } else { End::Done });
                }
                ToFollower::Work { jobs: given, news } => {
                    news.map_or(Ok(()), |news| job.learn(&news)).map_err(|problem| world.fault(problem))?;
                    in_vain = given.is_empty();
                    held += given.len() as u64;
                    // The threads take jobs until this end of the queue is dropped.
                    if let Some(give) = &give {
                        given.into_iter().take_while(|job| give.send(*job).is_ok()).for_each(drop);
                    }
                }
                ToFollower::Stop => {
                    stop.store(true, Ordering::Relaxed);
                    (finishing, held) = (true, 0);
                    give = None;
                }
                ToFollower::Finish | ToFollower::Welcome | ToFollower::Leave | ToFollower::Play(_) => {
                    finishing = true;
                    give = None;
                }
            }
        }
        let interrupted = stop.load(Ordering::Relaxed);
        let ask = if finishing || interrupted {
            BatchRequest { idle: 0, store: 0 }
        } else {
            BatchRequest::of(threads as u64, held, usual)
        };
        let last = finishing && held == 0 && results.len() < IN_A_MESSAGE;
        let silent = clock.now().saturating_sub(spoke);
        let wants = ask.is_any() && !in_vain;
        let urgent = wants && ask.idle > 0 || held == 0 && !results.is_empty() || results.len() >= IN_A_MESSAGE;
        let gathered = silent >= GATHER && (wants || !results.is_empty());
        let again = in_vain && ask.idle > 0 && silent >= AGAIN;
        if urgent || gathered || again || last || interrupted || silent >= HEARTBEAT {
            let results = std::mem::take(&mut results);
            world.send_to_leader(&ToLeader::Report { results, ask, interrupted, last })?;
            spoke = clock.now();
            (answered, left) = (false, last);
            pause.reset();
        }
    }
}
