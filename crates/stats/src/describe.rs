//! Mean and variance of a sample, as sums that can be merged.
//!
//! Streaming update: B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
//! Technometrics 4 (1962). Merge: T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and a pairwise algorithm
//! for computing sample variances" (1979). Interval: mean ± t · sd / √n with the 97.5 % point of Student's t, n − 1
//! degrees of freedom.

use std::ops::{Add, AddAssign};

use serde::Serialize;

use super::Unavailable;
use super::distribution::student_critical;

/// A closed interval, `low ≤ high`, both finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of the negated value.
    #[must_use]
    pub fn negated(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }

    /// `centre ± half`, or [`Unavailable::Overflow`].
    pub(super) fn around(centre: f64, half: f64) -> Result<Interval, Unavailable> {
        let low = Unavailable::unless_overflowed(centre - half)?;
        let high = Unavailable::unless_overflowed(centre + half)?;
        Ok(Interval { low, high })
    }
}

/// Count, mean and sum of squared deviations of the values seen so far.
///
/// Summaries of parts add up to the summary of the whole, in any order, up to rounding. NaN and infinite values are
/// counted and otherwise left out; with one of them among the values every statistic is [`Unavailable::NotFinite`]. A
/// standard deviation below about 1e-154 becomes 0, because its square underflows.
///
/// ```
/// use evouct_stats::Summary;
/// let (a, b): (Summary, Summary) = ([1.0, 2.0].into_iter().collect(), [6.0].into_iter().collect());
/// assert_eq!((a + b).mean(), Ok(3.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    count: u64,
    rejected: u64,
    mean: f64,
    m2: f64,
}

impl Summary {
    /// The summary of a whole sample, in two passes with a correction, which is more exact than streaming where the
    /// spread is small compared with the mean.
    pub fn of(values: &[f64]) -> Summary {
        let finite = || values.iter().copied().filter(|x| x.is_finite());
        let count = finite().count() as u64;
        let rejected = values.len() as u64 - count;
        let Some(first) = finite().next() else { return Summary { rejected, ..Summary::default() } };
        // Constant samples are a special case: rounding in a mean must not give them a variance.
        if finite().all(|x| x == first) {
            return Summary { count, rejected, mean: first, m2: 0.0 };
        }
        let n = count as f64;
        let rough = finite().sum::<f64>() / n;
        let rest = finite().map(|x| x - rough).sum::<f64>();
        let squares = finite().map(|x| (x - rough) * (x - rough)).sum::<f64>();
        Summary { count, rejected, mean: rough + rest / n, m2: (squares - rest * rest / n).max(0.0) }
    }

    /// The summary of `count` whole numbers with these sums of them and of their squares. The sums are exact in any order,
    /// and so is this but for its last rounding. `count` is below 2³², and the numbers are those of 33 bits.
    ///
    /// ```
    /// use evouct_stats::Summary;
    /// assert_eq!(Summary::of_sums(3, 6, 14).variance(), Summary::of(&[1.0, 2.0, 3.0]).variance());
    /// ```
    pub fn of_sums(count: u64, sum: i64, squares: i128) -> Summary {
        if count == 0 {
            return Summary::default();
        }
        let (n, sum) = (i128::from(count), i128::from(sum));
        let m2 = (n * squares - sum * sum) as f64 / count as f64;
        Summary { count, rejected: 0, mean: sum as f64 / count as f64, m2 }
    }

    /// Adds one value.
    pub fn push(&mut self, x: f64) {
        if !x.is_finite() {
            self.rejected += 1;
            return;
        }
        self.count += 1;
        let delta = x - self.mean;
        self.mean += delta / self.count as f64;
        self.m2 += delta * (x - self.mean);
    }

    /// Number of finite values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Arithmetic mean; needs one value.
    pub fn mean(&self) -> Result<f64, Unavailable> {
        self.need(1)?;
        Unavailable::unless_overflowed(self.mean)
    }

    /// Variance with n − 1 in the denominator, in squared units of the values; needs two values.
    pub fn variance(&self) -> Result<f64, Unavailable> {
        self.need(2)?;
        Unavailable::unless_overflowed(self.m2 / (self.count - 1) as f64)
    }

    /// Standard deviation with n − 1 in the denominator; needs two values.
    pub fn sd(&self) -> Result<f64, Unavailable> {
        Ok(self.variance()?.sqrt())
    }

    /// Standard error of the mean, sd / √n; needs two values.
    pub fn standard_error(&self) -> Result<f64, Unavailable> {
        Ok((self.variance()? / self.count as f64).sqrt())
    }

    /// 95 % t-interval of the mean; needs two values. [`Unavailable::NoVariance`] when they do not vary: what they say of
    /// other values is not known from them.
    pub fn interval(&self) -> Result<Interval, Unavailable> {
        let standard_error = self.standard_error()?;
        if standard_error == 0.0 {
            return Err(Unavailable::NoVariance);
        }
        Interval::around(self.mean()?, student_critical((self.count - 1) as f64) * standard_error)
    }

    /// Sum of squared deviations, for statistics that pool several samples.
    pub(super) fn squares(&self) -> f64 {
        self.m2
    }

    fn need(&self, needed: u64) -> Result<(), Unavailable> {
        if self.rejected > 0 {
            return Err(Unavailable::NotFinite);
        }
        Unavailable::unless_enough(needed, self.count)
    }
}

impl Add for Summary {
    type Output = Summary;

    fn add(self, other: Summary) -> Summary {
        let rejected = self.rejected + other.rejected;
        if self.count == 0 || other.count == 0 {
            let filled = if self.count == 0 { other } else { self };
            return Summary { rejected, ..filled };
        }
        let count = self.count + other.count;
        let share = other.count as f64 / count as f64;
        let delta = other.mean - self.mean;
        Summary {
            count,
            rejected,
            mean: self.mean + delta * share,
            m2: self.m2 + other.m2 + delta * delta * share * self.count as f64,
        }
    }
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Summary) {
        *self = *self + other;
    }
}

impl Extend<f64> for Summary {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        values.into_iter().for_each(|x| self.push(x));
    }
}

impl FromIterator<f64> for Summary {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Summary {
        let mut summary = Summary::default();
        summary.extend(values);
        summary
    }
}

/// The descriptive statistics that a report prints.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Description {
    /// Number of values, at least 1.
    pub count: u64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation (n − 1); `None` exactly when `count` is 1, as is the standard error.
    pub sd: Option<f64>,
    /// Standard error of the mean.
    pub standard_error: Option<f64>,
    /// 95 % t-interval of the mean; `None` when the values do not vary, too.
    pub interval: Option<Interval>,
}

/// Describes a sample: [`Unavailable::TooFew`] when empty, [`Unavailable::NotFinite`] with a NaN or infinity in it,
/// [`Unavailable::Overflow`] for values whose squares do not fit.
///
/// ```
/// let d = evouct_stats::describe::describe(&evouct_stats::Summary::of(&[2.0, 4.0, 6.0])).unwrap();
/// assert_eq!((d.mean, d.sd), (4.0, Some(2.0)));
/// ```
pub fn describe(sample: &Summary) -> Result<Description, Unavailable> {
    let (count, mean) = (sample.count(), sample.mean()?);
    if count == 1 {
        return Ok(Description { count, mean, sd: None, standard_error: None, interval: None });
    }
    Ok(Description {
        count,
        mean,
        sd: Some(sample.sd()?),
        standard_error: Some(sample.standard_error()?),
        interval: match sample.interval() {
            Err(Unavailable::NoVariance) => None,
            interval => Some(interval?),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Deviations of 2 4 4 4 5 5 7 9 from 5 square to 32 in all.
        let summary = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(summary.mean(), Ok(5.0));
        assert_eq!(summary.variance(), Ok(32.0 / 7.0));
        let half = 2.364_624_251_592_784 * (32.0_f64 / 7.0 / 8.0).sqrt();
        let interval = summary.interval().unwrap();
        assert!((interval.low - (5.0 - half)).abs() < 1e-14 && (interval.high - (5.0 + half)).abs() < 1e-14);
    }

    #[test]
    fn small_samples_say_what_is_missing() {
        let missing = |found, needed| Unavailable::TooFew { needed, found };
        assert_eq!(describe(&Summary::of(&[])), Err(missing(0, 1)));
        assert_eq!(Summary::of(&[]).interval(), Err(missing(0, 2)));
        assert_eq!(Summary::of(&[3.0]).sd(), Err(missing(1, 2)));
        let one = describe(&Summary::of(&[3.0])).unwrap();
        assert_eq!((one.count, one.mean, one.sd, one.interval), (1, 3.0, None, None));
    }

    #[test]
    fn constants_have_no_spread_however_they_are_summed() {
        let values = [0.1; 7];
        let streamed: Summary = values.into_iter().collect();
        for summary in [Summary::of(&values), streamed, streamed + streamed] {
            assert_eq!((summary.mean(), summary.sd()), (Ok(0.1), Ok(0.0)));
            assert_eq!(summary.interval(), Err(Unavailable::NoVariance));
            assert_eq!(describe(&summary).unwrap().interval, None);
        }
        assert_eq!(Summary::of(&[f64::MAX; 3]).mean(), Ok(f64::MAX), "no sum is formed");
    }

    #[test]
    fn bad_values_are_named_not_averaged() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut streamed: Summary = [1.0, bad].into_iter().collect();
            streamed += Summary::of(&[2.0]);
            assert_eq!((streamed.count(), streamed.mean()), (2, Err(Unavailable::NotFinite)));
            assert_eq!(describe(&Summary::of(&[bad])), Err(Unavailable::NotFinite));
        }
        assert_eq!(Summary::of(&[f64::MAX, -f64::MAX]).sd(), Err(Unavailable::Overflow));
        let streamed: Summary = [f64::MAX, -f64::MAX, f64::MAX].into_iter().collect();
        assert_eq!(describe(&streamed), Err(Unavailable::Overflow));
    }

    #[test]
    fn small_spread_beside_a_large_mean_survives() {
        let values = [1e9, 1e9 + 1.0, 1e9 + 2.0];
        assert_eq!(Summary::of(&values).variance(), Ok(1.0));
        assert_eq!(values.into_iter().collect::<Summary>().variance(), Ok(1.0));
        // Doubles are 2 apart up here, so the mean, 4/3 above the first, cannot be represented; the variance, 4/3, can.
        let first = 2.0_f64.powi(53);
        let variance = Summary::of(&[first, first + 2.0, first + 2.0]).variance().unwrap();
        assert!((variance - 4.0 / 3.0).abs() < 1e-15);
    }
}
