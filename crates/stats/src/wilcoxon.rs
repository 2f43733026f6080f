//! Wilcoxon's signed-rank test for pairs, two-sided.
//!
//! F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945). Differences of 0 are
//! dropped, as Wilcoxon does (SciPy's `zero_method="wilcox"`; not Pratt's). Tied absolute values share the mean of
//! their ranks, and the exact distribution is that of these ranks. The normal approximation of many differences corrects
//! its variance for ties and has no continuity correction (SciPy's `correction=False`).

use serde::Serialize;

use super::Unavailable;
use super::distribution::normal_two_sided;
use super::ranks::midranks;

/// Up to this number of differences other than 0 p is exact, with ties or without, and approximate above.
pub const EXACT_LIMIT: usize = 50;

/// The outcome of a signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Wilcoxon {
    /// Number of differences other than 0, on which the rest is based.
    pub count: usize,
    /// Sum of the ranks of the positive differences.
    pub rank_sum_positive: f64,
    /// Sum of the ranks of the negative differences.
    pub rank_sum_negative: f64,
    /// Two-sided p-value, 0 ..= 1.
    pub p: f64,
    /// Whether `p` comes from the exact distribution.
    pub exact: bool,
}

/// Two-sided test that the differences are symmetric about 0.
///
/// Exact for up to [`EXACT_LIMIT`] differences other than 0: the share of all assignments of signs to the ranks whose
/// sum is as far from its mean. Above, by the normal approximation. Ties are values equal to the last bit: halves and
/// whole scores are safe, decimal fractions should be scaled first. When all differences are 0, `count` is 0 and p is 1.
///
/// [`Unavailable::TooFew`] when empty, [`Unavailable::NotFinite`] with a NaN or infinity.
///
/// ```
/// let test = evouct_stats::wilcoxon::wilcoxon(&[1.0, 2.0, -3.0, 4.0, 0.0]).unwrap();
/// assert_eq!((test.rank_sum_positive, test.rank_sum_negative), (7.0, 3.0));
/// assert_eq!((test.p, test.exact), (0.625, true));
/// ```
pub fn wilcoxon(differences: &[f64]) -> Result<Wilcoxon, Unavailable> {
    Unavailable::unless_enough(1, differences.len() as u64)?;
    Unavailable::unless_finite(differences)?;
    let signed: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    let sizes: Vec<f64> = signed.iter().map(|d| d.abs()).collect();
    let ranked = midranks(&sizes);
    let n = signed.len() as f64;
    let total = n * (n + 1.0) / 2.0;
    let positive = signed.iter().zip(&ranked.ranks).filter(|(d, _)| **d > 0.0).map(|(_, rank)| rank).sum::<f64>() + 0.0;
    let negative = total - positive;
    let exact = signed.len() <= EXACT_LIMIT;
    let p = if exact {
        exact_p(&ranked.ranks, positive.min(negative))
    } else {
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranked.tie_term / 48.0;
        normal_two_sided((positive - total / 2.0) / variance.sqrt())
    };
    Ok(Wilcoxon { count: signed.len(), rank_sum_positive: positive, rank_sum_negative: negative, p, exact })
}

/// 2 P(W ≤ w), at most 1, for the sum W of a random subset of these ranks, at most 50. Twice a midrank is a whole number.
fn exact_p(ranks: &[f64], w: f64) -> f64 {
    let doubled = |rank: f64| (2.0 * rank) as usize;
    // Subsets by twice their sum; there are 2ⁿ of them, which both u64 and f64 hold exactly.
    let mut subsets = vec![0_u64; doubled(w) + 1];
    subsets[0] = 1;
    for rank in ranks.iter().copied().map(doubled) {
        for sum in (rank..subsets.len()).rev() {
            subsets[sum] += subsets[sum - rank];
        }
    }
    let below: u64 = subsets.iter().sum();
    (2.0 * below as f64 / (1_u64 << ranks.len()) as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn darwins_maize() {
        // Hollander and Wolfe; SciPy's documentation: T = 24, exact p = 0.04126.
        let differences = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75].map(f64::from);
        let test = wilcoxon(&differences).unwrap();
        assert_eq!((test.rank_sum_negative, test.rank_sum_positive, test.exact), (24.0, 96.0, true));
        assert_eq!(test.p, 0.041_259_765_625);
    }

    #[test]
    fn all_of_one_sign() {
        let values: Vec<f64> = (1..=50).map(f64::from).collect();
        assert_eq!(wilcoxon(&values).unwrap().p, 2.0 / (1_u64 << 50) as f64);
        assert_eq!(wilcoxon(&[2.5]).unwrap().p, 1.0);
    }

    #[test]
    fn ties_are_counted_by_their_midranks() {
        // Ranks 1.5, 1.5, 3: of the eight sums only 0 and 6, 1.5 (twice), 3 (twice) and 4.5 (twice).
        let test = wilcoxon(&[1.0, -1.0, 2.0]).unwrap();
        assert_eq!((test.rank_sum_negative, test.p, test.exact), (1.5, 0.75, true));
        // Equal differences: two of the assignments are as extreme.
        for count in 1..=EXACT_LIMIT {
            let test = wilcoxon(&vec![-0.3; count]).unwrap();
            assert_eq!((test.p, test.exact), (2.0 / (1_u64 << count) as f64, true));
        }
    }

    #[test]
    fn many_differences_call_for_the_approximation() {
        // All ranks tie at 26, W+ = 1326, variance 51 · 26² / 4, z = √51.
        let test = wilcoxon(&[0.5; 51]).unwrap();
        assert!(!test.exact && (test.p / normal_two_sided(51_f64.sqrt()) - 1.0).abs() < 1e-12);
        assert!(wilcoxon(&[[0.5; 50], [0.0; 50]].concat()).unwrap().exact, "zeros do not count");
    }

    #[test]
    fn edges() {
        assert_eq!(wilcoxon(&[]), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        assert_eq!(wilcoxon(&[1.0, f64::NEG_INFINITY]), Err(Unavailable::NotFinite));
        let zeros = wilcoxon(&[0.0, -0.0]).unwrap();
        assert_eq!((zeros.count, zeros.p, zeros.rank_sum_positive.to_bits()), (0, 1.0, 0));
    }
}
