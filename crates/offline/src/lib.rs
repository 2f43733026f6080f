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
mod constants;
mod evolution;
mod executor;
mod finals;
mod folder;
mod genome;
mod measure;
mod oracle_gain;
mod origin;
mod output;
mod plan;
mod pooled;
#[cfg(feature = "mpi")]
mod ranks;
mod recipe;
mod replay;
mod schema;
mod score;
mod score_output;
mod session;
mod stage;
mod template;

pub use bank::{Bank, BankGame, BankHeader, BankPosition, LoadedPosition, Split};
pub use batches::PlannedBatch;
pub use build::{BankBuild, BankError};
pub use calibrate::{CalibrationJudge, Gate, calibrate, calibration_genomes};
pub use evolution::{Folded, GenerationRow, History, Individual, Judge, evolve};
pub use executor::{Batch, BlockSum, Executor, Threads};
pub use finals::{FinalRow, Finals, finals};
pub use folder::{EvolutionFolder, EvolutionProgress, Verified};
pub use measure::{HallOfFame, MeasureError, Measured, Measurer, Purpose, Request};
pub use oracle_gain::{OracleGain, oracle_gain};
pub use output::{NO_CHAMPION, genome_table, summary, write_files};
pub use plan::{Algorithm, EvolutionPlan, SemanticRule};
pub use pooled::Pooled;
#[cfg(feature = "mpi")]
pub use ranks::Ranks;
pub use recipe::Recipe;
pub use schema::{bank_schema, evolution_schema};
pub use score::{Asker, Gain, Score, ScoreDigest, ScoreEnd, ScoreRule, StageScore};
pub use score_output::{ScoreRow, ScoreTable};
pub use session::{
    EVOLUTION_FILE, EvolutionError, EvolutionHeader, EvolutionResult, EvolutionSession, Measurement, Workers,
};
pub use stage::{FitnessMeasure, FitnessStage};
pub use template::evolution_template;
