//! What happened in a game, step by step.

use evouct_search::game::Game;
use std::fmt;

/// A step of a game.
pub enum Step<G: Game> {
    /// Chance decided.
    Chance(G::Outcome),
    /// The seat to play decided.
    Action(G::Action),
}

// Derived implementations would require that the game itself can be copied, compared and printed.
impl<G: Game> Clone for Step<G> {
    fn clone(&self) -> Step<G> {
        *self
    }
}

impl<G: Game> Copy for Step<G> {}

impl<G: Game> PartialEq for Step<G> {
    fn eq(&self, other: &Step<G>) -> bool {
        match (self, other) {
            (Step::Chance(one), Step::Chance(two)) => one == two,
            (Step::Action(one), Step::Action(two)) => one == two,
            _ => false,
        }
    }
}

impl<G: Game> Eq for Step<G> {}

impl<G: Game> fmt::Debug for Step<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Chance(outcome) => write!(f, "Chance({outcome:?})"),
            Step::Action(action) => write!(f, "Action({action:?})"),
        }
    }
}

impl<G: Game> Step<G> {
    /// Applies the step, which must be legal.
    pub fn apply(self, game: &mut G) {
        match self {
            Step::Chance(outcome) => game.apply(outcome),
            Step::Action(action) => game.play(action),
        }
    }
}

/// The start of a game and the position after every turn, each made into something; none if the start is made into
/// nothing. The steps must be legal.
pub(super) fn positions<G: Game, T>(start: &G, steps: &[Step<G>], each: impl Fn(&G) -> Option<T>) -> Option<Vec<T>> {
    let mut made = vec![each(start)?];
    let mut game = start.clone();
    for step in steps {
        step.apply(&mut game);
        if matches!(step, Step::Action(_)) {
            made.extend(each(&game));
        }
    }
    Some(made)
}
