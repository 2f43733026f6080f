//! From finalists to a champion: constants are tuned, and the later stages sort out what luck had raised.

use super::evolution::{History, Judge};
use super::genome::Genome;
use super::measure::Request;
use super::plan::EvolutionPlan;
use super::pooled::Pooled;
use crate::seed::Key;
use crate::stats::normal_quantile;

/// The share of evolutions without any better formula that may name a champion all the same.
pub const LEVEL: f64 = 0.05;

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
    pub gain: Pooled,
    /// Whether it went on.
    pub went_on: bool,
}

/// How an evolution ended.
#[derive(Clone, Debug, Default)]
pub struct Finals {
    /// The rounds.
    pub rows: Vec<FinalRow>,
    /// The finalists of the last round, the best first, with their gains in the last stage.
    pub ranking: Vec<(Genome, Pooled)>,
    /// Candidates that entered the last stage.
    pub entered: usize,
}

impl Finals {
    /// The champion: the best of the last stage, if its gain is above 0 by a one-sided test at [`LEVEL`], corrected by
    /// Bonferroni for all candidates that entered the stage. None is a result, too.
    pub fn champion(&self) -> Option<(&Genome, Pooled)> {
        let (genome, gain) = self.ranking.first()?;
        (self.lower_bound(gain) > 0.0).then_some((genome, *gain))
    }

    /// The simultaneous lower bound of a gain in the last stage.
    pub fn lower_bound(&self, gain: &Pooled) -> f64 {
        gain.mean() - normal_quantile(1.0 - LEVEL / self.entered.max(1) as f64) * gain.error()
    }
}

/// Tunes the constants of the best finalists, then plays the later stages.
///
/// # Errors
/// Those of the judge.
pub fn finals<J: Judge>(plan: &EvolutionPlan, history: &History, judge: &mut J) -> Result<Finals, J::Error> {
    let mut finals = Finals::default();
    let mut candidates = history.finalists(plan.finalists);
    let reference = plan.seeds[0].simplified(plan.ln);
    candidates.retain(|genome| *genome != reference);
    let tuned = tune(plan, &candidates, &reference, judge, &mut finals)?;
    for genome in tuned {
        if !candidates.contains(&genome) {
            candidates.push(genome);
        }
    }
    for stage in 1..plan.stages.len() {
        let mut standing: Vec<(Genome, Pooled)> =
            candidates.iter().map(|genome| (genome.clone(), Pooled::default())).collect();
        finals.entered = standing.len();
        let rounds = plan.stages[stage].rounds.len();
        for (round, units) in (0_u32..).zip(&plan.stages[stage].rounds) {
            let request = |genome: &Genome| Request { stage, batch: round, units: *units, genome: genome.clone() };
            let requests: Vec<Request> =
                [&reference].into_iter().chain(standing.iter().map(|(genome, _)| genome)).map(request).collect();
            let measured = judge.measure(&requests)?;
            let units = plan.block_units(&requests[0]);
            for ((_, gain), own) in standing.iter_mut().zip(&measured[1..]) {
                gain.add(own, &measured[0], units.iter().copied());
            }
            // Stable: of equal ones the first stays first.
            standing.sort_by(|(_, a), (_, b)| b.mean().total_cmp(&a.mean()));
            let is_last = stage + 1 == plan.stages.len() && round as usize + 1 == rounds;
            let going_on = if is_last { standing.len() } else { standing.len().div_ceil(2) };
            finals.rows.extend(standing.iter().enumerate().map(|(place, (genome, gain))| FinalRow {
                stage,
                round,
                genome: genome.clone(),
                gain: *gain,
                went_on: place < going_on,
            }));
            standing.truncate(going_on);
        }
        candidates = standing.iter().map(|(genome, _)| genome.clone()).collect();
        finals.ranking = standing;
    }
    Ok(finals)
}

/// A (1 + λ) evolution strategy over the constants of each of the best finalists, on the positions of the first stage: parent
/// and offspring of a round see the same batch, so that small differences show.
fn tune<J: Judge>(
    plan: &EvolutionPlan,
    candidates: &[Genome],
    reference: &Genome,
    judge: &mut J,
    finals: &mut Finals,
) -> Result<Vec<Genome>, J::Error> {
    let (offspring, rounds, count) = plan.tuning;
    let key = Key::experiment(plan.seed).named("tuning", 0);
    let mut tuned: Vec<Genome> = candidates.iter().take(count).cloned().collect();
    if offspring == 0 {
        return Ok(Vec::new());
    }
    for round in 0..rounds {
        let rounds = &plan.stages[0].rounds;
        let (batch, units) = (plan.generations * rounds.len() as u32 + round, rounds.iter().sum());
        let mut requests = vec![reference.clone()];
        for (place, parent) in tuned.iter().enumerate() {
            let mut rng = key.nth(round).nth(place as u32).stream();
            requests.push(parent.clone());
            requests.extend((0..offspring).map(|_| plan.variation.tuned(parent, &mut rng).simplified(plan.ln)));
        }
        let requests: Vec<Request> =
            requests.into_iter().map(|genome| Request { stage: 0, batch, units, genome }).collect();
        let measured = judge.measure(&requests)?;
        let units = plan.block_units(&requests[0]);
        for (place, parent) in tuned.iter_mut().enumerate() {
            let family = 1 + place * (offspring + 1);
            let total = |at: usize| measured[at].sums.iter().sum::<f64>();
            // The parent stands first, and stays unless an offspring is better.
            let best =
                (family..=family + offspring).fold(family, |best, at| if total(at) > total(best) { at } else { best });
            *parent = requests[best].genome.clone();
            let mut gain = Pooled::default();
            gain.add(&measured[best], &measured[0], units.iter().copied());
            finals.rows.push(FinalRow { stage: 0, round, genome: parent.clone(), gain, went_on: true });
        }
    }
    Ok(tuned)
}
