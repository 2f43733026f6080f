//! A distribution over the values of the tuned parameters, which learns from rounds by CMA-ES.
//!
//! Ranges, on their scales, have a normal distribution ([`CmaEs`]). Each list has probabilities of its own, which move to
//! the weights that its values have among the better half of a round (as in CatCMA: R. Hamano, S. Saito, M. Nomura, K. Uchida,
//! S. Shirakawa, GECCO 2024), and none of them vanishes.
//!
//! Results are noise above all, so that the best sample says little. The best guess is the centre of the distribution, and
//! the mean of the centres of the last rounds has less noise than the last one (B. T. Polyak, A. B. Juditsky, SIAM Journal
//! on Control and Optimization 30, 1992). Noise also shrinks a distribution too early, and a whole number stays where no
//! sample is rounded to another. Standard deviations therefore have a lower bound, which falls from round to round.

use super::over::Choice;
use super::points::ranges;
use super::rounds::RoundPlan;
use evouct_base::parameter::Value;
use evouct_base::sampling::{first_highest, spin};
use evouct_gp::{CmaEs, Covariance};
use rand::Rng;

/// The standard deviation at the start, as a share of a range.
const STEP: f64 = 0.3;
/// The lower bound of standard deviations in the last round; in the first it is that of the start. Of the five or more whole
/// numbers of a range, fewer are a list, the next one is less than two bounds away: 1 becomes 2 at a share of 0.176 of 1 to 10.
const LEAST_STEP: f64 = 0.1;
/// A value of a list keeps this share of the probability that it would have if all were equally likely.
const LEAST_SHARE: f64 = 0.1;
/// Probabilities move by `samples / (samples + SLOWNESS · values)` of their way: few samples say little of many values.
const SLOWNESS: f64 = 8.0;
/// The centres of the last rounds, one in so many, are averaged.
const LAST: usize = 4;
/// With fewer samples in all than this many for each covariance, variances alone are learnt.
const SAMPLES: usize = 10;

/// By parameter: the mean place in a range, or the probability of each value of a list.
type Centre = Vec<Vec<f64>>;

/// The distribution. A point has a coordinate for each parameter: the share of the way through a range, or a place in a list.
#[derive(Debug)]
pub(super) struct Distribution<'a> {
    choices: Vec<&'a Choice>,
    search: CmaEs,
    centre: Centre,
    /// The centre after each round so far.
    centres: Vec<Centre>,
    rounds: usize,
    samples: usize,
}

impl<'a> Distribution<'a> {
    /// The distribution before the first of these rounds, which have equally many players.
    ///
    /// # Panics
    /// Without a range or a round.
    pub(super) fn new(choices: Vec<&'a Choice>, rounds: &[RoundPlan]) -> Distribution<'a> {
        let (ranges, samples, rounds) = (ranges(&choices), rounds[0].contestants, rounds.len());
        let is_short = rounds * samples < SAMPLES * ranges * ranges;
        let covariance = if is_short { Covariance::Separable } else { Covariance::Full };
        let start = |choice: &&Choice| match choice {
            Choice::Range { .. } => vec![0.5],
            Choice::List(values) => vec![1.0 / values.len() as f64; values.len()],
        };
        Distribution {
            search: CmaEs::new(vec![0.5; ranges], STEP, samples, covariance),
            centre: choices.iter().map(start).collect(),
            choices,
            centres: Vec::new(),
            rounds,
            samples,
        }
    }

    /// The lower bound of standard deviations in the next round.
    fn least_step(&self) -> f64 {
        let way = self.centres.len() as f64 / self.rounds.saturating_sub(1).max(1) as f64;
        STEP + (LEAST_STEP - STEP) * way.min(1.0)
    }

    /// A point of the distribution. What leaves a range counts as its end.
    pub(super) fn sample(&self, rng: &mut impl Rng) -> Vec<f64> {
        let mut ranges = self.search.sample(rng).into_iter();
        let coordinate = |(choice, centre): (&&Choice, &Vec<f64>)| match choice {
            Choice::Range { .. } => ranges.next().expect("one for each range").clamp(0.0, 1.0),
            Choice::List(_) => spin(centre, rng) as f64,
        };
        self.choices.iter().zip(&self.centre).map(coordinate).collect()
    }

    /// Learns what the points of a round are worth; what is not a number is the worst. Without any number nothing is learnt.
    pub(super) fn learn(&mut self, points: &[Vec<f64>], values: &[f64]) {
        if values.iter().any(|value| !value.is_nan()) {
            let is_range = |place: &usize| self.choices[*place].is_range();
            let ranges: Vec<usize> = (0..self.choices.len()).filter(is_range).collect();
            let of_ranges = |point: &Vec<f64>| ranges.iter().map(|place| point[*place]).collect();
            self.search.update(&points.iter().map(of_ranges).collect::<Vec<Vec<f64>>>(), values);
            let mut order: Vec<usize> = (0..points.len()).collect();
            let value = |at: usize| if values[at].is_nan() { f64::NEG_INFINITY } else { values[at] };
            order.sort_by(|a, b| value(*b).total_cmp(&value(*a)));
            let mut means = self.search.mean().iter();
            for (place, centre) in self.centre.iter_mut().enumerate() {
                match self.choices[place] {
                    Choice::Range { .. } => centre[0] = *means.next().expect("one for each range"),
                    Choice::List(_) => {
                        let chosen = order.iter().map(|at| points[*at][place] as usize);
                        move_shares(centre, chosen.zip(self.search.weights()), self.samples);
                    }
                }
            }
        }
        self.centres.push(self.centre.clone());
        self.search.widen(self.least_step());
    }

    /// The best guess so far: the mean of the last centres, and of a list the likeliest value.
    pub(super) fn best(&self) -> Vec<f64> {
        let last = &self.centres[self.centres.len() - self.centres.len().div_ceil(LAST)..];
        let last = if last.is_empty() { std::slice::from_ref(&self.centre) } else { last };
        let of = |place: usize| {
            let mean = |at: usize| last.iter().map(|centre| centre[place][at]).sum::<f64>() / last.len() as f64;
            match self.choices[place] {
                Choice::Range { .. } => mean(0),
                Choice::List(values) => first_highest((0..values.len()).map(mean)) as f64,
            }
        };
        (0..self.choices.len()).map(of).collect()
    }

    /// By parameter: the standard deviation as a share of a range, or the probability of the likeliest value of a list.
    pub(super) fn spread(&self) -> Vec<f64> {
        let mut dimensions = 0..;
        let of = |(choice, centre): (&&Choice, &Vec<f64>)| match choice {
            Choice::Range { .. } => self.search.deviation(dimensions.next().unwrap_or_default()),
            Choice::List(_) => centre.iter().copied().fold(0.0, f64::max),
        };
        self.choices.iter().zip(&self.centre).map(of).collect()
    }

    /// The values at a point.
    pub(super) fn values(&self, point: &[f64]) -> Vec<Value> {
        let value = |(choice, at): (&&Choice, &f64)| match choice {
            Choice::Range { .. } => choice.value(*at),
            Choice::List(values) => values[*at as usize].clone(),
        };
        self.choices.iter().zip(point).map(value).collect()
    }

    /// How far apart two rows of values are: by their places in ranges, and by 1 where a list has two values.
    pub(super) fn distance(&self, row: &[Value], point: &[f64]) -> f64 {
        let of = |((choice, value), at): ((&&Choice, &Value), &f64)| {
            let own = choice.coordinate(value).unwrap_or(f64::INFINITY);
            let is_list = matches!(choice, Choice::List(_));
            if is_list { f64::from(u8::from(own != *at)) } else { (own - at) * (own - at) }
        };
        self.choices.iter().zip(row).zip(point).map(of).sum()
    }
}

/// Moves the probabilities of a list to the weights that its values have.
fn move_shares<'w>(shares: &mut [f64], chosen: impl Iterator<Item = (usize, &'w f64)>, samples: usize) {
    let mut weights = vec![0.0; shares.len()];
    chosen.for_each(|(value, weight)| weights[value] += weight);
    let rate = samples as f64 / (samples as f64 + SLOWNESS * shares.len() as f64);
    let least = LEAST_SHARE / shares.len() as f64;
    shares.iter_mut().zip(weights).for_each(|(share, weight)| *share = (*share + rate * (weight - *share)).max(least));
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;

    fn rounds(rounds: usize, contestants: usize) -> Vec<RoundPlan> {
        vec![RoundPlan { contestants, decks: 1, games: 2 * contestants as u64 }; rounds]
    }

    /// Plays all rounds, where values are worth this; returns the distribution and the samples of the last round.
    fn learnt<'a>(
        choices: &[&'a Choice],
        plan: &[RoundPlan],
        value: impl Fn(&[Value]) -> f64,
    ) -> (Distribution<'a>, Vec<Vec<f64>>) {
        let mut distribution = Distribution::new(choices.to_vec(), plan);
        let mut rng = Key::series("tune", 1).stream();
        let mut points = Vec::new();
        for round in plan {
            points = (0..round.contestants).map(|_| distribution.sample(&mut rng)).collect();
            let values: Vec<f64> = points.iter().map(|point| value(&distribution.values(point))).collect();
            distribution.learn(&points, &values);
        }
        (distribution, points)
    }

    fn number(value: &Value) -> f64 {
        match value {
            Value::Real(number) => *number,
            Value::Count(number) => *number as f64,
            _ => panic!("not a number"),
        }
    }

    #[test]
    fn whole_numbers_are_found_wherever_they_are() {
        for [low, high] in [[1.0, 6.0], [1.0, 10.0], [0.0, 40.0], [3.0, 5_000.0]] {
            let choice = Choice::Range { low, high, whole: true };
            for share in [0.0, 0.3, 0.5, 1.0] {
                let optimum = choice.value(share);
                let distance = |row: &[Value]| -> f64 {
                    let at = |value| choice.coordinate(value).unwrap();
                    (at(&row[0]) - at(&optimum)).abs()
                };
                let (found, last) = learnt(&[&choice], &rounds(8, 32), |row| -distance(row));
                let best = found.values(&found.best());
                // A mean of samples stays a little inside the ends.
                assert!(distance(&best) <= 0.06, "{low}..{high}: {best:?}, expected {optimum:?}");
                // The last round still tries other numbers.
                let mut tried: Vec<f64> = last.iter().map(|point| number(&found.values(point)[0])).collect();
                tried.sort_by(f64::total_cmp);
                tried.dedup();
                assert!(tried.len() > 1, "{low}..{high} at {optimum:?}: {tried:?}");
            }
        }
    }

    #[test]
    fn ranges_on_their_scales_and_lists_are_learnt_together() {
        let range = Choice::Range { low: 0.01, high: 100.0, whole: false };
        let list = Choice::List((0..5).map(Value::Count).collect());
        let value = |row: &[Value]| {
            let off = libm::log10(number(&row[1]) / 0.3);
            -off * off - if row[0] == Value::Count(3) { 0.0 } else { 0.4 }
        };
        let (found, last) = learnt(&[&list, &range], &rounds(12, 60), value);
        let best = found.values(&found.best());
        assert_eq!(best[0], Value::Count(3));
        assert!((0.24..0.38).contains(&number(&best[1])), "{best:?}");
        assert!(last.iter().all(|point| (0.0..=1.0).contains(&point[1]) && (0.0..5.0).contains(&point[0])));
        let [likeliest, deviation] = found.spread()[..] else { panic!("two parameters") };
        assert!(likeliest > 0.85 && (0.099..0.15).contains(&deviation), "{likeliest} {deviation}");
    }

    #[test]
    fn probabilities_move_to_the_weights_of_the_better_half() {
        let mut shares = vec![0.25; 4];
        let weights = [0.5, 0.3, 0.2];
        // 32 samples of four values: half of the way.
        move_shares(&mut shares, [1, 1, 2].into_iter().zip(&weights), 32);
        for (share, expected) in shares.iter().zip([0.125, 0.525, 0.225, 0.125]) {
            assert!((share - expected).abs() < 1e-12, "{shares:?}");
        }
        for _ in 0..100 {
            move_shares(&mut shares, [1, 1, 1].into_iter().zip(&weights), 32);
        }
        // 0.025 each before they are scaled to a sum of 1, from which they fall by half of the way again.
        assert!(shares.iter().all(|share| *share > 0.024) && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_learnt_from_a_round_without_results() {
        let range = Choice::Range { low: 0.0, high: 1.0, whole: false };
        let mut distribution = Distribution::new(vec![&range], &rounds(8, 8));
        assert_eq!(distribution.best(), [0.5]);
        let points: Vec<Vec<f64>> = (0..8).map(|at| vec![f64::from(at) / 7.0]).collect();
        distribution.learn(&points, &[f64::NAN; 8]);
        assert_eq!(distribution.best(), [0.5]);
        // What is not a number is the worst: the others are above the middle.
        let values: Vec<f64> = (0..8).map(|at| if at < 4 { f64::NAN } else { 0.0 }).collect();
        distribution.learn(&points, &values);
        assert!(distribution.best()[0] > 0.6, "{:?}", distribution.best());
    }

    #[test]
    fn centres_of_the_last_rounds_are_averaged() {
        let range = Choice::Range { low: 0.0, high: 1.0, whole: false };
        let (found, _) = learnt(&[&range], &rounds(8, 8), |row| number(&row[0]));
        let last = &found.centres[6..];
        assert!((found.best()[0] - (last[0][0][0] + last[1][0][0]) / 2.0).abs() < 1e-15);
        assert!(found.best()[0] > 0.9 && found.best()[0] <= 1.0);
    }
}
