//! Leagues: playing the games of a schedule, on all cores, without losing any.

mod batching;
mod calibration;
mod chunk;
mod game;
mod gate;
mod job;
mod local;
mod looks;
mod missing_games;
#[cfg(feature = "mpi")]
pub mod mpi;
mod pool;
mod scaling_model;
mod seat_clock;
mod session;
mod sprt_gate;
mod status;
mod supply;
mod threads;
mod verify;
mod workers;

pub use calibration::{Calibration, MOST_OF_PILOT, calibrate, pilot, sample};
pub use chunk::{Found, answer};
pub use game::{GameInProgress, GameSetup, Played};
pub use job::{End, Executor, Job, Taker};
pub use local::{Progress, StartError, Threads};
pub use looks::LeagueAtLooks;
pub use missing_games::{MissingGames, interim};
pub use pool::{Pool, PoolError, PoolWorkers, Ticketed};
pub use scaling_model::{GameOrder, ScalingPlan, ScalingProjection, project_scaling};
pub use session::error::SessionError;
pub use session::games::{Games, play_at};
pub use session::{ResumeOptions, Session};
pub use status::{JournalStatus, MissingShard, Overlap, Status};
pub use supply::{Listed, Supply};
pub use threads::granted;
pub use verify::{Discrepancy, Replayed, Sample, Verifier};
pub use workers::work;
