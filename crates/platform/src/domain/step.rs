//! What happened in a game, step by step.

use evouct_search::game::{Game, MoveLog, Turn};
use std::fmt;

/// A step of a game.
pub enum GameStep<G: Game> {
    /// Chance decided.
    Chance(G::Outcome),
    /// The seat to play decided.
    Action(G::Action),
}

// Derived implementations would require that the game itself can be copied, compared and printed.
impl<G: Game> Clone for GameStep<G> {
    fn clone(&self) -> GameStep<G> {
        *self
    }
}

impl<G: Game> Copy for GameStep<G> {}

impl<G: Game> PartialEq for GameStep<G> {
    fn eq(&self, other: &GameStep<G>) -> bool {
        match (self, other) {
            (GameStep::Chance(one), GameStep::Chance(two)) => one == two,
            (GameStep::Action(one), GameStep::Action(two)) => one == two,
            _ => false,
        }
    }
}

impl<G: Game> Eq for GameStep<G> {}

impl<G: Game> fmt::Debug for GameStep<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameStep::Chance(outcome) => write!(f, "Chance({outcome:?})"),
            GameStep::Action(action) => write!(f, "Action({action:?})"),
        }
    }
}

impl<G: Game> GameStep<G> {
    /// Adds the step to the moves before this position.
    pub(super) fn log(self, game: &G, log: &mut MoveLog<G>) {
        match (self, game.turn()) {
            (GameStep::Chance(outcome), _) => log.draw(outcome),
            (GameStep::Action(action), Turn::Player(seat)) => log.play(seat, action),
            _ => {}
        }
    }

    /// Applies the step, which must be legal.
    pub fn apply(self, game: &mut G) {
        match self {
            GameStep::Chance(outcome) => game.apply(outcome),
            GameStep::Action(action) => game.play(action),
        }
    }
}

/// The start of a game and the position after every turn, each made into something; none if the start is made into
/// nothing. The steps must be legal.
pub(super) fn positions<G: Game, T>(
    start: &G,
    steps: &[GameStep<G>],
    each: impl Fn(&G) -> Option<T>,
) -> Option<Vec<T>> {
    let mut made = vec![each(start)?];
    let mut game = start.clone();
    for step in steps {
        step.apply(&mut game);
        if matches!(step, GameStep::Action(_)) {
            made.extend(each(&game));
        }
    }
    Some(made)
}
