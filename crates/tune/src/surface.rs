//! A smooth surface is fitted to all results, and says which candidates play next.

use super::error::TuneError;
use super::fitted::{self, Recommended};
use super::method::{Model, Rounds, Space, Start, TuningAlgorithm};
use super::over::Choice;
use super::points::sequence;
use super::rounds::{RoundPlan, TuningRounds};
use super::standing::CandidateStanding;
use evouct_base::parameter::Value;
use evouct_stats::surface::{Places, Surface};

/// The method.
pub(super) struct BySurface;

impl TuningAlgorithm for BySurface {
    fn name(&self) -> &'static str {
        "surface"
    }

    fn about(&self) -> &'static str {
        "After each round a Gaussian process is fitted to all results (Matérn 5/2, a length for each parameter). The next \
         players are those whose decks are expected to raise the value of the best candidate most."
    }

    fn points(&self, space: &Space) -> Vec<Vec<Value>> {
        sequence(space.choices, &mut space.key.nth(0).stream())
    }

    fn rounds(&self, space: &Space, candidates: usize) -> Result<TuningRounds, TuneError> {
        TuningRounds::surface(space.budget, candidates - space.own, space.opponents)
    }

    fn begin<'a>(&self, Start { choices, rows, .. }: Start<'a>) -> Box<dyn Rounds + 'a> {
        let of = |row: &Vec<Value>| {
            // Every value of a candidate is one of its range or list.
            choices.iter().zip(row).map(|(choice, value)| choice.coordinate(value).unwrap_or_default()).collect()
        };
        let coordinates = rows.iter().map(of).collect();
        let unordered = choices.iter().map(|choice| matches!(choice, Choice::List(_))).collect();
        Box::new(Recommendations { places: Places { coordinates, unordered }, path: Vec::new() })
    }

    fn model(&self) -> Model {
        Model::Surface
    }
}

/// The rounds. Candidate 1 is place 0.
struct Recommendations {
    places: Places,
    /// What the surface recommended after each round.
    path: Vec<Recommended>,
}

impl Rounds for Recommendations {
    fn first(&mut self, plan: Option<&RoundPlan>) -> Vec<usize> {
        let candidates = self.places.coordinates.len();
        (1..=candidates).take(plan.map_or(candidates, |round| round.contestants)).collect()
    }

    fn next(
        &mut self,
        round: usize,
        next: Option<&RoundPlan>,
        field: Vec<usize>,
        _: &[(Option<f64>, bool)],
        standings: &mut [CandidateStanding],
    ) -> Vec<usize> {
        let Some((surface, variance)) = self.surface(standings, &[]) else {
            // No game has a result: those that have not played yet, in their order.
            let is_new = |candidate: &usize| standings[*candidate].failed == 0 && standings[*candidate].rounds == 0;
            let contestants = next.map_or(1, |next| next.contestants);
            return filled(
                (1..standings.len()).filter(is_new).take(contestants).collect(),
                contestants,
                standings.len(),
            );
        };
        let fails = |place: usize| standings[place + 1].failed > 0;
        let eligible: Vec<usize> = (0..standings.len() - 1).filter(|place| !fails(*place)).collect();
        let eligible = if eligible.is_empty() { (0..standings.len() - 1).collect() } else { eligible };
        let best = fitted::best(&surface, &eligible);
        let (mean, sd) = (surface.mean(best), surface.sd(best));
        self.path.push(Recommended { round, candidate: best + 1, mean, sd });
        let Some(next) = next else { return field };
        let chosen = fitted::next(surface, &eligible, next.contestants, variance / next.decks as f64);
        filled(chosen.into_iter().map(|place| place + 1).collect(), next.contestants, standings.len())
    }

    fn best(&self, field: &[usize]) -> [usize; 2] {
        [self.path.last().map_or(field[0], |last| last.candidate); 2]
    }

    fn path(&self) -> &[Recommended] {
        &self.path
    }

    fn surface(&self, standings: &[CandidateStanding], others: &[Vec<f64>]) -> Option<(Surface, f64)> {
        let mut places = self.places.clone();
        places.coordinates.extend_from_slice(others);
        fitted::fit(&places, &standings[1..])
    }
}

/// A field of as many as the plan has, in the order of their numbers: where too few candidates are left that do not fail,
/// others fill it.
fn filled(mut field: Vec<usize>, contestants: usize, candidates: usize) -> Vec<usize> {
    let others = (1..candidates).filter(|candidate| !field.contains(candidate));
    let others: Vec<usize> = others.take(contestants.saturating_sub(field.len())).collect();
    field.extend(others);
    field.sort_unstable();
    field
}
