//! The contract between a game and the search that plays it.
//!
//! A game is for two or more seats, with perfect information and explicit chance: a position says whose turn it is
//! ([`Turn`]), chance outcomes are listed with their weights, and applying one is deterministic. The position owns no random
//! numbers. Search, evolution and leagues are written against this contract and know no rules.

use rand::Rng;
use std::fmt::Debug;
use std::hash::Hash;

/// The most seats a game may have.
pub const MAX_SEATS: usize = 5;

/// Scores by seat; those of seats beyond the game's are 0.
pub type Scores = [i32; MAX_SEATS];

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Chance decides.
    Chance,
    /// This seat decides.
    Player(usize),
    /// Nothing: the game is over.
    Terminal,
}

/// A decision that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply<Action, Outcome> {
    /// The seat that decided.
    pub seat: usize,
    /// What it had drawn: see [`Game::drawn`].
    pub drawn: Option<Outcome>,
    /// What it decided.
    pub action: Action,
}

/// A position of a game.
///
/// [`Clone::clone_from`] is what search does before every simulation and should be cheap.
pub trait Game: Clone + Send + Sync {
    /// What a player decides.
    type Action: Copy + Eq + Hash + Debug + Send + Sync;
    /// What chance decides.
    type Outcome: Copy + Eq + Hash + Debug + Send + Sync;
    /// An order of chance outcomes fixed in advance: a deck of tiles, a row of dice.
    type Deck: Clone + Send + Sync;

    /// The number of seats.
    fn seats(&self) -> usize;

    /// What happens next.
    fn turn(&self) -> Turn;

    /// Fills `outcomes` with what chance may decide now and the weight of each (its probability is the weight over their
    /// sum), in a fixed order. Empty unless it is chance's turn.
    fn outcomes(&self, outcomes: &mut Vec<(Self::Outcome, u32)>);

    /// Applies a chance outcome, one of those listed.
    fn apply(&mut self, outcome: Self::Outcome);

    /// Draws an outcome by its weight and applies it. Must be chance's turn.
    fn sample(&mut self, rng: &mut impl Rng) -> Self::Outcome;

    /// Applies the next outcome of a deck. Must be chance's turn, and the deck must hold what is left to come.
    fn deal(&mut self, deck: &mut Self::Deck) -> Self::Outcome;

    /// All that is left to come, in random order.
    fn shuffled_deck(&self, rng: &mut impl Rng) -> Self::Deck;

    /// Fills `actions` with the legal actions of the seat to play, in a fixed order. Empty unless it is a seat's turn.
    fn actions(&self, actions: &mut Vec<Self::Action>);

    /// Applies a legal action.
    fn play(&mut self, action: Self::Action);

    /// The outcome of chance that the seat to play acts on; none where there is none. Two actions that look alike are the same
    /// only where the same was drawn.
    fn drawn(&self) -> Option<Self::Outcome>;

    /// The number of decisions made so far.
    fn plies(&self) -> usize;

    /// Decision number `number` of those made so far, from 0.
    fn ply(&self, number: usize) -> Ply<Self::Action, Self::Outcome>;

    /// What *-minimax takes for the outcomes of chance: those of [`outcomes`](Game::outcomes), unless the game knows that some
    /// only lead to another draw. None at all where the game ends without another decision.
    fn live_outcomes(&self, outcomes: &mut Vec<(Self::Outcome, u32)>) {
        self.outcomes(outcomes);
    }

    /// An action that is made of two decisions, without the second; the action itself where it is one decision.
    fn first_part(action: Self::Action) -> Self::Action {
        action
    }

    /// What each seat would score if the game ended here; at the end, what it scores.
    fn scores(&self) -> Scores;
}

/// A default policy: how a game is played to its end from a position outside the tree.
pub trait Playout<G: Game>: Copy + Send + Sync {
    /// Plays to the end and returns the scores.
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores;
}

/// The number of ranks that a [`Heuristic`] may give.
pub const RANKS: usize = 8;

/// What *-minimax must know of a game for two seats: what a position is worth, and which actions to try first.
pub trait Heuristic<G: Game>: Send + Sync {
    /// What a position is worth to a seat that searches. It is taken to be worth the negative to the other.
    fn value(&self, state: &G, seat: usize) -> f64;

    /// What the position after an action is worth. `scratch` is some position of the game, and may be left as none: it is to be
    /// overwritten by [`clone_from`](Clone::clone_from).
    #[inline]
    fn value_after(&self, state: &G, action: G::Action, scratch: &mut G, seat: usize) -> f64 {
        scratch.clone_from(state);
        scratch.play(action);
        self.value(scratch, seat)
    }

    /// By how much a seat leads, on the scale of [`value`](Heuristic::value): where bounds are taken from.
    fn lead(&self, state: &G, seat: usize) -> f64 {
        self.value(state, seat)
    }

    /// When an action is searched: those of rank 0 first, [`RANKS`] − 1 last, equal ones in the order of the game.
    fn rank(&self, state: &G, action: G::Action) -> usize;
}

/// The default policy for any game: every legal action equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

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
                    state.actions(&mut actions);
                    state.play(actions[crate::sampling::below(rng, actions.len())]);
                }
            }
        }
    }
}
