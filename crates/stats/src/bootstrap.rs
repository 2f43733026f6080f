//! Percentile bootstrap over units.
//!
//! B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13: units are drawn with
//! replacement, as many as there are, the statistic is computed on each such resample, and the interval holds its
//! middle 95 %.

use rand::Rng;
use serde::Serialize;

use super::quantiles::quantile;
use super::{Interval, Unavailable};
use evouct_base::sampling::fill_below;

/// The usual number of resamples.
pub const DEFAULT_RESAMPLES: usize = 10_000;

/// The largest number of resamples that is accepted.
pub const MAX_RESAMPLES: usize = 10_000_000;

/// A statistic and its bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bootstrap {
    /// The statistic on the sample itself.
    pub estimate: f64,
    /// 95 % percentile interval (quantiles of type 7) over the resamples on which the statistic exists. It may
    /// exclude the estimate.
    pub interval: Interval,
    /// Number of resamples drawn.
    pub resamples: usize,
    /// Resamples without a finite statistic; the interval is unreliable if they are more than a few.
    pub undefined: usize,
}

/// Intervals for several statistics of the same `units` at once, in the order in which the closure returns them.
///
/// The closure is given indices of units, `units` of them: first 0, 1, 2, …, which gives the estimates, then each
/// resample. It returns `None` where its statistics do not exist, and the same number of statistics otherwise.
/// `resamples × units` draws are taken from `rng`, one index each.
///
/// [`Unavailable::TooFew`] below two units, whose interval would have no width; [`Unavailable::OutOfRange`] unless
/// `resamples` is within 1 ..= [`MAX_RESAMPLES`]; [`Unavailable::Undefined`] when a statistic does not exist on the
/// sample itself or on any resample.
pub fn bootstrap_each(
    units: usize,
    resamples: usize,
    rng: &mut dyn Rng,
    mut statistics: impl FnMut(&[usize]) -> Option<Vec<f64>>,
) -> Result<Vec<Bootstrap>, Unavailable> {
    Unavailable::unless_enough(2, units as u64)?;
    if !(1..=MAX_RESAMPLES).contains(&resamples) {
        return Err(Unavailable::OutOfRange { what: "the number of resamples", expected: "1 to 10 million" });
    }
    let mut indices: Vec<usize> = (0..units).collect();
    let estimates = statistics(&indices).ok_or(Unavailable::Undefined)?;
    if estimates.iter().any(|x| !x.is_finite()) {
        return Err(Unavailable::Undefined);
    }
    let mut found: Vec<Vec<f64>> = vec![Vec::new(); estimates.len()];
    for _ in 0..resamples {
        fill_below(rng, units, &mut indices);
        let values = statistics(&indices).filter(|values| values.len() == estimates.len()).unwrap_or_default();
        for (list, value) in found.iter_mut().zip(values) {
            if value.is_finite() {
                list.push(value);
            }
        }
    }
    estimates
        .into_iter()
        .zip(found)
        .map(|(estimate, mut list)| {
            if list.is_empty() {
                return Err(Unavailable::Undefined);
            }
            list.sort_by(f64::total_cmp);
            let interval = Interval { low: quantile(&list, 0.025)?, high: quantile(&list, 0.975)? };
            Ok(Bootstrap { estimate, interval, resamples, undefined: resamples - list.len() })
        })
        .collect()
}

/// The interval of one statistic given as a closure over indices of units; otherwise as [`bootstrap_each`].
///
/// ```
/// use evouct_stats::bootstrap::bootstrap;
/// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
/// let values = [3.0, 1.0, 4.0, 1.0, 5.0];
/// let largest = |indices: &[usize]| indices.iter().map(|&i| values[i]).reduce(f64::max);
/// let result = bootstrap(values.len(), 1_000, &mut ChaCha8Rng::seed_from_u64(1), largest).unwrap();
/// assert_eq!((result.estimate, result.interval.high), (5.0, 5.0));
/// ```
pub fn bootstrap(
    units: usize,
    resamples: usize,
    rng: &mut dyn Rng,
    mut statistic: impl FnMut(&[usize]) -> Option<f64>,
) -> Result<Bootstrap, Unavailable> {
    let results = bootstrap_each(units, resamples, rng, |indices| statistic(indices).map(|x| vec![x]))?;
    results.first().copied().ok_or(Unavailable::Undefined)
}

/// The interval of the mean of one value per unit; [`Unavailable::NotFinite`] with a NaN or infinity, else as
/// [`bootstrap_each`].
pub fn mean(values: &[f64], resamples: usize, rng: &mut dyn Rng) -> Result<Bootstrap, Unavailable> {
    Unavailable::unless_finite(values)?;
    bootstrap(values.len(), resamples, rng, |indices| Some(sum_at(values, indices) / indices.len() as f64))
}

/// The intervals of the means of two finite values per unit, otherwise as [`bootstrap_each`].
pub fn means(units: &[[f64; 2]], resamples: usize, rng: &mut dyn Rng) -> Result<Vec<Bootstrap>, Unavailable> {
    bootstrap_each(units.len(), resamples, rng, |indices| {
        Some(sums_at(units, indices).map(|sum| sum / indices.len() as f64).to_vec())
    })
}

/// Both sums in one pass: each waits for its last addition. Not inlined, so that they stay in registers.
#[inline(never)]
fn sums_at(units: &[[f64; 2]], indices: &[usize]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for unit in indices.iter().filter_map(|index| units.get(*index)) {
        sums[0] += unit[0];
        sums[1] += unit[1];
    }
    sums
}

/// The interval of Σ numerators / Σ denominators, a pair of values per unit (such as a player's points and the points
/// of all players). Resamples whose denominators sum to 0 count as undefined. [`Unavailable::LengthMismatch`] and
/// [`Unavailable::NotFinite`] concern the lists; else as [`bootstrap_each`].
pub fn ratio(
    numerators: &[f64],
    denominators: &[f64],
    resamples: usize,
    rng: &mut dyn Rng,
) -> Result<Bootstrap, Unavailable> {
    Unavailable::unless_same_length(numerators, denominators)?;
    Unavailable::unless_finite(numerators)?;
    Unavailable::unless_finite(denominators)?;
    bootstrap(numerators.len(), resamples, rng, |indices| {
        let below = sum_at(denominators, indices);
        (below != 0.0).then(|| sum_at(numerators, indices) / below)
    })
}

fn sum_at(values: &[f64], indices: &[usize]) -> f64 {
    indices.iter().map(|&i| values[i]).sum()
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn rng(seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }

    #[test]
    fn indices_are_pinned() {
        let mut drawn = [0; 12];
        fill_below(&mut rng(2022), 100, &mut drawn);
        assert_eq!(drawn, [60, 98, 1, 34, 28, 4, 61, 53, 7, 56, 25, 82]);
    }

    #[test]
    fn same_seed_same_interval() {
        let values: Vec<f64> = (0..40).map(|i| f64::from(i * i % 17)).collect();
        let first = mean(&values, 500, &mut rng(7)).unwrap();
        assert_eq!(mean(&values, 500, &mut rng(7)).unwrap(), first);
        assert_ne!(mean(&values, 500, &mut rng(8)).unwrap().interval, first.interval);
    }

    #[test]
    fn width_is_that_of_the_standard_error() {
        // 0 and 1 in equal parts, n = 400: the mean's standard error is 0.025, the interval 0.5 ± 0.049.
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 2)).collect();
        let result = mean(&values, DEFAULT_RESAMPLES, &mut rng(1)).unwrap();
        assert_eq!((result.estimate, result.undefined), (0.5, 0));
        assert!((result.interval.low - 0.451).abs() < 0.003 && (result.interval.high - 0.549).abs() < 0.003);
    }

    #[test]
    fn undefined_resamples_are_counted() {
        // The denominators sum to 0 exactly where unit 1 is drawn twice: a quarter of the time.
        let result = ratio(&[1.0, 1.0], &[1.0, 0.0], 4_000, &mut rng(3)).unwrap();
        assert_eq!(result.estimate, 2.0);
        assert!((900..1_100).contains(&result.undefined), "{}", result.undefined);
        assert_eq!((result.interval.low, result.interval.high), (1.0, 2.0));
    }

    #[test]
    fn impossible_requests_are_refused() {
        assert_eq!(mean(&[1.0], 10, &mut rng(1)), Err(Unavailable::TooFew { needed: 2, found: 1 }));
        assert_eq!(mean(&[1.0, f64::NAN], 10, &mut rng(1)), Err(Unavailable::NotFinite));
        for resamples in [0, usize::MAX] {
            assert!(matches!(mean(&[1.0, 2.0], resamples, &mut rng(1)), Err(Unavailable::OutOfRange { .. })));
        }
        assert_eq!(ratio(&[1.0], &[], 10, &mut rng(1)), Err(Unavailable::LengthMismatch { left: 1, right: 0 }));
        assert_eq!(ratio(&[1.0, 1.0], &[1.0, -1.0], 10, &mut rng(1)), Err(Unavailable::Undefined));
        assert_eq!(bootstrap(3, 10, &mut rng(1), |_| Some(f64::NAN)), Err(Unavailable::Undefined));
        let first_only = |indices: &[usize]| (indices == [0, 1, 2, 3, 4, 5, 6, 7]).then_some(1.0);
        assert_eq!(bootstrap(8, 10, &mut rng(1), first_only), Err(Unavailable::Undefined));
    }

    #[test]
    fn constants_have_an_interval_without_width() {
        let result = mean(&[0.5; 6], 100, &mut rng(1)).unwrap();
        assert_eq!(result.interval, Interval { low: 0.5, high: 0.5 });
    }
}
