//! Offline evolution: formulas evolved before play.
//!
//! A [`Genome`](evouct_gp::Genome) holds the formulas of a player. Its fitness is how well the player decides in
//! positions of a [`Bank`], and how well it plays against a panel of opponents.
//!
//! ```
//! use evouct_league::league::Threads;
//! use evouct_offline::{EvolutionFolder, EvolutionPlan, EvolutionSession, RunContext, summary, write_files};
//! use evouct_search::search::Stopped;
//! use std::time::Duration;
//!
//! evouct_carcassonne::add();
//! let text = r#"
//! name = "short"
//! evolve = { seeds = ["Q", "Q + dv/n"], population = 4, islands = 1, generations = 2, elite = 1, constant_offspring = 0 }
//! player = [{ kind = "formula", iterations = 8 }]
//! opponent = [{ kind = "random" }]
//! stage = [{ measure = "games", decks = 1 }, { measure = "games", decks = 2 }]
//! "#;
//! let plan = EvolutionPlan::parse(text, "short.toml", None)?;
//! let parent = tempfile::tempdir()?;
//! let folder = parent.path().join("short");
//! // What the folder has already is not measured again.
//! let session = EvolutionSession::plan(plan, None, &folder, &Default::default())?;
//! let plan = session.evolution().clone();
//! let workers =
//!     RunContext { executor: &mut Threads::of(2), stop: &Default::default(), clock: &Stopped, patience: Duration::MAX };
//! let evolved = session.run(workers, &mut |_, generations| assert!(generations.len() <= 2))?;
//!
//! println!("{}", summary(&plan, &evolved));
//! let (genome, gain) = &evolved.finals.ranking[0];
//! println!("{genome} wins {:.1} points per game over the reference", gain.mean());
//! assert!(write_files(&plan, &evolved, &folder)?.contains(&"finals.csv".to_owned()));
//!
//! let kept = EvolutionFolder::open(&folder)?.expect("it has a journal").progress();
//! assert_eq!(kept.evolved.expect("nothing is missing").digest, evolved.digest);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs, unreachable_pub)]

mod algorithm;
mod ask_tell;
mod asked;
mod bank;
mod bank_shard;
mod build;
mod course;
mod error;
mod executor;
mod fitness;
mod folder;
mod journal;
mod journal_flow;
mod output;
mod plan;
mod positions;
mod records;
mod session;
mod set;

pub use algorithm::{add_algorithm, add_operator, evolve};
pub use ask_tell::{AskTell, TellError, Told};
pub use asked::{Against, AskedBlock, CoursePart, PlayedBlock};
pub use bank::{Bank, BankGame, BankHeader, BankPosition, LoadedPosition};
pub use build::{BankBuild, BankError, BankGames, MadeGame};
pub use course::algorithm::EvolutionAlgorithm;
pub use course::batches::{PlannedBatch, PlannedBirths};
pub use course::calibrate::{CalibrationGate, CalibrationJudge, calibrate, calibration_genomes};
pub use course::finals::{EvolutionResult, FinalRow, Finals, SeedGain, finals};
pub use course::history::{
    EquivalentGenome, Flow, FlowRequest, GenerationRow, History, Individual, Judge, ProposerTally,
};
pub use course::score::{Asker, Gain, Score, ScoreDigest, ScoreEnd, StageScore};
pub use error::EvolutionError;
pub use executor::{Batch, BlockSum, Blocks};
pub use fitness::measure::{BlockValue, HallOfFame, MeasureError, Measured, Measurer, PlayedDeck, Purpose, Request};
pub use fitness::oracle_gain::{OracleGain, oracle_gain};
pub use fitness::pooled::{GainEstimate, GameGain};
pub use fitness::second_gain::SecondGain;
pub use folder::{Effort, EvolutionFolder, EvolutionProgress, Verified};
pub use journal::{EVOLUTION_FILE, EvolutionHeader, Measurement, RepeatedDecks};
pub use output::scores::{ScoreRow, ScoreTable};
pub use output::{genome_table, summary, write_files};
pub use plan::EvolutionPlan;
pub use plan::algorithm::{Algorithm, AlgorithmFile, AlgorithmRules};
pub use plan::game::{OverGames, PlanGame};
pub use plan::keys::{EvolveKeys, SemanticRule};
pub use plan::proposer::{Proposal, Proposer, Question};
pub use plan::schema::{bank_schema, evolution_schema};
pub use plan::score_rule::ScoreRule;
pub use plan::second::SecondObjective;
pub use plan::stage::{FitnessMeasure, FitnessStage};
pub use plan::template::evolution_template;
pub use positions::recipe::Recipe;
pub use positions::split::Split;
pub use session::{EvolutionOptions, EvolutionSession, RunContext};
pub use set::{EvolutionSet, SeedEvolution};
