//! Drawings of the board: text for a terminal, SVG, and a whole game as one SVG.

mod animation;
mod board_svg;
mod board_text;
mod feature_map;
mod geometry;
mod layout;
mod scene;
mod tile_text;

pub use animation::Animation;
pub use board_svg::BoardSvg;
pub(crate) use board_svg::SEAT_COLOURS;
pub use board_text::{BoardText, draw_tile};
pub(crate) use scene::{move_words, scene};
