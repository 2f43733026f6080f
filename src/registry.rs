//! The games of the program, and those that a user adds: [`evouct_platform::registry`] once Carcassonne (the default)
//! and the other games are in it.
//!
//! A program of your own adds a game with [`add_game`] or a kind of player with [`add_kind`] before it calls
//! [`cli::main`](crate::cli::main), and gets every command. One that uses the library without either calls
//! [`add_games`] first.

use evouct_base::parameter::{ParameterError, Preset};
use evouct_base::seed::Key;
use evouct_gp::Terminal;
use evouct_platform::domain::{AnyDomain, Domain, GameRules, Kind, Registered, Spec};
use evouct_platform::registry;
pub use evouct_platform::registry::{Load, WorkerCommand};
use evouct_search::player::Player;
use evouct_search::search::SearchColumn;

/// Adds the games of this program: Carcassonne and those of [`evouct_games`]. Further calls do nothing.
pub fn add_games() {
    evouct_carcassonne::add();
    evouct_games::add();
}

/// All games, Carcassonne first.
pub fn games() -> Vec<&'static dyn AnyDomain> {
    add_games();
    registry::games()
}

/// As [`evouct_platform::registry::game`].
///
/// # Errors
/// The nearest name, or all names.
pub fn game(name: &str) -> Result<&'static dyn AnyDomain, String> {
    add_games();
    registry::game(name)
}

/// The game of an experiment that names none: Carcassonne.
pub fn default_game() -> &'static dyn AnyDomain {
    add_games();
    registry::default_game()
}

/// As [`evouct_platform::registry::add_game`].
///
/// # Panics
/// If a game of another type has this name.
pub fn add_game<D: Domain>() -> &'static Registered<D> {
    add_games();
    registry::add_game::<D>()
}

/// As [`evouct_platform::registry::add_family`].
pub fn add_family(family: &'static str, load: Load, worker: WorkerCommand) {
    add_games();
    registry::add_family(family, load, worker);
}

/// As [`evouct_platform::registry::replace`].
pub fn replace(game: &'static dyn AnyDomain) {
    add_games();
    registry::replace(game);
}

/// As [`evouct_platform::registry::add_kind`].
///
/// # Panics
/// If a game of another type has the name of this one, or the game came with a kind of player of this name.
pub fn add_kind<D: Domain>(kind: Kind<D>) {
    add_games();
    registry::add_kind(kind);
}

/// The terminals that formulas may have: those of a search, and the numbers that any game gives for a move.
pub fn terminals() -> Vec<Terminal> {
    let of_game = |game: &'static dyn AnyDomain| game.move_numbers().into_iter().chain(game.ratings());
    let numbers: Vec<&str> = games().into_iter().flat_map(of_game).map(|(name, _)| name).collect();
    SearchColumn::terminals(&numbers)
}

/// As [`evouct_platform::registry::player`].
pub fn player<D: Domain>(spec: &Spec, key: Key) -> Box<dyn Player<D::Game>> {
    add_games();
    registry::player::<D>(spec, key)
}

/// As [`evouct_platform::registry::spec`], for Carcassonne.
///
/// # Errors
/// As [`Spec::parse`].
pub fn spec(text: &str, preset: Preset) -> Result<Spec, ParameterError> {
    add_games();
    registry::spec(text, preset)
}

/// As [`evouct_platform::registry::rules`], for Carcassonne.
///
/// # Errors
/// The first of what is wrong with them.
pub fn rules(options: &[(&str, &str)]) -> Result<GameRules, ParameterError> {
    add_games();
    registry::rules(options)
}
