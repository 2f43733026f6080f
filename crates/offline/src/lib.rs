//! Offline evolution: formulas evolved before play.
//!
//! A [`Genome`](evouct_gp::Genome) holds the formulas of a player. Its fitness is how well the player decides in
//! positions of a [`Bank`], and how well it plays against a panel of opponents.
//!
//! ```
//! use evouct_offline::{EvolutionFolder, EvolutionPlan, EvolutionSession, Purpose, Threads, Workers, summary, write_files};
//! use evouct_search::search::Stopped;
//! use std::time::Duration;
//!
//! evouct_carcassonne::add();
//! let text = r#"
//! name = "short"
//! evolve = { seeds = ["Q", "Q + dv/n"], population = 4, islands = 1, generations = 2, elite = 1, tune_offspring = 0 }
//! player = [{ kind = "formula", iterations = 8 }]
//! opponent = [{ kind = "random" }]
//! stage = [{ measure = "games", decks = 1 }, { measure = "games", decks = 2 }]
//! "#;
//! let plan = EvolutionPlan::parse(text, "short.toml", None)?;
//! let parent = tempfile::tempdir()?;
//! let folder = parent.path().join("short");
//! // What the folder has already is not measured again.
//! let session = EvolutionSession::plan(plan, None, None, &folder, None, Purpose::Evolution)?;
//! let plan = session.evolution().clone();
//! let workers =
//!     Workers { executor: &mut Threads(2), stop: &Default::default(), clock: &Stopped, patience: Duration::MAX };
//! let evolved = session.run(workers, &mut |_, generations| assert!(generations.len() <= 2))?;
//!
//! println!("{}", summary(&plan, &evolved));
//! let (genome, gain) = &evolved.finals.ranking[0];
//! println!("{genome} wins {:.1} points per game over the reference", gain.mean());
//! assert!(write_files(&plan, &evolved, &folder)?.contains(&"finals.csv"));
//!
//! let kept = EvolutionFolder::open(&folder)?.expect("it has a journal").progress();
//! assert_eq!(kept.evolved.expect("nothing is missing").digest, evolved.digest);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs, unreachable_pub)]

mod alike;
mod ask_tell;
mod asked;
mod bank;
mod bank_shard;
mod batches;
mod birth;
mod build;
mod calibrate;
mod champion;
mod climb;
mod climb_plan;
mod constants;
mod distinct_decks;
mod error;
mod evolution;
mod executor;
mod finals;
mod folder;
mod genome;
mod grammar;
mod history;
mod identity;
mod journal;
mod journal_flow;
mod measure;
mod oracle_gain;
mod origin;
mod output;
mod plan;
mod pooled;
mod proposals;
mod proposer;
#[cfg(feature = "mpi")]
mod ranks;
mod recipe;
mod records;
mod replay;
mod schema;
mod score;
mod score_output;
mod score_rule;
mod second;
mod second_gain;
mod session;
mod split;
mod stage;
mod steady_plan;
mod steady_state;
mod template;

pub use ask_tell::{AskTell, TellError, Told};
pub use asked::{Against, AskedBlock, CoursePart, PlayedBlock};
pub use bank::{Bank, BankGame, BankHeader, BankPosition, LoadedPosition};
pub use batches::{PlannedBatch, PlannedBirths};
pub use build::{BankBuild, BankError};
pub use calibrate::{CalibrationJudge, Gate, calibrate, calibration_genomes};
pub use error::EvolutionError;
pub use evolution::evolve;
pub use executor::{Batch, BlockSum, Executor, Taker, Threads};
pub use finals::{EvolutionResult, FinalRow, Finals, SeedGain, finals};
pub use folder::{EvolutionFolder, EvolutionProgress, Verified};
pub use history::{Flow, FlowRequest, Folded, GenerationRow, History, Individual, Judge, ProposerTally};
pub use journal::{EVOLUTION_FILE, EvolutionHeader, Measurement, RepeatedDecks};
pub use measure::{BlockValue, HallOfFame, MeasureError, Measured, Measurer, PlayedDeck, Purpose, Request};
pub use oracle_gain::{OracleGain, oracle_gain};
pub use output::{genome_table, summary, write_files};
pub use plan::{Algorithm, EvolutionPlan, SemanticRule};
pub use pooled::Pooled;
pub use proposer::{Proposal, Proposer, Question};
#[cfg(feature = "mpi")]
pub use ranks::Ranks;
pub use recipe::Recipe;
pub use schema::{bank_schema, evolution_schema};
pub use score::{Asker, Gain, Score, ScoreDigest, ScoreEnd, StageScore};
pub use score_output::{ScoreRow, ScoreTable};
pub use score_rule::ScoreRule;
pub use second::SecondObjective;
pub use second_gain::SecondGain;
pub use session::{EvolutionSession, Workers};
pub use split::Split;
pub use stage::{FitnessMeasure, FitnessStage};
pub use template::evolution_template;
