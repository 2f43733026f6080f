//! Experiments: from a TOML file to a validated [`Experiment`].
//!
//! Every table of a file is read against a table of parameters. An unknown key or a wrong value is an error with its
//! line and the nearest right name, and all errors of a file are reported at once. The result has all defaults filled
//! in.

mod experiment;
mod extend;
mod file_kind;
mod frame;
mod gauntlet;
mod named_in;
mod openings;
mod overrides;
mod paper;
mod play_command;
mod players;
mod python;
pub mod reader;
mod readings;
mod resolved;
mod schedule_kind;
pub mod schema;
mod seatings;
mod sequential;
mod swiss;
mod template;
mod time_control;
mod verdict;

pub use experiment::{Experiment, Log};
pub use experiment::{check_name, check_name_of, game_rules};
pub use extend::{Difference, differences};
pub use file_kind::FileKind;
pub use frame::{GameFrame, LimitKeys, OPENINGS};
pub use named_in::named_in;
pub use openings::{OpeningSource, Openings, suggested_openings};
pub use overrides::Overrides;
pub use paper::{HIGHEST, LOWEST, Paper, PaperCell, PaperPair, PaperPositions, PaperRow, PaperSeat};
pub use play_command::play_command;
pub use players::Contender;
pub use players::contenders;
pub use python::{PYTHON, PythonCallable, PythonNeeds, bound_functions_in};
pub use reader::{ConfigError, ConfigErrors};
pub use readings::{Claim, Reading, Readings};
pub use resolved::{Resolved, ResolvedPlayer};
pub use schedule_kind::ScheduleKind;
pub(crate) use schedule_kind::choose;
pub use schema::schema;
pub use seatings::Seatings;
pub use sequential::{Hypotheses, Sequential};
pub use template::experiment_template;
pub use template::{game_line, openings_line, rules};
pub use time_control::TimeControl;
pub use verdict::Verdict;
