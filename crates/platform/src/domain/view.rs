//! A recorded game prepared for display.

use super::contract::Domain;
use super::notation::Step;
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
    /// Facts of each seat after it, as [`GameView::facts`] names them.
    pub facts: Vec<Vec<i64>>,
}

/// Plays a game through, step by step; `visit` sees each step with the position before it.
fn walk<D: Domain>(rules: &D::Rules, steps: &[Step<D::Game>], mut visit: impl FnMut(&D::Game, &Step<D::Game>)) {
    let mut game = D::start(rules);
    for step in steps {
        visit(&game, step);
        step.apply(&mut game);
    }
}

fn facts<D: Domain>(game: &D::Game) -> Vec<Vec<i64>> {
    (0..game.seats()).map(|seat| D::facts(game, seat)).collect()
}

/// The view of a game. The steps must be legal.
pub(super) fn view<D: Domain>(rules: &D::Rules, steps: &[Step<D::Game>]) -> GameView {
    let start = facts::<D>(&D::start(rules));
    let mut turns: Vec<TurnView> = Vec::new();
    let mut chance = Vec::new();
    let mut after = |game: &D::Game, step: &Step<D::Game>| match *step {
        Step::Chance(outcome) => chance.push(D::write_outcome(game, outcome)),
        Step::Action(action) => {
            let Turn::Player(seat) = game.turn() else { return };
            let mut next = game.clone();
            next.play(action);
            turns.push(TurnView {
                seat,
                chance: std::mem::take(&mut chance),
                play: D::write_action(game, action),
                scores: next.scores()[..next.seats()].to_vec(),
                facts: facts::<D>(&next),
            });
        }
    };
    walk::<D>(rules, steps, &mut after);
    GameView { animation: D::animation(rules, steps), facts: D::FACTS, start, turns }
}

/// The start of a game and the position after every turn, each made into something.
fn positions<D: Domain, T>(
    rules: &D::Rules,
    steps: &[Step<D::Game>],
    each: impl Fn(&D::Game) -> Option<T>,
) -> Option<Vec<T>> {
    let mut made = vec![each(&D::start(rules))?];
    walk::<D>(rules, steps, |game, step| {
        if let Step::Action(action) = *step {
            let mut next = game.clone();
            next.play(action);
            made.extend(each(&next));
        }
    });
    Some(made)
}

/// The positions as SVG documents.
pub(super) fn pictures<D: Domain>(rules: &D::Rules, steps: &[Step<D::Game>]) -> Option<Vec<String>> {
    positions::<D, _>(rules, steps, D::svg)
}

/// The positions as text.
pub(super) fn texts<D: Domain>(rules: &D::Rules, steps: &[Step<D::Game>], colour: bool) -> Option<Vec<String>> {
    positions::<D, _>(rules, steps, |game| D::text(game, colour))
}

/// One SVG element with the drawing of every position; none for a game without drawings.
pub(super) fn frames<D: Domain>(rules: &D::Rules, steps: &[Step<D::Game>]) -> Option<String> {
    use std::fmt::Write;

    let drawn = D::pictures(rules, steps)?;
    let mut element = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\">".to_owned();
    for (turn, svg) in drawn.iter().enumerate() {
        let until = if turn + 1 < drawn.len() { format!(" data-until=\"{}\"", turn + 1) } else { String::new() };
        let visibility = if turn + 1 < drawn.len() { " visibility=\"hidden\"" } else { "" };
        write!(element, "<g data-from=\"{turn}\"{until}{visibility}>{svg}</g>").ok()?;
    }
    Some(element + "</svg>")
}
