//! The moves of a game as text.

use super::step::GameStep;
use evouct_search::game::{Game, Turn};
use std::fmt::Debug;

/// How actions, outcomes and whole games are written, as records keep them.
///
/// Every function has a default, so a game may write its actions only. A game whose `{:?}` prints short words, different
/// for different actions, needs none of it: [`DebugNotation`]. After a change of the notation, old records cannot be
/// read.
pub trait Notation<G: Game>: Sync {
    /// An action in the position before it: a word without spaces. Different actions of one position have different
    /// words. The default is what `{:?}` prints.
    fn write_action(&self, _game: &G, action: G::Action) -> String {
        word(&action)
    }

    /// An action in words for people, in the position before it. The default is the word of the notation.
    fn say_action(&self, game: &G, action: G::Action) -> String {
        self.write_action(game, action)
    }

    /// A chance outcome in the position before it, as [`write_action`](Notation::write_action) writes actions.
    fn write_outcome(&self, _game: &G, outcome: G::Outcome) -> String {
        word(&outcome)
    }

    /// The moves of a game that begins with this position. The default is the words of its steps.
    fn write_moves(&self, start: &G, steps: &[GameStep<G>]) -> String {
        let mut game = start.clone();
        let mut words = Vec::new();
        for step in steps {
            words.push(match *step {
                GameStep::Chance(outcome) => self.write_outcome(&game, outcome),
                GameStep::Action(action) => self.write_action(&game, action),
            });
            step.apply(&mut game);
        }
        words.join(" ")
    }

    /// Reads what [`write_moves`](Notation::write_moves) wrote. The default looks for the legal step that is written
    /// like each word.
    ///
    /// # Errors
    /// The first word that is no move of the position, with its number.
    fn read_moves(&self, start: &G, text: &str) -> Result<Vec<GameStep<G>>, String> {
        let mut game = start.clone();
        let mut steps = Vec::new();
        let (mut outcomes, mut actions) = (Vec::new(), Vec::new());
        for (number, word) in text.split_whitespace().enumerate() {
            let found = match game.turn() {
                Turn::Terminal => {
                    return Err(format!("word {}: {word:.40} stands after the end of the game", number + 1));
                }
                Turn::Chance => {
                    game.outcomes(&mut outcomes);
                    let same = |(outcome, _): &&(_, u32)| self.write_outcome(&game, *outcome) == word;
                    outcomes.iter().find(same).map(|(outcome, _)| GameStep::Chance(*outcome))
                }
                Turn::Player(_) => {
                    game.actions(&mut actions);
                    let same = |action: &&_| self.write_action(&game, **action) == word;
                    actions.iter().find(same).map(|action| GameStep::Action(*action))
                }
            };
            let step = found.ok_or_else(|| format!("word {}: {word:.40} is no legal move here", number + 1))?;
            step.apply(&mut game);
            steps.push(step);
        }
        Ok(steps)
    }
}

/// Actions and outcomes are what `{:?}` prints, without spaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct DebugNotation;

impl<G: Game> Notation<G> for DebugNotation {}

fn word(value: &impl Debug) -> String {
    format!("{value:?}").split_whitespace().collect()
}
