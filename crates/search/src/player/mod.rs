//! Players: the contract, and the controllers for any game.
//!
//! [`Mcts`], [`PartsMcts`], [`SelfAdaptive`], [`Portfolio`], [`FlatMonteCarlo`], [`StarPlayer`], [`OnePly`], [`Rated`]
//! and [`Random`] play any [`Game`](crate::game::Game). A player lives for one game and has a key of its own.
//! `evouct_platform::kinds` makes players from typed parameters.
//!
//! A game of your own, and SIEA-MCTS against a random player:
//!
//! ```
//! use evouct_search::game::{Deck, Game, Scores, StreamDeck, Turn, Uniform, check_game};
//! use evouct_search::player::{Mcts, Player, PlayerView, Random};
//! use evouct_base::seed::Key;
//!
//! /// Two seats roll a die in turn, and roll on or bank what they have rolled. A 1 loses it. Thirty points end the game.
//! #[derive(Clone, Default)]
//! struct Pig {
//!     scores: Scores,
//!     seat: usize,
//!     rolled: i32,
//!     choosing: bool,
//! }
//!
//! #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
//! enum Choice {
//!     Roll,
//!     Bank,
//! }
//!
//! impl Game for Pig {
//!     type Action = Choice;
//!     type Outcome = i32;
//!     type Deck = StreamDeck;
//!
//!     fn seats(&self) -> usize {
//!         2
//!     }
//!
//!     fn turn(&self) -> Turn {
//!         match self.choosing {
//!             _ if self.scores.iter().any(|score| *score >= 30) => Turn::Terminal,
//!             true => Turn::Player(self.seat),
//!             false => Turn::Chance,
//!         }
//!     }
//!
//!     fn outcomes(&self, outcomes: &mut Vec<(i32, u32)>) {
//!         outcomes.clear();
//!         if self.turn() == Turn::Chance {
//!             outcomes.extend((1..=6).map(|pips| (pips, 1)));
//!         }
//!     }
//!
//!     fn apply(&mut self, pips: i32) {
//!         self.choosing = pips > 1;
//!         self.rolled += pips;
//!         if pips == 1 {
//!             (self.seat, self.rolled) = (1 - self.seat, 0);
//!         }
//!     }
//!
//!     fn actions(&self, actions: &mut Vec<Choice>) {
//!         actions.clear();
//!         if self.turn() != Turn::Terminal && self.choosing {
//!             actions.extend([Choice::Roll, Choice::Bank]);
//!         }
//!     }
//!
//!     fn play(&mut self, choice: Choice) {
//!         self.choosing = false;
//!         if choice == Choice::Bank {
//!             self.scores[self.seat] += self.rolled;
//!             (self.seat, self.rolled) = (1 - self.seat, 0);
//!         }
//!     }
//!
//!     fn scores(&self) -> Scores {
//!         self.scores
//!     }
//! }
//!
//! // Does the game keep the contract?
//! let key = Key::experiment(2022);
//! check_game(Pig::default, key, 20).unwrap();
//!
//! let mut siea = Mcts::<Pig>::siea(100, key.seat(0));
//! let mut random = Random::new(Uniform, key.seat(1));
//! let mut state = Pig::default();
//! let mut deck = StreamDeck::of(key.deck(1));
//! let mut formulas = Vec::new();
//! loop {
//!     match state.turn() {
//!         Turn::Terminal => break,
//!         Turn::Chance => {
//!             deck.deal(&mut state);
//!         }
//!         Turn::Player(seat) => {
//!             let players: [&mut dyn Player<Pig>; 2] = [&mut siea, &mut random];
//!             let decision = players[seat].decide(&PlayerView::of(&state, &deck));
//!             formulas.extend(decision.evolution.map(|evolution| evolution.formula));
//!             state.play(decision.action);
//!         }
//!     }
//! }
//! assert!(state.scores[0] > state.scores[1] && !formulas.is_empty());
//! ```

mod contract;
#[cfg(test)]
mod evolving_tests;
mod flat;
mod further_trees;
mod mcts;
mod one_ply;
mod parts;
mod portfolio;
mod random;
mod rated;
#[cfg(test)]
mod rivals;
mod self_adaptive;
mod star;
mod ucb1;

pub use crate::search::TreeEdge;
pub use contract::{Considered, Decision, Player, PlayerView};
pub use flat::FlatMonteCarlo;
pub use mcts::{Mcts, Selector};
pub use one_ply::{ActionValue, OnePly};
pub use parts::PartsMcts;
pub use portfolio::{FormulaChoice, Offspring, Portfolio, Rehearsals};
pub use random::Random;
pub use rated::Rated;
pub use self_adaptive::SelfAdaptive;
pub use star::StarPlayer;
