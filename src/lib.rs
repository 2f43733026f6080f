//! evouct: experiments in which evolution improves game-playing search.
//!
//! Monte Carlo Tree Search picks a child with the UCT formula. SIEA-MCTS (Galván, Simpson, Valdez Ameneyro 2022)
//! evolves that formula during the game. This crate has three games ([`carcassonne`], [`einstein`], [`function`]), the
//! search ([`search`]), the formulas ([`gp`]) and their evolution during a game ([`evolve`]) and before it
//! ([`offline`]), the players ([`player`]), leagues between players ([`league`]) that write records ([`record`]),
//! tuning ([`tune`]), and the analysis of records ([`stats`], [`report`]). Everything that is written against
//! [`game::Game`] works for any game of one to six seats with chance; [`player`] shows one in sixty lines.
//!
//! The program `evouct` is a thin layer above it. A game in a few lines:
//!
//! ```
//! use evouct::config::Log;
//! use evouct::league::{GameSetup, SeatedPlayer};
//! use evouct::parameter::Preset;
//! use evouct::registry;
//! use evouct::search::Stopped;
//!
//! let seat = |text: &str, name: &str| SeatedPlayer::new(registry::spec(text, Preset::Text).unwrap(), name);
//! let setup = GameSetup {
//!     seed: 7,
//!     rules: registry::rules(&[("seats", "2")]).unwrap(),
//!     mirror: true,
//!     deck: 1,
//!     seats: vec![seat("mcts:iterations=60", "MCTS"), seat("random", "Random")],
//! };
//! let game = setup.play(&Stopped, Log::None, "here").record;
//! assert!(game.scores[0] > game.scores[1]);
//! ```
//!
//! The same by hand, without players. The position owns no random numbers: the caller deals the tiles.
//!
//! ```
//! use evouct::carcassonne::{Deck, Rules, State};
//! use evouct::seed::Key;
//!
//! let rules = Rules::official(2);
//! let (mut state, mut deck) = (State::new(rules), Deck::shuffled(&rules, Key::experiment(7).deck(1)));
//! while deck.deal_playable(&mut state).is_some() {
//!     let first = state.legal_moves()[0];
//!     state.play(first).unwrap();
//! }
//! assert!(state.is_over());
//! ```
//!
//! A game of your own needs [`game::Game`] for search, and [`domain::Domain`] for leagues, records and reports. A kind
//! of player of your own needs [`player::Player`] and a [`domain::Kind`]. [`registry`] makes both known to every
//! command; see `examples/own_game.rs` and `examples/own_player.rs`.

#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

pub mod bench;
pub mod carcassonne;
pub mod cli;
pub mod clock;
pub mod cluster;
pub mod config;
pub mod cpu;
pub mod disk;
pub mod domain;
pub mod einstein;
pub mod error;
pub mod escape;
pub mod evolve;
pub mod export;
pub mod external;
mod fetch;
pub mod function;
pub mod game;
pub mod gp;
pub mod gui;
pub mod kinds;
pub mod league;
pub mod named;
pub mod offline;
mod panic;
pub mod parameter;
pub mod player;
pub mod plural;
pub mod record;
pub mod registry;
pub mod report;
pub mod sampling;
pub mod schedule;
pub mod search;
pub mod seed;
pub mod series;
pub mod serve;
pub mod stats;
mod suggest;
pub mod tune;
pub mod wrap;
