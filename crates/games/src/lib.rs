//! Two more games beside Carcassonne: [`einstein`] (EinStein würfelt nicht!, dice and six stones a side) and
//! [`function`] (the optimisation of a function as one decision of a search).
//!
//! ```
//! use evouct_base::parameter::Preset;
//! use evouct_platform::domain::Spec;
//! use evouct_platform::registry;
//!
//! evouct_games::add();
//! let game = registry::game("einstein").unwrap();
//! assert!(Spec::parse(game, "mcts:iterations=100", Preset::Text).is_ok());
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod einstein;
pub mod function;

use evouct_platform::registry;

/// Adds both games to those that the program knows.
pub fn add() {
    registry::add_game::<einstein::Einstein>();
    registry::add_game::<function::FunctionOptimisation>();
}
