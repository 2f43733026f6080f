//! The options of the rules.

use super::tile_set::TileSet;
pub use crate::game::MAX_SEATS;
use serde::{Deserialize, Serialize};

/// Meeples in hand at the start.
pub const MEEPLES: u8 = 7;

/// What becomes of a drawn tile that fits nowhere; the same player draws again in each case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unplaceable {
    /// Out of the game (Galván et al. 2022).
    #[default]
    Discard,
    /// To the bottom of the stack (Valdez Ameneyro et al. 2020).
    Bottom,
    /// Back among the rest (Heyden 2009). The game ends when nothing in the bag fits.
    Return,
}

impl Unplaceable {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Unplaceable); 3] =
        [("discard", Unplaceable::Discard), ("bottom", Unplaceable::Bottom), ("return", Unplaceable::Return)];
}

/// The rules of a game.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The tiles.
    pub tiles: &'static TileSet,
    /// Players, 2 to 5.
    pub seats: u8,
    /// Points of a complete city of two tiles: 4 (official since 2009) or 2 (first edition).
    pub two_tile_city: u8,
    /// What becomes of a tile that fits nowhere.
    pub unplaceable: Unplaceable,
}

/// Why a set of options is no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// Too few or too many players.
    #[error("expected 2 to 5 seats, found {0}")]
    Seats(u8),
    /// No edition of the rules.
    #[error("expected 2 or 4 points for a two-tile city, found {0}")]
    TwoTileCity(u8),
}

impl Rules {
    /// The official rules for this many players.
    ///
    /// # Panics
    /// If `seats` is not 2 to 5; what comes from outside goes through [`checked`](Rules::checked).
    pub fn official(seats: u8) -> Rules {
        let rules = Rules { tiles: TileSet::base(), seats, two_tile_city: 4, unplaceable: Unplaceable::Discard };
        rules.checked().expect("carcassonne is for 2 to 5 players")
    }

    /// The same rules, if they are rules of the game.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn checked(self) -> Result<Rules, RulesError> {
        if !(2..=MAX_SEATS as u8).contains(&self.seats) {
            return Err(RulesError::Seats(self.seats));
        }
        if ![2, 4].contains(&self.two_tile_city) {
            return Err(RulesError::TwoTileCity(self.two_tile_city));
        }
        Ok(self)
    }
}
