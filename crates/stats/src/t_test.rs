//! Student's t-test for pairs and Welch's for two independent samples, both two-sided.
//!
//! Paired: "Student" (W. S. Gosset), "The probable error of a mean", Biometrika 6 (1908), on the differences of the
//! pairs. Welch: B. L. Welch, "The generalization of 'Student's' problem when several different population variances
//! are involved", Biometrika 34 (1947), with Satterthwaite's degrees of freedom.

use serde::Serialize;

use super::distribution::{student_critical, student_quantile, student_two_sided};
use super::{Interval, Summary, Unavailable};

/// The outcome of a t-test, or of the exact test in its place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TTest {
    /// The statistic, in standard errors; `None` where another test has its place.
    pub t: Option<f64>,
    /// Degrees of freedom of the standard error, at least 1, a fraction in Welch's test; `None` when `zero_variance`.
    pub df: Option<f64>,
    /// Two-sided p-value, 0 ..= 1; 0 also where the true value is below the smallest double.
    pub p: f64,
    /// Whether `p` is that of the exact permutation test, so that there is no t: see [`paired`](super::paired).
    pub exact: bool,
    /// Mean difference (first minus second), in units of the values.
    pub difference: f64,
    /// Standard error of the difference.
    pub standard_error: f64,
    /// 95 % interval of the difference; `None` where the values do not vary, unless it is known how large they can be.
    pub interval: Option<Interval>,
    /// The values do not vary at all. Then p is 1 for a difference of 0. For any other it is that of the exact permutation
    /// test, which knows only the number of values; in [`further_mean`], where there is nothing to permute, 0.
    pub zero_variance: bool,
}

impl TTest {
    /// The smallest true difference that a test with this standard error shows with the probability `power` at the
    /// two-sided level `level`, both between 0 and 1, `power` from 0.5: the sum of two quantiles of Student's t times the
    /// standard error (H. S. Bloom, "Minimum detectable effects", Evaluation Review 19 (1995)). Infinite where an exact
    /// test of so few values cannot show any difference at this level; none where it can, and where values do not vary.
    ///
    /// ```
    /// use evouct_stats::{Summary, t_test};
    /// let test = t_test::paired(&Summary::of(&[1.0, 2.0, 3.0, 4.0])).unwrap();
    /// let shown = test.detectable(0.05, 0.8).unwrap();
    /// assert!((shown - (3.182446 + 0.978472) * test.standard_error).abs() < 1e-5);
    /// ```
    pub fn detectable(&self, level: f64, power: f64) -> Option<f64> {
        // The smallest p-value is that of equal values.
        let least = match self.df {
            Some(df) if self.exact => libm::exp2(-df),
            None if self.difference != 0.0 => self.p,
            _ => 0.0,
        };
        if least >= level {
            return Some(f64::INFINITY);
        }
        let df = self.df.filter(|_| !self.exact)?;
        Some((student_quantile(level, df) + student_quantile(2.0 * (1.0 - power), df)) * self.standard_error)
    }

    /// The interval of the difference at a level between 0 and 1, such as 0.05 for 95 %.
    ///
    /// # Errors
    /// If the values do not vary, or if it does not fit.
    pub fn interval_at(&self, level: f64) -> Result<Interval, Unavailable> {
        let df = self.df.ok_or(Unavailable::NoVariance)?;
        Interval::around(self.difference, student_quantile(level, df) * self.standard_error)
    }

    /// The same with a p-value and an interval that hold over all looks so far (see [`looks`](super::looks)). A difference
    /// outside the interval is moved to its end.
    ///
    /// ```
    /// use evouct_stats::{Interval, Summary, t_test};
    /// let test = t_test::paired(&Summary::of(&[1.0, 2.0, 3.0, 4.0])).unwrap();
    /// let looks = test.at_looks(0.03, Some(Interval { low: 2.7, high: 9.0 }));
    /// assert!(looks.p == 0.03 && looks.difference == 2.7);
    /// ```
    #[must_use]
    pub fn at_looks(&self, p: f64, interval: Option<Interval>) -> TTest {
        let difference = interval.map_or(self.difference, |ends| self.difference.max(ends.low).min(ends.high));
        TTest { p, interval, difference, ..*self }
    }

    /// The test of second minus first.
    #[must_use]
    pub fn reversed(&self) -> TTest {
        let TTest { t, difference, interval, .. } = *self;
        TTest { t: t.map(|t| -t), difference: -difference, interval: interval.map(Interval::negated), ..*self }
    }
}

/// The p-value of the one-sided test that a true mean is at most 0: the upper tail of Student's t with `df` degrees of
/// freedom, at least 1, at `t`, the mean in standard errors.
///
/// ```
/// use evouct_stats::t_test::upper_tail;
/// assert!((upper_tail(1.0, 1.0) - 0.25).abs() < 1e-12 && (upper_tail(-1.0, 1.0) - 0.75).abs() < 1e-12);
/// ```
pub fn upper_tail(t: f64, df: f64) -> f64 {
    let tail = student_two_sided(t, df) / 2.0;
    if t > 0.0 { tail } else { 1.0 - tail }
}

/// First minus second, pair by pair; [`Unavailable::LengthMismatch`] when the lists differ in length. NaN and
/// infinite values pass through; the test reports them.
pub fn differences(first: &[f64], second: &[f64]) -> Result<Vec<f64>, Unavailable> {
    Unavailable::unless_same_length(first, second)?;
    Ok(first.iter().zip(second).map(|(a, b)| a - b).collect())
}

/// Paired t-test that the mean of the differences is 0; needs two of them.
///
/// ```
/// use evouct_stats::{Summary, t_test};
/// let differences = t_test::differences(&[5.0, 7.0, 6.0], &[4.0, 5.0, 3.0]).unwrap();
/// let test = t_test::paired(&Summary::of(&differences)).unwrap();
/// assert_eq!((test.difference, test.df), (2.0, Some(2.0)));
/// ```
pub fn paired(differences: &Summary) -> Result<TTest, Unavailable> {
    let standard_error = differences.standard_error()?;
    // Of the 2ⁿ assignments of signs to equal differences two are as extreme: all positive and all negative.
    let of_constants = || Some(libm::exp2(-((differences.count() - 1) as f64)));
    conclude(differences.mean()?, standard_error, (differences.count() - 1) as f64, of_constants)
}

/// Welch's t-test that two independent samples have the same mean; needs two values on each side, which may differ in
/// number and in spread.
///
/// ```
/// use evouct_stats::{Summary, t_test};
/// let test = t_test::welch(&Summary::of(&[1.0, 2.0, 3.0]), &Summary::of(&[4.0, 4.0, 4.0])).unwrap();
/// assert_eq!((test.difference, test.df), (-2.0, Some(2.0)));
/// ```
pub fn welch(a: &Summary, b: &Summary) -> Result<TTest, Unavailable> {
    let (share_a, share_b) = (a.variance()? / a.count() as f64, b.variance()? / b.count() as f64);
    let total = share_a + share_b;
    // Shares of the sum instead of squared variances, which under- or overflow before the result does.
    let (r, s) = (share_a / total, share_b / total);
    let df = 1.0 / (r * r / (a.count() - 1) as f64 + s * s / (b.count() - 1) as f64);
    // Of all assignments of the values to the samples, the one that was found is as extreme, and its mirror image if
    // both are of one size.
    let as_extreme = if a.count() == b.count() { 2.0 } else { 1.0 };
    let of_constants = || Some(as_extreme / binomial(a.count() + b.count(), a.count()));
    conclude(a.mean()? - b.mean()?, total.sqrt(), df, of_constants)
}

/// t-test that `count` further values with the variance of the sample have the mean `mean`: the mean of the sample less
/// theirs, with n − 1 degrees of freedom. For printed means without a printed variance. Needs two values in the sample
/// ([`Unavailable::TooFew`]) and `count` ≥ 1 ([`Unavailable::OutOfRange`]).
///
/// ```
/// use evouct_stats::{Summary, t_test};
/// let test = t_test::further_mean(&Summary::of(&[1.0, 2.0, 3.0]), 4.0, 3).unwrap();
/// assert_eq!((test.difference, test.df), (-2.0, Some(2.0)));
/// assert_eq!(test.standard_error, (2.0_f64 / 3.0).sqrt());
/// ```
pub fn further_mean(sample: &Summary, mean: f64, count: u64) -> Result<TTest, Unavailable> {
    if count == 0 {
        return Err(Unavailable::OutOfRange { what: "count", expected: "1 or more" });
    }
    let standard_error = (sample.variance()? * (1.0 / sample.count() as f64 + 1.0 / count as f64)).sqrt();
    conclude(sample.mean()? - mean, standard_error, (sample.count() - 1) as f64, || None)
}

/// Paired t-test that the ratio of two means is `ratio`, which is taken as exact: that the mean of the first values less
/// `ratio` times the second is 0 (E. C. Fieller, "Some problems in interval estimation", Journal of the Royal
/// Statistical Society B 16 (1954)). `difference` and `interval` are of these numbers.
///
/// ```
/// use evouct_stats::t_test;
/// let test = t_test::ratio(&[5.0, 11.0, 14.0], &[10.0, 20.0, 30.0], 0.5).unwrap();
/// assert_eq!((test.difference, test.df), (0.0, Some(2.0)));
/// ```
pub fn ratio(first: &[f64], second: &[f64], ratio: f64) -> Result<TTest, Unavailable> {
    Unavailable::unless_same_length(first, second)?;
    let units: Vec<f64> = first.iter().zip(second).map(|(own, other)| own - ratio * other).collect();
    paired(&Summary::of(&units))
}

/// The number of ways to choose `k` of `n`, `k` ≤ `n`.
fn binomial(n: u64, k: u64) -> f64 {
    (1..=k.min(n - k)).map(|i| (n - i + 1) as f64 / i as f64).product()
}

/// `of_constants` is the p-value of the exact test where the values do not vary and the difference is not 0.
fn conclude(
    difference: f64,
    standard_error: f64,
    df: f64,
    of_constants: impl FnOnce() -> Option<f64>,
) -> Result<TTest, Unavailable> {
    let difference = Unavailable::unless_overflowed(difference)?;
    if standard_error == 0.0 {
        let exact = of_constants();
        return Ok(TTest {
            t: None,
            df: None,
            p: if difference == 0.0 { 1.0 } else { exact.unwrap_or(0.0) },
            exact: exact.is_some(),
            difference,
            standard_error,
            interval: None,
            zero_variance: true,
        });
    }
    let t = Unavailable::unless_overflowed(difference / standard_error)?;
    Ok(TTest {
        t: Some(t),
        df: Some(df),
        p: student_two_sided(t, df),
        exact: false,
        difference,
        standard_error,
        interval: Some(Interval::around(difference, student_critical(df) * standard_error)?),
        zero_variance: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gosset's table of 1908: additional hours of sleep by two drugs, ten patients.
    const FIRST: [f64; 10] = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    const SECOND: [f64; 10] = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

    #[test]
    fn students_sleep_data_paired() {
        // R: t.test(extra ~ group, sleep, paired = TRUE): t = -4.0621, df = 9, p = 0.002833, [-2.4598858, -0.7001142]
        let test = paired(&Summary::of(&differences(&FIRST, &SECOND).unwrap())).unwrap();
        assert!((test.t.unwrap() + 4.062_127_683).abs() < 1e-8);
        assert_eq!(test.df, Some(9.0));
        assert!((test.p - 0.002_832_89).abs() < 1e-8);
        let interval = test.interval.unwrap();
        assert!((interval.low + 2.459_885_8).abs() < 1e-7 && (interval.high + 0.700_114_2).abs() < 1e-7);
    }

    #[test]
    fn students_sleep_data_welch() {
        // R: t.test(extra ~ group, sleep): t = -1.8608, df = 17.776, p = 0.07939, [-3.3654832, 0.2054832]
        let test = welch(&Summary::of(&FIRST), &Summary::of(&SECOND)).unwrap();
        assert!((test.t.unwrap() + 1.860_813_467).abs() < 1e-8);
        assert!((test.df.unwrap() - 17.776_473_516).abs() < 1e-8);
        assert!((test.p - 0.079_394_14).abs() < 1e-8);
        let interval = test.interval.unwrap();
        assert!((interval.low + 3.365_483_2).abs() < 1e-7 && (interval.high - 0.205_483_2).abs() < 1e-7);
    }

    #[test]
    fn reversed_is_the_test_of_the_second_less_the_first() {
        let test = |a: &[f64], b: &[f64]| paired(&Summary::of(&differences(a, b).unwrap())).unwrap();
        assert_eq!(test(&FIRST, &SECOND).reversed(), test(&SECOND, &FIRST));
    }

    #[test]
    fn a_detectable_difference_is_shown_in_four_of_five_cases() {
        // Against the noncentral distribution, by the mean of 20,000 tests of ten normal values each.
        let mut state = 1_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut normal = || (-2.0 * (1.0 - uniform()).ln()).sqrt() * (2.0 * std::f64::consts::PI * uniform()).cos();
        // The standard deviation of a mean of ten is known here.
        let sure =
            TTest { standard_error: 0.1_f64.sqrt(), df: Some(9.0), ..paired(&Summary::of(&[1.0, 2.0])).unwrap() };
        for level in [0.05, 0.01] {
            let true_difference = sure.detectable(level, 0.8).unwrap();
            let shown = (0..20_000).filter(|_| {
                let values: Vec<f64> = (0..10).map(|_| true_difference + normal()).collect();
                paired(&Summary::of(&values)).unwrap().p < level
            });
            let share = shown.count() as f64 / 20_000.0;
            assert!((share - 0.8).abs() < 0.03, "level {level}: {share}");
        }
        // Two equal values show nothing at all, ten would have, and the spread of values that are all 0 is unknown.
        let of_equal = |x: f64, n: usize| paired(&Summary::of(&vec![x; n])).unwrap().detectable(0.05, 0.8);
        assert_eq!([of_equal(1.0, 2), of_equal(1.0, 10), of_equal(0.0, 2)], [Some(f64::INFINITY), None, None]);
    }

    #[test]
    fn constants_are_decided_and_flagged() {
        let constant = |x: f64, n: usize| Summary::of(&vec![x; n]);
        let same = paired(&constant(0.0, 5)).unwrap();
        assert_eq!((same.t, same.p, same.zero_variance), (None, 1.0, true));
        let shifted = paired(&constant(0.1, 5)).unwrap();
        assert_eq!((shifted.t, shifted.p, shifted.zero_variance), (None, 0.0625, true));
        assert!(shifted.exact && shifted.interval.is_none() && shifted.interval_at(0.05).is_err());
        assert_eq!(paired(&constant(-1.0, 2)).unwrap().p, 0.5, "two equal decks show nothing");
        assert_eq!(welch(&constant(0.3, 2), &constant(0.2, 2)).unwrap().p, 1.0 / 3.0);
        let same = welch(&constant(0.3, 2), &constant(0.3, 9)).unwrap();
        assert_eq!((same.df, same.p, same.zero_variance), (None, 1.0, true));
        let shifted = welch(&constant(0.3, 2), &constant(0.2, 9)).unwrap();
        assert_eq!((shifted.p, shifted.zero_variance), (1.0 / 55.0, true));
    }

    #[test]
    fn small_samples_are_refused() {
        let few = Err(Unavailable::TooFew { needed: 2, found: 1 });
        assert_eq!(paired(&Summary::of(&[1.0])), few);
        assert_eq!(welch(&Summary::of(&[1.0, 2.0]), &Summary::of(&[1.0])), few);
        assert_eq!(differences(&[1.0], &[]), Err(Unavailable::LengthMismatch { left: 1, right: 0 }));
    }

    #[test]
    fn bad_and_extreme_values_are_refused() {
        assert_eq!(paired(&Summary::of(&[1.0, f64::NAN])), Err(Unavailable::NotFinite));
        let (high, low) = (Summary::of(&[f64::MAX, f64::MAX]), Summary::of(&[-f64::MAX, -f64::MAX]));
        assert_eq!(welch(&high, &low), Err(Unavailable::Overflow));
        // Spreads whose squared variances underflow still have their degrees of freedom.
        let test = welch(&Summary::of(&[1e-100, 2e-100]), &Summary::of(&[1e-100, 4e-100])).unwrap();
        assert!((test.df.unwrap() - 1.0 / (0.1 * 0.1 + 0.9 * 0.9)).abs() < 1e-12);
    }
}
