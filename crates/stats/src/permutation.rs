//! Sign-flip permutation test for pairs.
//!
//! R. A. Fisher, The Design of Experiments (1935), section 21: if the two sides of a pair do not differ, each
//! difference is as likely as its opposite. The p-value is the share of the 2ⁿ assignments of signs whose sum is at
//! least as far from 0 as the observed one. Random assignments: B. Phipson and G. K. Smyth, "Permutation p-values
//! should never be zero", Statistical Applications in Genetics and Molecular Biology 9 (2010).

use rand::Rng;
use serde::Serialize;

use super::Unavailable;
use super::bootstrap::MAX_RESAMPLES;

/// Up to this number of differences other than 0 every assignment of signs is counted.
pub const EXACT_LIMIT: usize = 20;

/// The outcome of a sign-flip test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Permutation {
    /// Mean of the differences, the statistic.
    pub difference: f64,
    /// Two-sided p-value, above 0.
    pub p: f64,
    /// Whether all assignments were counted, so that `p` does not depend on random numbers.
    pub exact: bool,
    /// Assignments evaluated: all 2ᵏ of the k differences other than 0, or the random ones.
    pub assignments: u64,
}

/// Two-sided test that the differences are symmetric about 0.
///
/// Differences of 0 have no sign to flip; they do not change p and do not count towards [`EXACT_LIMIT`]. Above it,
/// `samples` random assignments are drawn and p = (b + 1) / (samples + 1) with b of them at least as extreme; an
/// assignment takes one 64-bit draw for every 64 differences. Below it `rng` is not used. Sums within rounding of the
/// observed one count as equal to it.
///
/// [`Unavailable::TooFew`] when empty, [`Unavailable::NotFinite`] with a NaN or infinity, [`Unavailable::Overflow`]
/// when the sum of the absolute differences is too large, [`Unavailable::OutOfRange`] unless `samples` is within 1
/// ..= [`MAX_RESAMPLES`].
///
/// ```
/// use evouct_stats::permutation::sign_flip;
/// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
/// let result = sign_flip(&[1.0, 2.0, 3.0], 9_999, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
/// assert_eq!((result.p, result.exact), (2.0 / 8.0, true));
/// ```
pub fn sign_flip(differences: &[f64], samples: usize, rng: &mut dyn Rng) -> Result<Permutation, Unavailable> {
    Unavailable::unless_enough(1, differences.len() as u64)?;
    Unavailable::unless_finite(differences)?;
    if !(1..=MAX_RESAMPLES).contains(&samples) {
        return Err(Unavailable::OutOfRange { what: "the number of samples", expected: "1 to 10 million" });
    }
    let signed: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    Unavailable::unless_overflowed(signed.iter().map(|d| d.abs()).sum::<f64>())?;
    let difference = signed.iter().sum::<f64>() / differences.len() as f64;
    let exact = signed.len() <= EXACT_LIMIT;
    let (assignments, p) = if exact {
        (1_u64 << signed.len(), exact_p(&signed))
    } else {
        let threshold = threshold(&signed);
        let extreme = (0..samples).filter(|_| random_sum(&signed, rng).abs() >= threshold).count();
        (samples as u64, (extreme + 1) as f64 / (samples + 1) as f64)
    };
    Ok(Permutation { difference, p, exact, assignments })
}

/// The p-value of at most [`EXACT_LIMIT`] differences other than 0, by all assignments of signs.
pub(super) fn exact_p(signed: &[f64]) -> f64 {
    count_all(signed, threshold(signed)) as f64 / (1_u64 << signed.len()) as f64
}

/// How far from 0 a sum counts as that of the differences: sums of the same numbers in another order differ by at most so
/// much through rounding.
fn threshold(signed: &[f64]) -> f64 {
    let range = signed.iter().map(|d| d.abs()).sum::<f64>();
    signed.iter().sum::<f64>().abs() - 2.0 * f64::EPSILON * range * signed.len() as f64
}

/// Number of assignments whose sum is at least `threshold` away from 0, from the sums of the two halves of the list.
fn count_all(differences: &[f64], threshold: f64) -> u64 {
    let (left, right) = differences.split_at(differences.len() / 2);
    let (left, right) = (signed_sums(left), signed_sums(right));
    left.iter().map(|l| right.iter().filter(|r| (l + *r).abs() >= threshold).count() as u64).sum()
}

/// The 2ⁿ sums of the differences under all assignments of signs.
fn signed_sums(differences: &[f64]) -> Vec<f64> {
    differences.iter().fold(vec![0.0], |sums, d| sums.iter().flat_map(|s| [s + d, s - d]).collect())
}

fn random_sum(differences: &[f64], rng: &mut dyn Rng) -> f64 {
    // Four sums side by side: each waits for its last addition.
    let mut sums = [0.0; 4];
    for block in differences.chunks(64) {
        let mut signs = rng.next_u64();
        for four in block.chunks(4) {
            for (sum, d) in sums.iter_mut().zip(four) {
                // A set bit changes the sign.
                *sum += f64::from_bits(d.to_bits() ^ (signs << 63));
                signs >>= 1;
            }
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::Summary;
    use crate::t_test::paired;

    fn test(differences: &[f64]) -> Result<Permutation, Unavailable> {
        sign_flip(differences, 20_000, &mut ChaCha8Rng::seed_from_u64(11))
    }

    #[test]
    fn darwins_maize() {
        // Fisher 1935: 15 pairs of plants, differences in eighths of an inch; 1,726 of 32,768 assignments are as
        // extreme.
        let eighths = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
        let result = test(&eighths.map(f64::from)).unwrap();
        assert_eq!((result.p, result.assignments), (1_726.0 / 32_768.0, 32_768));
        assert_eq!(result.difference, 314.0 / 15.0);
    }

    #[test]
    fn rounding_does_not_split_ties() {
        // With tenths that are no doubles, ± sums that are equal on paper differ in their last bits.
        let tenths = [0.1, 0.2, 0.3, -0.1, 0.7, 0.4, -0.6];
        let whole: Vec<f64> = [1, 2, 3, -1, 7, 4, -6].map(f64::from).to_vec();
        assert_eq!(test(&tenths).unwrap().p, test(&whole).unwrap().p);
    }

    #[test]
    fn zeros_change_nothing() {
        let padded = [0.0, 3.0, 0.0, 1.0, 2.0, 0.0, -0.0];
        assert_eq!(test(&padded).unwrap().p, test(&[3.0, 1.0, 2.0]).unwrap().p);
        let long = [vec![0.0; 500], vec![1.0; 3]].concat();
        assert!(test(&long).unwrap().exact);
        let none = test(&[0.0; 30]).unwrap();
        assert_eq!((none.p, none.exact, none.assignments), (1.0, true, 1));
    }

    #[test]
    fn random_assignments_agree_with_the_t_test() {
        let differences: Vec<f64> = (0..200).map(|i| f64::from(i * 7919 % 101) - 46.0).collect();
        let (result, t) = (test(&differences).unwrap(), paired(&Summary::of(&differences)).unwrap());
        assert!(!result.exact && (result.p - t.p).abs() < 0.015, "{} against {}", result.p, t.p);
    }

    #[test]
    fn random_p_is_never_zero() {
        assert_eq!(test(&[1.0; 100]).unwrap().p, 1.0 / 20_001.0);
    }

    #[test]
    fn stream_is_pinned() {
        let differences: Vec<f64> = (1..=70).map(f64::from).collect();
        assert_eq!(random_sum(&differences, &mut ChaCha8Rng::seed_from_u64(2022)), -105.0);
    }

    #[test]
    fn bad_input_is_refused() {
        assert_eq!(test(&[]), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        assert_eq!(test(&[f64::NAN]), Err(Unavailable::NotFinite));
        assert_eq!(test(&[f64::MAX, -f64::MAX]), Err(Unavailable::Overflow));
        for samples in [0, usize::MAX] {
            let refused = sign_flip(&[1.0], samples, &mut ChaCha8Rng::seed_from_u64(1));
            assert!(matches!(refused, Err(Unavailable::OutOfRange { .. })));
        }
    }
}
