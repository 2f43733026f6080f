//! The cost of distributing jobs over ranks, without a league: jobs that do nothing or take a fixed time.
//!
//!     mpirun -n 2 ranks [--jobs N] [--milliseconds T] [--bytes B] [--threads N] [--panic RANK] [--wrong RANK] [--trips N]
//!
//! Rank 0 prints jobs per second and, for empty jobs, the time per job. With `--panic` a job on that rank panics, which
//! must end all ranks. With `--wrong` the results of that rank are not what the job asks for, which rank 0 must refuse.
//! With `--trips` two ranks only exchange messages.

use evouct::league::mpi::{Ranks, World, WorldError, follow};
use evouct::league::{Executor, Job, Listed, Supply};
use std::error::Error;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Units that take a fixed time.
struct Fixed {
    units: Listed<Range<u64>>,
    time: Duration,
    bytes: u64,
    is_wrong: bool,
    is_panicking: bool,
}

impl Job for Fixed {
    type Record = Vec<u8>;
    type Error = WorldError;

    fn units(&self) -> &dyn Supply {
        &self.units
    }

    fn work(&self, unit: u64) -> Result<Vec<u8>, WorldError> {
        assert!(!self.is_panicking || unit < 10, "a fault elsewhere than in a game");
        let started = Instant::now();
        // Work and not sleep: the measurement includes the load on the cores.
        while started.elapsed() < self.time {
            std::hint::spin_loop();
        }
        Ok(vec![u8::from(self.is_wrong); self.bytes as usize])
    }

    fn announcement(&self) -> String {
        "the example".to_owned()
    }

    fn agreement(&self) -> String {
        self.announcement()
    }

    fn accept(&self, _: u64, record: &Vec<u8>) -> Result<(), String> {
        if record.contains(&1) { Err("other bytes than asked for".to_owned()) } else { Ok(()) }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str, default: u64| -> Result<u64, Box<dyn Error>> {
        match arguments.iter().position(|argument| argument == name) {
            Some(at) => Ok(arguments.get(at + 1).ok_or("a value is missing")?.parse()?),
            None => Ok(default),
        }
    };
    let (jobs, milliseconds, bytes) = (option("--jobs", 100_000)?, option("--milliseconds", 0)?, option("--bytes", 0)?);
    let threads = option("--threads", 1)? as usize;
    let (panicking, wrong) = (option("--panic", u64::MAX)?, option("--wrong", u64::MAX)?);
    let stop = Arc::new(AtomicBool::new(false));

    let world = World::join(Duration::from_secs(600), |lost| eprintln!("ranks: {lost}"))?;
    let rank = if world.leads() { 0 } else { 1 };
    let job = |jobs: u64| Fixed {
        units: Listed::of(0..jobs, jobs),
        time: Duration::from_millis(milliseconds),
        bytes,
        is_wrong: rank == wrong,
        is_panicking: rank == panicking,
    };
    let trips = option("--trips", 0)? as u32;
    if trips > 0 {
        let started = Instant::now();
        world.round_trips(trips)?;
        let each = started.elapsed() / trips;
        if world.leads() {
            println!("{trips} messages there and back: {:.2} µs each", each.as_secs_f64() * 1e6);
        }
        return Ok(());
    }
    if !world.leads() {
        let helper = Arc::new(job(0));
        return Ok(follow(&world, threads, &stop, |_| Ok(Arc::clone(&helper)))?);
    }
    let mut ranks = Ranks::new(&world, threads);
    let job = job(jobs);
    ranks.join(&job)?;
    let (started, mut done) = (Instant::now(), 0_u64);
    let led = ranks.carry_out(&Arc::new(job), &stop, &mut |_: Vec<u8>| -> Result<(), WorldError> {
        done += 1;
        Ok(())
    });
    if let Err(error) = led {
        eprintln!("ranks: {error}");
        world.abort(1);
    }
    let seconds = started.elapsed().as_secs_f64();
    let rate = done as f64 / seconds;
    world.end_jobs()?;
    println!("{done} jobs on {} ranks in {seconds:.3} s: {rate:.0} a second, {:.2} µs each", world.size(), 1e6 / rate);
    Ok(())
}
