//! The cost of distributing jobs over ranks, without a league: jobs that do nothing or take a fixed time.
//!
//!     mpirun -n 2 ranks [--jobs N] [--milliseconds T] [--bytes B] [--threads N] [--panic RANK] [--wrong RANK] [--trips N]
//!
//! Rank 0 prints jobs per second and, for empty jobs, the time per job. With `--panic` a job on that rank panics, which
//! must end all ranks. With `--wrong` the results of that rank are not what the job asks for, which rank 0 must refuse.
//! With `--trips` two ranks only exchange messages.

use evouct::league::Progress;
use evouct::league::mpi::{Leader, Listed, World, WorldError, follow, lead};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

struct Silent;

impl Progress for Silent {
    fn tick(&mut self, _: usize) {}
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

    let world = World::join()?;
    let rank = if world.leads() { 0 } else { 1 };
    let work = move |job: &u64| {
        assert!(rank != panicking || *job < 10, "a fault elsewhere than in a game");
        let started = Instant::now();
        // Work and not sleep: the measurement includes the load on the cores.
        while started.elapsed() < Duration::from_millis(milliseconds) {
            std::hint::spin_loop();
        }
        vec![u8::from(rank == wrong); bytes as usize]
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
    let agreement = "the example";
    if !world.leads() {
        follow(&world, agreement, threads, &stop, work, |_| Ok(()))?;
        return Ok(());
    }
    let followers = world.handshake(agreement, threads)?;
    let started = Instant::now();
    let leader = Leader { world: &world, followers, threads, stop };
    let mut done = 0_u64;
    let led = lead(
        leader,
        Listed::of(0..jobs, jobs),
        work,
        &mut Silent,
        |_, result| if result.contains(&1) { Err("other bytes than asked for".to_owned()) } else { Ok(()) },
        |_| {
            done += 1;
            Ok::<(), WorldError>(())
        },
    );
    if let Err(error) = led {
        eprintln!("ranks: {error}");
        world.abort(1);
    }
    let seconds = started.elapsed().as_secs_f64();
    let rate = done as f64 / seconds;
    println!("{done} jobs on {} ranks in {seconds:.3} s: {rate:.0} a second, {:.2} µs each", world.size(), 1e6 / rate);
    Ok(())
}
