//! The rules: tiles, board, features, scores and positions.
//!
//! This module depends on neither notation nor drawing. Playouts are here because they use a position's tables directly.

mod action;
mod bag;
mod bits;
mod board;
mod cell;
mod closing_tiles;
mod deck;
mod edition;
mod error;
mod expansions;
mod feature;
mod figures;
mod limits;
mod move_effect;
mod move_prospect;
mod options;
mod outlook;
mod perft;
mod placement;
mod playout;
mod prefetch;
mod river;
mod scoring;
mod shape;
mod simple;
mod standing;
mod state;
mod tile;
mod tile_description;
mod tile_set;

pub use action::{Deployment, Figure, Move, PlayedTurn, SegmentId};
pub use cell::Cell;
pub use deck::TileDeck;
pub use edition::{Base, Edition, Expanded};
pub use error::{IllegalDraw, IllegalMove};
pub use expansions::{Expansion, Expansions};
pub(crate) use feature::BIG_STRENGTH;
pub use limits::{MAX_SEATS, MEEPLES};
pub(crate) use move_effect::MoveEffect;
pub(crate) use move_prospect::{MoveProspect, Prospects};
pub use options::{FieldScoring, RiverBends, Rules, RulesError, StartTile, Unplaceable};
pub use perft::perft;
pub use playout::PlayoutPolicy;
pub use scoring::{Award, ScoreObserver};
pub(crate) use simple::SimplePlayer;
pub use state::{DrawResult, State};
pub use tile::{Edge, FeatureKind, Port, Side, TileKind};
pub use tile_set::{Segment, TileDefinition, TileSet};
