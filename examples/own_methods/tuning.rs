//! A tuning method: after each round the best third of the candidates goes on, with three times as many decks.
//!
//! `--method thirds` names it.

use evouct::parameter::Value;
use evouct::sampling::{below, unit};
use evouct::tune::{
    CandidateStanding, Choice, RoundPlan, Rounds, Space, Start, TuneError, TuningAlgorithm, TuningRounds,
};

/// Candidates of the first round, at most.
const MOST: usize = 27;

pub struct Thirds;

impl TuningAlgorithm for Thirds {
    fn name(&self) -> &'static str {
        "thirds"
    }

    fn about(&self) -> &'static str {
        "After each round the best third of the candidates goes on, with three times as many decks."
    }

    fn points(&self, space: &Space) -> Vec<Vec<Value>> {
        let mut rng = space.key.nth(0).stream();
        let mut draw = |choice: &&Choice| match choice {
            Choice::List(values) => values[below(&mut rng, values.len())].clone(),
            range => range.value(unit(&mut rng)),
        };
        (0..MOST - space.own).map(|_| space.choices.iter().map(&mut draw).collect()).collect()
    }

    fn rounds(&self, space: &Space, candidates: usize) -> Result<TuningRounds, TuneError> {
        let (field, against) = (|round: u32| candidates.div_ceil(3_usize.pow(round)), space.opponents.max(1) as u64);
        // A deck is two games of each candidate against each opponent; the rounds have 60 % of the budget.
        let share = |games: u64, round: u32| games / (2 * against * field(round) as u64);
        let rounds = (0..3).map(|round| (field(round), share(space.budget / 5, round))).collect();
        let plan = TuningRounds::of(space.budget, rounds, space.opponents);
        plan.ok_or_else(|| TuneError::Experiment(format!("a budget of {} is too small for thirds", space.budget)))
    }

    fn begin<'a>(&self, start: Start<'a>) -> Box<dyn Rounds + 'a> {
        Box::new(Third((usize::from(!start.has_default)..=start.rows.len()).collect()))
    }
}

/// All candidates.
struct Third(Vec<usize>);

impl Rounds for Third {
    fn first(&mut self, _: Option<&RoundPlan>) -> Vec<usize> {
        self.0.clone()
    }

    fn next(
        &mut self,
        _: usize,
        plan: Option<&RoundPlan>,
        mut field: Vec<usize>,
        _: &[(Option<f64>, bool)],
        standings: &mut [CandidateStanding],
    ) -> Vec<usize> {
        field.sort_by(|a, b| standings[*b].mean().total_cmp(&standings[*a].mean()));
        field.truncate(plan.map_or(field.len(), |plan| plan.contestants));
        field
    }
}
