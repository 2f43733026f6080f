//! What wins a game at once, by trying.

use super::{Game, Scores, Turn};

/// Whether a seat has more points than every other seat; never if there is no other.
pub(crate) fn has_won(scores: &Scores, seat: usize, seats: usize) -> bool {
    seats > 1 && (0..seats).all(|other| other == seat || scores[other] < scores[seat])
}

/// Whether the game is over in a position, won by this seat.
fn is_won<G: Game>(state: &G, seat: usize) -> bool {
    state.turn() == Turn::Terminal && has_won(&state.scores(), seat, state.seats())
}

/// For each action of a seat 1 if it wins the game at once, else 0, by playing each action. `scratch` is overwritten.
pub(crate) fn tried_wins<G: Game>(state: &G, (seat, actions): (usize, &[G::Action]), scratch: &mut G) -> Vec<f64> {
    let wins = |action: &G::Action| {
        scratch.clone_from(state);
        scratch.play(*action);
        f64::from(is_won(scratch, seat))
    };
    actions.iter().map(wins).collect()
}

/// For each action of a seat 1 if another seat is to play after it, without chance in between, and has an action that wins the game
/// at once, else 0, by playing each action and each reply. `scratch` is overwritten.
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
