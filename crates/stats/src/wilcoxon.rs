//! Wilcoxon's signed-rank test for pairs, two-sided.
//!
//! F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945). Differences of 0 are
//! dropped, as Wilcoxon does (SciPy's `zero_method="wilcox"`; not Pratt's). Tied absolute values share the mean of
//! their ranks. The normal approximation corrects its variance for ties and has no continuity correction (SciPy's
//! `correction=False`).

use serde::Serialize;

use super::Unavailable;
use super::distribution::normal_two_sided;
use super::ranks::midranks;

/// Without ties, p is exact up to this number of differences other than 0 and approximate above.
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
/// Exact for up to [`EXACT_LIMIT`] differences without ties among their absolute values, else by the normal
/// approximation. Ties are values equal to the last bit: halves and whole scores are safe, decimal fractions should
/// be scaled first. When all differences are 0, `count` is 0 and p is 1.
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
    let exact = signed.len() <= EXACT_LIMIT && ranked.tie_term == 0.0;
    let p = if exact {
        exact_p(signed.len(), positive.min(negative) as usize)
    } else {
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranked.tie_term / 48.0;
        normal_two_sided((positive - total / 2.0) / variance.sqrt())
    };
    Ok(Wilcoxon { count: signed.len(), rank_sum_positive: positive, rank_sum_negative: negative, p, exact })
}

/// 2 P(W ≤ w), at most 1, for the sum W of a random subset of the ranks 1 ..= n, with n ≤ 50.
fn exact_p(n: usize, w: usize) -> f64 {
    // Subsets by their sum; there are 2ⁿ of them, which both u64 and f64 hold exactly.
    let mut subsets = vec![0_u64; w + 1];
    subsets[0] = 1;
    for rank in 1..=n {
        for sum in (rank..=w).rev() {
            subsets[sum] += subsets[sum - rank];
        }
    }
    let below: u64 = subsets.iter().sum();
    (2.0 * below as f64 / (1_u64 << n) as f64).min(1.0)
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
    fn ties_and_length_call_for_the_approximation() {
        assert!(!wilcoxon(&[1.0, -1.0, 2.0]).unwrap().exact);
        let values: Vec<f64> = (1..=51).map(f64::from).collect();
        assert!(!wilcoxon(&values).unwrap().exact);
    }

    #[test]
    fn edges() {
        assert_eq!(wilcoxon(&[]), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        assert_eq!(wilcoxon(&[1.0, f64::NEG_INFINITY]), Err(Unavailable::NotFinite));
        let zeros = wilcoxon(&[0.0, -0.0]).unwrap();
        assert_eq!((zeros.count, zeros.p, zeros.rank_sum_positive.to_bits()), (0, 1.0, 0));
        // Constants: all ranks tie, W+ = 4 · 2.5 = 10, variance 4 · 5 · 9 / 24 - 60 / 48 = 6.25, z = 2.
        let constant = wilcoxon(&[0.3; 4]).unwrap();
        assert!((constant.p - 0.045_500_263_896_358_41).abs() < 1e-15);
    }
}
