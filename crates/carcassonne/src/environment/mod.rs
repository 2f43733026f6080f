//! Carcassonne as an environment for agents that learn.
//!
//! A turn is two *decisions*: first where the tile in hand goes, then what happens with a figure. Decisions have fixed
//! numbers ([`Numbering`]) that are the same under all rules. The board is seen through a *window* of `W × W` cells
//! around the tiles that are placed ([`Window`]). An [`Encoder`] writes what a seat sees into memory of the caller; a
//! [`Vector`] steps many episodes at once.
//!
//! An episode has the rules that it is given. Where a caller says nothing of the river, its bends are [`RIVER_BENDS`].

mod encoder;
mod episode;
mod features;
mod game;
mod layers;
mod numbering;
mod pairs;
mod reward;
#[cfg(test)]
mod tests;
mod vector;
mod window;

pub use encoder::{Encoder, Encoding, Frame, Picture, global};
pub use episode::{Episode, IllegalDecision, Phase, Standing, StepResult, episode_seed};
pub use features::feature;
pub use layers::plane;
pub use numbering::{FIGURE_DECISIONS, NumberedDecision, Numbering, SLOTS, slot};
pub use pairs::pair;
pub use reward::{EpisodeReward, points};
pub use vector::{Autoreset, IllegalStep, Outputs, Vector, VectorSettings};
pub use window::Window;

use crate::rules::RiverBends;

/// The default of `river_bends` in an environment. It is the rule of the environment of wingedsheep
/// (*Programming Carcassonne*), whose players "can always finish the river". Leagues keep the default of
/// [`RiverBends`], on which their records depend.
pub const RIVER_BENDS: RiverBends = RiverBends::Alternate;
