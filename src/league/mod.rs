//! Leagues: playing the games of a schedule, on all cores, without losing any.

mod game;
mod local;
mod panic;
mod sequence;
mod session;
mod verify;

pub use game::{Game, Played, Table, repeat_command};
pub use local::{End, Progress, run};
pub use panic::catch;
pub use session::{Permissions, Session, SessionError};
pub use verify::{Discrepancy, Verifier};
