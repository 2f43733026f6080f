//! A printed lowest or highest value against a sample: an exact test that assumes no distribution.
//!
//! If `n` values of ours and `m` others come from one continuous distribution, every order of all `n + m` is equally
//! likely. The number K of ours beyond the highest of the others then exceeds `k − 1` with the probability `n/(m + n) ·
//! (n − 1)/(m + n − 1) · …` (k factors): the k highest of all are ours. (Exceedances: E. J. Gumbel and H. von
//! Schelling, "The distribution of the number of exceedances", Annals of Mathematical Statistics 21 (1950).)

use super::Unavailable;

/// Which end of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// The minimum.
    Lowest,
    /// The maximum.
    Highest,
}

/// The two-sided p-value that the lowest or highest of `count` further values is `extreme`. Equal values count as if
/// they spoke against a difference. Ours that lie all on one side of `extreme` are no evidence if `count` is as large
/// as their number: one of the two samples has to have the outermost value.
///
/// [`Unavailable::TooFew`] without values, [`Unavailable::OutOfRange`] for a `count` of 0.
///
/// ```
/// use evouct_stats::extremes::{Tail, further_extreme};
/// // Both of ours are above the highest of two others: 2/4 · 1/3 on one side.
/// let p = further_extreme(&[7.0, 9.0], 5.0, 2, Tail::Highest).unwrap();
/// assert!((p - 1.0 / 3.0).abs() < 1e-12);
/// ```
pub fn further_extreme(values: &[f64], extreme: f64, count: u64, end: Tail) -> Result<f64, Unavailable> {
    if values.is_empty() {
        return Err(Unavailable::TooFew { needed: 1, found: 0 });
    }
    if count == 0 {
        return Err(Unavailable::OutOfRange { what: "count", expected: "1 or more" });
    }
    let beyond = |value: &&f64| match end {
        Tail::Lowest => **value < extreme,
        Tail::Highest => **value > extreme,
    };
    let strictly = values.iter().filter(beyond).count();
    let or_equal = strictly + values.iter().filter(|value| **value == extreme).count();
    let total = values.len() as f64 + count as f64;
    // The probability that at least this many of ours are beyond all others.
    let at_least = |least: usize| -> f64 {
        (0..least.min(values.len() + 1)).map(|i| (values.len() as f64 - i as f64) / (total - i as f64)).product()
    };
    let (many, few) = (at_least(strictly), 1.0 - at_least(or_equal + 1));
    Ok((2.0 * many.min(few)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts, over all choices of two of five places for the others, how many of the three left are above their
    /// highest.
    #[test]
    fn all_orders_counted_by_hand() {
        let mut exceeding = [0_u32; 4];
        for a in 0..5_usize {
            for b in a + 1..5 {
                exceeding[4 - b] += 1;
            }
        }
        assert_eq!(exceeding, [4, 3, 2, 1]);
        let p = |above: usize| {
            let values: Vec<f64> = (0..3).map(|i| if i < above { 2.0 } else { 0.0 }).collect();
            further_extreme(&values, 1.0, 2, Tail::Highest).unwrap()
        };
        for above in 0..4 {
            let [many, few] = [&exceeding[above..], &exceeding[..=above]].map(|part| part.iter().sum::<u32>());
            assert!((p(above) - (0.2 * f64::from(many.min(few))).min(1.0)).abs() < 1e-12, "{above}");
        }
    }

    #[test]
    fn lowest_is_highest_upside_down_and_ties_are_no_difference() {
        let values = [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        let upside_down = values.map(|value: f64| -value);
        for extreme in [2.0, 4.5, 7.0, 10.0] {
            let lowest = further_extreme(&values, extreme, 4, Tail::Lowest).unwrap();
            assert_eq!(lowest, further_extreme(&upside_down, -extreme, 4, Tail::Highest).unwrap());
        }
        // With ties on the printed value the p-value is that of the place among them that speaks least against it.
        let tied = further_extreme(&[1.0, 1.0, 1.0, 1.0], 1.0, 1, Tail::Highest).unwrap();
        assert_eq!(tied, 1.0);
        assert!(further_extreme(&[], 1.0, 1, Tail::Lowest).is_err());
        assert!(further_extreme(&[1.0], 1.0, 0, Tail::Lowest).is_err());
    }
}
