//! The platform between search and leagues: games with rules from files, kinds of player, and players that are other
//! programs.
//!
//! A [`Domain`](domain::Domain) is a [`Game`](evouct_search::game::Game) with what leagues and reports need of it: a
//! name, rules, notation, metrics, drawings. [`registry::add_game`] gives it all kinds of player in [`kinds`], and a
//! player is then made from a text.
//!
//! ```
//! # use evouct_search::game::{Game, Scores, StreamDeck, Turn};
//! use evouct_base::parameter::Preset;
//! use evouct_platform::domain::{Domain, ScoreLead, Spec};
//! use evouct_platform::registry;
//! use evouct_search::game::Uniform;
//! # #[derive(Clone)]
//! # struct Nim { stones: u32, seat: usize }
//! # impl Game for Nim {
//! #     type Action = u32;
//! #     type Outcome = ();
//! #     type Deck = StreamDeck;
//! #     fn seats(&self) -> usize { 2 }
//! #     fn turn(&self) -> Turn { if self.stones > 0 { Turn::Player(self.seat) } else { Turn::Terminal } }
//! #     fn outcomes(&self, outcomes: &mut Vec<((), u32)>) { outcomes.clear() }
//! #     fn apply(&mut self, (): ()) {}
//! #     fn actions(&self, actions: &mut Vec<u32>) { *actions = (1..=2.min(self.stones)).collect() }
//! #     fn play(&mut self, taken: u32) { *self = Nim { stones: self.stones - taken, seat: 1 - self.seat } }
//! #     fn scores(&self) -> Scores { Scores::default() }
//! # }
//!
//! evouct_base::parameters! {
//!     /// How a game begins.
//!     pub struct NimRules {
//!         /// Stones at the beginning.
//!         stones: u32 = 12;
//!     }
//! }
//!
//! /// The marker of a game.
//! #[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
//! struct NimGame;
//!
//! impl Domain for NimGame {
//!     type Game = Nim;
//!     type Rules = NimRules;
//!     type Playout = Uniform;
//!     type Evaluation = ScoreLead;
//!     type Metrics = ();
//!     const NAME: &'static str = "nim";
//!     const ABOUT: &'static str = "Who takes the last stone wins.";
//!     fn start(rules: &NimRules) -> Nim {
//!         Nim { stones: rules.stones, seat: 0 }
//!     }
//! }
//!
//! registry::add_game::<NimGame>();
//! let player = Spec::parse(registry::game("nim").unwrap(), "siea-mcts:iterations=50", Preset::Text).unwrap();
//! assert_eq!(player.description(), "siea-mcts:iterations=50");
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod clock;
pub mod domain;
pub mod external;
pub mod kinds;
pub mod registry;
