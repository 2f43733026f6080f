//! Jobs on the ranks of an MPI world.
//!
//! Rank 0 leads: it distributes units, is the only one to touch files, and works on its threads like all others. The other
//! ranks follow: they ask for units, do them, and send back their records. Every message of a
//! follower is answered by one of the leader, and a follower sends nothing before it has the answer: so each side only
//! sends to one that is receiving, and no order of events can deadlock two ranks. No rank blocks inside MPI, where
//! waiting spins a core: both sides poll for messages and sleep in between.
//!
//! MPI ends all ranks if one dies, and the heart of a rank if another one falls silent. The journal survives, and the run
//! resumes from it.

mod follow;
mod heart;
mod lead;
mod message;
mod pause;
mod wire;
mod world;

pub use follow::follow;
pub use lead::Ranks;
pub use world::{World, WorldError};
