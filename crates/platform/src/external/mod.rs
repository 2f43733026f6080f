//! Players that are other programs, and evouct as a player of other programs: the line protocol of
//! `docs/reference/protocol.md`.
//!
//! [`External`] speaks the side of the league, [`Engine`] the side of the player. A [`Dialog`] is with a program that
//! answers lines of another kind.

mod answer;
mod dialog;
mod engine;
mod idle;
mod lines;
mod player;
mod process;
mod ready;
mod running;
mod strays;

pub use dialog::Dialog;
pub use engine::Engine;
pub use engine::speaks;
pub use idle::quit_programs;
pub use lines::{InputLine, MAX_LINE, read_line, skip_line};
pub use player::{External, ExternalSettings, Go};
pub use process::exists;
pub use ready::{NotReady, start_programs};
pub use running::end_programs;
