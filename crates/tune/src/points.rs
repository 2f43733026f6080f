//! The points that a tuning may try: values of the tuned parameters.
//!
//! All combinations of listed values are taken. Halving gives each combination a Latin hypercube over the ranges (M. D.
//! McKay, R. J. Beckman, W. J. Conover, Technometrics 21, 1979): with `m` points, every range is cut into `m` parts of
//! equal width, and each part has one point. A surface takes many more points, a sequence that covers the ranges evenly
//! wherever it ends: multiples of the square roots of the first primes without their whole parts, from a random start
//! (R. D. Richtmyer's sequence; H. Niederreiter, "Random Number Generation and Quasi-Monte Carlo Methods", SIAM 1992).
//! Each combination has a sequence of its own, and they take turns.
//!
//! Ranges with positive ends, the upper at least ten times the lower, are divided on a logarithmic scale. Numbers are
//! rounded to three significant digits.

use super::over::Choice;
use evouct_base::parameter::Value;
use evouct_base::sampling::{below, shuffle, unit};
use rand::Rng;

/// The fewest points of a hypercube.
pub(super) const FEWEST_POINTS: usize = 4;
/// Points of a sequence for each combination of listed values, by the number of ranges.
const POINTS: [usize; 4] = [1, 64, 192, 384];
/// The most points of a sequence, as long as each combination has a few.
const MOST_POINTS: usize = 384;
/// Steps of the sequence are square roots of these.
const PRIMES: [f64; 12] = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0, 31.0, 37.0];

/// The number of combinations of listed values.
pub(super) fn combinations(choices: &[&Choice]) -> usize {
    choices.iter().fold(1, |product, choice| match choice {
        Choice::List(values) => product.saturating_mul(values.len()),
        Choice::Range { .. } => product,
    })
}

/// The number of ranges.
pub(super) fn ranges(choices: &[&Choice]) -> usize {
    choices.iter().filter(|choice| choice.is_range()).count()
}

/// The most points of a hypercube over as many ranges: more would be told apart by error alone.
pub(super) fn most_points(choices: &[&Choice]) -> usize {
    match ranges(choices) {
        0 => 1,
        1 => 16,
        2 => 24,
        _ => 32,
    }
}

/// The listed value of this combination for each parameter; none for ranges. The last list varies fastest.
fn listed(choices: &[&Choice], combination: usize) -> Vec<Option<Value>> {
    let mut left = combination;
    let mut values: Vec<Option<Value>> = Vec::new();
    for choice in choices.iter().rev() {
        values.push(match choice {
            Choice::List(values) => {
                let value = values[left % values.len()].clone();
                left /= values.len();
                Some(value)
            }
            Choice::Range { .. } => None,
        });
    }
    values.reverse();
    values
}

/// A hypercube of `points` for each combination of listed values, combination by combination.
pub(super) fn hypercubes(choices: &[&Choice], points: usize, rng: &mut impl Rng) -> Vec<Vec<Value>> {
    let mut rows = Vec::new();
    for combination in 0..combinations(choices) {
        // Columns are drawn from the last parameter to the first: candidates of kept tunings depend on it.
        let listed = listed(choices, combination);
        let mut columns: Vec<Vec<Value>> = Vec::new();
        for (choice, value) in choices.iter().zip(listed).rev() {
            columns.push(match value {
                Some(value) => vec![value; points],
                None => column(choice, points, rng),
            });
        }
        columns.reverse();
        rows.extend((0..points).map(|point| columns.iter().map(|column| column[point].clone()).collect()));
    }
    rows
}

/// One number from each of `points` parts of a range, in random order.
fn column(choice: &Choice, points: usize, rng: &mut impl Rng) -> Vec<Value> {
    let mut parts: Vec<usize> = (0..points).collect();
    shuffle(rng, &mut parts);
    let draw = |part: usize| {
        // A million places in each part.
        choice.value((part as f64 + (below(rng, 1_000_000) as f64 + 0.5) * 1e-6) / points as f64)
    };
    parts.into_iter().map(draw).collect()
}

/// Points whose every beginning is spread over the combinations and, in each of these, over the ranges.
pub(super) fn sequence(choices: &[&Choice], rng: &mut impl Rng) -> Vec<Vec<Value>> {
    let combinations = combinations(choices);
    let least = combinations * if ranges(choices) > 0 { FEWEST_POINTS } else { 1 };
    let count = (POINTS[ranges(choices).min(3)] * combinations).min(MOST_POINTS).max(least);
    // A sequence for each combination: every so many points of one sequence can leave a part of a range empty.
    let starts: Vec<Vec<f64>> = (0..combinations).map(|_| choices.iter().map(|_| unit(rng)).collect()).collect();
    let row = |at: usize| {
        let (combination, nth) = (at % combinations, at / combinations);
        let value = |(place, (choice, listed)): (usize, (&&Choice, Option<Value>))| {
            let step = PRIMES[place % PRIMES.len()].sqrt();
            listed.unwrap_or_else(|| choice.value((starts[combination][place] + step * nth as f64).fract()))
        };
        choices.iter().zip(listed(choices, combination)).enumerate().map(value).collect()
    };
    (0..count).map(row).collect()
}
