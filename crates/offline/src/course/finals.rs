//! From finalists to a champion: constants are tuned, and the later stages sort out what errors of measurement had
//! raised.

use super::history::{History, Judge};
use super::scale::scaled;
use crate::algorithm::evolve;
use crate::error::EvolutionError;
use crate::fitness::distinct_decks::Objective;
use crate::fitness::layout::Layout;
use crate::fitness::measure::{HallOfFame, Measured, Request};
use crate::fitness::pooled::GainEstimate;
use crate::fitness::second_gain::SecondGain;
use crate::journal::{RepeatedDecks, Used};
use crate::plan::EvolutionPlan;
use crate::plan::stage::FitnessMeasure;
use evouct_base::sampling::first_highest;
use evouct_base::seed::Key;
use evouct_gp::{Decisions, Genome, crowded_order};
use evouct_stats::{SIGNIFICANCE_LEVEL, normal_quantile};
use evouct_store::digest_of_entries;

/// A finalist in a round of a stage.
#[derive(Clone, PartialEq, Debug)]
pub struct FinalRow {
    /// The stage, from 0: the first is that of the evolution, in which constants are tuned.
    pub stage: usize,
    /// The round of the stage, from 0.
    pub round: u32,
    /// Its formulas.
    pub genome: Genome,
    /// Its gain over the reference in this stage, over all rounds so far.
    pub gain: GainEstimate,
    /// In games, its mean point difference against each opponent of each game ([`EvolutionPlan::panels`]) in this stage,
    /// over all rounds so far.
    pub against: Vec<f64>,
    /// Its second objective in this stage, over all rounds so far; none without one.
    pub second: Option<SecondGain>,
    /// Whether it went on.
    pub went_on: bool,
}

/// A candidate in a stage.
#[derive(Clone)]
struct Candidate {
    genome: Genome,
    gain: GainEstimate,
    second: Option<SecondGain>,
    /// By opponent, the sum of the point differences.
    points: Vec<f64>,
    decks: f64,
    /// What was measured of it, batch by batch, and how its blocks stand.
    batches: Vec<(Measured, Layout)>,
}

impl Candidate {
    fn new(plan: &EvolutionPlan, genome: &Genome) -> Candidate {
        let second = plan.second.map(|_| SecondGain::default());
        let (points, batches) = (Vec::new(), Vec::new());
        Candidate { genome: genome.clone(), gain: GainEstimate::default(), second, points, decks: 0.0, batches }
    }

    fn add(&mut self, plan: &EvolutionPlan, request: &Request, own: &Measured, reference: &Measured) {
        let layout = plan.layout(request);
        self.gain.add_measured(own, Ok(reference), Objective::Value, &layout);
        if let Some(second) = &mut self.second {
            second.add(own, reference, &layout);
        }
        self.batches.push((own.clone(), layout));
        if plan.stages[request.stage].measure == FitnessMeasure::Games {
            let means = plan.means_by_opponent(request, own);
            self.points.resize(means.len(), 0.0);
            self.points.iter_mut().zip(means).for_each(|(sum, mean)| *sum += mean * f64::from(request.units));
            self.decks += f64::from(request.units);
        }
    }

    /// What it gains over another one that was measured on the same units, block by block.
    fn over(&self, other: &Candidate) -> GainEstimate {
        let mut gain = GainEstimate::default();
        for ((own, layout), (theirs, _)) in self.batches.iter().zip(&other.batches) {
            gain.add_measured(own, Ok(theirs), Objective::Value, layout);
        }
        gain
    }

    fn row(&self, stage: usize, round: u32, went_on: bool) -> FinalRow {
        let against = self.points.iter().map(|sum| sum / self.decks).collect();
        let (genome, gain, second) = (self.genome.clone(), self.gain.clone(), self.second.clone());
        FinalRow { stage, round, genome, gain, against, second, went_on }
    }
}

/// A seed formula beside the reference, in the last stage.
#[derive(Clone, PartialEq, Debug)]
pub struct SeedGain {
    /// The formula, simplified.
    pub genome: Genome,
    /// Its gain over the reference.
    pub gain: GainEstimate,
    /// What the best finalist gains over it; none if it is the best one itself.
    pub lead: Option<GainEstimate>,
}

/// How an evolution ended.
#[derive(Clone, Debug, Default)]
pub struct Finals {
    /// The rounds.
    pub rows: Vec<FinalRow>,
    /// The finalists of the last round, the best first, with their gains in the last stage.
    pub ranking: Vec<(Genome, GainEstimate)>,
    /// The second objective of the reference in the last stage; none without one.
    pub second_of_reference: Option<GainEstimate>,
    /// Candidates that entered the last stage.
    pub entered: usize,
    /// The seeds beside the reference, the best first: they play to the end. None in an evolution that began before
    /// [`course`](EvolutionPlan::course) 1.
    pub seeds: Vec<SeedGain>,
}

impl Finals {
    /// The champion: the best of the last stage, if its gain is above 0 by a one-sided test at [`SIGNIFICANCE_LEVEL`],
    /// corrected by Bonferroni for all candidates that entered the stage. None is a result, too.
    pub fn champion(&self) -> Option<(&Genome, &GainEstimate)> {
        let (genome, gain) = self.ranking.first()?;
        (self.lower_bound(gain) > 0.0).then_some((genome, gain))
    }

    /// The second objective of a finalist in the last stage that it came to; none without one.
    pub fn second_of(&self, genome: &Genome) -> Option<SecondGain> {
        self.rows.iter().rfind(|row| row.genome == *genome)?.second.clone()
    }

    /// Why there is no champion, where there is none.
    pub fn without_champion(&self) -> &'static str {
        match self.entered {
            0 => "no champion: there is no finalist",
            _ => "no champion: no finalist is better than the reference, after correction for the number of candidates",
        }
    }

    /// The simultaneous lower bound of a gain in the last stage.
    pub fn lower_bound(&self, gain: &GainEstimate) -> f64 {
        Finals::lower_bound_among(gain, self.entered)
    }

    /// The lower bound of a gain in the last stage, simultaneous over so many candidates.
    pub fn lower_bound_among(gain: &GainEstimate, candidates: usize) -> f64 {
        gain.lower_bound(normal_quantile(1.0 - SIGNIFICANCE_LEVEL / candidates.max(1) as f64))
    }
}

/// What came of an evolution.
#[derive(Clone, Debug, Default)]
pub struct EvolutionResult {
    /// Its course.
    pub history: History,
    /// Its finals.
    pub finals: Finals,
    /// The digest of all measurements, and of who made them if it was not evouct.
    pub digest: String,
    /// Their number.
    pub measurements: usize,
    /// What they took, in seconds of one core; none where the time of some is not known.
    pub seconds: Option<f64>,
    /// The decks of games that repeat others; none where nothing repeats.
    pub repeats: Option<RepeatedDecks>,
    /// Who measured, if it was not evouct.
    pub measured_by: Option<String>,
}

impl EvolutionResult {
    /// What came of a course that used these measurements and proposals.
    pub(crate) fn of((history, finals): (History, Finals), used: Used, measured_by: Option<&str>) -> EvolutionResult {
        let (measurements, seconds, repeats) = (used.measured.len(), used.seconds(), used.repeats());
        let digest = used.digest();
        // Equal values of another origin are no measurements of evouct.
        let digest = match measured_by {
            Some(by) => digest_of_entries([digest.as_str(), by].into_iter()),
            None => digest,
        };
        let measured_by = measured_by.map(str::to_owned);
        EvolutionResult { history, finals, digest, measurements, seconds, repeats, measured_by }
    }
}

/// The whole course of an evolution.
pub(crate) fn course(plan: &EvolutionPlan, judge: &mut dyn Judge) -> Result<(History, Finals), EvolutionError> {
    let history = evolve(plan, judge)?;
    let finals = finals(plan, &history, judge)?;
    Ok((history, finals))
}

/// Tunes the constants of the best finalists, then plays the later stages.
///
/// # Errors
/// Those of the judge.
pub fn finals(plan: &EvolutionPlan, history: &History, judge: &mut dyn Judge) -> Result<Finals, EvolutionError> {
    let plan = &*scaled(plan, judge)?;
    let mut finals = Finals::default();
    let mut candidates = history.finalists(plan.evolve.finalists);
    let reference = plan.seeds[0].simplified(plan.ln);
    candidates.retain(|genome| *genome != reference);
    if history.steps.is_some() && candidates.is_empty() {
        // A climb without a step has nothing to compare.
        return Ok(finals);
    }
    let mut decided: Vec<Decisions> = vec![Decisions::of(&reference, plan.ln)];
    let mut is_new = |genome: &Genome| {
        let decisions = Decisions::of(genome, plan.ln);
        let is_new = !decided.contains(&decisions);
        decided.push(decisions);
        is_new
    };
    let given = if plan.course > 0 { &plan.seeds[1..] } else { &[] };
    let seeds: Vec<Genome> = given.iter().map(|seed| seed.simplified(plan.ln)).filter(&mut is_new).collect();
    if plan.folds() {
        // Constants may have made of two structures what decides alike: the surer one stands for both.
        candidates.retain(|genome| seeds.contains(genome) || is_new(genome));
    }
    let tuned = tune(plan, &candidates, &reference, &history.hall, judge, &mut finals)?;
    let left_out: Vec<&Genome> = seeds.iter().filter(|seed| !candidates.contains(seed)).collect();
    candidates.extend(left_out.into_iter().cloned());
    for genome in tuned {
        if !candidates.contains(&genome) && (plan.course == 0 || is_new(&genome)) {
            candidates.push(genome);
        }
    }
    let mut hall = history.hall.clone();
    for stage in 1..plan.stages.len() {
        let mut standing: Vec<Candidate> = candidates.iter().map(|genome| Candidate::new(plan, genome)).collect();
        finals.second_of_reference = plan.second.map(|_| GainEstimate::default());
        finals.entered = standing.len();
        let rounds = plan.stages[stage].rounds.len();
        for (round, units) in (0_u32..).zip(&plan.stages[stage].rounds) {
            let request = |genome: &Genome| plan.request(stage, round, *units, genome.clone(), &hall);
            let genomes = standing.iter().map(|candidate| &candidate.genome);
            let requests: Vec<Request> = [&reference].into_iter().chain(genomes).map(request).collect();
            let measured = judge.measure(&requests)?;
            for ((candidate, request), own) in standing.iter_mut().zip(&requests[1..]).zip(&measured[1..]) {
                candidate.add(plan, request, own, &measured[0]);
            }
            if let Some(second) = &mut finals.second_of_reference {
                second.add_measured(&measured[0], Err(&[]), Objective::Second, &plan.layout(&requests[0]));
            }
            // Stable: of equal ones the first stays first.
            standing.sort_by(|a, b| b.gain.mean().total_cmp(&a.gain.mean()));
            let is_last = stage + 1 == plan.stages.len() && round as usize + 1 == rounds;
            if !is_last && plan.second.is_some() {
                standing = crowded(standing);
            }
            let half = if is_last { standing.len() } else { standing.len().div_ceil(2) };
            let mut going_on = Vec::new();
            for (place, candidate) in standing.into_iter().enumerate() {
                let goes_on = place < half || seeds.contains(&candidate.genome);
                finals.rows.push(candidate.row(stage, round, goes_on));
                going_on.extend(goes_on.then_some(candidate));
            }
            standing = going_on;
            if let Some(best) = standing.first() {
                hall.admit(&best.genome, plan.evolve.hall_of_fame);
            }
        }
        candidates = standing.iter().map(|candidate| candidate.genome.clone()).collect();
        let of_seeds = standing.iter().filter(|candidate| seeds.contains(&candidate.genome));
        let seed = |own: &Candidate| {
            let lead = standing.first().filter(|best| best.genome != own.genome).map(|best| best.over(own));
            SeedGain { genome: own.genome.clone(), gain: own.gain.clone(), lead }
        };
        finals.seeds = of_seeds.map(seed).collect();
        finals.ranking = standing.into_iter().map(|candidate| (candidate.genome, candidate.gain)).collect();
    }
    Ok(finals)
}

/// The candidates by the fronts of both objectives, the least crowded first.
fn crowded(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let objectives = |own: &Candidate| [own.gain.mean(), own.second.as_ref().map_or(0.0, |second| second.value.mean())];
    let objectives: Vec<[f64; 2]> = candidates.iter().map(objectives).collect();
    crowded_order(&objectives).into_iter().map(|place| candidates[place].clone()).collect()
}

/// A (1 + λ) evolution strategy over the constants of each of the best finalists, on the positions of the first stage:
/// parent and offspring of a round see the same batch, so that small differences show.
fn tune(
    plan: &EvolutionPlan,
    candidates: &[Genome],
    reference: &Genome,
    hall: &HallOfFame,
    judge: &mut dyn Judge,
    finals: &mut Finals,
) -> Result<Vec<Genome>, EvolutionError> {
    let (offspring, rounds, count) = plan.evolve.tuning();
    let key = Key::experiment(plan.seed).named("tuning", 0);
    let mut tuned: Vec<Genome> = candidates.iter().take(count).cloned().collect();
    if offspring == 0 {
        return Ok(Vec::new());
    }
    for round in 0..rounds {
        let rounds = &plan.stages[0].rounds;
        let (batch, units) = (plan.evolve.generations * rounds.len() as u32 + round, rounds.iter().sum());
        let mut requests = vec![reference.clone()];
        for (place, parent) in tuned.iter().enumerate() {
            let mut rng = key.nth(round).nth(place as u32).stream();
            requests.push(parent.clone());
            requests.extend((0..offspring).map(|_| plan.variation.tuned(parent, &mut rng).simplified(plan.ln)));
        }
        let requests: Vec<Request> =
            requests.into_iter().map(|genome| plan.request(0, batch, units, genome, hall)).collect();
        let measured = judge.measure(&requests)?;
        for (place, parent) in tuned.iter_mut().enumerate() {
            let family = 1 + place * (offspring + 1);
            let layout = plan.layout(&requests[0]);
            let total = |at: usize| layout.worth(&measured[at], &measured[0]);
            // The parent stands first, and stays unless an offspring is better.
            let best = family + first_highest((family..=family + offspring).map(total));
            *parent = requests[best].genome.clone();
            let mut candidate = Candidate::new(plan, parent);
            candidate.add(plan, &requests[best], &measured[best], &measured[0]);
            finals.rows.push(candidate.row(0, round, true));
        }
    }
    Ok(tuned)
}
