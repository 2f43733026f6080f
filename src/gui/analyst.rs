//! The thread that searches for the analysis.

use super::analysis::Found;
use super::game::Game;
use super::inner::Inner;
use super::stop::{Stop, StoppableClock};
use super::table::Table;
use crate::domain::{Decided, Snapshot, Spec, Watch};
use crate::league::granted;
use crate::panic::catch;
use crate::search::Clock;
use crate::seed::Key;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// The least time between two looks at a search.
const INTERVAL: Duration = Duration::from_millis(250);
/// Iterations between two looks at the clock.
const ITERATIONS: u32 = 16;

/// A position to search.
struct Task {
    game: Game,
    turn: usize,
    player: Spec,
    stop: Stop,
}

/// Searches for the analysis, for ever.
pub(super) fn run(table: &Arc<Table>) {
    loop {
        // A search that ends before its first look goes on without windows no longer than others.
        table.rest();
        let task = table.wait_for(next);
        table.tell_analysis();
        let found = search(table, &task);
        let mut inner = table.look();
        if let Some(analysis) = current(&mut inner, &task.stop) {
            analysis.running = None;
            match found {
                Ok(found) if !task.stop.is_set() || !found.moves.is_empty() => {
                    analysis.found.insert(task.turn, Found { done: !task.stop.is_set(), ..found });
                }
                Ok(_) => {}
                Err(problem) => {
                    analysis.stop();
                    analysis.failure = Some(problem);
                }
            }
        }
        drop(inner);
        table.tell_analysis();
    }
}

fn next(inner: &mut Inner) -> Option<Task> {
    let analysis = inner.analysis.as_mut()?;
    let turn = analysis.queue.pop_front()?;
    let stop = Stop::default();
    analysis.running = Some((turn, stop.clone()));
    Some(Task { game: inner.game.clone(), turn, player: analysis.player.clone(), stop })
}

/// The analysis that runs this search; none if another one has taken its place.
fn current<'a>(inner: &'a mut Inner, stop: &Stop) -> Option<&'a mut super::analysis::Analysis> {
    inner.analysis.as_mut().filter(|analysis| analysis.running.as_ref().is_some_and(|(_, own)| own.is(stop)))
}

fn search(table: &Arc<Table>, task: &Task) -> Result<Found, String> {
    let setup = &task.game.setup;
    let key = Key::experiment(setup.seed).named("analysis", task.turn as u64);
    let players: Vec<(Spec, Key)> = (0..setup.seats.len()).map(|seat| (task.player.clone(), key.seat(seat))).collect();
    let mut session = setup.session(&players)?;
    session.use_threads(granted(usize::MAX, u64::MAX).0);
    for turn in &task.game.turns[..task.turn.min(task.game.turns.len())] {
        super::game::replay(session.as_mut(), &turn.play)?;
    }
    let seat = catch(|| session.advance())?.ok_or("the game is over")?;
    let clock = StoppableClock::start(&task.stop);
    let watcher = Watcher { table, task, seat, clock: &clock, left: Cell::new(ITERATIONS), last: Cell::default() };
    let decided = catch(|| session.decide_watched(&clock, &watcher))?.map_err(|fault| fault.to_string())?;
    let Decided { considered, playouts, nodes, evolution, terms } = decided;
    let glimpse = Snapshot { considered, playouts, nodes, formula: evolution.map(|log| log.formula) };
    let done = !task.stop.is_set();
    let found = Found { terms, ..Found::of(seat, glimpse, done) };
    if done && found.moves.is_empty() {
        return Err(format!("{} gives no values of moves", task.player.kind().name));
    }
    Ok(found)
}

/// Tells the table what a search has found so far.
struct Watcher<'a> {
    table: &'a Arc<Table>,
    task: &'a Task,
    seat: usize,
    clock: &'a StoppableClock,
    /// Iterations until the next look at the clock.
    left: Cell<u32>,
    last: Cell<Duration>,
}

impl Watch for Watcher<'_> {
    fn look(&self, glimpse: &dyn Fn() -> Snapshot) {
        self.left.set(self.left.get() - 1);
        if self.left.get() > 0 {
            return;
        }
        self.left.set(ITERATIONS);
        let now = self.clock.now();
        if now.saturating_sub(self.last.get()) < INTERVAL {
            return;
        }
        self.last.set(now);
        let found = Found::of(self.seat, glimpse(), false);
        self.table.rest();
        let mut inner = self.table.look();
        if let Some(analysis) = current(&mut inner, &self.task.stop) {
            analysis.found.insert(self.task.turn, found);
        }
        drop(inner);
        self.table.tell_analysis();
    }
}
