//! The report of evolutions of several seeds: the course over seeds, how many succeed and how soon, and all finalists to
//! choose from.

use super::evolved::as_text;
use super::formula_names::formula_names;
use evouct_base::named::Named;
use evouct_base::plural::{counted, noun_of};
use evouct_gp::{Decisions, Genome, InducedOrder, LnRule, Slot, Terminal};
use evouct_offline::{Effort, EvolutionPlan, EvolutionProgress, EvolutionResult, EvolutionSet, Finals, SeedEvolution};
use evouct_stats::median::{Median, median};
use evouct_stats::proportion::{Proportion, wilson};
use evouct_stats::{Interval, SIGNIFICANCE_LEVEL};
use serde::Serialize;

/// The levels whose effort is shown, in parts of the median gain of the last generation.
const LEVELS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];
/// The fewest seeds whose median has an interval: one of 94 %.
pub(crate) const FEW: usize = 5;
/// By which rule a champion is chosen.
const RULE: &str = "Of the best finalist of each seed, the one with the highest lower bound, simultaneous over all candidates \
                    of all seeds, if that is above the level.";

/// What came of evolutions of several seeds, in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct SeedsReport {
    /// The version of evouct that computed it.
    pub evouct: &'static str,
    /// The name of the evolution.
    pub name: String,
    /// The game.
    pub game: String,
    /// The unit of gains.
    pub unit: &'static str,
    /// What effort is counted in: `game`, or `position` where the first stage plays none.
    pub unit_of_effort: &'static str,
    /// The formula that gains are measured against.
    pub reference: String,
    /// Its price: see [`Genome::price`].
    pub price_of_reference: usize,
    /// The digest over all seeds; none before all are complete.
    pub digest: Option<String>,
    /// The gain above which a seed succeeds.
    pub level: f64,
    /// What all measurements so far took, in seconds of one core; none where the time of some is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_seconds: Option<f64>,
    /// What is to be known first, in sentences.
    pub headline: Vec<String>,
    /// Seeds that are complete, and those that succeeded.
    pub complete: usize,
    /// Those among them whose best finalist gains more than the level.
    pub succeeded: usize,
    /// Their share with its 95 % interval (Wilson); none before a seed is complete.
    pub success: Option<Proportion>,
    /// The gain of the best finalists of the seeds; none before a seed is complete.
    pub gain: Option<Median>,
    /// By generation, the best gain over seeds.
    pub curve: Vec<CurveRow>,
    /// How soon seeds reach a level.
    pub effort: Vec<EffortRow>,
    /// Every seed.
    pub seeds: Vec<SeedRow>,
    /// The finalists of all seeds by the order that they induce, the most frequent first.
    pub orders: Vec<SeedOrderRow>,
    /// The finalists of all seeds, those with the highest lower bound first.
    pub finalists: Vec<FinalistRow>,
    /// The rule by which the champion is chosen.
    pub rule: &'static str,
    /// The champion, by its place among the finalists.
    pub champion: Option<usize>,
    /// The terminals with names in the formulas, each with what it is.
    #[serde(skip)]
    pub names: Vec<(Terminal, &'static str)>,
}

/// A generation over all seeds that have come to it.
#[derive(Clone, Debug, Serialize)]
pub struct CurveRow {
    /// The generation, from 1.
    pub generation: u32,
    /// The best gain in the first stage, over seeds.
    pub best: Median,
    /// The least and the highest one.
    pub ends: [f64; 2],
}

/// How soon seeds reach a level.
#[derive(Clone, Debug, Serialize)]
pub struct EffortRow {
    /// The gain in the first stage.
    pub level: f64,
    /// Complete seeds that reach it, and all of them.
    pub reached: [u64; 2],
    /// The median effort of those that reach it.
    pub median: Option<f64>,
    /// The effort expected until a seed reaches it, where evolutions with new seeds follow one that does not: the effort of
    /// all seeds up to the level, or the end, over the seeds that reach it.
    pub expected: Option<f64>,
    /// The same in core-hours; none where the time of some measurement is not known.
    pub core_hours: Option<f64>,
}

/// A seed.
#[derive(Clone, Debug, Serialize)]
pub struct SeedRow {
    /// The seed.
    pub seed: u64,
    /// Its sub-folder.
    pub folder: String,
    /// Generations that are complete; none before it has begun.
    pub generations: Option<usize>,
    /// Whether it is complete.
    pub is_complete: bool,
    /// The effort of its generations.
    pub effort: Option<u64>,
    /// Its best finalist; none before its end, or without finalists.
    pub best: Option<usize>,
    /// Whether its best finalist gains more than the level, by a test that is corrected for the candidates of this seed.
    pub succeeded: Option<bool>,
}

/// Finalists that order children alike.
#[derive(Clone, Debug, Serialize)]
pub struct SeedOrderRow {
    /// The number of the group.
    pub group: usize,
    /// What the order of its smallest formula does by `Q` and visits: see [`OrderName`](evouct_gp::OrderName).
    pub order: &'static str,
    /// Its formulas.
    pub formulas: usize,
    /// The seeds that have one of them.
    pub seeds: Vec<u64>,
    /// The smallest of them.
    #[serde(serialize_with = "as_text")]
    pub smallest: Genome,
    /// Its number of nodes.
    pub nodes: usize,
    /// The mean gain of its formulas.
    pub gain: f64,
}

/// A finalist of a seed.
#[derive(Clone, Debug, Serialize)]
pub struct FinalistRow {
    /// The seed.
    pub seed: u64,
    /// Its place among the finalists of the seed, from 1.
    pub place: usize,
    /// Its number of nodes.
    pub nodes: usize,
    /// What the value of a child takes: see [`Genome::price`].
    pub price: usize,
    /// Its gain over the reference in the last stage.
    pub gain: f64,
    /// Half of the 95 % interval of the gain.
    pub half: Option<f64>,
    /// The lower bound of the gain, simultaneous over all candidates of all seeds.
    pub lower: f64,
    /// The number of its group: equal numbers order children alike.
    pub group: usize,
    /// What the order of `select` does by `Q` and visits: see [`OrderName`](evouct_gp::OrderName).
    pub order: &'static str,
    /// The share of sampled nodes at which it orders the children as the first row does.
    pub agreement: f64,
    /// Its formulas; in JSON as text.
    #[serde(serialize_with = "as_text")]
    pub formula: Genome,
}

/// A seed that is complete, with its result.
struct Ended<'a> {
    seed: u64,
    plan: &'a EvolutionPlan,
    progress: &'a EvolutionProgress,
    evolved: &'a EvolutionResult,
}

impl SeedsReport {
    /// The report of a set as far as it has come. A seed succeeds above `level`. None if no seed has begun.
    pub fn of(set: &EvolutionSet, evolutions: &[SeedEvolution], level: f64) -> Option<SeedsReport> {
        let (first, _) = evolutions.iter().find_map(|own| own.begun.as_ref())?;
        let plan = first.plan();
        let ended: Vec<Ended> = evolutions.iter().filter_map(ended).collect();
        let mut finalists = finalists(&ended);
        let orders = orders(&mut finalists);
        let champion = finalists.iter().position(|row| row.place == 1).filter(|best| finalists[*best].lower > level);
        let seeds: Vec<SeedRow> = evolutions.iter().map(|own| seed_row(own, &finalists, level)).collect();
        let gains: Vec<f64> =
            ended.iter().filter_map(|own| own.evolved.finals.ranking.first()).map(|(_, gain)| gain.mean()).collect();
        let succeeded = seeds.iter().filter(|row| row.succeeded == Some(true)).count();
        let listed = finalists.iter().flat_map(|row| row.formula.slots().filter_map(|slot| row.formula.tree(slot)));
        let names = formula_names(&plan.domains(), listed);
        let mut report = SeedsReport {
            evouct: evouct_store::VERSION,
            name: set.name().to_owned(),
            game: plan.game_names(),
            unit: plan.unit_of_gains(),
            unit_of_effort: plan.unit_of_effort(),
            reference: plan.seeds[0].to_string(),
            price_of_reference: plan.seeds[0].simplified(plan.ln).price(plan.ln),
            digest: EvolutionSet::digest(evolutions),
            level,
            core_seconds: evolutions.iter().filter_map(|own| Some(own.begun.as_ref()?.1.spent.seconds)).sum(),
            headline: Vec::new(),
            complete: ended.len(),
            succeeded,
            success: wilson(succeeded as u64, ended.len() as u64).ok(),
            gain: median(&gains).ok(),
            curve: curve(evolutions),
            effort: effort(&ended, level),
            seeds,
            orders,
            finalists,
            rule: RULE,
            champion,
            names,
        };
        report.headline = headline(&report);
        Some(report)
    }
}

fn ended(own: &SeedEvolution) -> Option<Ended<'_>> {
    let (plan, evolved) = own.evolved()?;
    let (_, progress) = own.begun.as_ref()?;
    Some(Ended { seed: own.seed, plan, progress, evolved })
}

/// The best gain of each complete generation in the first stage.
fn best_by_generation(progress: &EvolutionProgress) -> Vec<f64> {
    let rows = progress.history.generations.chunk_by(|a, b| a.generation == b.generation);
    rows.filter_map(|rows| rows.iter().map(|row| row.best_gain).reduce(f64::max)).collect()
}

fn curve(evolutions: &[SeedEvolution]) -> Vec<CurveRow> {
    let begun = evolutions.iter().filter_map(|own| own.begun.as_ref());
    let all: Vec<Vec<f64>> = begun.map(|(_, progress)| best_by_generation(progress)).collect();
    let generations = all.iter().map(Vec::len).max().unwrap_or(0);
    let row = |at: usize| {
        let own: Vec<f64> = all.iter().filter_map(|best| best.get(at).copied()).collect();
        let ends = [f64::min, f64::max].map(|end| own.iter().copied().reduce(end).unwrap_or_default());
        Some(CurveRow { generation: at as u32 + 1, best: median(&own).ok()?, ends })
    };
    (0..generations).filter_map(row).collect()
}

fn effort(ended: &[Ended], level: f64) -> Vec<EffortRow> {
    let all: Vec<(Vec<f64>, &[Effort])> =
        ended.iter().map(|own| (best_by_generation(own.progress), &own.progress.effort[..])).collect();
    let last: Vec<f64> = all.iter().filter_map(|(best, _)| best.last().copied()).collect();
    let Some(middle) = median(&last).ok().map(|found| found.median) else { return Vec::new() };
    // Two digits: a level is stated, not measured.
    let mut levels: Vec<f64> = LEVELS.iter().map(|part| (100.0 * part * middle).round() / 100.0).collect();
    levels.push(level);
    levels.retain(|level| *level > 0.0);
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let row = |level: f64| {
        let until = |(best, effort): &(Vec<f64>, &[Effort])| {
            let at = best.iter().position(|best| *best >= level);
            let spent = at.or(effort.len().checked_sub(1)).and_then(|at| effort.get(at));
            (at.is_some(), spent.map_or((0.0, Some(0.0)), |spent| (spent.units as f64, spent.seconds)))
        };
        let until: Vec<(bool, (f64, Option<f64>))> = all.iter().map(until).collect();
        let reached: Vec<f64> = until.iter().filter(|(has, _)| *has).map(|(_, (units, _))| *units).collect();
        let expected = |total: f64| (!reached.is_empty()).then(|| total / reached.len() as f64);
        let seconds: Option<f64> = until.iter().map(|(_, (_, seconds))| *seconds).sum();
        EffortRow {
            level,
            reached: [reached.len() as u64, until.len() as u64],
            median: median(&reached).ok().map(|found| found.median),
            expected: expected(until.iter().map(|(_, (units, _))| units).sum()),
            core_hours: seconds.and_then(expected).map(|seconds| seconds / 3_600.0),
        }
    };
    levels.into_iter().map(row).collect()
}

fn finalists(ended: &[Ended]) -> Vec<FinalistRow> {
    let candidates: usize = ended.iter().map(|own| own.evolved.finals.entered).sum();
    let mut rows: Vec<(FinalistRow, Decisions)> = Vec::new();
    for own in ended {
        for (place, (formula, gain)) in (1..).zip(&own.evolved.finals.ranking) {
            let row = FinalistRow {
                seed: own.seed,
                place,
                nodes: formula.size(),
                price: formula.price(own.plan.ln),
                gain: gain.mean(),
                half: gain.half(),
                lower: Finals::lower_bound_among(gain, candidates),
                group: 0,
                order: order_of(formula, own.plan.ln),
                agreement: 1.0,
                formula: formula.clone(),
            };
            rows.push((row, Decisions::of(formula, own.plan.ln)));
        }
    }
    // Stable: of equal ones the first stays first.
    rows.sort_by(|(a, _), (b, _)| b.lower.total_cmp(&a.lower).then(a.nodes.cmp(&b.nodes)));
    let mut known: Vec<Decisions> = Vec::new();
    for (row, decisions) in &mut rows {
        row.group = known.iter().position(|own| own == decisions).unwrap_or_else(|| {
            known.push(decisions.clone());
            known.len() - 1
        }) + 1;
        row.agreement = known[0].agreement(decisions);
    }
    rows.into_iter().map(|(row, _)| row).collect()
}

/// What the order of the formula that selects does.
fn order_of(genome: &Genome, ln: LnRule) -> &'static str {
    genome.tree(Slot::Select).map_or("", |tree| InducedOrder::of(tree, ln).name_of(tree, ln).name())
}

/// The groups of finalists, which it numbers in the order of its rows.
fn orders(finalists: &mut [FinalistRow]) -> Vec<SeedOrderRow> {
    let most = finalists.iter().map(|row| row.group).max().unwrap_or(0);
    let row = |group: usize| {
        let own: Vec<&FinalistRow> = finalists.iter().filter(|row| row.group == group).collect();
        let smallest = own.iter().min_by_key(|row| row.nodes)?;
        let mut seeds: Vec<u64> = own.iter().map(|row| row.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let gain = own.iter().map(|row| row.gain).sum::<f64>() / own.len() as f64;
        let (order, nodes, smallest) = (smallest.order, smallest.nodes, smallest.formula.clone());
        Some(SeedOrderRow { group, order, formulas: own.len(), seeds, smallest, nodes, gain })
    };
    let mut rows: Vec<SeedOrderRow> = (1..=most).filter_map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.seeds.len()));
    let numbers: Vec<usize> = rows.iter().map(|row| row.group).collect();
    let number = |group: usize| 1 + numbers.iter().position(|own| *own == group).unwrap_or_default();
    finalists.iter_mut().for_each(|row| row.group = number(row.group));
    rows.iter_mut().for_each(|row| row.group = number(row.group));
    rows
}

fn seed_row(own: &SeedEvolution, finalists: &[FinalistRow], level: f64) -> SeedRow {
    let progress = own.begun.as_ref().map(|(_, progress)| progress);
    let finals = own.evolved().map(|(_, evolved)| &evolved.finals);
    let best = finalists.iter().position(|row| row.seed == own.seed && row.place == 1);
    let succeeds = |finals: &Finals| finals.ranking.first().is_some_and(|(_, gain)| finals.lower_bound(gain) > level);
    SeedRow {
        seed: own.seed,
        folder: EvolutionSet::sub_folder(own.seed),
        generations: progress.map(|progress| best_by_generation(progress).len()),
        is_complete: own.is_complete,
        effort: progress.and_then(|progress| progress.effort.last()).map(|spent| spent.units),
        best,
        succeeded: finals.map(succeeds),
    }
}

fn headline(report: &SeedsReport) -> Vec<String> {
    let SeedsReport { unit, level, complete, succeeded, .. } = report;
    let mut said = Vec::new();
    if *complete < report.seeds.len() {
        let seeds = counted(report.seeds.len(), "seed");
        said.push(format!("{complete} of {seeds} complete: what follows is about these."));
    }
    let ends = |Interval { low, high }: Interval| format!("{low:+.2} to {high:+.2}");
    if let Some(share) = &report.success {
        let [low, high] = [share.interval.low, share.interval.high].map(|end| 100.0 * end);
        said.push(format!(
            "{succeeded} of {} {} (95 % interval {low:.0} % to {high:.0} %): the best finalist gains more than {level} {unit}, \
             by a one-sided test at level {SIGNIFICANCE_LEVEL} in games on validation decks, corrected for the candidates \
             of the seed.",
            counted(*complete, "seed"),
            if *complete == 1 { "succeeds" } else { "succeed" },
        ));
    }
    if let Some(gain) = &report.gain {
        // Few seeds enclose the true median with a low probability, one with none.
        let interval = match gain.count {
            0..FEW => format!("{} alone, too few for an interval", counted(gain.count, "seed")),
            _ => format!("{:.0} % interval {}", 100.0 * gain.coverage, ends(gain.interval)),
        };
        said.push(format!("The median gain of the best finalists is {:+.2} {unit} ({interval}).", gain.median));
    }
    if let Some(highest) = report.effort.iter().rev().find(|row| row.reached[0] > 0) {
        let [reached, all] = highest.reached;
        let games = noun_of(2, report.unit_of_effort);
        let hours = highest.core_hours.filter(|hours| *hours >= 0.005);
        let hours = hours.map_or(String::new(), |hours| format!(" ({hours:.2} core-hours)"));
        said.push(format!(
            "A gain of {:.2} in the first stage is reached by {reached} of {}, after {:.0} {games}{hours} as expected over seeds.",
            highest.level,
            counted(all, "seed"),
            highest.expected.unwrap_or_default()
        ));
    }
    match report.champion.map(|champion| &report.finalists[champion]) {
        Some(FinalistRow { seed, gain, lower, formula, nodes, price, .. }) => said.push(format!(
            "The champion is that of seed {seed}, by this rule: {} It gains {gain:+.2} {unit} (lower bound {lower:+.2}), has \
             {} and a price of {price} (the reference {}): {formula}.",
            report.rule,
            counted(*nodes, "node"),
            report.price_of_reference
        )),
        None if *complete > 0 => said.push(format!("No champion, by this rule: {}", report.rule)),
        None => {}
    }
    said
}
