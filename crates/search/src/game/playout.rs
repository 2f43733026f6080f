//! Default policies: how a game is played outside the tree.

use super::{Game, MAX_SEATS, MoveLog, Scores, Turn};
use evouct_base::named::Named;
use evouct_base::sampling::below;
use rand::Rng;
use std::fmt::Debug;

/// A default policy: how a game is played to its end from a position outside the tree.
pub trait Playout<G: Game>: Clone + Debug + Send + Sync {
    /// Plays to the end and returns the scores. The moves must be those that [`choose`](Playout::choose) would make.
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores;

    /// The same playout, which adds its decisions to the log of the simulation.
    fn play_out_logged(&self, state: &mut G, log: &mut MoveLog<G>, rng: &mut impl Rng) -> Scores {
        while self.play_turn(state, Some(log), rng) {}
        state.scores()
    }

    /// Whether the policy must know the moves of its simulations: then every playout is logged.
    fn needs_log(&self) -> bool {
        false
    }

    /// The action that the policy plays in a position where a seat is to play; unless a policy says otherwise, every
    /// legal action is equally likely.
    fn choose(&self, state: &G, rng: &mut impl Rng) -> G::Action {
        state.random_action(&mut Vec::new(), rng)
    }

    /// One of these legal actions, which differ in their second part only; unless a policy says otherwise, each equally
    /// likely.
    fn choose_among(&self, _state: &G, actions: &[G::Action], rng: &mut impl Rng) -> G::Action {
        actions[below(rng, actions.len())]
    }

    /// Learns from a simulation that ended at `end`, with the rewards of the search by seat. The log has the moves of the
    /// game before it, if they are known, and those of the simulation from number `first` on; it is empty unless the
    /// policy [needs it](Playout::needs_log) or the search does. Most policies learn nothing.
    #[inline]
    fn learn(&mut self, _log: &MoveLog<G>, _first: usize, _end: &G, _rewards: &[f64; MAX_SEATS]) {}

    /// Plays on until a seat has made one more decision, and adds it to the log, if there is one. False if the game ends
    /// before.
    fn play_turn(&self, state: &mut G, mut log: Option<&mut MoveLog<G>>, rng: &mut impl Rng) -> bool {
        let Some(seat) = next_seat(state, log.as_deref_mut(), rng) else { return false };
        let action = self.choose(state, rng);
        play_logged(state, seat, action, log);
        true
    }
}

/// Lets chance act until a seat is to play; returns the seat, none at the end of the game.
#[inline]
pub(crate) fn next_seat<G: Game>(state: &mut G, mut log: Option<&mut MoveLog<G>>, rng: &mut impl Rng) -> Option<usize> {
    loop {
        match state.turn() {
            Turn::Terminal => return None,
            Turn::Player(seat) => return Some(seat),
            Turn::Chance => {
                let outcome = state.sample(rng);
                if let Some(log) = &mut log {
                    log.draw(outcome);
                }
            }
        }
    }
}

/// Plays an action of a seat, and adds it to the log, if there is one.
#[inline]
pub(crate) fn play_logged<G: Game>(state: &mut G, seat: usize, action: G::Action, log: Option<&mut MoveLog<G>>) {
    if let Some(log) = log {
        log.play(seat, action);
    }
    state.play(action);
}

/// The default policy for any game: every legal action equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Uniform;

impl Named for Uniform {
    const NAMES: &'static [(&'static str, Uniform)] = &[("uniform", Uniform)];
}

impl<G: Game> Playout<G> for Uniform {
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores {
        let mut actions = Vec::new();
        loop {
            match state.turn() {
                Turn::Terminal => return state.scores(),
                Turn::Chance => {
                    state.sample(rng);
                }
                Turn::Player(_) => {
                    let action = state.random_action(&mut actions, rng);
                    state.play(action);
                }
            }
        }
    }

    fn play_out_logged(&self, state: &mut G, log: &mut MoveLog<G>, rng: &mut impl Rng) -> Scores {
        let mut actions = Vec::new();
        while let Some(seat) = next_seat(state, Some(&mut *log), rng) {
            let action = state.random_action(&mut actions, rng);
            play_logged(state, seat, action, Some(&mut *log));
        }
        state.scores()
    }
}
