//! The thread that makes the moves of the players.
//!
//! A player lives as long as the line of moves that it has seen, so that its moves are those of `evouct play` with the
//! same seed. After people have taken moves back, the players begin again at the position.

use super::game::{Cost, Game, replay};
use super::inner::Inner;
use super::stop::{Stop, StoppableClock};
use super::table::Table;
use crate::domain::{AnySession, Decided, Spec};
use crate::league::granted;
use crate::panic::catch;
use crate::search::Clock;
use crate::seed::Key;
use std::sync::Arc;
use std::time::Duration;

/// The pause before a move where no people play, so that they can be watched.
const PACE: Duration = Duration::from_millis(120);

/// A game in progress with its players.
struct Live {
    line: u64,
    turns: usize,
    session: Box<dyn AnySession>,
}

/// A move to make.
struct Task {
    game: Game,
    stop: Stop,
}

/// Makes the moves of players until the process ends.
pub(super) fn run(table: &Arc<Table>) {
    let mut live = None;
    loop {
        let task = table.wait_for(next);
        table.tell();
        let decided = decide(&mut live, &task);
        let mut inner = table.look();
        inner.thinking = None;
        let is_current = inner.game.line == task.game.line && inner.game.turns.len() == task.game.turns.len();
        if task.stop.is_set() || !is_current {
            // A search that was cancelled has played another move than it would have.
            live = None;
            table.tell();
            continue;
        }
        let at_end = inner.game.cursor == inner.game.turns.len();
        let pushed = decided.and_then(|(play, cost)| inner.game.push(&play, Some(cost)));
        match pushed {
            Ok(()) => inner.game.cursor += usize::from(at_end),
            Err(problem) => {
                live = None;
                inner.game.failure = Some(problem);
            }
        }
        inner.moved();
        let watched_only = !inner.game.has_people();
        table.changed(&mut inner);
        drop(inner);
        if watched_only {
            std::thread::sleep(PACE);
        }
    }
}

/// The move to make now, if there is one.
fn next(inner: &mut Inner) -> Option<Task> {
    let game = &inner.game;
    let seat = game.to_move.filter(|seat| !game.is_person(*seat))?;
    let waits = inner.paused || game.failure.is_some() || game.held.is_some();
    // Where people play, players wait at a position of the past; where none play, for someone to look.
    let needed = if game.has_people() { game.cursor == game.turns.len() } else { inner.is_watched() };
    if waits || !needed {
        return None;
    }
    tracing::debug!("{} is to play", game.name(seat));
    let stop = Stop::default();
    inner.thinking = Some(stop.clone());
    Some(Task { game: inner.game.clone(), stop })
}

/// The move of the player in notation, and its cost.
fn decide(live: &mut Option<Live>, task: &Task) -> Result<(String, Cost), String> {
    let clock = StoppableClock::start(&task.stop);
    if live.as_ref().is_none_or(|live| live.line != task.game.line || live.turns > task.game.turns.len()) {
        *live = Some(Live { line: task.game.line, turns: 0, session: start(&task.game)? });
    }
    let Some(live) = live else { unreachable!("the game was started") };
    catch_up(live, &task.game, &clock)?;
    let (play, decided) = decide_next(live, &clock)?;
    catch(|| live.session.play())?.map_err(|problem| format!("an illegal move: {problem}"))?;
    live.turns += 1;
    Ok((play, catch(|| Cost::of(decided, live.session.as_ref()))?))
}

fn start(game: &Game) -> Result<Box<dyn AnySession>, String> {
    let setup = &game.setup;
    let players: Vec<(Spec, Key)> =
        setup.seats.iter().enumerate().map(|(seat, player)| (player.spec.clone(), setup.player_key(seat))).collect();
    let mut session = setup.session(&players)?;
    session.use_threads(granted(usize::MAX, u64::MAX).0);
    Ok(session)
}

/// Brings a session to the last turn. Where no people play, the players decide again, so that the game stays one that
/// can be repeated.
fn catch_up(live: &mut Live, game: &Game, clock: &dyn Clock) -> Result<(), String> {
    while let Some(turn) = game.turns.get(live.turns) {
        if game.has_people() {
            replay(live.session.as_mut(), &turn.play)?;
        } else {
            let (play, _) = decide_next(live, clock)?;
            if play != turn.play {
                return Err(format!("turn {}: {} now plays {play}", live.turns + 1, game.name(turn.seat)));
            }
            catch(|| live.session.play())??;
        }
        live.turns += 1;
    }
    Ok(())
}

fn decide_next(live: &mut Live, clock: &dyn Clock) -> Result<(String, Decided), String> {
    catch(|| live.session.advance())?.ok_or("the game is over")?;
    let decided = catch(|| live.session.decide(clock, false))?.map_err(|fault| fault.to_string())?;
    Ok((catch(|| live.session.decided_play())?, decided))
}
