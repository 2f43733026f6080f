//! `evouct evolve`: evolves formulas before play.

use super::play_args::{ThreadArgs, shard};
use super::{Outcome, signals, warn};
use crate::clock::WallClock;
use crate::error::Failure;
use crate::league::Progress;
use crate::offline::{
    Bank, EvolutionError, EvolutionPlan, EvolutionSession, GenerationRow, History, Workers, summary, write_files,
};
use crate::schedule::Shard;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub(super) struct Arguments {
    /// File of the evolution (TOML)
    evolution: PathBuf,
    /// The folder of the evolution [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Override the seed of the file. It is added to the name of the evolution
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..u64::MAX))]
    seed: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Measure part I of N of each batch, counted from 0, together with the other shards in the same folder [default in a SLURM
    /// job array: the part of the task]
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// How long a shard waits without news from the other shards, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
    /// Instead of evolving, measure N formulas of all kinds by every stage, and print how each stage's ranking agrees with games
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "60", value_parser = clap::value_parser!(u32).range(3..=10_000))]
    calibrate: Option<u32>,
}

/// Blocks are too short to show; generations are.
struct Silent;

impl Progress for Silent {
    fn tick(&mut self, _: usize) {}
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let plan = EvolutionPlan::load(&arguments.evolution, arguments.seed).map_err(Failure::usage)?;
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(&plan.name));
    let bank = plan.bank.as_ref().map(|bank| Bank::open(bank)).transpose().map_err(Failure::usage)?;
    if let Some(bank) = &bank {
        warn(&bank.problems);
    }
    let shard = shard(arguments.shard)?;
    let session = EvolutionSession::plan(plan.clone(), bank, arguments.seed, &folder, shard).map_err(Failure::usage)?;
    warn(&session.problems);
    if session.recorded() > 0 {
        eprintln!("{} measurements are recorded", session.recorded());
    }
    let threads = arguments.threads.granted(u64::MAX);
    let stop = signals::playing();
    let (clock, mut progress) = (WallClock::start(), Silent);
    let patience = Duration::from_secs(arguments.patience);
    let workers = Workers { threads, stop: &stop, progress: &mut progress, clock: &clock, patience };
    if let Some(count) = arguments.calibrate {
        let found = session.calibrate(count as usize, workers);
        signals::played();
        write!(out, "{}", found.map_err(failure)?.text(&plan))?;
        return Ok(());
    }
    let generations = plan.generations;
    let mut each = |history: &History, rows: &[GenerationRow]| {
        let best = rows.iter().max_by(|a, b| a.best_gain.total_cmp(&b.best_gain));
        if let Some(best) = best {
            let genome = &history.individuals[best.best].genome;
            let number = best.generation + 1;
            eprintln!("generation {number} of {generations}: best {:+.2} points per game, {genome}", best.best_gain);
        }
    };
    let evolved = session.run(workers, &mut each);
    signals::played();
    let evolved = evolved.map_err(failure)?;
    let files = write_files(&plan, &evolved, &folder).map_err(Failure::failed)?;
    write!(out, "{}", summary(&plan, &evolved))?;
    writeln!(out, "files in {}: {}", folder.display(), files.join(", "))?;
    Ok(())
}

fn failure(error: EvolutionError) -> Failure {
    match error {
        EvolutionError::Interrupted | EvolutionError::Waiting { .. } => Failure::Interrupted(error.to_string()),
        EvolutionError::Folder(_) | EvolutionError::Start(_) => Failure::usage(error),
        error => Failure::failed(error),
    }
}
