//! The moves of a game as text: the default notation of a game.

use super::contract::Domain;
use evouct_search::game::{Game, Turn};
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

/// What `{:?}` prints, without spaces.
pub(super) fn word(value: &impl fmt::Debug) -> String {
    format!("{value:?}").split_whitespace().collect()
}

/// Word by word, as [`Domain::write_outcome`] and [`Domain::write_action`] write them.
pub(super) fn write<D: Domain>(rules: &D::Rules, steps: &[Step<D::Game>]) -> String {
    let mut game = D::start(rules);
    let mut words = Vec::new();
    for step in steps {
        words.push(match *step {
            Step::Chance(outcome) => D::write_outcome(&game, outcome),
            Step::Action(action) => D::write_action(&game, action),
        });
        step.apply(&mut game);
    }
    words.join(" ")
}

/// Reads words by looking for the legal step that is written like that.
pub(super) fn read<D: Domain>(rules: &D::Rules, text: &str) -> Result<Vec<Step<D::Game>>, String> {
    let mut game = D::start(rules);
    let mut steps = Vec::new();
    let (mut outcomes, mut actions) = (Vec::new(), Vec::new());
    for (number, word) in text.split_whitespace().enumerate() {
        let found = match game.turn() {
            Turn::Terminal => return Err(format!("word {}: {word:.40} stands after the end of the game", number + 1)),
            Turn::Chance => {
                game.outcomes(&mut outcomes);
                let same = |(outcome, _): &&(_, u32)| D::write_outcome(&game, *outcome) == word;
                outcomes.iter().find(same).map(|(outcome, _)| Step::Chance(*outcome))
            }
            Turn::Player(_) => {
                game.actions(&mut actions);
                let same = |action: &&_| D::write_action(&game, **action) == word;
                actions.iter().find(same).map(|action| Step::Action(*action))
            }
        };
        let step = found.ok_or_else(|| format!("word {}: {word:.40} is no legal move here", number + 1))?;
        step.apply(&mut game);
        steps.push(step);
    }
    Ok(steps)
}
