//! The options of the rules.

use super::edition::{Base, Edition, Expanded};
use super::expansions::{Expansion, Expansions};
use super::tile_set::TileSet;
use evouct_base::named::Named;
use evouct_base::parameter::Raw;
use serde::{Deserialize, Serialize};

evouct_base::named! {
    /// What happens to a drawn tile that fits nowhere. The same player draws again in each case. A tile of the river
    /// that fits nowhere always leaves the game.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Unplaceable {
        /// The tile leaves the game (Galván et al. 2022).
        #[default]
        Discard = "discard",
        /// The tile goes to the bottom of the stack (Valdez Ameneyro et al. 2020).
        Bottom = "bottom",
        /// The tile goes back into the bag (Heyden 2009). The game ends when no tile in the bag fits.
        Return = "return",
    }

    /// How fields score at the end of the game: the rules changed twice (Müller 2014, 2.3).
    #[derive(Default)]
    pub enum FieldScoring {
        /// Each field by itself: three points for each complete city that it touches.
        #[default]
        ByField = "by-field",
        /// Each complete city by itself: three points for the seats with the most meeples on all fields that touch it.
        ByCityThree = "by-city-3",
        /// The same with four points, the rules of 2000: *farms at 4 a city*.
        ByCityFour = "by-city-4",
    }
}

impl FieldScoring {
    /// Points for each complete city.
    #[inline]
    pub fn points(self) -> u16 {
        if self == FieldScoring::ByCityFour { 4 } else { 3 }
    }
}

evouct_base::named! {
    /// Where the river may turn.
    #[derive(Default)]
    pub enum RiverBends {
        /// Never twice the same way on two successive tiles. A straight tile between two bends frees the second one, so
        /// the river can run into the board, and then its next tile fits nowhere.
        #[default]
        NoUTurn = "no-u-turn",
        /// A bend one way is followed by a bend the other way, however many straight tiles are between (wingedsheep,
        /// *Programming Carcassonne*: "If a player plays a clockwise turn, the next turn has to be counterclockwise").
        /// The river then flows in two directions only, so each of its tiles fits.
        Alternate = "alternate",
        /// Only where the five cells around the next cell of the river, beyond its open end and beside it, are free
        /// (JCloisterZone).
        Reserve = "reserve",
    }

    /// Where the start tile of the base game is, with the river.
    #[derive(Default)]
    pub enum StartTile {
        /// On the table without the river, left out with it.
        #[default]
        Auto = "auto",
        /// In the bag with the river.
        InBag = "in-bag",
    }
}

/// The rules of one game.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The tile set, which says which expansions are in play.
    pub tiles: &'static TileSet,
    /// The number of players, 2 to 5; to 6 with Inns & Cathedrals.
    pub seats: u8,
    /// Points of a complete city of two tiles: 4 since the rules of 2002, 2 in the first edition (Müller 2014).
    pub two_tile_city: u8,
    /// What happens to a tile that fits nowhere.
    pub unplaceable: Unplaceable,
    /// Whether meeples may be placed on fields.
    pub farmers: bool,
    /// How fields score.
    pub fields: FieldScoring,
    /// Where the river may turn.
    pub river_bends: RiverBends,
    /// Points of each tile and pennant of an unfinished city with a cathedral, and of each tile of an unfinished road
    /// with an inn: 0, or 1.
    pub unfinished_inn_cathedral: u8,
}

/// An option out of its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// Too few or too many players: the number found, and the most.
    #[error("expected 2 to {1} seats, found {0}")]
    Seats(u8, u8),
    /// Points that no edition of the rules gives.
    #[error("expected 2 or 4 points for a two-tile city, found {0}")]
    TwoTileCity(u8),
    /// An earlier rule for fields in a game that it is not defined for: the rule, and what the game has.
    #[error("fields = {0} is for the base game with farmers, found {1}")]
    Fields(&'static str, &'static str),
    /// Points of an unfinished feature that no edition of the rules gives.
    #[error("expected 0 or 1 for unfinished roads with inns and cities with cathedrals, found {0}")]
    UnfinishedInnCathedral(u8),
}

impl RulesError {
    /// The option out of its range, as in `[rules]`.
    pub fn option(self) -> &'static str {
        match self {
            RulesError::Seats(..) => "seats",
            RulesError::TwoTileCity(_) => "two_tile_city",
            RulesError::Fields(..) => "fields",
            RulesError::UnfinishedInnCathedral(_) => "unfinished_inn_cathedral",
        }
    }
}

impl Rules {
    /// The official rules of the base game for this many players.
    ///
    /// # Panics
    /// If `seats` is not 2 to 5. For values from outside use [`checked`](Rules::checked).
    pub fn official(seats: u8) -> Rules {
        Rules::with(TileSet::base(), seats).checked().expect("carcassonne is for 2 to 5 players")
    }

    /// The rules of this tile set with every option at its default. Nothing is checked.
    pub fn with(tiles: &'static TileSet, seats: u8) -> Rules {
        Rules {
            tiles,
            seats,
            two_tile_city: 4,
            unplaceable: Unplaceable::Discard,
            farmers: true,
            fields: FieldScoring::ByField,
            river_bends: RiverBends::NoUTurn,
            unfinished_inn_cathedral: 0,
        }
    }

    /// Whether the base game's tables and code are enough for these rules. Other rules need the edition
    /// [`Expanded`].
    pub fn are_of_the_base_game(&self) -> bool {
        self.tiles.expansions == Expansions::NONE && self.farmers
    }

    /// Whether an expansion is in play.
    #[inline]
    pub fn have(&self, expansion: Expansion) -> bool {
        self.tiles.expansions.has(expansion)
    }

    /// Where the start tile of the base game is.
    pub fn start_tile(&self) -> StartTile {
        if self.tiles.start_in_bag { StartTile::InBag } else { StartTile::Auto }
    }

    /// Largest number of seats: 5, or 6 with Inns & Cathedrals.
    pub fn most_seats(&self) -> u8 {
        let most = if self.have(Expansion::InnsAndCathedrals) { Expanded::SEATS } else { Base::SEATS };
        most as u8
    }

    /// The options of `[rules]` that give these rules, by their keys.
    pub fn options(&self) -> Vec<(String, Raw)> {
        let text = |text: &str| Raw::Text(text.to_owned());
        let names = |names: Vec<&str>| Raw::List(names.into_iter().map(text).collect());
        vec![
            ("expansions".to_owned(), names(self.tiles.expansions.names())),
            ("seats".to_owned(), Raw::Integer(self.seats.into())),
            ("two_tile_city".to_owned(), Raw::Integer(self.two_tile_city.into())),
            ("unplaceable".to_owned(), text(self.unplaceable.name())),
            ("farmers".to_owned(), Raw::Flag(self.farmers)),
            ("fields".to_owned(), text(self.fields.name())),
            ("river_bends".to_owned(), text(self.river_bends.name())),
            ("start_tile".to_owned(), text(self.start_tile().name())),
            ("unfinished_inn_cathedral".to_owned(), Raw::Integer(self.unfinished_inn_cathedral.into())),
        ]
    }

    /// The same rules, if every option is in its range.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn checked(self) -> Result<Rules, RulesError> {
        let most = self.most_seats();
        if !(2..=most).contains(&self.seats) {
            return Err(RulesError::Seats(self.seats, most));
        }
        if ![2, 4].contains(&self.two_tile_city) {
            return Err(RulesError::TwoTileCity(self.two_tile_city));
        }
        let is_earlier = self.fields != FieldScoring::ByField;
        if is_earlier && !self.farmers {
            return Err(RulesError::Fields(self.fields.name(), "farmers = false"));
        }
        if is_earlier && self.tiles.expansions != Expansions::NONE {
            return Err(RulesError::Fields(self.fields.name(), "expansions"));
        }
        if self.unfinished_inn_cathedral > 1 {
            return Err(RulesError::UnfinishedInnCathedral(self.unfinished_inn_cathedral));
        }
        Ok(self)
    }
}
