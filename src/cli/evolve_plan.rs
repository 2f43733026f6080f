//! What an evolution would measure, and how long that would take: `evouct evolve --dry-run`.

use super::block_times::BlockTimes;
use super::{core_time, programs};
use crate::error::Failure;
use crate::named::Named;
use crate::offline::{EvolutionPlan, EvolutionSession};
use crate::plural::counted;
use indicatif::HumanDuration;
use std::fmt::Write as _;
use std::time::Duration;

/// How long blocks are measured for the estimate.
const SAMPLE: Duration = Duration::from_secs(1);

/// The most generations that a file may ask for.
const MOST: u32 = 100_000;

/// The text of `--dry-run`, with how many generations take `budget` seconds, if that is asked. An evolution of several
/// seeds is that of the first one as often.
pub(super) fn text(
    session: &EvolutionSession,
    threads: usize,
    budget: Option<f64>,
    seeds: usize,
) -> Result<String, Failure> {
    let mut text = String::new();
    let measurer = session.measurer();
    let plan = measurer.plan();
    let batches = plan.batches();
    let total: u64 = batches.iter().map(|batch| batch.blocks).sum();
    let genomes: u64 = batches.iter().map(|batch| batch.genomes).sum();
    let generations = counted(plan.evolve.generations, "generation");
    let _ = writeln!(text, "{} in {}", plan.name, session.folder().display());
    let (measurements, blocks) = (counted(genomes, "measurement"), counted(total, "block"));
    let recorded = session.recorded();
    let _ = match plan.evolve.algorithm.is_steady() {
        // How many go on to a later round depends on what is measured.
        true => {
            writeln!(text, "{generations} and the finals: about {measurements} of {blocks}; {recorded} recorded")
        }
        false => {
            let batches = counted(batches.len(), "batch");
            writeln!(
                text,
                "{generations} and the finals: {measurements} of {blocks} at most, in {batches}; {recorded} recorded"
            )
        }
    };
    for proposer in &plan.proposers {
        let _ = writeln!(text, "proposer {}: {} a generation", proposer.name, counted(proposer.count, "formula"));
    }
    let programs = programs::list(&plan.opponents());
    if !programs.is_empty() {
        let _ = writeln!(text, "no estimate of the time: it would start {}", programs.join(", "));
        return Ok(text);
    }
    let times = BlockTimes::measured(measurer, SAMPLE)?;
    for (stage, settings) in plan.stages.iter().enumerate() {
        let blocks: u64 = batches.iter().filter(|batch| batch.stage == stage).map(|batch| batch.blocks).sum();
        let (name, each) = (settings.measure.name(), times.mean(stage).as_secs_f64());
        let _ = writeln!(text, "stage {} ({name}): {} of {each:.3} s", stage + 1, counted(blocks, "block"));
    }
    let hours = core_time::core_hours(times.core_seconds(&batches));
    let on = counted(threads, "thread");
    let seconds = |plan: &EvolutionPlan| times.seconds(&plan.batches(), (1, threads as u64), Duration::ZERO);
    let duration = HumanDuration(Duration::from_secs_f64(seconds(plan).min(1e15)));
    let sample = counted(times.all().count(), "block");
    let proposing = if plan.proposers.is_empty() { "" } else { ", without the time of proposers" };
    let _ = writeln!(text, "{hours}, {duration} on {on}, by {sample} of the seeds{proposing}");
    if seeds > 1 {
        let all = core_time::core_hours(times.core_seconds(&batches) * seeds as f64);
        let duration = HumanDuration(Duration::from_secs_f64((seconds(plan) * seeds as f64).min(1e15)));
        let _ = writeln!(text, "{seeds} random seeds: {all}, {duration} one after the other");
    }
    if let Some(budget) = budget {
        let fits = |generations: u32| {
            let mut plan = plan.clone();
            plan.evolve.generations = generations;
            plan.is_small_enough() && seconds(&plan) <= budget
        };
        let budget = HumanDuration(Duration::from_secs_f64(budget.min(1e15)));
        let (most, fewest) = (most_below(fits), plan.fewest_generations());
        let _ = match most {
            0 => writeln!(text, "{budget} on {on} is not enough for one generation and the finals"),
            _ => writeln!(text, "{budget} on {on} is about {} and the finals", counted(most, "generation")),
        };
        if (1..fewest).contains(&most) {
            let _ = writeln!(text, "lag = {} needs {fewest} generations or more", plan.evolve.lag);
        }
    }
    Ok(text)
}

/// The most generations that fit; 0 for none.
fn most_below(fits: impl Fn(u32) -> bool) -> u32 {
    let mut above = 1;
    while above <= MOST && fits(above) {
        above *= 2;
    }
    let (mut below, mut above) = (above / 2, above.min(MOST + 1));
    while above - below > 1 {
        let middle = below.midpoint(above);
        if fits(middle) { below = middle } else { above = middle }
    }
    below
}

/// Reads a duration such as `90s`, `2m` or `1.5h`, in seconds.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3_600.0)];
    let number =
        |(unit, times)| text.strip_suffix(unit).and_then(|number| number.parse::<f64>().ok()).map(|n| n * times);
    let found = units.into_iter().find_map(number).filter(|seconds| *seconds > 0.0 && seconds.is_finite());
    found.ok_or_else(|| "expected a time such as 90s, 2m or 1.5h".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_times_and_fill_up() {
        assert_eq!(["90s", "2m", "1.5h"].map(seconds), [Ok(90.0), Ok(120.0), Ok(5_400.0)]);
        for wrong in ["", "2", "m", "-1m", "0s", "infs", "NaNs", "2 minutes"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
        for most in [0, 1, 2, 3, 7, 8, 99_999, MOST] {
            assert_eq!(most_below(|generations| generations <= most), most);
        }
        assert_eq!(most_below(|_| true), MOST);
    }
}
