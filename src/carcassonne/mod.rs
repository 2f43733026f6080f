//! Carcassonne.

mod action;
mod bag;
mod bits;
mod block;
mod contract;
mod deck;
mod draw;
mod feature;
mod frontier;
mod layout;
mod notation;
mod outline;
mod perft;
mod playout;
mod recording;
mod rules;
mod scoring;
mod state;
mod svg;
mod tile;
mod tile_set;

pub use action::{Move, Spot, Turn};
pub use deck::Deck;
pub use draw::{Drawing, draw_tile};
pub use frontier::Cell;
pub use notation::{Event, NotationError, ReplayError, Transcript, find_spot, parse_turn, write_spot, write_turn};
pub use perft::perft;
pub use playout::Policy;
pub use recording::{Mismatch, Recording};
pub use rules::{MAX_SEATS, MEEPLES, Rules, RulesError, Unplaceable};
pub use scoring::{Award, Witness};
pub use state::{Drawn, IllegalDraw, IllegalMove, State};
pub use svg::Figure;
pub use tile::{Edge, FeatureKind, Port, Side, TileKind};
pub use tile_set::{Kind, Part, TileSet};
