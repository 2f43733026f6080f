//! The kinds of player that play any game: their parameters, defaults, documentation and sources.
//!
//! Each file declares the typed parameters of one family and turns them into settings of search and evolution.

mod budget;
mod evolving;
mod exact;
mod exported;
mod external;
mod flat;
mod formula;
mod guidance;
mod one_ply;
mod person;
mod playouts;
mod portfolio;
mod puct;
mod random;
mod rated;
mod rivals;
mod self_adaptive;
mod terminal_set;
mod tree;
mod uct;

pub use budget::BudgetParameters;
pub use external::programs;
pub use guidance::TemperatureParameters;
pub use rivals::tree_policy;
pub use tree::FinalParameters;

use crate::domain::{Domain, Kind};

pub use exported::{formula_player, player_text, player_toml};

/// All kinds of player for a game, in the order in which they are listed.
pub fn standard<D: Domain>() -> Vec<Kind<D>> {
    let mut kinds = vec![random::kind()];
    kinds.extend(one_ply::kind());
    kinds.extend(rated::kinds());
    kinds.extend(uct::kinds());
    kinds.extend(rivals::kinds());
    kinds.push(self_adaptive::kind());
    kinds.extend(flat::kinds());
    kinds.extend(exact::kinds());
    kinds.extend(evolving::kinds());
    kinds.push(puct::kind());
    kinds.push(formula::kind());
    kinds.push(portfolio::kind());
    kinds.push(external::kind());
    kinds.push(person::kind());
    kinds
}
