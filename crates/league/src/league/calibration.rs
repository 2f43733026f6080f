//! The duration of games on this machine, from a sample.

use super::game::GameSetup;
use super::job::Taker;
use super::local::{StartError, run};
use super::session::games::play_at;
use crate::config::{Experiment, Log};
use crate::record::{FinishedGame, GameRecord};
use crate::schedule::Schedule;
use evouct_platform::clock::{ProcessClock, ThreadClock, WallClock};
use evouct_search::search::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A sample has no more games than this: it stays in memory, and more would not make it better.
const MOST: usize = 20_000;

/// The most games of a [`pilot`].
pub const MOST_OF_PILOT: usize = 80_000;

/// The calibration waits up to this multiple of the given time for enough games to end.
const PATIENCE: u32 = 6;

/// The duration of games, in processor time: what else a machine does changes nothing. Games with players that are other
/// programs are measured in wall time, because the time of another process is not known.
#[derive(Clone, Debug)]
pub struct Calibration<Game = FinishedGame> {
    /// The games that ended, and how long each took.
    pub games: Vec<(Game, Duration)>,
    /// Seconds that one thread needs for a game, on average.
    ///
    /// Time spent on unfinished games counts too. Otherwise short games, which end in time, would bias the mean.
    pub seconds_per_game: f64,
}

/// By which clock games are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measured {
    Processor,
    Wall,
}

impl Measured {
    fn of(experiment: &Experiment) -> Measured {
        let outside = experiment.players.iter().any(|player| player.spec.kind().is_outside());
        if outside { Measured::Wall } else { Measured::Processor }
    }

    /// A clock for the calling thread.
    fn of_thread(self, wall: &WallClock) -> Duration {
        if self == Measured::Processor { ThreadClock::start().now() } else { wall.now() }
    }

    /// The time of so many threads together.
    fn of_threads(self, wall: &WallClock, threads: usize) -> Duration {
        match self {
            Measured::Processor => ProcessClock::start().now(),
            Measured::Wall => wall.now().saturating_mul(threads as u32),
        }
    }
}

/// Ends the calibration when its time is over and enough games have ended.
struct Timer<'a, Game> {
    games: Vec<(Game, Duration)>,
    clock: &'a WallClock,
    limit: Duration,
    /// Games without which its time is longer.
    least: usize,
    /// So many times.
    patience: u32,
    /// Games with which it ends before its time.
    most: usize,
    stop: &'a AtomicBool,
}

impl<Game> Taker<(Game, Duration), StartError> for Timer<'_, Game> {
    fn take(&mut self, game: (Game, Duration)) -> Result<(), StartError> {
        self.games.push(game);
        Ok(())
    }

    fn tick(&mut self, games_done: usize) -> Result<(), StartError> {
        let limit = if games_done < self.least { self.limit.saturating_mul(self.patience) } else { self.limit };
        if games_done >= self.most || self.clock.now() >= limit {
            self.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Plays games of an experiment as [`sample`] does.
pub fn calibrate(experiment: &Arc<Experiment>, threads: usize, limit: Duration) -> Option<Calibration> {
    spread(Measured::of(experiment), Schedule::of(experiment).len(), play_at(experiment), threads, limit)
}

/// Plays some of so many games without other programs, by their places, for about this long on this many threads. None if
/// no game ended.
pub fn sample<Game: Send + 'static>(
    total: u64,
    play: impl Fn(&u64) -> Game + Send + Sync + 'static,
    threads: usize,
    limit: Duration,
) -> Option<Calibration<Game>> {
    spread(Measured::Processor, total, play, threads, limit)
}

fn spread<Game: Send + 'static>(
    measured: Measured,
    total: u64,
    play: impl Fn(&u64) -> Game + Send + Sync + 'static,
    threads: usize,
    limit: Duration,
) -> Option<Calibration<Game>> {
    // From all places, not only from the first ones: an odd step reaches every match of a schedule.
    let step = (total / 64).max(1) | 1;
    let places = (0..total).map(move |n| (u128::from(n) * u128::from(step) % u128::from(total)) as u64);
    timed(measured, places, play, threads, limit, (1, PATIENCE, MOST))
}

/// Plays the games of an experiment in their order, so that decks become whole, for about this long on this many
/// threads, and for longer until two decks are whole, [`MOST_OF_PILOT`] games at most. Nothing is recorded. None if no game
/// ended.
pub fn pilot(experiment: &Arc<Experiment>, threads: usize, limit: Duration) -> Option<Calibration<GameRecord>> {
    let schedule = Schedule::of(experiment);
    let (total, least) = (schedule.len(), 2 * schedule.matches_per_deck() as usize);
    let measured = Measured::of(experiment);
    let (experiment, clock) = (Arc::clone(experiment), WallClock::start());
    let play = move |place: &u64| {
        let game = schedule.nth(*place).expect("only places of the schedule are handed out");
        GameSetup::of(&experiment, &game).play(&clock, Log::None, "").record
    };
    timed(measured, 0..total, play, threads, limit, (least, u32::MAX, MOST_OF_PILOT))
}

fn timed<Game: Send + 'static>(
    measured: Measured,
    places: impl Iterator<Item = u64> + Send + 'static,
    play: impl Fn(&u64) -> Game + Send + Sync + 'static,
    threads: usize,
    limit: Duration,
    (least, patience, most): (usize, u32, usize),
) -> Option<Calibration<Game>> {
    let clock = Arc::new(WallClock::start());
    let (players_clock, stop) = (Arc::clone(&clock), Arc::new(AtomicBool::new(false)));
    let timed = move |position: &u64| {
        let started = measured.of_thread(&players_clock);
        let entry = play(position);
        Ok((entry, measured.of_thread(&players_clock).saturating_sub(started)))
    };
    let begun = measured.of_threads(&clock, threads);
    let mut timer = Timer { games: Vec::new(), clock: &clock, limit, least, patience, most, stop: &stop };
    run(places, threads, timed, &stop, &mut timer).ok()?;
    let games = timer.games;
    let busy = measured.of_threads(&clock, threads).saturating_sub(begun).as_secs_f64();
    (!games.is_empty()).then(|| Calibration { seconds_per_game: busy / games.len() as f64, games })
}
