//! The contract between a game and the search that plays it.
//!
//! A game is for one to six seats, with perfect information and explicit chance: a position says whose turn it is
//! ([`Turn`]), chance outcomes are listed with their weights, and applying one is deterministic. The position owns no
//! random numbers. Search, evolution and the controllers are written against this contract and know no rules.
//!
//! [`Game`] asks for three types and seven methods; everything else has a default. Optional capabilities are separate
//! traits: a [`Deck`] for those that fix chance in advance ([`StreamDeck`] serves any game), a
//! [`Heuristic`] for *-minimax, a [`Playout`] for Monte Carlo ([`Uniform`] serves any game), [`MoveNumber`]s for
//! searches that use knowledge of the game, [`Rater`]s for playouts and players that choose by a rating. [`check_game`]
//! tests whether a game keeps the contract. `evouct_search::player` has an example.

pub(crate) mod at_once;
#[cfg(test)]
pub(crate) mod cells;
mod conformance;
mod deck;
mod evaluation;
mod heuristic;
mod move_log;
mod move_number;
mod parts;
mod playout;
mod ply;
mod rater;
#[cfg(test)]
pub(crate) mod slots;

pub use conformance::{CheckReport, check_game};
pub use deck::{Deck, StreamDeck};
pub use evaluation::{Evaluation, PointLead};
pub use heuristic::{Heuristic, RANKS};
pub use move_log::{LogMark, MoveLog, PlyOf};
pub use move_number::{FillMoveNumbers, MoveNumber, MoveNumbers};
pub use parts::{Part, Parts, PartsDeck, PartsLog, PartsPlayout};
pub use playout::{Playout, Uniform};
pub(crate) use playout::{next_seat, play_logged};
pub use ply::Ply;
pub(crate) use rater::exponentials;
pub use rater::{RatedChoice, Rater, RatingScratch, choose_by_rating, choose_rated};

use evouct_base::sampling::below;
use rand::Rng;
use std::fmt::Debug;
use std::hash::Hash;

/// The most seats a game may have.
pub const MAX_SEATS: usize = 6;

/// Scores by seat; those of seats beyond the game's are 0.
pub type Scores = [i32; MAX_SEATS];

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Turn {
    /// Chance decides.
    Chance,
    /// This seat decides.
    Player(usize),
    /// Nothing: the game is over.
    Terminal,
}

/// A position of a game.
///
/// [`Clone::clone_from`] is what search does before every simulation and should be cheap.
pub trait Game: Clone + Send + Sync {
    /// What a player decides.
    type Action: Copy + Eq + Hash + Debug + Send + Sync;
    /// What chance decides.
    type Outcome: Copy + Eq + Hash + Debug + Send + Sync;
    /// An order of chance outcomes fixed in advance, for searches that peek and for those that determinise.
    /// [`StreamDeck`] serves any game.
    type Deck: Deck<Self>;

    /// Whether some actions are made of two decisions, so that [`first_part`](Game::first_part) differs from them. A
    /// search of parts is compiled for such games only.
    const HAS_PARTS: bool = false;

    /// Whether [`position_key`](Game::position_key) tells positions apart, so that a search can share what it knows of
    /// transpositions.
    const TRANSPOSES: bool = false;

    /// The number of seats, 1 to [`MAX_SEATS`].
    fn seats(&self) -> usize;

    /// What happens next.
    fn turn(&self) -> Turn;

    /// Fills `outcomes` with what chance may decide now and the weight of each (its probability is the weight over
    /// their sum), in a fixed order. Weights are at least 1, and no outcome is listed twice. Empty unless it is
    /// chance's turn.
    fn outcomes(&self, outcomes: &mut Vec<(Self::Outcome, u32)>);

    /// Applies a chance outcome, one of those listed.
    fn apply(&mut self, outcome: Self::Outcome);

    /// Fills `actions` with the legal actions of the seat to play, in a fixed order, none of them twice. Empty unless
    /// it is a seat's turn.
    fn actions(&self, actions: &mut Vec<Self::Action>);

    /// Applies a legal action.
    fn play(&mut self, action: Self::Action);

    /// What each seat would score if the game ended here; at the end, what it scores.
    fn scores(&self) -> Scores;

    /// Draws an outcome by its weight and applies it. Must be chance's turn. Playouts spend much of their time here: a
    /// game that can draw without a list should.
    fn sample(&mut self, rng: &mut impl Rng) -> Self::Outcome {
        let mut outcomes = Vec::new();
        self.outcomes(&mut outcomes);
        let total: usize = outcomes.iter().map(|(_, weight)| *weight as usize).sum();
        let mut left = below(rng, total);
        for (outcome, weight) in outcomes {
            if left < weight as usize {
                self.apply(outcome);
                return outcome;
            }
            left -= weight as usize;
        }
        unreachable!("chance has an outcome on its turn")
    }

    /// One of the legal actions, each equally likely: that of [`actions`](Game::actions) whose number is drawn. Must be a seat's
    /// turn. Random playouts spend most of their time here: a game that can find it without a list should. The memory is for the
    /// list.
    #[inline]
    fn random_action(&self, memory: &mut Vec<Self::Action>, rng: &mut impl Rng) -> Self::Action {
        self.actions(memory);
        memory[below(rng, memory.len())]
    }

    /// Adds for each of these legal actions 1 if it wins the game at once, else 0. False, and nothing is added, where only trying
    /// tells. Must be a seat's turn. To win is to have more points than each other seat at the end.
    fn wins_at_once(&self, _actions: &[Self::Action], _found: &mut Vec<f64>) -> bool {
        false
    }

    /// Adds for each of these legal actions 1 if another seat is to play after it, without chance in between, and can win the game at
    /// once, else 0. False, and nothing is added, where only trying tells, for which a search takes as many plies as there are pairs of
    /// an action and a reply. Must be a seat's turn.
    fn lets_win(&self, _actions: &[Self::Action], _found: &mut Vec<f64>) -> bool {
        false
    }

    /// What *-minimax takes for the outcomes of chance: those of [`outcomes`](Game::outcomes) with their weights,
    /// unless the game knows that some only lead to another draw. The list is empty if the game ends without another
    /// decision.
    fn live_outcomes(&self, outcomes: &mut Vec<(Self::Outcome, u32)>) {
        self.outcomes(outcomes);
    }

    /// An action that is made of two decisions, without the second; the action itself if it is one decision. Flat Monte
    /// Carlo can share its playouts among first decisions. Actions with the same first part follow one another in the
    /// list of [`actions`](Game::actions).
    fn first_part(action: Self::Action) -> Self::Action {
        action
    }

    /// A score that no seat can exceed, at any time of the game, if one is known. Some rewards are scaled by it
    /// ([`Reward::needs_bound`](crate::search::Reward::needs_bound)).
    fn max_score(&self) -> Option<i32> {
        None
    }

    /// The share of the game that is played, 0 to 1, if the game knows it.
    fn phase(&self) -> Option<f64> {
        None
    }

    /// The outcome of chance that the seat to play acts on, if the position shows it. A search that is told the moves of
    /// the game does not ask.
    fn drawn(&self) -> Option<Self::Outcome> {
        None
    }

    /// The decisions that led to the position, if it records them, for a search that is not told them.
    fn past(&self) -> Option<Vec<Ply<Self::Action, Self::Outcome>>> {
        None
    }

    /// Numbers that two positions of the same rules and seat to play share only if all that follows is the same: actions and
    /// outcomes in the same order, and scores. No position may come again within a game. Asked on the turns of seats if
    /// [`TRANSPOSES`](Game::TRANSPOSES).
    fn position_key(&self) -> [u128; 2] {
        [0; 2]
    }

    /// What a decision has in common with others that learning may count as the same, such as the place of a move:
    /// decisions of a seat with the same number are alike. None if the game defines nothing coarser than the same action
    /// of the same seat.
    fn likeness(&self, _ply: Ply<Self::Action, Self::Outcome>) -> Option<u32> {
        None
    }
}
