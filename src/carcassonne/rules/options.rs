//! The options of the rules.

use super::limits::MAX_SEATS;
use super::tile_set::TileSet;
use crate::named::Named;
use crate::parameter::Raw;
use serde::{Deserialize, Serialize};

/// What happens to a drawn tile that fits nowhere. The same player draws again in each case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unplaceable {
    /// The tile leaves the game (Galván et al. 2022).
    #[default]
    Discard,
    /// The tile goes to the bottom of the stack (Valdez Ameneyro et al. 2020).
    Bottom,
    /// The tile goes back into the bag (Heyden 2009). The game ends when no tile in the bag fits.
    Return,
}

impl Named for Unplaceable {
    const NAMES: &'static [(&'static str, Unplaceable)] =
        &[("discard", Unplaceable::Discard), ("bottom", Unplaceable::Bottom), ("return", Unplaceable::Return)];
}

/// How fields score at the end of the game: the rules changed twice (Müller 2014, 2.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum FieldScoring {
    /// Each field by itself: three points for each complete city that it touches.
    #[default]
    ByField,
    /// Each complete city by itself: three points for the seats with the most meeples on all fields that touch it.
    ByCityThree,
    /// The same with four points, the rules of 2000: *farms at 4 a city*.
    ByCityFour,
}

impl FieldScoring {
    /// Points for each complete city.
    #[inline]
    pub fn points(self) -> u16 {
        if self == FieldScoring::ByCityFour { 4 } else { 3 }
    }
}

impl Named for FieldScoring {
    const NAMES: &'static [(&'static str, FieldScoring)] = &[
        ("by-field", FieldScoring::ByField),
        ("by-city-3", FieldScoring::ByCityThree),
        ("by-city-4", FieldScoring::ByCityFour),
    ];
}

/// The rules of one game.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The tile set.
    pub tiles: &'static TileSet,
    /// The number of players, 2 to 5.
    pub seats: u8,
    /// Points of a complete city of two tiles: 4 since the rules of 2002, 2 in the first edition (Müller 2014).
    pub two_tile_city: u8,
    /// What happens to a tile that fits nowhere.
    pub unplaceable: Unplaceable,
    /// How fields score.
    pub fields: FieldScoring,
}

/// An option out of its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// Too few or too many players.
    #[error("expected 2 to 5 seats, found {0}")]
    Seats(u8),
    /// Points that no edition of the rules gives.
    #[error("expected 2 or 4 points for a two-tile city, found {0}")]
    TwoTileCity(u8),
}

impl Rules {
    /// The official rules for this many players.
    ///
    /// # Panics
    /// If `seats` is not 2 to 5. For values from outside use [`checked`](Rules::checked).
    pub fn official(seats: u8) -> Rules {
        let (unplaceable, fields) = (Unplaceable::Discard, FieldScoring::ByField);
        let rules = Rules { tiles: TileSet::base(), seats, two_tile_city: 4, unplaceable, fields };
        rules.checked().expect("carcassonne is for 2 to 5 players")
    }

    /// The options of `[rules]` that give these rules, by their keys.
    pub fn options(&self) -> Vec<(String, Raw)> {
        let text = |text: &str| Raw::Text(text.to_owned());
        vec![
            ("tile_sets".to_owned(), text(self.tiles.name)),
            ("seats".to_owned(), Raw::Integer(self.seats.into())),
            ("two_tile_city".to_owned(), Raw::Integer(self.two_tile_city.into())),
            ("unplaceable".to_owned(), text(self.unplaceable.name())),
            ("fields".to_owned(), text(self.fields.name())),
        ]
    }

    /// The same rules, if every option is in its range.
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
