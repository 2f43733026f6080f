//! Perft: counts of positions, for the comparison of rules engines.

use super::edition::Edition;
use super::state::{DrawResult, State};

/// The number of positions after `depth` plies. At every draw each kind that can be drawn counts once, followed by
/// every legal move. Kinds that fit nowhere count 0.
pub fn perft<E: Edition>(state: &State<E>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.hand().is_none() {
        let drawn = state.draw_outcomes().map(|(kind, _)| {
            let mut next = state.clone();
            let drawn = next.draw(kind).expect("the outcome is one of those listed");
            if drawn == DrawResult::SetAside { 0 } else { perft(&next, depth) }
        });
        return drawn.sum();
    }
    let moves = state.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut next = state.clone();
    let after = moves.into_iter().map(|action| {
        next.clone_from(state);
        next.play_legal(action, &mut ());
        perft(&next, depth - 1)
    });
    after.sum()
}
