//! Records of games: what is written, how it is kept safe, how it is read back.
//!
//! A run folder holds one or more journals, `games*.jsonl`: a header line, then one finished game a line, each with a
//! checksum. The journal is the only truth; everything else in the folder can be made from it.

mod digest;
mod finished_game;
mod journal;
mod line;
mod run;
mod schema;
mod trace;

pub(crate) use digest::canonical;
pub use digest::{Digest, Digester};
pub use finished_game::FinishedGame;
pub use journal::{JournalReader, JournalWriter, Line, is_being_written, read_lines};
pub use run::{Journal, Problem, RecordError, Run, stamp};
pub use schema::{DecisionLog, Ended, FORMAT, FeatureMetrics, GameRecord, Header, RunInfo, SeatMetrics, VERSION};
pub use trace::{ConsideredMove, DecisionTrace, TraceWriter, traces};
