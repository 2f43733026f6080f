//! Players outside of evouct: other programs and people. They know games in notation only.

use super::fault::Fault;
use super::time_left::TimeLeft;
use evouct_search::game::Game;
use evouct_search::player::{Decision, Player, PlayerView};

/// A turn of a seat in notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnInNotation {
    /// The name of the game.
    pub game: &'static str,
    /// The options of its rules, `key=value` between spaces; those without a value are left out.
    pub rules: String,
    /// The number of seats.
    pub seats: usize,
    /// The seat to play, from 0.
    pub seat: usize,
    /// The moves so far, without what chance decided last.
    pub moves: String,
    /// What chance decided since the last action, if it did.
    pub drawn: Option<String>,
    /// The legal actions, in the order of [`Game::actions`].
    pub legal: Vec<String>,
    /// What the clock of the seat says; none in a game without a clock.
    pub time: Option<TimeLeft>,
}

/// A player of one game outside of evouct.
pub trait OutsidePlayer: Send {
    /// Makes the player ready for the turn, which takes none of its time.
    ///
    /// # Errors
    /// A fault, by which the player loses the game.
    fn prepare(&mut self, _turn: &TurnInNotation) -> Result<(), Fault> {
        Ok(())
    }

    /// Chooses one of the legal actions: its place in the list of the turn.
    ///
    /// # Errors
    /// A fault, by which the player loses the game.
    fn choose(&mut self, turn: &TurnInNotation) -> Result<usize, Fault>;

    /// The settings in use, as text for people and tests.
    fn settings(&self) -> String;
}

/// Who plays a seat.
pub(super) enum SeatedPlayer<G: Game> {
    Inside(Box<dyn Player<G>>),
    Outside(Box<dyn OutsidePlayer>),
}

impl<G: Game + 'static> SeatedPlayer<G> {
    /// The player by itself. One from outside cannot decide without a game.
    pub(super) fn alone(self) -> Box<dyn Player<G>> {
        match self {
            SeatedPlayer::Inside(player) => player,
            SeatedPlayer::Outside(player) => Box::new(WithoutGame(player)),
        }
    }
}

/// A player from outside without a game to be told of.
struct WithoutGame(Box<dyn OutsidePlayer>);

impl<G: Game> Player<G> for WithoutGame {
    /// # Panics
    /// Always.
    fn decide(&mut self, _: &PlayerView<G>) -> Decision<G::Action> {
        panic!("a program or a person decides in whole games only")
    }

    fn settings(&self) -> String {
        self.0.settings()
    }
}
