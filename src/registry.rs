//! The known games: the only place that names them.
//!
//! A program of your own adds a game with [`add_game`] or a kind of player with [`add_kind`] before it calls
//! [`cli::main`](crate::cli::main), and gets every command.

use crate::carcassonne::{Base, Carcassonne, CarcassonneRules, Expanded};
use crate::domain::{AnyDomain, Domain, GameRules, Kind, Registered, Spec, Variants};
use crate::einstein::Einstein;
use crate::function::FunctionOptimisation;
use crate::kinds;
use crate::parameter::{ParameterError, Preset, Raw};
use crate::player::Player;
use crate::seed::Key;
use crate::suggest::nearest;
use std::sync::{LazyLock, PoisonError, RwLock};

static GAMES: LazyLock<RwLock<Vec<&'static dyn AnyDomain>>> =
    LazyLock::new(|| RwLock::new(vec![carcassonne(), register::<Einstein>(), register::<FunctionOptimisation>()]));

/// Carcassonne: the base game has tables of its own. A kind of player that is added plays the base game.
fn carcassonne() -> &'static dyn AnyDomain {
    let (base, expanded) = (register::<Carcassonne<Base>>(), register::<Carcassonne<Expanded>>());
    let needs_expanded = |rules: &CarcassonneRules| !rules.rules().are_of_the_base_game();
    Box::leak(Box::new(Variants::new(base, expanded, needs_expanded)))
}

/// Games are made once and live as long as the program.
fn register<D: Domain>() -> &'static Registered<D> {
    Box::leak(Box::new(Registered::new(kinds::standard())))
}

/// All games, the default first.
pub fn games() -> Vec<&'static dyn AnyDomain> {
    GAMES.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The game of an experiment that names none.
pub fn default_game() -> &'static dyn AnyDomain {
    games()[0]
}

/// The game of this name.
///
/// # Errors
/// The nearest name, or all names.
pub fn game(name: &str) -> Result<&'static dyn AnyDomain, String> {
    let games = games();
    games.iter().find(|game| game.name() == name).copied().ok_or_else(|| {
        let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => format!("there is no game called {name:?}; did you mean {near}?"),
            None => format!("there is no game called {name:?}; known: {}", names.join(", ")),
        }
    })
}

/// Adds a game with all kinds of player that play any game, and returns it. A game that is known already stays as it
/// is.
///
/// # Panics
/// If a game of another type has this name.
pub fn add_game<D: Domain>() -> &'static Registered<D> {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    match games.iter().find(|game| game.name() == D::NAME).copied() {
        Some(known) => {
            let typed = known.as_any().downcast_ref();
            typed.unwrap_or_else(|| panic!("two games are called {:?}: give yours another name", D::NAME))
        }
        None => {
            let game = register::<D>();
            games.push(game);
            game
        }
    }
}

/// Adds a kind of player to a game, and the game itself if it is not known yet. A kind of the same name is replaced.
///
/// # Panics
/// As [`add_game`].
pub fn add_kind<D: Domain>(kind: Kind<D>) {
    add_game::<D>().add(kind);
}

/// The player of a spec for one game, with its types. The spec must be of this game.
pub fn player<D: Domain>(spec: &Spec, key: Key) -> Box<dyn Player<D::Game>> {
    add_game::<D>().player(spec, key)
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
