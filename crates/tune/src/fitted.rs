//! The surface of a tuning: a Gaussian process over the candidates, and what it says to play next.
//!
//! The next players are chosen one after the other. Each is the one whose decks are expected to raise the value of the
//! best candidate most: the knowledge gradient for correlated values (P. Frazier, W. Powell, S. Dayanik, INFORMS Journal
//! on Computing 21, 2009), where the candidates that may become the best are the player itself and one challenger, not
//! all. The challenger has the largest expected improvement over the best (D. R. Jones, M. Schonlau, W. J. Welch, Journal
//! of Global Optimization 13, 1998) by the distribution of the difference of the two (C. Qin, D. Klabjan, D. Russo,
//! "Improving the expected improvement algorithm", NeurIPS 2017). A chosen player counts as measured, with the value
//! that is expected of it, for those chosen after it.

use super::standing::CandidateStanding;
use evouct_base::sampling::first_highest;
use evouct_stats::Summary;
use evouct_stats::surface::{NoisyValue, Places, Surface};

/// A candidate with the value that the surface has for it.
#[derive(Clone, Copy, Debug)]
pub struct Recommended {
    /// The round, from 1.
    pub round: usize,
    /// The candidate.
    pub candidate: usize,
    /// Its expected value in points per game.
    pub mean: f64,
    /// The standard deviation of what is known of it.
    pub sd: f64,
}

/// The surface by all results, and the variance of a deck, which is pooled over the candidates; none without two decks
/// of one of them, repeated or not.
pub(super) fn fit(places: &Places, standings: &[CandidateStanding]) -> Option<(Surface, f64)> {
    let all: Vec<(usize, Summary)> =
        standings.iter().map(|standing| Summary::of(&standing.decks)).enumerate().collect();
    let spread = |summary: &Summary| Some((summary.variance().ok()?, summary.count() - 1));
    let (sum, degrees) = all
        .iter()
        .filter_map(|(_, summary)| spread(summary))
        .fold((0.0, 0), |(sum, degrees), (variance, more)| (sum + variance * more as f64, degrees + more));
    let variance = match degrees {
        // Players that only repeat themselves have no noise.
        0 if standings.iter().any(|standing| standing.repeats > 0) => 0.0,
        0 => return None,
        degrees => sum / degrees as f64,
    };
    let value = |(place, summary): &(usize, Summary)| {
        let mean = summary.mean().ok()?;
        Some(NoisyValue { place: *place, value: mean, variance: variance / summary.count() as f64 })
    };
    let values: Vec<NoisyValue> = all.iter().filter_map(value).collect();
    Some((Surface::fit(places, &values).ok()?, variance))
}

/// The place with the highest expected value, the first of equal ones.
pub(super) fn best(surface: &Surface, eligible: &[usize]) -> usize {
    eligible[first_highest(eligible.iter().map(|place| surface.mean(*place)))]
}

/// The places to measure next, each once, where a measurement has an error of this variance.
pub(super) fn next(mut surface: Surface, eligible: &[usize], count: usize, variance: f64) -> Vec<usize> {
    let mut left = eligible.to_vec();
    let mut chosen = Vec::new();
    let top = best(&surface, eligible);
    while chosen.len() < count && !left.is_empty() {
        let lead = |place: usize| surface.mean(place) - surface.mean(top);
        let improvement = |place: &usize| match *place == top {
            true => f64::NEG_INFINITY,
            false => gain(lead(*place), surface.variance_of_difference(*place, top)),
        };
        let challenger = eligible[first_highest(eligible.iter().map(improvement))];
        let knowledge = |place: &usize| {
            let total = surface.covariance(*place, *place) + variance;
            // How much a measurement here moves another place over the best one.
            let moves = |other: usize| {
                let change = surface.covariance(*place, other) - surface.covariance(*place, top);
                gain(lead(other), if total > 0.0 { change * change / total } else { 0.0 })
            };
            moves(*place).max(moves(challenger))
        };
        let values: Vec<f64> = left.iter().map(knowledge).collect();
        let place = match values.iter().any(|value| *value > 0.0) {
            true => first_highest(values.into_iter()),
            // Nothing is expected to change the best one: the least known place.
            false => first_highest(left.iter().map(|place| surface.sd(*place))),
        };
        let place = left.remove(place);
        chosen.push(place);
        surface.expect(place, variance);
    }
    chosen
}

/// How much a normal variable with this mean and variance is above 0 on average, where it counts as 0 below.
fn gain(mean: f64, variance: f64) -> f64 {
    let sd = variance.sqrt();
    if sd <= 0.0 {
        return mean.max(0.0);
    }
    let z = mean / sd;
    let density = libm::exp(-0.5 * z * z) / (2.0 * std::f64::consts::PI).sqrt();
    let above = 0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2);
    (mean * above + sd * density).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(count: usize) -> Places {
        let coordinates = (0..count).map(|at| vec![at as f64 / (count - 1) as f64]).collect();
        Places { coordinates, unordered: vec![false] }
    }

    /// Decks about a mean, and candidates without any.
    fn standings(count: usize, means: &[(usize, f64)]) -> Vec<CandidateStanding> {
        let mut all = vec![CandidateStanding::default(); count];
        for (place, mean) in means {
            all[*place].decks = vec![mean - 2.0, mean + 2.0, mean - 2.0, mean + 2.0];
        }
        all
    }

    #[test]
    fn an_expected_gain_is_that_of_the_tables() {
        for (mean, variance, expected) in
            [(0.0, 1.0, 0.398_942), (1.0, 1.0, 1.083_316), (-2.0, 4.0, 0.166_631), (3.0, 0.0, 3.0), (-3.0, 0.0, 0.0)]
        {
            assert!((gain(mean, variance) - expected).abs() < 1e-6, "{mean} {variance}: {}", gain(mean, variance));
        }
    }

    #[test]
    fn the_variance_of_a_deck_is_pooled() {
        let (_, variance) = fit(&places(5), &standings(5, &[(0, 10.0), (3, -4.0)])).unwrap();
        assert!((variance - 16.0 / 3.0).abs() < 1e-12, "{variance}");
        let mut one = standings(5, &[]);
        one[2].decks = vec![3.0];
        assert!(fit(&places(5), &one).is_none() && fit(&places(5), &standings(5, &[])).is_none());
    }

    #[test]
    fn decks_go_near_the_best_and_never_twice_to_a_place() {
        let means: Vec<(usize, f64)> = (0..=8).map(|at| (4 * at, -0.2 * (4.0 * at as f64 - 20.0).powi(2))).collect();
        let (surface, variance) = fit(&places(33), &standings(33, &means)).unwrap();
        let all: Vec<usize> = (0..33).collect();
        assert!((18..=22).contains(&best(&surface, &all)));
        let chosen = next(surface.clone(), &all, 6, variance / 4.0);
        assert!(chosen.iter().all(|place| (14..=26).contains(place)), "{chosen:?}");
        let mut distinct = chosen.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 6);
        // Those that fail are left out, and no more are chosen than there are.
        let few: Vec<usize> = vec![3, 30];
        assert_eq!(next(surface, &few, 6, variance).len(), 2);
    }

    #[test]
    fn the_best_of_few_words_is_played_again() {
        // Nothing is left to learn but which of two is better: both of them are played.
        let words = Places { coordinates: (0..3).map(|word| vec![f64::from(word)]).collect(), unordered: vec![true] };
        let (surface, variance) = fit(&words, &standings(3, &[(0, 4.0), (1, 3.5), (2, -30.0)])).unwrap();
        let mut chosen = next(surface, &[0, 1, 2], 2, variance);
        chosen.sort_unstable();
        assert_eq!(chosen, [0, 1]);
    }
}
