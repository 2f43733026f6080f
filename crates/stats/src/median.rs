//! The median of a few values with an interval that assumes no distribution.
//!
//! The number of values below the true median is binomial with probability 1/2, so two order statistics enclose it with
//! a known probability (W. R. Thompson, "On confidence ranges for the median", Annals of Mathematical Statistics 7,
//! 1936).

use super::quantiles::quantile;
use super::{Interval, Unavailable};
use serde::Serialize;

/// The coverage that is wanted.
const WANTED: f64 = 0.95;

/// A median with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Median {
    /// Number of values.
    pub count: usize,
    /// The median of the values.
    pub median: f64,
    /// Two of the values, which enclose the true median.
    pub interval: Interval,
    /// The probability that they do, of a continuous distribution: at least 0.95, less with fewer than six values.
    pub coverage: f64,
}

/// The median of values in any order, with the narrowest interval of coverage 95 % between the k-th value from below and
/// from above; with fewer than six values between all of them.
///
/// [`Unavailable::TooFew`] when empty, [`Unavailable::NotFinite`] with a NaN or infinity.
///
/// ```
/// let found = evouct_stats::median::median(&[3.0, 1.0, 2.0, 6.0, 5.0, 4.0]).unwrap();
/// assert_eq!((found.median, found.interval.low, found.coverage), (3.5, 1.0, 1.0 - 2.0 / 64.0));
/// ```
pub fn median(values: &[f64]) -> Result<Median, Unavailable> {
    Unavailable::unless_finite(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (count, median) = (sorted.len(), quantile(&sorted, 0.5)?);
    // P(fewer than k values are below the median), from C(n, i) / 2ⁿ.
    let n = count as f64;
    let mut term = 0.5_f64.powi(count.min(i32::MAX as usize) as i32);
    let (mut below, mut place) = (term, 0);
    let mut coverage = 1.0 - 2.0 * below;
    while place + 1 < count / 2 {
        term *= (n - place as f64) / (place as f64 + 1.0);
        if 1.0 - 2.0 * (below + term) < WANTED {
            break;
        }
        below += term;
        place += 1;
        coverage = 1.0 - 2.0 * below;
    }
    let interval = Interval { low: sorted[place], high: sorted[count - 1 - place] };
    Ok(Median { count, median, interval, coverage: coverage.max(0.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_those_of_tables_of_the_sign_test() {
        // Conover, table of the binomial distribution: n, the rank of the lower end, the coverage.
        for (count, rank, coverage) in [
            (5, 1, 0.9375),
            (6, 1, 0.968_75),
            (8, 1, 0.992_187_5),
            (9, 2, 0.960_937_5),
            (10, 2, 0.978_515_625),
            (12, 3, 0.961_425_781_25),
            (20, 6, 0.958_610_534_667_968_8),
        ] {
            let values: Vec<f64> = (1..=count).rev().map(f64::from).collect();
            let found = median(&values).unwrap();
            let ends = (f64::from(rank), f64::from(count + 1 - rank));
            assert_eq!((found.interval.low, found.interval.high), ends, "{count}");
            assert!((found.coverage - coverage).abs() < 1e-12, "{count}: {}", found.coverage);
        }
    }

    #[test]
    fn edges() {
        assert_eq!(median(&[]), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        assert_eq!(median(&[f64::NAN]), Err(Unavailable::NotFinite));
        let one = median(&[2.5]).unwrap();
        assert_eq!((one.median, one.interval.low, one.coverage), (2.5, 2.5, 0.0));
        assert!(median(&vec![1.0; 5_000]).unwrap().coverage >= 0.949);
    }
}
