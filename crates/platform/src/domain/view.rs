//! A recorded game prepared for display.

use super::contract::Domain;
use super::step::GameStep;
use evouct_search::game::{Game, Turn};

/// The view of a game.
#[derive(Clone, Debug)]
pub struct GameView {
    /// The board after every turn in one SVG element; none if the game has no drawing.
    pub animation: Option<String>,
    /// The names of [`TurnView::facts`].
    pub facts: &'static [&'static str],
    /// The facts of each seat before the first turn.
    pub start: Vec<Vec<i64>>,
    /// Turn by turn.
    pub turns: Vec<TurnView>,
}

/// The view of a turn.
#[derive(Clone, Debug)]
pub struct TurnView {
    /// Whose turn it was, from 0.
    pub seat: usize,
    /// What chance decided before it, in notation. The last of these is what the seat acted on.
    pub chance: Vec<String>,
    /// The action in notation.
    pub play: String,
    /// What each seat would score if the game had ended after it.
    pub scores: Vec<i32>,
    /// Facts of each seat after it, or at the end of the game, as [`GameView::facts`] names them.
    pub facts: Vec<Vec<i64>>,
}

fn facts<D: Domain>(game: &D::Game) -> Vec<Vec<i64>> {
    (0..game.seats()).map(|seat| D::DRAWING.facts(game, seat)).collect()
}

/// The view of a game. The steps must be legal.
pub(super) fn view<D: Domain>(rules: &D::Rules, steps: &[GameStep<D::Game>]) -> GameView {
    let begin = D::start(rules);
    let mut game = begin.clone();
    let mut turns: Vec<TurnView> = Vec::new();
    let mut chance = Vec::new();
    for step in steps {
        match (*step, game.turn()) {
            (GameStep::Chance(outcome), _) => {
                chance.push(D::NOTATION.write_outcome(&game, outcome));
                step.apply(&mut game);
            }
            (GameStep::Action(action), Turn::Player(seat)) => {
                let play = D::NOTATION.write_action(&game, action);
                step.apply(&mut game);
                turns.push(TurnView {
                    seat,
                    chance: std::mem::take(&mut chance),
                    play,
                    scores: game.scores()[..game.seats()].to_vec(),
                    facts: facts::<D>(&game),
                });
            }
            (GameStep::Action(_), _) => unreachable!("the steps are legal"),
        }
    }
    // Chance may end the game after the last turn.
    if let Some(last) = turns.last_mut() {
        last.facts = facts::<D>(&game);
    }
    let (animation, start) = (D::DRAWING.animation(&begin, steps), facts::<D>(&begin));
    GameView { animation, facts: D::DRAWING.fact_names(), start, turns }
}
