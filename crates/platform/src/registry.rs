//! The games that a program knows, and their kinds of player. The registry itself knows none: each game adds itself.
//!
//! A program adds a game with [`add_game`] or a kind of player with [`add_kind`] before it reads experiments or plays.

use crate::domain::{AnyDomain, Domain, GameRules, Kind, Registered, Spec};
use crate::kinds;
use evouct_base::parameter::{ParameterError, Preset, Raw};
use evouct_base::seed::Key;
use evouct_base::suggest::nearest;
use evouct_search::player::Player;
use std::sync::{PoisonError, RwLock};

/// Finds a game by its whole name, `family:game`, and adds it.
pub type Load = fn(&str) -> Result<&'static dyn AnyDomain, String>;

/// The command of a process that plays games of a family, as `evouct_league::league::work` does.
pub type WorkerCommand = fn() -> Vec<String>;

static FAMILIES: RwLock<Vec<(&'static str, Load, WorkerCommand)>> = RwLock::new(Vec::new());
/// Families that a program without Python does not have.
const OF_PYTHON: [&str; 2] = ["python", "openspiel"];
static GAMES: RwLock<Vec<&'static dyn AnyDomain>> = RwLock::new(Vec::new());

/// A game with the kinds of player that play any game. Games are made once and live as long as the program.
pub fn register<D: Domain>() -> &'static Registered<D> {
    Box::leak(Box::new(Registered::new(kinds::standard())))
}

/// All games, the default first: the one that was added first.
pub fn games() -> Vec<&'static dyn AnyDomain> {
    GAMES.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The game of an experiment that names none.
///
/// # Panics
/// If no game was added.
pub fn default_game() -> &'static dyn AnyDomain {
    *games().first().expect("a program adds its games before it reads experiments or plays")
}

/// Adds a family of games, which are found when they are first asked for: names that begin with `family:`. A process
/// plays one of them at a time; leagues on several threads start as many processes by the command.
pub fn add_family(family: &'static str, load: Load, worker: WorkerCommand) {
    FAMILIES.write().unwrap_or_else(PoisonError::into_inner).push((family, load, worker));
}

/// The family of a game; none if the name is of no family that was added.
fn family(name: &str) -> Option<(Load, WorkerCommand)> {
    let (family, _) = name.split_once(':')?;
    let families = FAMILIES.read().unwrap_or_else(PoisonError::into_inner);
    families.iter().find(|known| known.0 == family).map(|known| (known.1, known.2))
}

/// The command of a process that plays the game of this name, for a game that needs one per thread.
pub fn worker(name: &str) -> Option<Vec<String>> {
    family(name).map(|(_, worker)| worker())
}

/// The game of a family; none if the name is of no family.
fn of_family(name: &str) -> Option<Result<&'static dyn AnyDomain, String>> {
    match family(name) {
        Some((load, _)) => Some(load(name)),
        None if OF_PYTHON.iter().any(|python| name.split(':').next() == Some(python)) => {
            Some(Err(format!("the game {name} needs Python: install the package evouct and start `python -m evouct`")))
        }
        None => None,
    }
}

/// The game of this name. One of a [family](add_family) is added when it is first asked for.
///
/// # Errors
/// The nearest name, or all names; what is wrong with a game of a family.
pub fn game(name: &str) -> Result<&'static dyn AnyDomain, String> {
    let games = games();
    if let Some(known) = games.iter().find(|game| game.name() == name) {
        return Ok(*known);
    }
    of_family(name).unwrap_or_else(|| {
        let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
        Err(match nearest(name, names.iter().copied()) {
            Some(near) => format!("there is no game called {name:?}; did you mean {near}?"),
            None => format!("there is no game called {name:?}; known: {}", names.join(", ")),
        })
    })
}

/// Adds what `make` returns, unless a game of this name is known; returns the game of this name.
pub fn add(name: &str, make: impl FnOnce() -> &'static dyn AnyDomain) -> &'static dyn AnyDomain {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    games.iter().find(|game| game.name() == name).copied().unwrap_or_else(|| {
        let game = make();
        games.push(game);
        game
    })
}

/// Adds a game in place of that of its name, if one is known. What was read before goes on with the other one.
pub fn replace(game: &'static dyn AnyDomain) {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    match games.iter_mut().find(|known| known.name() == game.name()) {
        Some(known) => *known = game,
        None => games.push(game),
    }
}

/// Adds a game with all kinds of player that play any game, and returns it. A game that is known already stays as it
/// is.
///
/// # Panics
/// If a game of another type has this name.
pub fn add_game<D: Domain>() -> &'static Registered<D> {
    let typed = add(D::NAME, || register::<D>()).as_any().downcast_ref();
    typed.unwrap_or_else(|| panic!("two games are called {:?}: give yours another name", D::NAME))
}

/// Adds a kind of player to a game, and the game itself if it is not known yet.
///
/// # Panics
/// As [`add_game`] and [`Registered::add`].
pub fn add_kind<D: Domain>(kind: Kind<D>) {
    add_game::<D>().add(kind);
}

/// The player of a spec for one game, with its types. The spec must be of this game.
///
/// # Panics
/// If the game was not added. It is not added here, so that the code of all players is compiled once, where it is.
pub fn player<D: Domain>(spec: &Spec, key: Key) -> Box<dyn Player<D::Game>> {
    let game = game(D::NAME).unwrap_or_else(|error| panic!("{error}"));
    let typed: Option<&Registered<D>> = game.as_any().downcast_ref();
    typed.expect("the game has these types").player(spec, key)
}

/// Reads a player of the default game: `kind` or `kind:key=value,key=value`.
///
/// # Errors
/// As [`Spec::parse`].
pub fn spec(text: &str, preset: Preset) -> Result<Spec, ParameterError> {
    Spec::parse(default_game(), text, preset)
}

/// The rules of the default game with these options, each as `("key", "value")`.
///
/// # Errors
/// The first of what is wrong with them.
pub fn rules(options: &[(&str, &str)]) -> Result<GameRules, ParameterError> {
    let given: Vec<(String, Raw)> =
        options.iter().map(|(key, value)| ((*key).to_owned(), Raw::Text((*value).to_owned()))).collect();
    GameRules::resolve(default_game(), &given).map_err(|mut errors| errors.swap_remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_families_are_looked_for_when_they_are_named() {
        let error = |name| game(name).map(|game| game.name()).unwrap_err();
        assert!(error("python:pig:Pig").ends_with("start `python -m evouct`"));
        assert!(error("openspiel:hex").starts_with("the game openspiel:hex needs Python"));
        add_family("nowhere", |name| Err(format!("{name} is nowhere")), Vec::new);
        assert_eq!(error("nowhere:here"), "nowhere:here is nowhere");
        assert_eq!((worker("nowhere:here"), worker("pig")), (Some(Vec::new()), None));
        assert!(error("elsewhere:here").starts_with("there is no game called \"elsewhere:here\""));
    }
}
