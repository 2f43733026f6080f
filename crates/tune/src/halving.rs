//! Successive halving: the better half of a fixed set of candidates goes on.

use super::candidates::MOST;
use super::error::TuneError;
use super::method::{Rounds, Space, Start, TuningAlgorithm};
use super::points::{FEWEST_POINTS, combinations, hypercubes, most_points};
use super::rounds::{RoundPlan, TuningRounds};
use super::standing::CandidateStanding;
use evouct_base::parameter::Value;

/// Where values cannot play together, halving draws at most so many times the points that its budget can tell apart.
const DENSER: usize = 16;

/// The method.
pub(super) struct Halving;

impl TuningAlgorithm for Halving {
    fn name(&self) -> &'static str {
        "halving"
    }

    fn about(&self) -> &'static str {
        "Successive halving: the better half of the candidates goes on, with twice as many decks, until two or three are left."
    }

    fn points(&self, Space { choices, budget, opponents, own, key, kept }: &Space) -> Vec<Vec<Value>> {
        let (lists, most) = (combinations(choices), most_points(choices));
        let fewest = most.min(FEWEST_POINTS);
        // As many points as the budget can tell apart.
        let fits = |points: &usize| {
            lists * points + own <= MOST
                && TuningRounds::fit_halving(*budget, lists * points + own, *opponents).is_some()
        };
        let points = (fewest..=most).rev().find(fits).unwrap_or(fewest);
        let with = |points| hypercubes(choices, points, &mut key.nth(0).stream());
        let rows = with(points);
        if matches!(kept(&rows), Some((_, 0))) {
            return rows;
        }
        // Where values cannot play together, as many points as leave that number of candidates.
        let fits = |rows: &Vec<Vec<Value>>| kept(rows).is_some_and(|(candidates, _)| candidates <= lists * points);
        (points + 1..=DENSER * points).rev().map(with).find(fits).unwrap_or(rows)
    }

    fn rounds(&self, space: &Space, candidates: usize) -> Result<TuningRounds, TuneError> {
        TuningRounds::halving(space.budget, candidates, space.opponents)
    }

    fn begin<'a>(&self, start: Start<'a>) -> Box<dyn Rounds + 'a> {
        Box::new(Halved((usize::from(!start.has_default)..=start.rows.len()).collect()))
    }
}

/// Halving before its first round, with all candidates.
struct Halved(Vec<usize>);

impl Rounds for Halved {
    fn first(&mut self, _: Option<&RoundPlan>) -> Vec<usize> {
        self.0.clone()
    }

    fn next(
        &mut self,
        round: usize,
        plan: Option<&RoundPlan>,
        mut field: Vec<usize>,
        _: &[(Option<f64>, bool)],
        standings: &mut [CandidateStanding],
    ) -> Vec<usize> {
        // A player that fails is not chosen; equal ones stay in their order.
        field.sort_by(|a, b| {
            let (a, b) = (&standings[*a], &standings[*b]);
            (a.failed > 0).cmp(&(b.failed > 0)).then(b.mean().total_cmp(&a.mean()))
        });
        for candidate in field.iter().skip(plan.map_or(1, |next| next.contestants)) {
            standings[*candidate].left = Some(round);
        }
        // The last round only ranks.
        if let Some(next) = plan {
            field.truncate(next.contestants);
            field.sort_unstable();
        }
        field
    }
}
