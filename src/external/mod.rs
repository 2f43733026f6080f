//! Players that are other programs, and evouct as a player of other programs: the line protocol of `docs/protocol.md`.
//!
//! [`External`] speaks the side of the league, [`Engine`] the side of the player.

mod engine;
mod lines;
mod player;
mod process;
mod running;

pub use engine::Engine;
pub(crate) use engine::speaks;
pub use lines::MAX_LINE;
pub use player::{External, ExternalSettings, Go};
pub(crate) use process::exists;
pub use running::end_programs;
