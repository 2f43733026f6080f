//! `evouct evolve`: evolves formulas before play.

use super::evolve_bar::{EvolutionBar, Watched};
use super::place::{Helper, Place};
use super::play_args::MeasureArgs;
use super::progress::Counted;
use super::{Outcome, evolution_folder, evolve_plan, programs, signals, stderr, warn};
use crate::clock::WallClock;
use crate::error::Failure;
use crate::escape;
use crate::offline::{
    EvolutionFolder, EvolutionPlan, EvolutionSession, GenerationRow, History, Proposer, Purpose, Workers,
};
use crate::plural::counted;
use clap::Args;
use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// File of the evolution (TOML)
    evolution: PathBuf,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Print what would be measured and about how long that takes, and evolve nothing
    #[arg(long, conflicts_with = "calibrate")]
    dry_run: bool,
    /// With --dry-run: print how many generations this time is, such as 90s, 2m or 1.5h
    #[arg(long, value_name = "TIME", requires = "dry_run", value_parser = evolve_plan::seconds)]
    budget: Option<f64>,
    /// Instead of evolving, measure N formulas of all kinds by every stage, and print how each stage's ranking agrees
    /// with games
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "60", value_parser = clap::value_parser!(u32).range(3..=10_000))]
    calibrate: Option<u32>,
    /// The folder of the same calibration with a bank of another value_seed: it estimates the gain of choosing a
    /// formula per position
    #[arg(long, value_name = "DIR", requires = "calibrate")]
    judge: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let helper = Helper::Measurements(&|| arguments.session());
    arguments.measure.work.on_place(helper, |place| carry_out(arguments, place, out))
}

impl Arguments {
    /// The evolution in its folder.
    fn session(&self) -> Result<EvolutionSession, Failure> {
        let purpose = if self.calibrate.is_some() { Purpose::Calibration } else { Purpose::Evolution };
        self.measure.session(&self.evolution, "", purpose)
    }

    /// The calibration that judges this one, if there is one.
    fn judge(&self) -> Result<Option<EvolutionFolder>, Failure> {
        let Some(folder) = &self.judge else { return Ok(None) };
        let nothing = || Failure::Usage(format!("{}: no journal of an evolution here", folder.display()));
        evolution_folder::open(folder)?.ok_or_else(nothing).map(Some)
    }
}

/// Evolves or calibrates, and reports.
fn carry_out(arguments: &Arguments, place: &mut dyn Place, out: &mut dyn Write) -> Outcome {
    let (session, work) = (arguments.session()?, &arguments.measure.work);
    if arguments.dry_run {
        write!(out, "{}", evolve_plan::text(&session, place.threads(), arguments.budget)?)?;
        return Ok(());
    }
    work.part.warn_of_whole();
    warn(&session.problems);
    let judge = arguments.judge()?;
    if session.recorded() > 0 {
        stderr::say(&format!("{} measurements are recorded", session.recorded()));
    }
    let (plan, folder) = (session.evolution().clone(), session.folder().to_owned());
    let stop = signals::playing();
    let opponents = plan.opponents();
    if opponents.iter().any(|opponent| opponent.spec.kind().is_program())
        && (arguments.calibrate.is_some() || !is_complete(&folder, &plan)?)
    {
        programs::check(&opponents, &stop)?;
    }
    let asks = arguments.calibrate.is_none() && session.asks_proposers();
    if asks && !plan.proposers.is_empty() && !is_complete(&folder, &plan)? {
        let command = |proposer: &Proposer| format!("{} ({})", proposer.name, proposer.command.list().join(" "));
        let commands: Vec<String> = plan.proposers.iter().map(command).collect();
        let count = counted(commands.len(), "proposer");
        stderr::say(&escape::line(&format!("starts {count} when they are asked: {}", commands.join(", "))));
    }
    let (clock, executor, patience) = (WallClock::start(), place.blocks(), work.patience());
    if let Some(count) = arguments.calibrate {
        let mut counted = Counted(executor);
        let workers = Workers { executor: &mut counted, stop: &stop, clock: &clock, patience };
        let found = session.calibrate(count as usize, judge.as_ref(), workers);
        signals::played();
        write!(out, "{}", found.map_err(evolution_folder::failure)?.text(&plan))?;
        return Ok(());
    }
    let generations = plan.evolve.generations;
    let shards = work.part.shard()?.map_or(1, |shard| shard.count());
    let bar = RefCell::new(EvolutionBar::of(&plan, shards.into()));
    let mut each = |history: &History, rows: &[GenerationRow]| {
        let best = rows.iter().max_by(|a, b| a.best_gain.total_cmp(&b.best_gain));
        if let Some(best) = best {
            let genome = &history.individuals[best.best].genome;
            let number = best.generation + 1;
            let best = best.best_gain;
            bar.borrow_mut().generation_ended(number);
            stderr::say(&format!(
                "generation {number} of {generations}: best {best:+.2} {}, {genome}",
                plan.unit_of_gains()
            ));
        }
    };
    let mut watched = Watched { executor, bar: &bar };
    let workers = Workers { executor: &mut watched, stop: &stop, clock: &clock, patience };
    let evolved = session.run(workers, &mut each);
    drop(bar);
    signals::played();
    let measured = evolved.map_err(evolution_folder::failure)?.digest;
    let recorded = match evolution_folder::open(&folder)? {
        Some(folder) => evolution_folder::report(&folder, false, out)?,
        None => None,
    };
    if recorded == Some(measured) {
        return Ok(());
    }
    let problem =
        "the journals do not hold what was measured: another process changed them; the same command measures the rest";
    Err(Failure::Failed(format!("{}: {problem}", folder.display())))
}

/// Whether nothing is left to be measured.
pub(super) fn is_complete(folder: &Path, plan: &EvolutionPlan) -> Result<bool, Failure> {
    let evolution = EvolutionFolder::open(folder).map_err(Failure::usage)?;
    let evolution = evolution.filter(|evolution| evolution.plan().evolve.generations == plan.evolve.generations);
    Ok(evolution.is_some_and(|evolution| evolution.progress().evolved.is_some()))
}
