//! The table: the one game that all windows show, with its players and its analysis.
//!
//! Windows change it through [`Table::change`], each change from a version that it names. Two threads wait for work on it: one makes the
//! moves of the players, one searches for the analysis.

use super::analysis::Analysis;
use super::archive::{self, Archive};
use super::game::Game;
use super::request::{Change, NewGame, What};
use super::stop::Stop;
use crate::clock::WallClock;
use crate::domain::Spec;
use crate::parameter::Preset;
use crate::search::Clock;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// How long searches go on for a window that was closed, so that a reload loses nothing.
const GRACE: Duration = Duration::from_secs(10);

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

/// What lies on it.
pub(super) struct Inner {
    pub game: Game,
    /// Counts the changes; a request names the one that it was made from.
    pub version: u64,
    pub paused: bool,
    /// The search of the player to move.
    pub thinking: Option<Stop>,
    pub analysis: Option<Analysis>,
    /// The folder that the game was saved in last.
    pub saved: Option<String>,
    /// Open windows.
    windows: usize,
    /// When the last one was closed.
    closed: Duration,
}

/// Why a change is refused.
#[derive(Debug)]
pub(super) enum Refused {
    /// The table has changed since the version that the request names.
    Stale,
    /// What is wrong with it.
    Wrong(String),
}

impl From<String> for Refused {
    fn from(problem: String) -> Refused {
        Refused::Wrong(problem)
    }
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
        let game = Game { held: unnamed_program(&game, &named, preset), ..game };
        let inner = Inner {
            game,
            version: 1,
            paused: false,
            thinking: None,
            analysis: None,
            saved: None,
            windows: 0,
            closed: Duration::ZERO,
        };
        Table {
            inner: Mutex::new(inner),
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
        let mut inner = self.look();
        if inner.windows == 0
            && self.clock.now().saturating_sub(inner.closed) > GRACE
            && let Some(analysis) = &mut inner.analysis
        {
            analysis.stop();
        }
    }

    /// Makes a change that a window asks for.
    ///
    /// # Errors
    /// Why it is refused; nothing is changed then.
    pub(super) fn change(&self, change: Change) -> Result<(), Refused> {
        // Slow work comes first, so that the table is not locked meanwhile.
        let brought = match &change.what {
            What::New(new) => Brought::Game(Box::new(self.new_game(new)?)),
            What::Load { folder, id } => Brought::Game(Box::new(self.recorded_game(folder, id)?)),
            What::Save => Brought::Folder(self.save(change.version)?),
            _ => Brought::Nothing,
        };
        let mut inner = self.look();
        // What was saved is saved, whatever has happened on the table meanwhile.
        if inner.version != change.version && !matches!(brought, Brought::Folder(_)) {
            return Err(Refused::Stale);
        }
        inner.apply(change.what, brought, self.preset)?;
        self.changed(&mut inner);
        Ok(())
    }

    fn new_game(&self, new: &NewGame) -> Result<Game, String> {
        let game = Game::start(new.experiment(self.preset)?, 0)?;
        match unnamed_program(&game, &self.named, self.preset) {
            Some(problem) => Err(problem),
            None => Ok(game),
        }
    }

    fn recorded_game(&self, folder: &str, id: &str) -> Result<Game, String> {
        let game = self.archive.load(folder, id)?;
        Ok(Game { held: unnamed_program(&game, &self.named, self.preset), ..game })
    }

    fn save(&self, version: u64) -> Result<String, Refused> {
        let inner = self.look();
        if inner.version != version {
            return Err(Refused::Stale);
        }
        let game = inner.game.clone();
        drop(inner);
        Ok(archive::save(&game, &self.archive.folder)?)
    }
}

/// What was made for a change before the table was locked.
enum Brought {
    Nothing,
    Game(Box<Game>),
    /// The folder that the game was saved in.
    Folder(String),
}

/// Why a game may not go on: another program plays in it that the command line does not name. Neither a page nor a record may start commands.
fn unnamed_program(game: &Game, named: &[(String, String)], preset: Preset) -> Option<String> {
    let domain = game.setup.rules.domain();
    let named = named.iter().filter_map(|(_, player)| Spec::parse(domain, player, preset).ok());
    let named: Vec<String> = named.map(|spec| spec.description()).collect();
    let specs = game.setup.seats.iter().map(|(spec, ..)| spec);
    let unnamed = specs.filter(|spec| spec.kind().is_program()).find(|spec| !named.contains(&spec.description()))?;
    Some(format!("{}: another program plays here if --player names it on the command line", unnamed.kind().name))
}

impl Inner {
    /// Whether someone looks at the table.
    pub(super) fn is_watched(&self) -> bool {
        self.windows > 0
    }

    fn apply(&mut self, what: What, brought: Brought, preset: Preset) -> Result<(), Refused> {
        match what {
            What::Play { play } => {
                let before = self.game.line;
                self.game.play_at_cursor(&play)?;
                if self.game.line != before {
                    let turns = self.game.turns.len() - 1;
                    self.analysis.iter_mut().for_each(|analysis| analysis.drop_behind(turns));
                }
                self.moved();
            }
            What::Undo => self.go(self.game.undo_to().ok_or("nothing to undo".to_owned())?),
            What::Redo => self.go(self.game.redo_to().ok_or("nothing to redo".to_owned())?),
            What::Go { turn } if turn > self.game.turns.len() => {
                return Err(Refused::Wrong(format!("the game has {} turns, found {turn}", self.game.turns.len())));
            }
            What::Go { turn } => self.go(turn),
            What::Pause { paused } => self.paused = paused,
            What::New(_) | What::Load { .. } | What::Save => match brought {
                Brought::Game(game) => self.lay(*game),
                Brought::Folder(folder) => self.saved = Some(folder),
                Brought::Nothing => {}
            },
            What::Analyse { player, all } => self.analyse(&player, all, preset)?,
            What::Stop => self.analysis.iter_mut().for_each(Analysis::stop),
        }
        Ok(())
    }

    /// Puts another game on the table.
    fn lay(&mut self, mut game: Game) {
        if let Some(stop) = self.thinking.take() {
            stop.set();
        }
        if let Some(analysis) = &mut self.analysis {
            analysis.stop();
        }
        game.line = self.game.line + 1;
        self.paused = false;
        (self.game, self.analysis, self.saved) = (game, None, None);
    }

    fn go(&mut self, turn: usize) {
        self.game.cursor = turn;
        self.moved();
    }

    /// After the cursor has moved: a search that is not needed ends.
    pub(super) fn moved(&mut self) {
        if self.game.has_people()
            && self.game.cursor < self.game.turns.len()
            && let Some(stop) = &self.thinking
        {
            stop.set();
        }
        if let Some(analysis) = &mut self.analysis {
            analysis.follow(&self.game);
        }
    }

    fn analyse(&mut self, player: &str, all: bool, preset: Preset) -> Result<(), Refused> {
        let rules = &self.game.setup.rules;
        let spec = Spec::parse(rules.domain(), player, preset).map_err(|error| error.to_string())?;
        spec.check_rules(rules).map_err(|error| error.to_string())?;
        if spec.kind().is_outside() {
            return Err(Refused::Wrong(format!(
                "the kind {} plays games and decides no single positions",
                spec.kind().name
            )));
        }
        let same = self.analysis.as_ref().is_some_and(|analysis| analysis.player.description() == spec.description());
        let mut analysis = match self.analysis.take().filter(|_| same) {
            Some(analysis) => analysis,
            None => Analysis::new(spec),
        };
        analysis.stop();
        analysis.failure = None;
        if all {
            let turns = 0..=self.game.turns.len();
            let missing = |turn: &usize| {
                self.game.seat_at(*turn).is_some() && !analysis.found.get(turn).is_some_and(|found| found.done)
            };
            analysis.queue = turns.filter(missing).collect();
        } else {
            analysis.follows = true;
            analysis.follow(&self.game);
        }
        self.analysis = Some(analysis);
        Ok(())
    }
}
