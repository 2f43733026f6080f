//! evouct: experiments in which game-playing search is improved by evolution.
//!
//! Monte Carlo Tree Search picks a child with the UCT formula. SIEA-MCTS (Galván, Simpson, Valdez Ameneyro 2022) evolves that
//! formula while it plays. This crate holds the game it is tried on ([`carcassonne`]), the search ([`search`]), the formulas
//! ([`gp`]) and their evolution ([`evolve`]), the players made of them ([`player`]), leagues between players ([`league`])
//! that leave records ([`record`]), and what comes of records ([`stats`], [`report`]). Everything that is written against
//! [`game::Game`] works for any game of one to six seats with chance; [`player`] shows one in forty lines.
//!
//! The program `evouct` is a thin layer above it. A game in a few lines:
//!
//! ```
//! use evouct::carcassonne::{Drawn, Rules, State};
//! use evouct::config::Log;
//! use evouct::league::GameSetup;
//! use evouct::player::{Preset, Spec};
//! use evouct::search::Stopped;
//!
//! let seat = |text: &str, name: &str| (Spec::parse(text, Preset::Text).unwrap(), name.to_owned(), 0);
//! let setup = GameSetup {
//!     seed: 7,
//!     rules: Rules::official(2),
//!     mirror: true,
//!     deck: 1,
//!     seats: vec![seat("mcts:iterations=60", "MCTS"), seat("random", "Random")],
//! };
//! let game = setup.play(&Stopped, Log::None, "here").record;
//! assert!(game.scores[0] > game.scores[1]);
//!
//! // The same by hand, without players: the position owns no random numbers, whoever plays deals the tiles.
//! let mut state = State::new(setup.rules);
//! let mut deck = setup.shuffled_deck();
//! while let Some((_, drawn)) = deck.deal(&mut state) {
//!     if drawn == Drawn::InHand {
//!         let first = state.legal_moves()[0];
//!         state.play(first).unwrap();
//!     }
//! }
//! assert!(state.is_over());
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

pub mod bench;
pub mod carcassonne;
pub mod clock;
pub mod cluster;
pub mod config;
pub mod cpu;
pub mod error;
pub mod evolve;
pub mod game;
pub mod gp;
pub mod league;
pub mod player;
pub mod record;
pub mod report;
pub mod sampling;
pub mod schedule;
pub mod search;
pub mod seed;
pub mod serve;
pub mod stats;
mod suggest;
