//! The test of paired differences that fits them: Student's t, or the exact sign-flip test where t does not fit.
//!
//! Student's t takes differences for normally distributed. Few games that can only be won, drawn or lost are far from that:
//! the more of them are won, the less their differences vary, and a record of which t makes much can be worse than one that
//! does not vary, for which there is no t. So [`paired`] tests fewer than [`FEW`] differences of such games, and all
//! differences that do not vary, by the [sign-flip test](super::permutation), whose p-value never rises where a difference
//! rises and the mean is above 0.
//!
//! The interval of the mean holds the values that this test of the differences less the value does not refuse at 5 %. Its
//! ends are means of subsets of the differences (J. A. Hartigan, "Using subsample values as typical values", Journal of the
//! American Statistical Association 64 (1969)). Equal differences have one such mean alone; their interval is that of
//! C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
//! Biometrika 26 (1934), for the share of differences that are another, unseen one.

use super::permutation::exact_p;
use super::t_test::{self, TTest};
use super::{Interval, SIGNIFICANCE_LEVEL, Summary, Unavailable};

/// From this number of differences on, Student's t is taken for games that can only be won, drawn or lost, too.
pub const FEW: u64 = 20;

/// The test that the mean of the differences is 0; needs two of them.
///
/// `worth` is what a game is worth where each that is not drawn is worth the same: then no difference is further from 0.
/// Without it the differences are of scores, which Student's t fits if they vary, and equal ones have no interval.
///
/// # Errors
/// [`Unavailable::TooFew`] with fewer than two differences, [`Unavailable::NotFinite`] with a NaN or infinity,
/// [`Unavailable::Overflow`].
///
/// ```
/// use evouct_stats::paired::paired;
/// // Both games won on each of six decks, and on five of six.
/// let [all, most] = [1.0, 0.0].map(|last| paired(&[1.0, 1.0, 1.0, 1.0, 1.0, last], Some(1.0)).unwrap());
/// assert_eq!([all.p, most.p], [0.03125, 0.0625]);
/// let interval = all.interval.unwrap();
/// assert!((interval.low - 0.0815).abs() < 5e-5 && interval.high == 1.0);
/// ```
pub fn paired(differences: &[f64], worth: Option<f64>) -> Result<TTest, Unavailable> {
    let summary: Summary = differences.iter().copied().collect();
    let test = t_test::paired(&summary)?;
    let Some(worth) = worth else { return Ok(test) };
    if test.zero_variance {
        return Ok(TTest { interval: Some(interval_of_equal(test.difference, summary.count(), worth)), ..test });
    }
    if summary.count() >= FEW {
        return Ok(test);
    }
    let signed: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    let interval = Some(interval_of_varied(differences, worth));
    Ok(TTest { t: None, p: exact_p(&signed), interval, exact: true, ..test })
}

/// The interval of `count` differences that all are `mean`, of games that are worth so much: `unseen` is the largest share
/// of other differences that would leave them unseen in 2.5 % of cases. At the side of 0 these are the mirror images of the
/// differences, as in the test; on the other side the largest there are.
fn interval_of_equal(mean: f64, count: u64, worth: f64) -> Interval {
    let unseen = 1.0 - libm::pow(SIGNIFICANCE_LEVEL / 2.0, 1.0 / count as f64);
    let below = if mean > 0.0 { 2.0 * mean } else { worth + mean };
    let above = if mean < 0.0 { -2.0 * mean } else { worth - mean };
    Interval { low: mean - unseen * below, high: mean + unseen * above }
}

/// The interval of differences that vary, within those of games that are worth so much.
fn interval_of_varied(differences: &[f64], worth: f64) -> Interval {
    // Of n differences less a value, 1 + k of the 2ⁿ assignments of signs have no smaller sum, where k means of subsets are
    // at most the value. The test does not refuse the value if that is at least half of its level.
    let least = SIGNIFICANCE_LEVEL / 2.0 * libm::exp2(differences.len() as f64);
    let means = subset_means(differences);
    let low = if least > 1.0 { end(means.iter(), least) } else { -worth };
    let high = if least > 1.0 { end(means.iter().rev(), least) } else { worth };
    Interval { low, high }
}

/// The mean up to which, the assignment without a change included, there are `least` assignments.
fn end<'a>(mut means: impl Iterator<Item = &'a (f64, f64)>, least: f64) -> f64 {
    let mut assignments = 1.0;
    let found = means.find(|(_, subsets)| {
        assignments += subsets;
        assignments >= least
    });
    found.expect("fewer assignments are wanted than there are").0
}

/// The means of all subsets but the empty one in ascending order, each with the number of subsets that have it. Equal
/// differences are taken together, so those of games that are won, drawn or lost have few.
fn subset_means(differences: &[f64]) -> Vec<(f64, f64)> {
    let mut sorted = differences.to_vec();
    sorted.sort_by(f64::total_cmp);
    // Sum, size and number of the subsets so far.
    let mut subsets = vec![(0.0, 0.0, 1.0)];
    for equal in sorted.chunk_by(|a, b| a == b) {
        let mut grown = Vec::with_capacity(subsets.len() * (equal.len() + 1));
        let mut ways = 1.0;
        for taken in 0..=equal.len() {
            let size = taken as f64;
            grown.extend(subsets.iter().map(|(sum, all, count)| (sum + size * equal[0], all + size, count * ways)));
            ways *= (equal.len() - taken) as f64 / (size + 1.0);
        }
        subsets = grown;
    }
    let mut means: Vec<(f64, f64)> = subsets[1..].iter().map(|(sum, size, count)| (sum / size, *count)).collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    means
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(differences: &[f64]) -> TTest {
        paired(differences, Some(1.0)).unwrap()
    }

    #[test]
    fn equal_differences_have_the_interval_of_clopper_and_pearson() {
        // R: binom.test(6, 6)$conf.int from 0.5407419, binom.test(20, 20) from 0.8315665; a difference is 2 share - 1.
        for (count, share) in [(6, 0.540_741_9), (20, 0.831_566_5)] {
            let won = test(&vec![1.0; count]);
            let ends = won.interval.unwrap();
            assert!((ends.low - (2.0 * share - 1.0)).abs() < 1e-6 && ends.high == 1.0, "{ends:?}");
            assert_eq!(test(&vec![-1.0; count]), won.reversed());
            assert!(won.exact && won.t.is_none());
        }
        let drawn = test(&[0.0; 20]);
        assert_eq!((drawn.p, drawn.interval.unwrap().low), (1.0, -drawn.interval.unwrap().high));
        assert!((drawn.interval.unwrap().high - 0.168_433_5).abs() < 1e-6);
        assert_eq!(paired(&[30.0; 6], None).unwrap().interval, None);
    }

    #[test]
    fn few_games_that_are_won_or_lost_are_tested_by_signs() {
        let most = test(&[1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!((most.p, most.t, most.exact), (0.0625, None, true));
        assert_eq!(most.interval, Some(Interval { low: 0.0, high: 1.0 }));
        // Five differences cannot refuse any value.
        assert_eq!(test(&[1.0, 1.0, 1.0, 1.0, 0.0]).interval, Some(Interval { low: -1.0, high: 1.0 }));
        assert_eq!(test(&[1.0, 0.0, 1.0, -1.0, 0.5]).detectable(0.05, 0.8), Some(f64::INFINITY));
        assert_eq!(most.detectable(0.05, 0.8), None);
        let many = [[1.0; 10], [0.0; 10]].concat();
        assert_eq!(test(&many), paired(&many, None).unwrap(), "twenty are many");
    }
}
