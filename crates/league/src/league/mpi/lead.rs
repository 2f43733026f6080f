//! Rank 0: distributes jobs, collects results, and plays on its own threads.

use super::super::batching::BatchRequest;
use super::super::local::{End, Progress, work_on};
use super::message::{ToFollower, ToLeader};
use super::pause::Pause;
use super::supply::{OwnJobs, Supply};
use super::world::{Member, World, WorldError};
use evouct_platform::clock::WallClock;
use evouct_search::search::Clock;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// The time that followers have to answer a stop. They poll every few milliseconds.
const GRACE: Duration = Duration::from_secs(10);
/// Results (or messages) handled in a row before the other kind is polled.
const IN_A_ROW: usize = 64;

/// The settings of the leader.
pub struct Leader<'a> {
    /// The world.
    pub world: &'a World,
    /// The followers.
    pub followers: Vec<Member>,
    /// Threads of this rank.
    pub threads: usize,
    /// Set to stop.
    pub stop: Arc<AtomicBool>,
}

/// Which rank plays which job.
#[derive(Default)]
struct Assignments(HashMap<u64, i32>);

impl Assignments {
    fn give(&mut self, job: u64, rank: i32) {
        self.0.insert(job, rank);
    }

    /// Takes a job back from the rank that returns its result: only a job that it was given, and only once.
    fn take_back(&mut self, job: u64, rank: i32) -> Result<(), String> {
        match self.0.get(&job) {
            Some(owner) if *owner == rank => {
                self.0.remove(&job);
                Ok(())
            }
            _ => Err(format!("sent a result of job {job}, which it was not given")),
        }
    }
}

/// Plays the jobs of a supply on all ranks and passes each result to `take` on the calling thread. A result of another rank goes
/// through `check` first, and must belong to a job that this rank was given.
///
/// # Errors
/// The first error of `take`, or what is wrong with a follower. The caller must then abort the world.
pub fn lead<T, Error>(
    leader: Leader,
    supply: Arc<dyn Supply>,
    play: impl Fn(&u64) -> T + Send + Sync + 'static,
    progress: &mut dyn Progress,
    check: impl Fn(u64, &T) -> Result<(), String>,
    mut take: impl FnMut(T) -> Result<(), Error>,
) -> Result<End, Error>
where
    T: Serialize + DeserializeOwned + Send + 'static,
    Error: From<WorldError>,
{
    let Leader { world, followers, threads, stop } = leader;
    world.welcome()?;
    let own = OwnJobs { supply: Arc::clone(&supply), stop: Arc::clone(&stop) };
    let receive = work_on(own, threads, play, &stop);
    let receive = receive.map_err(|error| world.fault(error.to_string()))?;

    let all = threads as u64 + followers.iter().map(|member| member.threads).sum::<u64>();
    let mut at_work: HashMap<i32, u64> = followers.iter().map(|member| (member.rank, member.threads)).collect();
    let mut handed = Assignments::default();
    // What each rank knows of the supply.
    let mut told: HashMap<i32, usize> = HashMap::new();
    let (mut done, mut own_threads_done) = (0, false);
    let mut pause = Pause::new();
    let (clock, mut stopped) = (WallClock::start(), None);
    loop {
        for _ in 0..IN_A_ROW {
            let Some((rank, message)) = world.receive::<ToLeader<T>>()? else { break };
            pause.reset();
            let wrong = |problem: String| Error::from(WorldError::Rank { rank, problem });
            let ToLeader::Report { results, ask, interrupted, last } = message else {
                return Err(wrong("said hello twice".to_owned()));
            };
            for (job, result) in results {
                handed.take_back(job, rank).map_err(&wrong)?;
                check(job, &result).map_err(|why| wrong(format!("sent a result of job {job} that is wrong: {why}")))?;
                take(result)?;
                done += 1;
            }
            if interrupted {
                stop.store(true, Ordering::Relaxed);
            }
            let threads = at_work.get(&rank).copied().unwrap_or(1);
            if last {
                at_work.remove(&rank);
            }
            let answer = if stop.load(Ordering::Relaxed) {
                ToFollower::Stop
            } else {
                answer(ask, (threads, all), &*supply, told.entry(rank).or_default(), |job| handed.give(job, rank))
            };
            world.send(rank, &answer)?;
        }

        // The thread sleeps until the first result; results queued behind it are taken too.
        let mut wait = pause.next();
        for _ in 0..IN_A_ROW {
            if own_threads_done {
                std::thread::sleep(wait);
                break;
            }
            match receive.recv_timeout(wait) {
                Ok(result) => {
                    take(result)?;
                    done += 1;
                    wait = Duration::ZERO;
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => own_threads_done = true,
            }
        }
        progress.tick(done);

        if stop.load(Ordering::Relaxed) {
            let since = *stopped.get_or_insert(clock.now());
            if at_work.is_empty() {
                world.set_at_work(false);
                return Ok(End::Interrupted);
            }
            if clock.now().saturating_sub(since) > GRACE {
                // A rank hangs. All results that arrived are written.
                world.abort(75);
            }
        } else if own_threads_done && at_work.is_empty() {
            world.set_at_work(false);
            return Ok(End::Done);
        }
    }
}

/// The answer to a follower with this share of all threads, which was told this much of the supply.
fn answer(
    ask: BatchRequest,
    (threads, all): (u64, u64),
    supply: &dyn Supply,
    told: &mut usize,
    mut hand: impl FnMut(u64),
) -> ToFollower {
    // First: what is added between the two looks is found by the second one.
    let is_last = supply.is_last();
    let left = supply.left();
    if left == 0 && is_last {
        return ToFollower::Finish;
    }
    let jobs: Vec<u64> = (0..ask.share(left, threads, all)).map_while(|_| supply.take()).collect();
    jobs.iter().for_each(|job| hand(*job));
    let news = if jobs.is_empty() { None } else { supply.news(*told) };
    let news = news.map(|(now, news)| {
        *told = now;
        news
    });
    ToFollower::Work { jobs, news }
}

#[cfg(test)]
mod tests {
    use super::Assignments;

    #[test]
    fn only_the_rank_that_was_given_a_job_returns_it_and_only_once() {
        let mut handed = Assignments::default();
        handed.give(7, 1);
        handed.give(8, 2);
        assert!(handed.take_back(8, 1).unwrap_err().contains("job 8, which it was not given"));
        assert!(handed.take_back(9, 1).is_err());
        assert_eq!(handed.take_back(8, 2), Ok(()), "the claim of another rank takes nothing from its owner");
        assert_eq!(handed.take_back(7, 1), Ok(()));
        assert!(handed.take_back(7, 1).is_err());
    }
}
