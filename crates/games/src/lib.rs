//! Further games beside Carcassonne. With chance: [`einstein`] (EinStein würfelt nicht!, dice and six stones a side),
//! [`maedn`] (Mensch ärgere dich nicht, a race) and [`pig`]. Without chance: [`breakthrough`], [`connect_four`], [`havannah`], [`hex`], [`othello`], [`y`]. [`function`] is
//! the optimisation of a function as one decision of a search.
//!
//! ```
//! use evouct_base::parameter::{Parameters, Preset};
//! use evouct_base::seed::Key;
//! use evouct_games::einstein::{Einstein, EinsteinRules, State};
//! use evouct_platform::{domain::Spec, registry};
//! use evouct_search::game::{Deck, Game, StreamDeck, Turn};
//! use evouct_search::player::PlayerView;
//!
//! // Leagues and commands find the games by their names.
//! evouct_games::add();
//! let (game, key) = (registry::game("einstein").unwrap(), Key::experiment(2022));
//! let mut players = [(0, "siea-mcts:iterations=300"), (1, "random")].map(|(seat, text)| {
//!     let spec = Spec::parse(game, text, Preset::Text).unwrap();
//!     registry::player::<Einstein>(&spec, key.seat(seat))
//! });
//!
//! let (mut state, mut deck) = (State::new(EinsteinRules::defaults(Preset::Text)), StreamDeck::of(key.deck(1)));
//! loop {
//!     match state.turn() {
//!         Turn::Terminal => break,
//!         // The order of the stones, and the die.
//!         Turn::Chance => {
//!             deck.deal(&mut state);
//!         }
//!         Turn::Player(seat) => {
//!             let decision = players[seat].decide(&PlayerView::of(&state, &deck));
//!             state.play(decision.action);
//!         }
//!     }
//! }
//! assert_eq!(state.winner(), Some(0));
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod breakthrough;
mod chain;
pub mod connect_four;
pub mod einstein;
pub mod function;
pub mod havannah;
pub mod hex;
pub mod maedn;
pub mod othello;
pub mod pig;
mod won;
pub mod y;

use evouct_platform::registry;

/// Adds the games to those that the program knows.
pub fn add() {
    registry::add_game::<einstein::Einstein>();
    registry::add_game::<function::FunctionOptimisation>();
    registry::add_game::<breakthrough::Breakthrough>();
    registry::add_game::<connect_four::ConnectFour>();
    registry::add_game::<hex::Hex>();
    registry::add_game::<othello::Othello>();
    registry::add_game::<y::Y>();
    registry::add_game::<havannah::Havannah>();
    registry::add_game::<pig::Pig>();
    registry::add_game::<maedn::Maedn>();
}
