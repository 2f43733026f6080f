//! evouct: experiments in which evolution improves game-playing search.
//!
//! Monte Carlo Tree Search picks a child with the UCT formula. SIEA-MCTS (Galván, Simpson, Valdez Ameneyro 2022)
//! evolves that formula during the game. This crate has games ([`carcassonne`], [`hex`] and nine more), the
//! search ([`search`]), the formulas ([`gp`]) and their evolution during a game ([`evolve`]) and before it
//! ([`offline`]), the players ([`player`]), leagues between players ([`league`]) that write records ([`record`]),
//! tuning ([`tune`]), and the analysis of records ([`stats`], [`report`]). Everything that is written against
//! [`game::Game`] works for any game of one to six seats with chance; [`player`] shows one in sixty lines.
//!
//! The program `evouct` is a thin layer above it. A game in a few lines:
//!
//! ```
//! use evouct::config::{Contender, GameFrame, Log};
//! use evouct::league::GameSetup;
//! use evouct::parameter::Preset;
//! use evouct::registry;
//! use evouct::search::Stopped;
//!
//! let seat = |text: &str, name: &str| Contender::new(registry::spec(text, Preset::Text).unwrap(), name);
//! let setup = GameSetup {
//!     seed: 7,
//!     rules: registry::rules(&[("seats", "2")]).unwrap(),
//!     frame: GameFrame::default(),
//!     clock: None,
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
//! use evouct::carcassonne::{Rules, State, TileDeck};
//! use evouct::seed::Key;
//!
//! let rules = Rules::official(2);
//! let (mut state, mut deck) = (State::new(rules), TileDeck::shuffled(&rules, Key::experiment(7).deck(1)));
//! while deck.deal_playable(&mut state).is_some() {
//!     let first = state.legal_moves()[0];
//!     state.play(first).unwrap();
//! }
//! assert!(state.is_over());
//! ```
//!
//! What a command does is a call or two for a program:
//!
//! | command | call |
//! |---|---|
//! | `run` | [`Session::plan`](league::Session::plan), [`Session::play`](league::Session::play) |
//! | `report` | [`report::rebuild`], [`report::summary`] |
//! | `verify` | [`Verifier::replay_all`](league::Verifier::replay_all) |
//! | `tune` | [`Tuning::play`](tune::Tuning::play) |
//! | `bank` | [`BankBuild::plan`](offline::BankBuild::plan), [`make`](offline::BankBuild::make), [`gather`](offline::BankBuild::gather) |
//! | `evolve` | [`EvolutionSession::plan`](offline::EvolutionSession::plan), [`run`](offline::EvolutionSession::run), or [`AskTell`](offline::AskTell) |
//! | `score` | [`EvolutionSession::plan`](offline::EvolutionSession::plan), [`score`](offline::EvolutionSession::score) |
//! | `positions` | [`carcassonne::decide`] |
//! | `batch`, `slurm` | [`cluster::script`], [`Estimate::propose`](cluster::Estimate::propose) |
//!
//! A game of your own needs [`game::Game`] for search, and [`domain::Domain`] for leagues, records and reports. A kind
//! of player of your own needs [`player::Player`] and a [`domain::Kind`]. [`registry`] makes both known to every
//! command; see `examples/own_game.rs` and `examples/own_player.rs`.

#![warn(missing_docs, unreachable_pub)]

pub mod cli;
pub mod cpu;
pub mod error;
#[cfg(feature = "browser")]
pub mod gui;
pub mod registry;

pub use evouct_base::{
    escape, listed, named, panic, parameter, parameter_groups, parameters, phrase, plural, sampling, seed, stack,
    suggest, table, wrap,
};
pub use evouct_bench as bench;
pub use evouct_carcassonne as carcassonne;
pub use evouct_games::{breakthrough, connect_four, einstein, function, havannah, hex, maedn, othello, pig, y};
pub use evouct_gp as gp;
pub use evouct_league::{cluster, config, export, league, record, schedule, series};
pub use evouct_offline as offline;
pub use evouct_platform::{clock, domain, external, kinds};
pub use evouct_report as report;
#[cfg(feature = "browser")]
pub use evouct_report::serve;
pub use evouct_search::{evolve, game, player, search};
pub use evouct_stats as stats;
pub use evouct_store as store;
pub use evouct_store::disk;
pub use evouct_tune as tune;
