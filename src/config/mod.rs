//! Experiments: from a TOML file to a validated [`Experiment`].
//!
//! Every key is read by name and every unknown one is an error, with the line and the nearest right name. What comes out
//! has all defaults filled in.

mod experiment;
mod extend;
mod overrides;
mod paper;
mod players;
pub(crate) mod reader;
mod sequential;

pub use experiment::{Experiment, Log, Resolved, ResolvedPlayer, ScheduleKind};
pub use extend::{Difference, differences};
pub use overrides::Overrides;
pub use paper::{Paper, PaperCell, PaperRow, PaperSeat};
pub use players::Contender;
pub use reader::ConfigError;
pub use sequential::Sequential;
