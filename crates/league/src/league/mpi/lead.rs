//! Rank 0: distributes the units of a job, collects their records, and works on its own threads.

use super::super::batching::BatchRequest;
use super::super::job::{End, Executor, Job, Taker};
use super::super::local::work_on;
use super::super::supply::{OwnUnits, Supply};
use super::message::{ToFollower, ToLeader};
use super::pause::Pause;
use super::world::{Member, World, WorldError};
use evouct_platform::clock::WallClock;
use evouct_search::search::Clock;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// The time that followers have to answer a stop. They poll every few milliseconds.
const GRACE: Duration = Duration::from_secs(10);
/// Results (or messages) handled in a row before the other kind is polled.
const IN_A_ROW: usize = 64;

/// The ranks of a world, led by this one.
pub struct Ranks<'a> {
    world: &'a World,
    /// Threads of this rank.
    threads: usize,
    /// Those that take part in the next job, once they are found.
    members: Option<Vec<Member>>,
}

impl<'a> Ranks<'a> {
    /// The ranks of this world, of which this one has so many threads.
    pub fn new(world: &'a World, threads: usize) -> Ranks<'a> {
        Ranks { world, threads, members: None }
    }

    /// Threads of all ranks, if the others have as many as this one.
    pub fn threads(&self) -> usize {
        self.threads * usize::try_from(self.world.size()).unwrap_or(1)
    }
}

impl<J: Job> Executor<J> for Ranks<'_>
where
    J::Error: From<WorldError>,
{
    fn join(&mut self, job: &J) -> Result<(), J::Error> {
        self.world.announce(&job.announcement())?;
        self.members = Some(self.world.handshake(&job.agreement(), self.threads)?);
        Ok(())
    }

    /// An error while ranks are at work: the caller must then abort the world.
    fn carry_out(
        &mut self,
        job: &Arc<J>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker<J::Record, J::Error>,
    ) -> Result<End, J::Error> {
        if self.members.is_none() {
            self.join(&**job)?;
        }
        lead(self.world, self.members.take().unwrap_or_default(), self.threads, job, stop, taker)
    }
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

/// Does the units of a job on all ranks. A record of another rank must be of a unit that this rank was given, and the job
/// must accept it.
fn lead<J: Job>(
    world: &World,
    followers: Vec<Member>,
    threads: usize,
    job: &Arc<J>,
    stop: &Arc<AtomicBool>,
    taker: &mut dyn Taker<J::Record, J::Error>,
) -> Result<End, J::Error>
where
    J::Error: From<WorldError>,
{
    world.welcome()?;
    let own = OwnUnits { job: Arc::clone(job), stop: Arc::clone(stop) };
    let working = Arc::clone(job);
    let receive = work_on(own, threads, move |unit| working.work(*unit), stop);
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
            let Some((rank, message)) = world.receive::<ToLeader<J::Record>>()? else { break };
            pause.reset();
            let wrong = |problem: String| J::Error::from(WorldError::Rank { rank, problem });
            let ToLeader::Report { results, ask, interrupted, last } = message else {
                return Err(wrong("said hello twice".to_owned()));
            };
            for (unit, record) in results {
                handed.take_back(unit, rank).map_err(&wrong)?;
                let refused = |why| wrong(format!("sent a result of job {unit} that is wrong: {why}"));
                job.accept(unit, &record).map_err(refused)?;
                taker.take(record)?;
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
                answer(ask, (threads, all), job.units(), told.entry(rank).or_default(), |job| handed.give(job, rank))
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
                Ok(record) => {
                    taker.take(record?)?;
                    done += 1;
                    wait = Duration::ZERO;
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => own_threads_done = true,
            }
        }
        taker.tick(done)?;

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
