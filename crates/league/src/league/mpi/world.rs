//! The world of ranks: joining it, checking that it is the intended one, sending and receiving.

use super::super::batching::BatchRequest;
use super::heart::Heart;
use super::message::{Hello, MAX_MESSAGE, ToFollower, ToLeader, decode, encode};
use super::pause::Pause;
use super::wire::Wire;
use evouct_platform::external::end_programs;
use evouct_store::VERSION;
use mpi::environment::Universe;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// The tag of all our messages.
const TAG: i32 = 7_305;
/// The rank that leads.
pub(super) const LEADER: i32 = 0;

/// What holds where a rank is given up.
pub(super) const KEPT: &str = "what was played is kept, and the same command goes on";

/// Why ranks cannot play together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorldError {
    /// There is no world to join.
    #[error("cannot join the MPI world: {0}")]
    Join(String),
    /// Not all ranks join the world, or leave it.
    #[error("after {seconds} s not all ranks have {done} MPI: one hangs, or its machine is gone; {KEPT}")]
    Hangs {
        /// How long they were waited for.
        seconds: u64,
        /// What some have not done.
        done: &'static str,
    },
    /// Every process is a world of its own, or some are missing.
    #[error("{launcher} started {expected} ranks but this MPI world has {found}: {hint}")]
    Size {
        /// The source of the expected number.
        launcher: &'static str,
        /// The expected number.
        expected: i32,
        /// The number found.
        found: i32,
        /// The likely cause.
        hint: &'static str,
    },
    /// A rank is not what it should be.
    #[error("rank {rank} {problem}")]
    Rank {
        /// The rank.
        rank: i32,
        /// What is wrong.
        problem: String,
    },
}

/// A follower that takes part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Its rank.
    pub(super) rank: i32,
    /// Threads that it plays on.
    pub(super) threads: u64,
}

/// The world of ranks that this process belongs to. Dropping it leaves the world; all ranks leave together.
pub struct World {
    wire: Wire,
    rank: i32,
    size: i32,
    /// Ranks that have said hello and wait for an answer.
    waiting: RefCell<Vec<i32>>,
    /// Ranks that have not said hello yet to the job that was announced.
    unheard: Cell<i32>,
    /// Whether ranks are at work, so that only an abort ends them.
    at_work: Cell<bool>,
    heart: Heart,
    universe: Option<Universe>,
}

/// All ranks leave together, and the heart beats until they do.
impl Drop for World {
    fn drop(&mut self) {
        self.heart.leave();
        drop(self.universe.take());
        self.heart.end();
    }
}

impl World {
    /// Joins the world that `mpirun` or `srun` made. Without either it is a world of one. From here on a rank that is silent
    /// for longer than `patience`, of three seconds at least, ends all of them with exit code 75, after `report` has said so.
    ///
    /// # Errors
    /// If MPI cannot be used from a program with threads, or the world is not as large as its launcher says.
    pub fn join(patience: Duration, report: fn(&WorldError)) -> Result<World, WorldError> {
        let wire = Wire::default();
        let heart = Heart::begin(wire.clone(), patience, report);
        let heart = heart.map_err(|error| WorldError::Join(error.to_string()))?;
        let universe = wire.join().map_err(WorldError::Join)?;
        let (rank, size) = (wire.rank(), wire.size());
        heart.joined(rank, size);
        let (waiting, unheard, at_work) = Default::default();
        let world = World { wire, rank, size, waiting, unheard, at_work, heart, universe: Some(universe) };
        check_size(size, |name| std::env::var(name).ok()?.parse().ok())?;
        Ok(world)
    }

    /// Whether this is the rank that leads.
    pub fn leads(&self) -> bool {
        self.rank == LEADER
    }

    /// How many ranks there are.
    pub fn size(&self) -> i32 {
        self.size
    }

    /// Whether ranks are at work now: an error must then abort all of them.
    pub fn is_at_work(&self) -> bool {
        self.at_work.get()
    }

    pub(super) fn set_at_work(&self, at_work: bool) {
        self.at_work.set(at_work);
    }

    /// An error of this rank.
    pub(super) fn fault(&self, problem: String) -> WorldError {
        WorldError::Rank { rank: self.rank, problem }
    }

    /// Ends all ranks at once, and the programs of this one.
    pub fn abort(&self, code: u8) -> ! {
        end_programs();
        self.wire.abort(code)
    }

    pub(super) fn send(&self, rank: i32, message: &impl Serialize) -> Result<(), WorldError> {
        let bytes = encode(message).map_err(|problem| self.fault(problem))?;
        self.wire.send(rank, TAG, &bytes);
        Ok(())
    }

    pub(super) fn send_to_leader(&self, message: &impl Serialize) -> Result<(), WorldError> {
        self.send(LEADER, message)
    }

    /// The next message, if there is one now, and the rank it is from.
    pub(super) fn receive<T: DeserializeOwned>(&self) -> Result<Option<(i32, T)>, WorldError> {
        let Some((rank, bytes)) = self.wire.receive(TAG) else { return Ok(None) };
        let long = |length| format!("sent a message of {length} bytes, at most {MAX_MESSAGE} are read");
        let content = bytes.map_err(long).and_then(|bytes| decode(&bytes));
        content.map(|content| Some((rank, content))).map_err(|problem| WorldError::Rank { rank, problem })
    }

    /// Waits for the hello of one rank.
    fn hear(&self) -> Result<(i32, Hello), WorldError> {
        let mut pause = Pause::new();
        loop {
            let heard = self.receive::<ToLeader<()>>();
            if !matches!(heard, Ok(None)) {
                self.unheard.set(self.unheard.get() - 1);
            }
            match heard? {
                Some((rank, ToLeader::Hello(hello))) => {
                    self.waiting.borrow_mut().push(rank);
                    return Ok((rank, hello));
                }
                Some((rank, ToLeader::Report { .. })) => {
                    return Err(WorldError::Rank { rank, problem: "reported before it said hello".to_owned() });
                }
                None => std::thread::sleep(pause.next()),
            }
        }
    }

    /// Collects the hello of all ranks and checks each. They wait until they are admitted or released.
    ///
    /// # Errors
    /// The first rank, by number, that cannot take part.
    pub(super) fn handshake(&self, agreement: &str, threads: usize) -> Result<Vec<Member>, WorldError> {
        let ours = hello(agreement, threads);
        let mut heard = Vec::new();
        while self.unheard.get() > 0 {
            heard.push(self.hear()?);
        }
        heard.sort_by_key(|(rank, _)| *rank);
        for (rank, theirs) in &heard {
            if let Some(problem) = objection(&ours, theirs) {
                return Err(WorldError::Rank { rank: *rank, problem });
            }
        }
        Ok(heard.into_iter().map(|(rank, hello)| Member { rank, threads: hello.threads.max(1) }).collect())
    }

    /// Admits all waiting ranks.
    pub(super) fn welcome(&self) -> Result<(), WorldError> {
        self.set_at_work(true);
        self.waiting.take().into_iter().try_for_each(|rank| self.send(rank, &ToFollower::Welcome))
    }

    /// Releases all ranks that were not admitted, including those that have not said hello yet.
    fn release(&self) -> Result<(), WorldError> {
        while self.unheard.get() > 0 {
            self.hear()?;
        }
        self.waiting.take().into_iter().try_for_each(|rank| self.send(rank, &ToFollower::Leave))
    }

    /// As rank 0: announces the next job to all ranks. They answer with a hello, so the handshake is next.
    pub(super) fn announce(&self, job: &str) -> Result<(), WorldError> {
        self.unheard.set(self.size() - 1);
        self.tell_all(&ToFollower::Play(job.to_owned()))
    }

    /// As rank 0: says that no further job follows. No rank may be at work.
    ///
    /// # Errors
    /// If messages cannot be sent or read.
    pub fn end_jobs(&self) -> Result<(), WorldError> {
        self.release()?;
        self.tell_all(&ToFollower::Leave)
    }

    fn tell_all(&self, message: &ToFollower) -> Result<(), WorldError> {
        (LEADER + 1..self.size()).try_for_each(|rank| self.send(rank, message))
    }

    /// As a follower: waits for the next job; none after the last.
    pub(super) fn next_announcement(&self) -> Result<Option<String>, WorldError> {
        let mut pause = Pause::new();
        loop {
            match self.receive()? {
                Some((_, ToFollower::Play(job))) => return Ok(Some(job)),
                Some(_) => return Ok(None),
                None => std::thread::sleep(pause.next()),
            }
        }
    }

    /// Sends a message there and back between the first two ranks, this many times without pause; the caller measures
    /// the time.
    ///
    /// # Errors
    /// If a message cannot be read.
    pub fn round_trips(&self, count: u32) -> Result<(), WorldError> {
        let ask = BatchRequest { idle: 1, store: 1 };
        let report = ToLeader::Report { results: Vec::<(u64, ())>::new(), ask, interrupted: false, last: false };
        for _ in 0..count {
            match self.rank {
                LEADER => {
                    while self.receive::<ToLeader<()>>()?.is_none() {}
                    self.send(LEADER + 1, &ToFollower::Work { jobs: vec![1, 2], news: None })?;
                }
                1 => {
                    self.send_to_leader(&report)?;
                    while self.receive::<ToFollower>()?.is_none() {}
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// As a follower: says hello and waits to be admitted. False if there is nothing to do.
    ///
    /// # Errors
    /// If the answer cannot be read.
    pub(super) fn enlist(&self, agreement: &str, threads: usize) -> Result<bool, WorldError> {
        self.say_hello(hello(agreement, threads))
    }

    /// As a follower: reports why it cannot take part.
    pub(super) fn decline(&self, problem: &str) -> Result<(), WorldError> {
        self.say_hello(Hello { problem: Some(problem.to_owned()), ..hello("", 1) }).map(drop)
    }

    fn say_hello(&self, hello: Hello) -> Result<bool, WorldError> {
        self.send_to_leader(&ToLeader::<()>::Hello(hello))?;
        let mut pause = Pause::new();
        loop {
            match self.receive()? {
                Some((_, ToFollower::Welcome)) => return Ok(true),
                Some(_) => return Ok(false),
                None => std::thread::sleep(pause.next()),
            }
        }
    }
}

fn hello(agreement: &str, threads: usize) -> Hello {
    Hello {
        evouct: VERSION.to_owned(),
        agreement: agreement.to_owned(),
        threads: threads as u64,
        host: gethostname::gethostname().to_string_lossy().into_owned(),
        problem: None,
    }
}

/// Why a follower is refused, if it is.
fn objection(ours: &Hello, theirs: &Hello) -> Option<String> {
    let host = &theirs.host;
    if theirs.evouct != ours.evouct {
        return Some(format!("on {host} is evouct {}, rank 0 is evouct {}", theirs.evouct, ours.evouct));
    }
    if let Some(problem) = &theirs.problem {
        return Some(format!("on {host}: {problem}"));
    }
    (theirs.agreement != ours.agreement)
        .then(|| format!("on {host} would play something else: {}; rank 0 plays {}", theirs.agreement, ours.agreement))
}

/// Compares the size of the world with the number given by its launcher.
///
/// A program that was built for one MPI and is started by the launcher of another becomes as many worlds of one as
/// there are processes, each of which would play everything.
fn check_size(found: i32, variable: impl Fn(&str) -> Option<i32>) -> Result<(), WorldError> {
    const SRUN: &str = "start it by mpirun, or by srun --mpi=pmix (Open MPI) or --mpi=pmi2 (MPICH), of the MPI it was built \
                        with; or unset SLURM_NTASKS";
    const MPIRUN: &str = "this is the launcher of another MPI than the program was built with";
    // mpirun may start fewer ranks than the job has tasks: then its number counts.
    let launchers =
        [("mpirun", "OMPI_COMM_WORLD_SIZE", MPIRUN), ("mpiexec", "PMI_SIZE", MPIRUN), ("SLURM", "SLURM_NTASKS", SRUN)];
    for (launcher, name, hint) in launchers {
        match variable(name) {
            Some(expected) if expected != found => return Err(WorldError::Size { launcher, expected, found, hint }),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_of_another_kind_is_refused() {
        let ours = hello("experiment quick 1234", 2);
        assert_eq!(objection(&ours, &ours), None);
        let older = Hello { evouct: "0.0.9".to_owned(), ..ours.clone() };
        assert!(objection(&ours, &older).unwrap().contains("is evouct 0.0.9, rank 0 is evouct"));
        let other = Hello { agreement: "experiment slow 99".to_owned(), ..ours.clone() };
        assert!(objection(&ours, &other).unwrap().ends_with("experiment slow 99; rank 0 plays experiment quick 1234"));
        let lost = Hello { problem: Some("x.toml: cannot read".to_owned()), ..ours.clone() };
        assert!(objection(&ours, &lost).unwrap().ends_with(": x.toml: cannot read"));
    }

    #[test]
    fn worlds_of_another_size_than_was_started_are_refused() {
        let check = |found, name: &'static str, value| check_size(found, move |asked| (asked == name).then_some(value));
        assert_eq!(check(4, "SLURM_NTASKS", 4), Ok(()));
        assert_eq!(check(1, "HOME", 9), Ok(()));
        let silent = check(1, "SLURM_NTASKS", 4).unwrap_err().to_string();
        assert!(
            silent.starts_with("SLURM started 4 ranks but this MPI world has 1: start it by mpirun, or by srun --mpi")
        );
        assert!(check(1, "OMPI_COMM_WORLD_SIZE", 2).unwrap_err().to_string().contains("of another MPI"));
    }
}
