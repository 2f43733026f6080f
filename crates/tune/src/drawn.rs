//! Candidates that are drawn round by round from a distribution.

use super::distribution::Distribution;
use super::error::TuneError;
use super::method::{Model, Rounds, Space, Start, TuningAlgorithm};
use super::points::ranges;
use super::rounds::{RoundPlan, TuningRounds};
use super::standing::CandidateStanding;
use evouct_base::parameter::Value;
use evouct_base::sampling::first_highest;
use evouct_base::seed::Key;
use evouct_stats::Summary;

/// Draws for one candidate until its values are legal together.
const TRIES: usize = 100;

/// The distribution after a round.
#[derive(Clone, Debug)]
pub struct DistributionStep {
    /// The round, from 1.
    pub round: usize,
    /// The candidate that is the best guess.
    pub candidate: usize,
    /// The means of the round's candidates.
    pub players: Summary,
    /// By parameter: the standard deviation as a share of a range, or the probability of the likeliest value of a list.
    pub spread: Vec<f64>,
}

/// Whether these values are legal together.
type IsLegal<'a> = dyn Fn(&[Value]) -> bool + 'a;

/// The draws of a tuning. Candidates are numbers; 0 is the default.
pub(super) struct DrawnCandidates<'a> {
    distribution: Distribution<'a>,
    key: Key,
    is_legal: Box<IsLegal<'a>>,
    /// The values of each candidate so far.
    rows: Vec<Vec<Value>>,
    /// The points of the round's candidates.
    points: Vec<Vec<f64>>,
    /// After each round with results.
    pub path: Vec<DistributionStep>,
}

impl<'a> DrawnCandidates<'a> {
    /// Before the first draw. `default` has the values of the default.
    pub(super) fn new(
        distribution: Distribution<'a>,
        key: Key,
        default: Vec<Value>,
        is_legal: impl Fn(&[Value]) -> bool + 'a,
    ) -> DrawnCandidates<'a> {
        let is_legal = Box::new(is_legal);
        DrawnCandidates { distribution, key, is_legal, rows: vec![default], points: Vec::new(), path: Vec::new() }
    }

    /// The candidates of a round, which may be alike. Where no draw is legal, the nearest one so far, or the default, takes
    /// its place.
    pub(super) fn draw(&mut self, round: usize, contestants: usize) -> Vec<usize> {
        let mut rng = self.key.nth(round as u32).stream();
        self.points.clear();
        let mut field = Vec::new();
        for _ in 0..contestants {
            let mut point = Vec::new();
            let drawn = (0..TRIES).find_map(|_| {
                point = self.distribution.sample(&mut rng);
                self.number_of(self.distribution.values(&point))
            });
            field.push(drawn.or_else(|| self.nearest(&point, |_| true)).unwrap_or_default());
            self.points.push(point);
        }
        field
    }

    /// The number of the candidate with these values; none if they are illegal.
    fn number_of(&mut self, values: Vec<Value>) -> Option<usize> {
        let known = self.rows.iter().position(|row| *row == values);
        if known.is_none() && (self.is_legal)(&values) {
            self.rows.push(values);
            return Some(self.rows.len() - 1);
        }
        known
    }

    /// The candidate nearest to a point, without the default.
    fn nearest(&self, point: &[f64], is_sound: impl Fn(usize) -> bool) -> Option<usize> {
        let sound: Vec<usize> = (1..self.rows.len()).filter(|candidate| is_sound(*candidate)).collect();
        let nearness = |candidate: &usize| -self.distribution.distance(&self.rows[*candidate], point);
        (!sound.is_empty()).then(|| sound[first_highest(sound.iter().map(nearness))])
    }

    /// Learns from the results of a round: by player its mean, none if it has no deck, and whether a game of it failed.
    /// `has_failed` says the same of all candidates, and none of those without games.
    pub(super) fn learn(
        &mut self,
        round: usize,
        results: &[(Option<f64>, bool)],
        has_failed: impl Fn(usize) -> Option<bool>,
    ) {
        let means: Vec<f64> = results.iter().filter_map(|(mean, _)| *mean).collect();
        let players = Summary::of(&means);
        // A player that an opponent kept from its games is neither good nor bad.
        let neutral = players.mean().unwrap_or(f64::NAN);
        let value = |(mean, failed): &(Option<f64>, bool)| if *failed { f64::NAN } else { mean.unwrap_or(neutral) };
        self.distribution.learn(&self.points, &results.iter().map(value).collect::<Vec<f64>>());
        let best = self.distribution.best();
        let guess = self.number_of(self.distribution.values(&best));
        let guess = guess.filter(|candidate| has_failed(*candidate) != Some(true));
        let guess = guess.or_else(|| self.nearest(&best, |candidate| has_failed(candidate) == Some(false)));
        let Some(candidate) = guess.filter(|_| players.count() > 0) else { return };
        self.path.push(DistributionStep { round, candidate, players, spread: self.distribution.spread() });
    }
}

/// The method: CMA-ES.
pub(super) struct Cma;

impl TuningAlgorithm for Cma {
    fn name(&self) -> &'static str {
        "cma"
    }

    fn about(&self) -> &'static str {
        "The players of a round are drawn from a distribution, which CMA-ES moves to the better half of them. The best guess is \
         the mean of the centres after the last quarter of the rounds until then. Difference: the mean of all players of the \
         round less that of the opponents."
    }

    fn points(&self, _: &Space) -> Vec<Vec<Value>> {
        Vec::new()
    }

    fn rounds(&self, space: &Space, _: usize) -> Result<TuningRounds, TuneError> {
        TuningRounds::cma(space.budget, ranges(space.choices), space.opponents)
    }

    fn begin<'a>(&self, start: Start<'a>) -> Box<dyn Rounds + 'a> {
        let distribution = Distribution::new(start.choices, start.rounds);
        Box::new(DrawnCandidates::new(distribution, start.key, start.default, start.is_legal))
    }

    fn model(&self) -> Model {
        Model::Distribution
    }
}

impl Rounds for DrawnCandidates<'_> {
    fn first(&mut self, plan: Option<&RoundPlan>) -> Vec<usize> {
        plan.map_or_else(Vec::new, |plan| self.draw(0, plan.contestants))
    }

    fn next(
        &mut self,
        round: usize,
        plan: Option<&RoundPlan>,
        field: Vec<usize>,
        results: &[(Option<f64>, bool)],
        standings: &mut [CandidateStanding],
    ) -> Vec<usize> {
        let has_failed = |candidate: usize| {
            let standing = standings.get(candidate).filter(|standing| standing.rounds > 0)?;
            Some(standing.failed > 0)
        };
        self.learn(round, results, has_failed);
        plan.map_or(field, |plan| self.draw(round, plan.contestants))
    }

    /// The best guess, and the candidate next to it if that is the default.
    fn best(&self, field: &[usize]) -> [usize; 2] {
        let best = self.path.last().map_or(field[0], |step| step.candidate);
        let others = || field.iter().copied().find(|candidate| *candidate != 0);
        let challenger = match (best, self.path.last()) {
            (0, Some(_)) => self.nearest(&self.distribution.best(), |_| true),
            (0, None) => others(),
            _ => None,
        };
        [best, challenger.unwrap_or(best)]
    }

    /// The best guess is a candidate, too.
    fn drawn(&self) -> &[Vec<Value>] {
        &self.rows
    }

    fn steps(&self) -> &[DistributionStep] {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::super::over::Choice;
    use super::super::rounds::RoundPlan;
    use super::*;

    const RANGE: Choice = Choice::Range { low: 0.0, high: 1.0, whole: false };

    fn drawn(is_legal: impl Fn(&[Value]) -> bool + 'static) -> DrawnCandidates<'static> {
        let rounds = [RoundPlan { contestants: 16, decks: 1, games: 32 }; 8];
        let distribution = Distribution::new(vec![&RANGE], &rounds);
        DrawnCandidates::new(distribution, Key::series("tune", 1), vec![Value::Real(0.5)], is_legal)
    }

    fn number(value: &Value) -> f64 {
        if let Value::Real(number) = value { *number } else { panic!("not a number") }
    }

    /// Plays all rounds, where a higher number is better; returns the numbers of all that played.
    fn played(drawn: &mut DrawnCandidates, fails: impl Fn(f64) -> bool) -> Vec<f64> {
        let mut all = Vec::new();
        let mut failed: Vec<Option<bool>> = Vec::new();
        for round in 0..8 {
            let field = drawn.draw(round, 16);
            let numbers: Vec<f64> = field.iter().map(|candidate| number(&drawn.drawn()[*candidate][0])).collect();
            failed.resize(drawn.drawn().len(), None);
            field.iter().zip(&numbers).for_each(|(candidate, number)| failed[*candidate] = Some(fails(*number)));
            let results: Vec<(Option<f64>, bool)> =
                numbers.iter().map(|number| (Some(*number), fails(*number))).collect();
            drawn.learn(round + 1, &results, |candidate| failed.get(candidate).copied().flatten());
            all.extend(numbers);
        }
        all
    }

    #[test]
    fn illegal_values_never_play() {
        let is_legal = |row: &[Value]| !(0.4..0.8).contains(&number(&row[0]));
        let mut drawn = drawn(is_legal);
        let played = played(&mut drawn, |_| false);
        assert_eq!(played.len(), 128);
        assert!(played.iter().all(|number| !(0.4..0.8).contains(number)), "{played:?}");
        assert!(drawn.path.iter().all(|step| !(0.4..0.8).contains(&number(&drawn.drawn()[step.candidate][0]))));
        assert_eq!(drawn.path.len(), 8);
    }

    #[test]
    fn values_that_fail_are_left() {
        // The best one is just below the numbers that fail.
        let mut drawn = drawn(|_| true);
        let played = played(&mut drawn, |number| number > 0.6);
        let [best, challenger] = drawn.best(&[0]);
        assert!((0.4..=0.6).contains(&number(&drawn.drawn()[best][0])) && best == challenger);
        let fail = |round: &[f64]| round.iter().filter(|number| **number > 0.6).count();
        assert!(fail(&played[112..]) < fail(&played[..16]), "{played:?}");
    }

    #[test]
    fn the_default_plays_where_nothing_is_legal() {
        let mut drawn = drawn(|_| false);
        assert_eq!(drawn.draw(0, 16), [0; 16]);
        assert_eq!(drawn.drawn().len(), 1);
    }

    #[test]
    fn the_challenger_of_a_default_that_is_best_is_another_candidate() {
        let mut drawn = drawn(|row| number(&row[0]) == 0.5 || (number(&row[0]) - 0.5).abs() > 0.2);
        let field = drawn.draw(0, 16);
        // As many and as good on both sides of the default: the mean stays near it, and next to it nothing is legal.
        drawn.learn(1, &vec![(None, false); field.len()], |_| Some(false));
        assert!(drawn.path.is_empty());
        drawn.path.push(DistributionStep { round: 1, candidate: 0, players: Summary::of(&[1.0]), spread: vec![0.3] });
        let [best, challenger] = drawn.best(&[0]);
        assert_eq!(best, 0);
        let distance = |candidate: usize| (number(&drawn.drawn()[candidate][0]) - 0.5).abs();
        assert!(challenger != 0 && field.iter().all(|other| distance(*other) >= distance(challenger)));
    }
}
