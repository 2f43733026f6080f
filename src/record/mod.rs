//! Records of games: what is written, how it is kept safe, how it is read back.
//!
//! A run folder holds one or more journals, `games*.jsonl`: a header line, then one finished game a line, each with a
//! checksum. The journal is the only truth; everything else in the folder can be made from it.

mod digest;
mod finished_game;
mod journal;
mod line;
mod recall;
mod run;
mod schema;
mod trace;

pub(crate) use digest::canonical;
pub use digest::{Digest, Digester};
pub use finished_game::Entry;
pub use journal::{JournalReader, JournalWriter, Line, is_being_written, read_lines};
pub use recall::{stamp, thoughts};
pub use run::{Journal, Problem, RecordError, Run};
pub use schema::{DecisionLog, Ended, FORMAT, FeatureMetrics, GameRecord, Header, RunInfo, SeatMetrics, VERSION};
pub use trace::{Considered, Thought, ThoughtsWriter};
