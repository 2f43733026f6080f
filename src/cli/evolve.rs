//! `evouct evolve`: evolves formulas before play.

use super::evolve_bar::{EvolutionBar, Watched};
use super::form::Form;
use super::place::{Helper, Place};
use super::play_args::{MeasureArgs, WorkArgs};
use super::progress::Counted;
use super::{Outcome, evolution_folder, evolve_plan, evolve_seeds, programs, signals, stderr, warn};
use crate::clock::WallClock;
use crate::error::Failure;
use crate::escape;
use crate::offline::{
    EvolutionFolder, EvolutionPlan, EvolutionSession, EvolutionSet, GenerationRow, History, Proposer, Purpose,
    RunContext,
};
use crate::plural::counted;
use clap::Args;
use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Args)]
pub(super) struct Arguments {
    /// File of the evolution (TOML)
    pub evolution: PathBuf,
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// Evolve once per seed of these, such as 1..10 or 1,2,5, each in a sub-folder of one folder [default: runs/NAME-seeds]
    #[arg(long, value_name = "SEEDS", conflicts_with_all = ["seed", "calibrate"])]
    seeds: Option<Seeds>,
    /// Print what would be measured and about how long that takes, and evolve nothing
    #[arg(long, conflicts_with = "calibrate")]
    pub dry_run: bool,
    /// With --dry-run: print how many generations this time is, such as 90s, 2m or 1.5h
    #[arg(long, value_name = "TIME", requires = "dry_run", value_parser = evolve_plan::seconds)]
    pub budget: Option<f64>,
    /// Instead of evolving, measure N formulas of all kinds by every stage, and print how each stage's ranking agrees
    /// with games
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "60", value_parser = clap::value_parser!(u32).range(3..=10_000))]
    calibrate: Option<u32>,
    /// The folder of the same calibration with a bank of another value_seed: it estimates the gain of choosing a
    /// formula per position
    #[arg(long, value_name = "DIR", requires = "calibrate")]
    judge: Option<PathBuf>,
}

/// The seeds of `--seeds`.
#[derive(Clone)]
struct Seeds(Vec<u64>);

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seeds, String> {
        EvolutionSet::seeds_of(text).map(Seeds)
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let session = |seed: u64| match &arguments.seeds {
        Some(Seeds(seeds)) => evolve_seeds::helper(arguments, seeds, seed),
        None => arguments.session(),
    };
    arguments.measure.work.on_place(Helper::Measurements(&session), |place| match &arguments.seeds {
        Some(Seeds(seeds)) => evolve_seeds::carry_out(arguments, seeds, place, out),
        None => carry_out(arguments, place, out),
    })
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
        write!(out, "{}", evolve_plan::text(&session, place.threads(), arguments.budget, 1)?)?;
        return Ok(());
    }
    work.part.warn_of_whole(Some(session.evolution().seed));
    warn(&session.problems);
    let judge = arguments.judge()?;
    if session.recorded() > 0 {
        stderr::say(&format!("{} measurements are recorded", session.recorded()));
    }
    let stop = signals::playing();
    start_programs(&session, arguments.calibrate.is_some(), &stop)?;
    if let Some(count) = arguments.calibrate {
        let (plan, clock, patience) = (session.evolution().clone(), WallClock::start(), work.patience());
        let mut counted = Counted(place.blocks());
        let workers = RunContext { executor: &mut counted, stop: &stop, clock: &clock, patience };
        let found = session.calibrate(count as usize, judge.as_ref(), workers);
        signals::played();
        write!(out, "{}", found.map_err(evolution_folder::failure)?.text(&plan))?;
        return Ok(());
    }
    let folder = session.folder().to_owned();
    let measured = evolve(session, "", place, work, &stop);
    signals::played();
    let measured = measured?;
    let recorded = match evolution_folder::open(&folder)? {
        Some(folder) => evolution_folder::report(&folder, Form::Text, out)?,
        None => None,
    };
    evolution_folder::check_recorded(&folder, recorded.as_deref(), &measured)
}

/// Starts the programs among the opponents, unless nothing is left to be measured, and says which proposers are started
/// later.
pub(super) fn start_programs(session: &EvolutionSession, calibrates: bool, stop: &AtomicBool) -> Outcome {
    let (plan, folder) = (session.evolution(), session.folder());
    let opponents = plan.opponents();
    if opponents.iter().any(|opponent| opponent.spec.kind().is_program()) && (calibrates || !is_complete(folder, plan)?)
    {
        programs::check(&opponents, stop)?;
    }
    let asks = !calibrates && session.asks_proposers();
    if asks && !plan.proposers.is_empty() && !is_complete(folder, plan)? {
        let command = |proposer: &Proposer| format!("{} ({})", proposer.name, proposer.command.list().join(" "));
        let commands: Vec<String> = plan.proposers.iter().map(command).collect();
        let count = counted(commands.len(), "proposer");
        stderr::say(&escape::line(&format!("starts {count} when they are asked: {}", commands.join(", "))));
    }
    Ok(())
}

/// Evolves to the end, and returns the digest. Lines about its generations begin with `of`.
pub(super) fn evolve(
    session: EvolutionSession,
    of: &str,
    place: &mut dyn Place,
    work: &WorkArgs,
    stop: &Arc<AtomicBool>,
) -> Result<String, Failure> {
    let (plan, clock, patience) = (session.evolution().clone(), WallClock::start(), work.patience());
    let generations = plan.evolve.generations;
    let bar = RefCell::new(EvolutionBar::of(&plan, session.shards().into()));
    let mut each = |history: &History, rows: &[GenerationRow]| {
        let best = rows.iter().max_by(|a, b| a.best_gain.total_cmp(&b.best_gain));
        if let Some(best) = best {
            let genome = &history.individuals[best.best].genome;
            let number = best.generation + 1;
            let best = best.best_gain;
            bar.borrow_mut().generation_ended(number);
            stderr::say(&format!(
                "{of}generation {number} of {generations}: best {best:+.2} {}, {genome}",
                plan.unit_of_gains()
            ));
        }
    };
    let mut watched = Watched { executor: place.blocks(), bar: &bar };
    let workers = RunContext { executor: &mut watched, stop, clock: &clock, patience };
    let evolved = session.run(workers, &mut each);
    evolved.map(|evolved| evolved.digest).map_err(evolution_folder::failure)
}

/// Whether nothing is left to be measured.
pub(super) fn is_complete(folder: &Path, plan: &EvolutionPlan) -> Result<bool, Failure> {
    let evolution = EvolutionFolder::open(folder).map_err(Failure::usage)?;
    let evolution = evolution.filter(|evolution| evolution.plan().evolve.generations == plan.evolve.generations);
    Ok(evolution.is_some_and(|evolution| evolution.progress().evolved.is_some()))
}
