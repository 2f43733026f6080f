//! Leagues: playing the games of a schedule, on all cores, without losing any.

mod calibration;
mod game;
mod handout;
mod local;
#[cfg(feature = "mpi")]
pub mod mpi;
mod panic;
mod sequence;
mod session;
mod simulation;
mod status;
mod verify;

pub use calibration::{Calibration, calibrate};
pub use game::{Game, Played, Table, repeat_command};
pub use local::{End, Progress, run};
pub use panic::catch;
pub use session::{Permissions, Session, SessionError};
pub use simulation::{Plan, Projection, simulate};
pub use status::{JournalStatus, MissingShard, Overlap, Status};
pub use verify::{Discrepancy, Verifier};
