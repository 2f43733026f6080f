//! Moves that win at once, and moves that let the next seat win at once: decisive and anti-decisive moves.
//!
//! F. Teytaud, O. Teytaud, "On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search Algorithms", CIG 2010.

use crate::game::at_once::{tried_lets, tried_wins};
use crate::game::{Game, Rater, RatingScratch, Turn};

/// Adds for each action of a seat 1 if it wins the game at once, else 0. `scratch` is overwritten.
pub(super) fn wins<G: Game>(state: &G, (seat, actions): (usize, &[G::Action]), scratch: &mut G, found: &mut Vec<f64>) {
    if !state.wins_at_once(actions, found) {
        found.extend(tried_wins(state, (seat, actions), scratch));
    }
}

/// Adds for each action of a seat 1 if another seat is to play after it, without chance in between, and has an action
/// that wins the game at once, else 0. `scratch` is overwritten.
pub(super) fn lets<G: Game>(state: &G, (seat, actions): (usize, &[G::Action]), scratch: &mut G, found: &mut Vec<f64>) {
    if !state.lets_win(actions, found) {
        found.extend(tried_lets(state, (seat, actions), scratch));
    }
}

/// Rates moves that win at once above all, and moves that let the next seat win at once below all. The source stops the
/// move with which the opponent would win; a move that does not let it win is such a move in any game.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecisiveRater;

impl<G: Game> Rater<G> for DecisiveRater {
    fn rate(&self, state: &G, scratch: &mut RatingScratch<G>) {
        let Turn::Player(seat) = state.turn() else { return };
        let RatingScratch { actions, ratings, position, .. } = scratch;
        let position = position.get_or_insert_with(|| state.clone());
        ratings.clear();
        wins(state, (seat, actions), position, ratings);
        if ratings.contains(&1.0) {
            return;
        }
        ratings.clear();
        lets(state, (seat, actions), position, ratings);
        ratings.iter_mut().for_each(|rating| *rating = -*rating);
    }
}
