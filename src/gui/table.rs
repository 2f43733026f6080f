//! The table that all windows share.
//!
//! Windows change what [lies on it](Inner) through [`Table::change`], each change from a version that it names. Two
//! threads wait for work on it: one makes the moves of the players, one searches for the analysis.

use super::archive::{self, Archive};
use super::game::Game;
use super::inner::{Brought, Inner, Refused};
use super::request::{Change, NewGame, What};
use crate::clock::WallClock;
use crate::domain::Spec;
use crate::parameter::Preset;
use crate::search::Clock;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The most windows. Each keeps a connection, and other requests need some.
const WINDOWS: usize = 32;

/// What a window is told to look at again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct News {
    pub state: u64,
    pub analysis: u64,
}

/// The table.
pub(super) struct Table {
    inner: Mutex<Inner>,
    /// Wakes the threads that wait for work.
    work: Condvar,
    pub news: watch::Sender<News>,
    clock: WallClock,
    pub preset: Preset,
    pub archive: Archive,
    /// Players with names of their own, as texts.
    pub named: Vec<(String, String)>,
}

impl Table {
    /// A table with a game.
    pub(super) fn new(
        game: Game,
        preset: Preset,
        named: Vec<(String, String)>,
        run: Option<PathBuf>,
        folder: PathBuf,
    ) -> Table {
        let game = Game { held: why_held(&game, &named, preset), ..game };
        Table {
            inner: Mutex::new(Inner::with(game)),
            work: Condvar::new(),
            news: watch::Sender::new(News::default()),
            clock: WallClock::start(),
            preset,
            archive: Archive { run, folder },
            named,
        }
    }

    /// The state, locked.
    pub(super) fn look(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the work that this function finds on the table.
    pub(super) fn wait_for<T>(&self, mut find: impl FnMut(&mut Inner) -> Option<T>) -> T {
        let mut inner = self.look();
        loop {
            if let Some(found) = find(&mut inner) {
                return found;
            }
            inner = self.work.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells windows and threads that the game has changed.
    pub(super) fn changed(&self, inner: &mut Inner) {
        inner.version += 1;
        self.tell();
    }

    /// Tells windows and threads to look at everything again.
    pub(super) fn tell(&self) {
        self.news.send_modify(|news| {
            news.state += 1;
            news.analysis += 1;
        });
        self.work.notify_all();
    }

    /// Tells windows that the analysis has something new.
    pub(super) fn tell_analysis(&self) {
        self.news.send_modify(|news| news.analysis += 1);
    }

    /// A window was opened; false if too many are open already.
    pub(super) fn open_window(&self) -> bool {
        let mut inner = self.look();
        let is_free = inner.windows < WINDOWS;
        inner.windows += usize::from(is_free);
        self.work.notify_all();
        is_free
    }

    /// A window was closed.
    pub(super) fn close_window(&self) {
        let mut inner = self.look();
        inner.windows -= 1;
        inner.closed = self.clock.now();
    }

    /// Ends the searches of the analysis if no window has been open for a while.
    pub(super) fn rest(&self) {
        self.look().rest(self.clock.now());
    }

    /// Makes a change that a window asks for.
    ///
    /// # Errors
    /// Why it is refused; nothing is changed then.
    pub(super) fn change(&self, change: Change) -> Result<(), Refused> {
        let (seen, game) = {
            let inner = self.look();
            let seen = inner.seen(change.version).ok_or(Refused::Stale)?;
            (seen, matches!(change.what, What::Save).then(|| inner.game.clone()))
        };
        // Slow work is done while the table is not locked.
        let brought = match (&change.what, game) {
            (What::New(new), _) => Brought::Game(Box::new(self.new_game(new)?)),
            (What::Load { folder, id }, _) => Brought::Game(Box::new(self.recorded_game(folder, id)?)),
            (_, Some(game)) => Brought::Folder(archive::save(&game, &self.archive.folder)?),
            _ => Brought::Nothing,
        };
        let mut inner = self.look();
        if inner.is_stale(&brought, seen) {
            return Err(Refused::Stale);
        }
        // The folder of a game that was replaced meanwhile is not that of the new one.
        let is_of_another = matches!(brought, Brought::Folder(_)) && !inner.has_game_of(seen);
        let brought = if is_of_another { Brought::Nothing } else { brought };
        inner.apply(change.what, brought, self.preset)?;
        self.changed(&mut inner);
        Ok(())
    }

    fn new_game(&self, new: &NewGame) -> Result<Game, String> {
        let game = Game::start(new.experiment(self.preset)?, 0)?;
        match why_held(&game, &self.named, self.preset) {
            Some(problem) => Err(problem),
            None => Ok(game),
        }
    }

    fn recorded_game(&self, folder: &str, id: &str) -> Result<Game, String> {
        let game = self.archive.load(folder, id)?;
        Ok(Game { held: why_held(&game, &self.named, self.preset), ..game })
    }
}

/// Why a game may not go on: it has a clock, which the table does not keep; or another program plays in it that the command
/// line does not name. Neither a page nor a record may start commands.
fn why_held(game: &Game, named: &[(String, String)], preset: Preset) -> Option<String> {
    if game.setup.clock.is_some() {
        return Some("the game has a clock, which this table does not keep: its players play no further".to_owned());
    }
    let domain = game.setup.rules.domain();
    let named = named.iter().filter_map(|(_, player)| Spec::parse(domain, player, preset).ok());
    let named: Vec<String> = named.map(|spec| spec.description()).collect();
    let specs = game.setup.seats.iter().map(|player| &player.spec);
    let unnamed = specs.filter(|spec| spec.kind().is_program()).find(|spec| !named.contains(&spec.description()))?;
    Some(format!("{}: another program plays here if --player names it on the command line", unnamed.kind().name))
}
