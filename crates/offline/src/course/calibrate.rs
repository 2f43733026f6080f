//! The gate: do the stages rank formulas as games do?
//!
//! A stage that does not is of no use, however precise it is. Some sixty formulas of all kinds go through every stage,
//! on positions that neither evolution nor its finals use; what counts is the rank correlation with games.

use super::history::Judge;
use super::scale::scaled;
use crate::error::EvolutionError;
use crate::fitness::distinct_decks::Objective;
use crate::fitness::measure::{CALIBRATION, HallOfFame, Measured, Request};
use crate::fitness::oracle_gain::{OracleGain, oracle_gain};
use crate::fitness::pooled::GainEstimate;
use crate::plan::EvolutionPlan;
use crate::plan::stage::FitnessMeasure;
use evouct_base::named::Named;
use evouct_base::plural::counted;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_gp::Genome;
use evouct_stats::Interval;
use evouct_stats::bootstrap::bootstrap;
use evouct_stats::correlation::spearman;
use std::fmt::Write;

/// Resamples of the interval of a correlation.
const RESAMPLES: usize = 2_000;

/// What the gate found.
#[derive(Clone, Debug)]
pub struct CalibrationGate {
    /// The formulas.
    pub genomes: Vec<Genome>,
    /// By stage, the gain of each formula over the reference.
    pub gains: Vec<Vec<GainEstimate>>,
    /// By stage, its rank correlation with the last stage that measures games, with a bootstrap interval over formulas;
    /// none where values are all the same.
    pub correlations: Vec<Option<(f64, Interval)>>,
    /// By stage, what a choice of the formula by position would win; none without a judge, for blocks of more than one
    /// position, and for games.
    pub oracle_gain: Vec<Option<OracleGain>>,
}

/// The formulas of a calibration: the seeds, then relatives of them and random ones in turn, each once.
pub fn calibration_genomes(plan: &EvolutionPlan, count: usize) -> Vec<Genome> {
    let mut rng = Key::experiment(plan.seed).named("calibration", 0).stream();
    let mut genomes: Vec<Genome> = Vec::new();
    let add = |genome: Genome, genomes: &mut Vec<Genome>| {
        let genome = genome.simplified(plan.ln);
        if !genomes.contains(&genome) && genomes.len() < count {
            genomes.push(genome);
        }
    };
    for seed in &plan.seeds {
        add(seed.clone(), &mut genomes);
    }
    // A small grammar may not have so many formulas.
    for attempt in 0..50 * count {
        let genome = if attempt % 3 == 2 {
            plan.variation.random(&mut rng)
        } else {
            let (parent, other) = (below(&mut rng, genomes.len()), below(&mut rng, genomes.len()));
            plan.variation.offspring([&genomes[parent], &genomes[other]], &mut rng).0
        };
        add(genome, &mut genomes);
    }
    genomes
}

/// What a calibration asks of a stage.
pub(crate) fn calibration_requests(plan: &EvolutionPlan, stage: usize, genomes: &[Genome]) -> Vec<Request> {
    let units = plan.stages[stage].most_units();
    let request = |genome: &Genome| plan.request(stage, CALIBRATION, units, genome.clone(), &HallOfFame::default());
    genomes.iter().map(request).collect()
}

/// The calibration of the same formulas with a bank of the same positions and another value seed.
pub struct CalibrationJudge<'a> {
    /// The number of positions in the test split.
    pub positions: usize,
    /// Its answer to a request, if it has one.
    pub measured: &'a dyn Fn(&Request) -> Option<Measured>,
}

/// Measures formulas by every stage, and compares the stages with games.
///
/// # Errors
/// Those of the judge.
pub fn calibrate(
    plan: &EvolutionPlan,
    count: usize,
    other: Option<&CalibrationJudge>,
    judge: &mut dyn Judge,
) -> Result<CalibrationGate, EvolutionError> {
    let plan = &*scaled(plan, judge)?;
    let genomes = calibration_genomes(plan, count);
    let reference = plan.seeds[0].simplified(plan.ln);
    let (mut gains, mut by_position) = (Vec::new(), Vec::new());
    for (stage, settings) in plan.stages.iter().enumerate() {
        let mut requests = calibration_requests(plan, stage, std::slice::from_ref(&reference));
        requests.extend(calibration_requests(plan, stage, &genomes));
        let measured = judge.measure(&requests)?;
        let layout = plan.layout(&requests[0]);
        let gain = |own: &Measured| {
            let mut gain = GainEstimate::default();
            gain.add_measured(own, Ok(&measured[0]), Objective::Value, &layout);
            gain
        };
        gains.push(measured[1..].iter().map(gain).collect::<Vec<GainEstimate>>());
        by_position.push(other.filter(|_| settings.is_by_position()).and_then(|other| {
            let theirs = requests[1..].iter().map(|request| Some((other.measured)(request)?.sums));
            let theirs = theirs.collect::<Option<Vec<Vec<f64>>>>()?;
            let own: Vec<Vec<f64>> = measured[1..].iter().map(|own| own.sums.clone()).collect();
            oracle_gain([&own, &theirs], other.positions)
        }));
    }
    let games =
        plan.stages.iter().rposition(|stage| stage.measure == FitnessMeasure::Games).unwrap_or(plan.stages.len() - 1);
    let means = |stage: usize| -> Vec<f64> { gains[stage].iter().map(GainEstimate::mean).collect() };
    let correlation = |stage: usize| {
        let (own, games) = (means(stage), means(games));
        let of = |indices: &[usize]| {
            let pick = |values: &[f64]| indices.iter().map(|index| values[*index]).collect::<Vec<f64>>();
            spearman(&pick(&own), &pick(&games)).ok()
        };
        let mut rng = Key::experiment(plan.seed).named("calibration", 1).stream();
        let found = bootstrap(own.len(), RESAMPLES, &mut rng, of).ok()?;
        Some((found.estimate, found.interval))
    };
    let correlations = (0..plan.stages.len()).map(correlation).collect();
    Ok(CalibrationGate { genomes, gains, correlations, oracle_gain: by_position })
}

impl CalibrationGate {
    /// The result as text: a line per formula, a line per stage.
    pub fn text(&self, plan: &EvolutionPlan) -> String {
        let mut text = format!("gain over the reference, {} (± 95 %), by stage\n", plan.unit_of_gains());
        for (place, genome) in self.genomes.iter().enumerate() {
            for gains in &self.gains {
                let _ = write!(text, "{:>+9.2} {:<8}", gains[place].mean(), gains[place].plus_minus(2));
            }
            let _ = writeln!(text, "  {genome}");
        }
        text.push_str("\nrank correlation with games (95 % interval over formulas)\n");
        for (number, (stage, correlation)) in plan.stages.iter().zip(&self.correlations).enumerate() {
            let name = stage.measure.name();
            let _ = match correlation {
                Some((estimate, interval)) => writeln!(
                    text,
                    "  stage {} ({name}): {estimate:.2} ({:.2} to {:.2})",
                    number + 1,
                    interval.low,
                    interval.high
                ),
                None => writeln!(text, "  stage {} ({name}): not defined, the values are all the same", number + 1),
            };
        }
        for (number, (stage, found)) in plan.stages.iter().zip(&self.oracle_gain).enumerate() {
            let Some(OracleGain { judged: (gain, interval), optimistic, positions }) = found else { continue };
            let name = stage.measure.name();
            let interval = interval
                .map_or("no interval".to_owned(), |interval| format!("{:+.2} to {:+.2}", interval.low, interval.high));
            let _ = writeln!(
                text,
                "\noracle gain in stage {} ({name}): the best formula by position over the best one for all, {}\n  \
                 {gain:+.2} ({interval}) points per game, judged by the other bank and by other searches; \
                 {optimistic:+.2} by its own",
                number + 1,
                counted(*positions, "position")
            );
        }
        text
    }
}
