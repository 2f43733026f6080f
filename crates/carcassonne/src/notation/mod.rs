//! Positions and games as text: the notation of this program, and games imported from other rules engines.

mod import;
mod transcript;

pub use import::{ImportedGame, Mismatch};
pub use transcript::{
    Event, NotationError, ReplayError, Transcript, find_segment, parse_turn, write_segment, write_turn,
};
