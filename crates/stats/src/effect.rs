//! Effect sizes: how large a difference is.
//!
//! A12: A. Vargha and H. D. Delaney, "A critique and improvement of the CL common language effect size statistics of
//! McGraw and Wong", Journal of Educational and Behavioral Statistics 25 (2000). d and d_z: J. Cohen, Statistical
//! Power Analysis for the Behavioral Sciences (1988), without small-sample correction.

use super::ranks::midranks;
use super::{Summary, Unavailable};

/// P(x > y) + P(x = y) / 2 for x drawn from `a` and y from `b`: 0.5 is no effect, 1 means that every value of `a` is
/// the larger. Vargha and Delaney call 0.56, 0.64 and 0.71 (or 1 minus them) small, medium and large. O(n log n).
///
/// Needs one value on each side; [`Unavailable::NotFinite`] with a NaN or infinity. Constant values are allowed.
///
/// ```
/// assert_eq!(evouct_stats::effect::a12(&[1.0, 3.0], &[2.0, 1.0]), Ok(0.625));
/// ```
pub fn a12(a: &[f64], b: &[f64]) -> Result<f64, Unavailable> {
    Unavailable::unless_enough(1, a.len().min(b.len()) as u64)?;
    let both = [a, b].concat();
    Unavailable::unless_finite(&both)?;
    let (m, n) = (a.len() as f64, b.len() as f64);
    let rank_sum = midranks(&both).ranks[..a.len()].iter().sum::<f64>();
    Ok((rank_sum - m * (m + 1.0) / 2.0) / (m * n))
}

/// Cohen's d: difference of the means (first minus second) in pooled standard deviations. Needs two values on each
/// side; [`Unavailable::NoVariance`] when neither sample varies.
///
/// ```
/// use evouct_stats::{Summary, effect};
/// assert_eq!(effect::cohen_d(&Summary::of(&[3.0, 5.0, 7.0]), &Summary::of(&[1.0, 3.0, 5.0])), Ok(1.0));
/// ```
pub fn cohen_d(a: &Summary, b: &Summary) -> Result<f64, Unavailable> {
    // For the errors only: both samples need a variance of their own.
    a.variance()?;
    b.variance()?;
    let pooled = (a.squares() + b.squares()) / (a.count() + b.count() - 2) as f64;
    in_units_of(a.mean()? - b.mean()?, pooled.sqrt())
}

/// Cohen's d_z of pairs: mean of the differences in their standard deviations. Needs two of them;
/// [`Unavailable::NoVariance`] when they do not vary.
///
/// ```
/// use evouct_stats::{Summary, effect};
/// assert_eq!(effect::cohen_dz(&Summary::of(&[1.0, 2.0, 3.0])), Ok(2.0));
/// ```
pub fn cohen_dz(differences: &Summary) -> Result<f64, Unavailable> {
    in_units_of(differences.mean()?, differences.sd()?)
}

fn in_units_of(difference: f64, sd: f64) -> Result<f64, Unavailable> {
    if sd == 0.0 { Err(Unavailable::NoVariance) } else { Unavailable::unless_overflowed(difference / sd) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a12_by_hand() {
        // Of the nine comparisons 1-1 and 4-4 are ties and four are won: 3-1, 3-2, 4-1, 4-2.
        assert_eq!(a12(&[1.0, 3.0, 4.0], &[1.0, 2.0, 4.0]), Ok(5.0 / 9.0));
        assert_eq!(a12(&[5.0], &[1.0, 2.0]), Ok(1.0));
        assert_eq!(a12(&[0.0; 4], &[-0.0; 3]), Ok(0.5));
    }

    #[test]
    fn cohen_by_hand() {
        // Squares 2 and 8, pooled variance 10 / 3, difference -2.
        let (a, b) = (Summary::of(&[1.0, 2.0, 3.0]), Summary::of(&[2.0, 6.0, 4.0]));
        assert!((cohen_d(&a, &b).unwrap() + 2.0 / (10.0_f64 / 4.0).sqrt()).abs() < 1e-15);
        assert!((cohen_dz(&Summary::of(&[-1.0, -3.0])).unwrap() + 2.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn edges() {
        assert_eq!(a12(&[], &[1.0]), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        assert_eq!(a12(&[f64::NAN], &[1.0]), Err(Unavailable::NotFinite));
        let constant = Summary::of(&[2.0, 2.0]);
        assert_eq!(cohen_d(&constant, &constant), Err(Unavailable::NoVariance));
        assert_eq!(cohen_dz(&constant), Err(Unavailable::NoVariance));
        assert_eq!(cohen_d(&constant, &Summary::of(&[1.0])), Err(Unavailable::TooFew { needed: 2, found: 1 }));
        assert_eq!(cohen_dz(&Summary::of(&[f64::INFINITY, 1.0])), Err(Unavailable::NotFinite));
    }
}
