//! What lies on the table: the one game that all windows show, with its analysis, and how changes change it.

use super::analysis::Analysis;
use super::game::Game;
use super::levels::player_of;
use super::request::What;
use super::stop::Stop;
use crate::domain::Spec;
use crate::parameter::Preset;
use crate::plural::counted;
use std::time::Duration;

/// How long searches go on for a window that was closed, so that a reload loses nothing.
const GRACE: Duration = Duration::from_secs(10);

/// What lies on the table.
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
    pub windows: usize,
    /// When the last one was closed.
    pub closed: Duration,
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

/// The table as a change found it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    version: u64,
    /// That of the [game](Game::line).
    line: u64,
}

/// What was made for a change before the table was locked.
pub(super) enum Brought {
    Nothing,
    Game(Box<Game>),
    /// The folder that the game was saved in.
    Folder(String),
}

impl Inner {
    /// A game before its first change.
    pub(super) fn with(game: Game) -> Inner {
        Inner {
            game,
            version: 1,
            paused: false,
            thinking: None,
            analysis: None,
            saved: None,
            windows: 0,
            closed: Duration::ZERO,
        }
    }

    /// The table as it is, if a change from this version may be made.
    pub(super) fn seen(&self, version: u64) -> Option<Seen> {
        (version == self.version).then_some(Seen { version, line: self.game.line })
    }

    /// Whether the game is still the one that was seen, or has gone on.
    pub(super) fn has_game_of(&self, seen: Seen) -> bool {
        self.game.line == seen.line
    }

    /// Whether the table has changed too much since a change was begun.
    pub(super) fn is_stale(&self, brought: &Brought, seen: Seen) -> bool {
        match brought {
            Brought::Nothing => self.version != seen.version,
            // The game that is replaced may have gone on, but it must not be another one.
            Brought::Game(_) => !self.has_game_of(seen),
            // What was saved is saved.
            Brought::Folder(_) => false,
        }
    }

    /// Whether someone looks at the table.
    pub(super) fn is_watched(&self) -> bool {
        self.windows > 0
    }

    /// Ends the searches of the analysis if no window has been open for a while.
    pub(super) fn rest(&mut self, now: Duration) {
        if self.windows == 0
            && now.saturating_sub(self.closed) > GRACE
            && let Some(analysis) = &mut self.analysis
        {
            analysis.stop();
        }
    }

    /// Makes a change.
    ///
    /// # Errors
    /// Why it is refused; nothing is changed then.
    pub(super) fn apply(&mut self, what: What, brought: Brought, preset: Preset) -> Result<(), Refused> {
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
                let turns = counted(self.game.turns.len(), "turn");
                return Err(Refused::Wrong(format!("the game has {turns}, found {turn}")));
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
        let player = player_of(rules.domain(), player)?;
        let spec = Spec::parse(rules.domain(), &player, preset).map_err(|error| error.to_string())?;
        rules.check_player(&spec).map_err(|error| error.to_string())?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::request::{NewGame, NewSeat};
    use std::collections::BTreeMap;

    fn einstein() -> Game {
        crate::registry::add_games();
        let seat = |name: &str| NewSeat { name: name.to_owned(), player: "human".to_owned() };
        let seats = vec![seat("Ada"), seat("Bob")];
        let new = NewGame { game: "einstein".to_owned(), seed: 1, rules: BTreeMap::new(), seats };
        Game::start(new.experiment(Preset::Text).unwrap(), 0).unwrap()
    }

    #[test]
    fn a_game_that_went_on_may_be_replaced_and_another_one_not() {
        let mut inner = Inner::with(einstein());
        let seen = inner.seen(1).unwrap();
        let [nothing, game, folder] =
            [Brought::Nothing, Brought::Game(Box::new(einstein())), Brought::Folder(String::new())];
        assert!(inner.seen(2).is_none() && !inner.is_stale(&nothing, seen));
        // A player has moved.
        inner.version += 1;
        assert!(inner.is_stale(&nothing, seen) && !inner.is_stale(&game, seen) && !inner.is_stale(&folder, seen));
        // Another window has begun a game.
        inner.lay(einstein());
        assert!(inner.is_stale(&game, seen) && !inner.is_stale(&folder, seen));
    }

    #[test]
    fn an_analysis_without_windows_ends_after_a_while() {
        let mut inner = Inner::with(einstein());
        inner.analyse("mcts", true, Preset::Text).unwrap();
        let waiting = |inner: &Inner| inner.analysis.as_ref().map(|analysis| analysis.queue.len());
        (inner.windows, inner.closed) = (0, Duration::from_secs(5));
        inner.rest(GRACE + Duration::from_secs(5));
        assert_eq!(waiting(&inner), Some(1));
        inner.windows = 1;
        inner.rest(GRACE * 10);
        assert_eq!(waiting(&inner), Some(1));
        inner.windows = 0;
        inner.rest(GRACE + Duration::from_secs(6));
        assert_eq!(waiting(&inner), Some(0));
    }
}
