//! EinStein würfelt nicht!, a race with one die for two seats.
//!
//! Rules of Ingo Althöfer (3-Hirn-Verlag, 2004; J. van der Storm, "EinStein würfelt nicht!", CCC 2005). Each seat has
//! numbered stones in opposite corners of a board. A seat rolls the die and moves the stone of that number one cell
//! towards the far corner: along a row, along a column or along the diagonal. If that stone is gone, the stone with the
//! next lower or the next higher number moves instead, as the seat chooses. Any stone on the target cell is removed,
//! one of the seat's own too. The seat that reaches the far corner wins, and so does a seat whose opponent has no stone
//! left. There are no draws and no passes. A seat with one stone moves it without a roll.
//!
//! The order of the stones is uniform over all orders. In play between people each player chooses an order without
//! seeing the other's; such a choice is hidden information, which [`Game`](evouct_search::game::Game) does not have.

mod domain;
mod evaluation;
mod rules;
mod state;

pub use domain::{Einstein, EinsteinMetrics};
pub use evaluation::EinsteinEvaluation;
pub use rules::{Cell, EinsteinRules};
pub use state::{MAX_STONES, Move, Outcome, State};
