//! Random games from a position.

use crate::numbers::whole;
use crate::signals::interruptible;
use crate::state::Game;
use crate::with_episode;
use evouct::seed::{Key, search_rng};
use evouct::stack;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The most random games of one call.
const MOST: i128 = 100_000_000;

/// So many random games take a few milliseconds.
const FEW: usize = 500;

/// A number of random games.
pub fn count(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole(value, "n", 0, MOST)? as usize)
}

/// The final scores of `n` random games, one game after another. A signal of Python ends them.
pub fn scores(py: Python<'_>, game: Game, (n, seats): (usize, usize), seed: u64, threads: usize) -> PyResult<Vec<i32>> {
    let mut scores = Vec::new();
    let memory = |error| PyMemoryError::new_err(format!("{n} playouts: {error}"));
    scores.try_reserve_exact(n * seats).map_err(memory)?;
    scores.resize(n * seats, 0);
    let work = move |stop: &AtomicBool| play(&game, (n, seats), seed, threads, stop, scores);
    // A few games end sooner than a thread starts.
    let played = if n <= FEW { py.detach(|| work(&AtomicBool::new(false))) } else { interruptible(py, work)? };
    played.map_err(|error| PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}")))
}

/// Writes the scores of random games that threads play. Ends early where `stop` is set.
fn play(
    game: &Game,
    (n, seats): (usize, usize),
    seed: u64,
    threads: usize,
    stop: &AtomicBool,
    mut scores: Vec<i32>,
) -> io::Result<Vec<i32>> {
    let key = Key::experiment(seed);
    let part = &|first: usize, rows: &mut [i32]| {
        for (row, scores) in rows.chunks_exact_mut(seats).enumerate() {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let mut rng = search_rng(&mut key.named("playout", (first + row) as u64).stream());
            let found = with_episode!(game, episode => episode.playout(&mut rng));
            scores.iter_mut().zip(found).for_each(|(score, found)| *score = found.into());
        }
    };
    if threads == 1 {
        part(0, &mut scores);
        return Ok(scores);
    }
    let per_thread = n.div_ceil(threads).max(1);
    thread::scope(|scope| {
        for (number, rows) in scores.chunks_mut(per_thread * seats).enumerate() {
            let started = stack::thread("playouts").spawn_scoped(scope, move || part(number * per_thread, rows));
            if let Err(error) = started {
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })?;
    Ok(scores)
}
