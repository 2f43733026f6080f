//! Search over any game with chance, and evolution of its selection formula while it plays.
//!
//! A game implements [`game::Game`]: three types and seven methods. Then MCTS with UCT, RAVE or a formula, SIEA-MCTS,
//! flat Monte Carlo and *-minimax play it. [`player`] has a whole game of dice in sixty lines, with SIEA-MCTS on it;
//! [`game::check_game`] tests whether a game keeps the contract.
//!
//! ```
//! use evouct_search::game::{Game, Scores, StreamDeck, Turn, Uniform};
//! use evouct_search::player::{Mcts, Player, PlayerView, Selector};
//! use evouct_search::search::{Budget, Uct};
//! use evouct_search::seed::Key;
//!
//! /// Two seats take one or two of the stones that are left; who takes the last one wins.
//! #[derive(Clone)]
//! struct Nim { stones: u32, seat: usize }
//!
//! impl Game for Nim {
//!     type Action = u32;
//!     type Outcome = ();
//!     type Deck = StreamDeck;
//!     fn seats(&self) -> usize { 2 }
//!     fn turn(&self) -> Turn { if self.stones > 0 { Turn::Player(self.seat) } else { Turn::Terminal } }
//!     fn outcomes(&self, outcomes: &mut Vec<((), u32)>) { outcomes.clear() }
//!     fn apply(&mut self, (): ()) {}
//!     fn actions(&self, actions: &mut Vec<u32>) { *actions = (1..=2.min(self.stones)).collect() }
//!     fn play(&mut self, taken: u32) { *self = Nim { stones: self.stones - taken, seat: 1 - self.seat } }
//!     fn scores(&self) -> Scores {
//!         let mut scores = Scores::default();
//!         scores[1 - self.seat] = i32::from(self.stones == 0);
//!         scores
//!     }
//! }
//!
//! let (nim, key) = (Nim { stones: 5, seat: 0 }, Key::experiment(1));
//! let uct = Selector::Uct(Uct::default());
//! let mut player = Mcts::<Nim>::new(uct, Budget::iterations(1_000), Uniform, key.seat(0));
//! let decision = player.decide(&PlayerView::of(&nim, &StreamDeck::of(key.deck(1))));
//! assert_eq!(decision.action, 2, "it leaves three stones");
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod evolve;
pub mod game;
pub mod player;
pub mod search;

pub use evouct_base::{sampling, seed};
pub use evouct_gp as gp;
