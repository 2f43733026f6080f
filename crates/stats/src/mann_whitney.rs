//! The rank-sum test of Mann, Whitney and Wilcoxon for two independent samples, two-sided.
//!
//! H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the
//! other", Annals of Mathematical Statistics 18 (1947). Tied values share the mean of their ranks, and the exact
//! distribution is that of these ranks. The shift of J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank
//! tests", same Annals 34 (1963), has the interval of the shifts that the test without ties does not reject. The normal approximation of large samples corrects its variance for ties and has
//! no continuity correction (SciPy's `use_continuity=False`).

use super::distribution::{NORMAL_CRITICAL, normal_two_sided};
use super::quantiles::quantile;
use super::ranks::midranks;
use super::{Interval, Unavailable};
use serde::Serialize;

/// Up to this number of values in both samples p is exact, with ties or without, and approximate above.
pub const EXACT_LIMIT: usize = 100;

/// The outcome of a rank-sum test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MannWhitney {
    /// U: the pairs of a value of each sample in which the first is the larger one, ties counted half.
    pub u: f64,
    /// The probability that a value of the first sample is the larger one, ties counted half (Â12).
    pub a12: f64,
    /// By how much values of the first sample are larger: the median of all differences between a value of the first and
    /// one of the second.
    pub shift: f64,
    /// The 95 % interval of the shift; none with so few values that no shift could be rejected.
    pub interval: Option<Interval>,
    /// Two-sided p-value, 0 ..= 1.
    pub p: f64,
    /// Whether `p` comes from the exact distribution.
    pub exact: bool,
}

/// Two-sided test that neither of two independent samples tends to larger values.
///
/// Exact for up to [`EXACT_LIMIT`] values: the share of all assignments of the ranks to the samples whose sum is as far
/// from its mean. Above, by the normal approximation.
///
/// [`Unavailable::TooFew`] when a sample is empty, [`Unavailable::NotFinite`] with a NaN or infinity.
///
/// ```
/// let test = evouct_stats::mann_whitney::mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap();
/// assert_eq!((test.u, test.a12, test.p, test.exact), (0.0, 0.0, 0.1, true));
/// ```
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Result<MannWhitney, Unavailable> {
    Unavailable::unless_enough(1, a.len().min(b.len()) as u64)?;
    let both = [a, b].concat();
    Unavailable::unless_finite(&both)?;
    let ranked = midranks(&both);
    let (m, n) = (a.len() as f64, b.len() as f64);
    let sum = ranked.ranks[..a.len()].iter().sum::<f64>();
    let u = sum - m * (m + 1.0) / 2.0;
    let exact = both.len() <= EXACT_LIMIT;
    let p = if exact {
        exact_p(&ranked.ranks, a.len(), sum)
    } else {
        let all = m + n;
        let variance = m * n / 12.0 * ((all + 1.0) - ranked.tie_term / (all * (all - 1.0)));
        if variance > 0.0 { normal_two_sided((u - m * n / 2.0) / variance.sqrt()) } else { 1.0 }
    };
    let mut differences: Vec<f64> = a.iter().flat_map(|a| b.iter().map(move |b| a - b)).collect();
    Unavailable::unless_finite(&differences)?;
    differences.sort_by(f64::total_cmp);
    let shift = quantile(&differences, 0.5)?;
    let end = rejected(a.len(), b.len());
    let ends = |end: usize| Interval { low: differences[end - 1], high: differences[differences.len() - end] };
    let interval = (end > 0).then(|| ends(end));
    Ok(MannWhitney { u, a12: u / (m * n), shift, interval, p, exact })
}

/// The smallest p-value that samples of these sizes can have without ties: 2 / C(m + n, m).
pub fn least_p(m: usize, n: usize) -> f64 {
    let ways = (1..=m).fold(1.0, |ways, place| ways * (n + place) as f64 / place as f64);
    (2.0 / ways).min(1.0)
}

/// The least U with P(U ≤ u) of at least 0.025, without ties: the place of the lower end of the shift's interval among the
/// differences, from 1; 0 for none.
fn rejected(m: usize, n: usize) -> usize {
    if m + n > EXACT_LIMIT {
        let (first, second) = (m as f64, n as f64);
        let spread = (first * second * (first + second + 1.0) / 12.0).sqrt();
        return (first * second / 2.0 - NORMAL_CRITICAL * spread).max(0.0) as usize;
    }
    let ranks: Vec<f64> = (1..=m + n).map(|rank| rank as f64).collect();
    let choices = choices(&ranks, m);
    let all = choices.iter().sum::<f64>();
    // Twice the sum of the ranks where U is 0.
    let least = m * (m + 1);
    let mut below = 0.0;
    let reached = |u: &usize| {
        below += choices[least + 2 * u];
        below / all >= 0.025
    };
    (0..=m * n).find(reached).unwrap_or(0)
}

/// By twice their sum, the ways to choose `count` of the ranks. Twice a midrank is a whole number.
fn choices(ranks: &[f64], count: usize) -> Vec<f64> {
    let doubled = |rank: f64| (2.0 * rank) as usize;
    let most = ranks.iter().copied().map(doubled).sum::<usize>();
    let mut choices = vec![vec![0.0_f64; most + 1]; count + 1];
    choices[0][0] = 1.0;
    for rank in ranks.iter().copied().map(doubled) {
        for chosen in (1..=count).rev() {
            let (fewer, own) = choices.split_at_mut(chosen);
            for at in rank..=most {
                own[0][at] += fewer[chosen - 1][at - rank];
            }
        }
    }
    choices.swap_remove(count)
}

/// The share of all choices of `count` of the ranks whose sum is at least as far from the mean.
fn exact_p(ranks: &[f64], count: usize, sum: f64) -> f64 {
    let choices = choices(ranks, count);
    let all = choices.iter().sum::<f64>();
    // The distance of twice a sum from its mean, times the number of ranks.
    let middle = count * (choices.len() - 1);
    let far = |twice: usize| (twice * ranks.len()).abs_diff(middle);
    let observed = far((2.0 * sum) as usize);
    let extreme = choices.iter().enumerate().filter(|(at, _)| far(*at) >= observed).map(|(_, ways)| ways);
    (extreme.sum::<f64>() / all).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        // SciPy's documentation of mannwhitneyu: males and females, U = 17, exact p = 0.1111111111111111.
        let test = mann_whitney(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]).unwrap();
        assert_eq!((test.u, test.exact), (17.0, true));
        assert!((test.p - 1.0 / 9.0).abs() < 1e-12, "{}", test.p);
        // Hollander and Wolfe, permeability of the chorioamnion, by R's wilcox.test with conf.int: W = 35, p = 0.2544,
        // difference in location 0.305, 95 % interval -0.15 to 0.76.
        let term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        let test = mann_whitney(&term, &[1.15, 0.88, 0.90, 0.74, 1.21]).unwrap();
        let interval = test.interval.unwrap();
        assert!((test.u - 35.0).abs() + (test.p - 0.254_412_254_412_254_4).abs() < 1e-12, "{test:?}");
        let ends = (test.shift - 0.305).abs() + (interval.low + 0.15).abs() + (interval.high - 0.76).abs();
        assert!(ends < 1e-12, "{test:?}");
        // Mann and Whitney's table, n = m = 5: P(U ≤ 2) = 4 / 252.
        let (low, high) = ([1.0, 2.0, 3.0, 4.0, 7.0], [5.0, 6.0, 8.0, 9.0, 10.0]);
        assert!((mann_whitney(&low, &high).unwrap().p - 8.0 / 252.0).abs() < 1e-12);
    }

    #[test]
    fn ties_are_counted_by_their_midranks() {
        // Ranks 1.5, 1.5, 3.5, 3.5: of the six pairs of ranks two are as far from the mean sum of 5.
        let test = mann_whitney(&[1.0, 1.0], &[2.0, 2.0]).unwrap();
        assert!((test.p - 2.0 / 6.0).abs() < 1e-12 && test.a12 == 0.0, "{test:?}");
        let same = mann_whitney(&[3.0; 4], &[3.0; 5]).unwrap();
        assert_eq!((same.p, same.a12), (1.0, 0.5));
        assert_eq!(mann_whitney(&[3.0; 80], &[3.0; 80]).unwrap().p, 1.0);
    }

    #[test]
    fn large_samples_agree_with_the_exact_test() {
        let value = |i: u32| f64::from(i * 7919 % 101);
        let sample = |count: u32, from: f64| (0..count).map(|i| value(i + count) + from).collect::<Vec<f64>>();
        let exact = mann_whitney(&sample(50, 0.0), &sample(50, 9.0)).unwrap();
        let (a, b) = (sample(51, 0.0), sample(50, 9.0));
        let normal = mann_whitney(&a, &b).unwrap();
        assert!(exact.exact && !normal.exact && (exact.p - normal.p).abs() < 0.1, "{exact:?} {normal:?}");
    }

    #[test]
    fn edges() {
        assert_eq!(mann_whitney(&[], &[1.0]), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        assert_eq!(mann_whitney(&[1.0], &[f64::NAN]), Err(Unavailable::NotFinite));
        assert_eq!(mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap().interval, None);
        assert_eq!((least_p(1, 1), least_p(3, 3), least_p(5, 5)), (1.0, 0.1, 2.0 / 252.0));
    }
}
