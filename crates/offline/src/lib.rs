//! Offline evolution: formulas evolved before play.
//!
//! A [`Genome`](evouct_gp::Genome) holds the formulas of a player. Its fitness is how well the player decides in
//! positions of a [`Bank`], and how well it plays against a panel of opponents.

#![warn(missing_docs, unreachable_pub)]

mod bank;
mod bank_shard;
mod batches;
mod build;
mod calibrate;
mod crew;
mod evolution;
mod finals;
mod folder;
mod genome;
mod head_room;
mod measure;
mod origin;
mod output;
mod plan;
mod pooled;
#[cfg(feature = "mpi")]
mod ranks;
mod recipe;
mod replay;
mod schema;
mod session;
mod stage;
mod template;

pub use bank::{Bank, BankGame, BankHeader, BankPosition, LoadedPosition, Split};
pub use batches::PlannedBatch;
pub use build::{BankBuild, BankError};
pub use calibrate::{Calibration, CalibrationJudge, calibrate, calibration_genomes};
pub use crew::{Batch, BlockSum, Crew, Threads};
pub use evolution::{GenerationRow, History, Individual, Judge, evolve};
pub use finals::{FinalRow, Finals, finals};
pub use folder::{EvolutionFolder, EvolutionProgress, Verified};
pub use head_room::{HeadRoom, head_room};
pub use measure::{Hall, MeasureError, Measured, Measurer, Purpose, Request};
pub use output::{NO_CHAMPION, genome_table, summary, write_files};
pub use plan::{Algorithm, EvolutionPlan, SemanticRule};
pub use pooled::Pooled;
#[cfg(feature = "mpi")]
pub use ranks::Ranks;
pub use recipe::Recipe;
pub use schema::{bank_schema, evolution_schema};
pub use session::{EVOLUTION_FILE, Evaluation, EvolutionError, EvolutionHeader, EvolutionSession, Evolved, Workers};
pub use stage::{Measure, Stage};
pub use template::evolution_template;
