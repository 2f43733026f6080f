//! Moves that win at once, and moves that let the next seat win at once: decisive and anti-decisive moves.
//!
//! F. Teytaud, O. Teytaud, "On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search Algorithms", CIG 2010.

use super::move_table::has_won;
use crate::game::{Game, Rater, RatingScratch, Turn};

/// Whether the game is over in a position, won by this seat.
fn is_won<G: Game>(state: &G, seat: usize) -> bool {
    state.turn() == Turn::Terminal && has_won(&state.scores(), seat, state.seats())
}

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

/// What [`wins`] adds, by playing each action.
pub(crate) fn tried_wins<G: Game>(state: &G, (seat, actions): (usize, &[G::Action]), scratch: &mut G) -> Vec<f64> {
    let wins = |action: &G::Action| {
        scratch.clone_from(state);
        scratch.play(*action);
        f64::from(is_won(scratch, seat))
    };
    actions.iter().map(wins).collect()
}

/// What [`lets`] adds, by playing each action and each reply.
pub(crate) fn tried_lets<G: Game>(state: &G, (seat, actions): (usize, &[G::Action]), scratch: &mut G) -> Vec<f64> {
    let (mut after, mut replies) = (state.clone(), Vec::new());
    let lets = |action: &G::Action| {
        after.clone_from(state);
        after.play(*action);
        let Turn::Player(other) = after.turn() else { return 0.0 };
        if other == seat {
            return 0.0;
        }
        after.actions(&mut replies);
        let wins = |reply: &G::Action| {
            scratch.clone_from(&after);
            scratch.play(*reply);
            is_won(scratch, other)
        };
        f64::from(replies.iter().any(wins))
    };
    actions.iter().map(lets).collect()
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
