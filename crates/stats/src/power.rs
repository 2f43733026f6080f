//! The power of paired t-tests: how many units show a difference, and what difference units can show.
//!
//! A test of n units with standard deviation s finds a true difference d with the probability that Student's t with
//! n − 1 degrees of freedom and noncentrality d√n/s lies beyond the critical value (J. Cohen, "Statistical Power
//! Analysis for the Behavioral Sciences", 2nd edition, 1988, chapter 2).

use super::distribution::{normal_quantile, normal_two_sided, student_quantile};

/// Standard deviations of the estimated deviation, on either side of its mode, over which it is integrated.
const REACH: f64 = 12.0;
/// Steps of the integral; few degrees of freedom need more, since critical values are large.
const STEPS: [usize; 2] = [800, 8_000];
/// Degrees of freedom from which on the fewer steps do.
const MANY: f64 = 20.0;
/// The largest number of units that is reported.
const MOST: u64 = 1_000_000_000;

/// The probability that a two-sided paired t-test at this level (between 0 and 1) finds a true difference whose
/// noncentrality, the difference in standard errors of so many units, is this. Accurate to 1e-6; `units` is at least 2.
///
/// ```
/// // A difference of 10 points that vary by 14 points, on 26 decks.
/// let power = evouct_stats::power::power(26, 10.0 / 14.0 * 26_f64.sqrt(), 0.05);
/// assert!((power - 0.938_103_8).abs() < 1e-6);
/// ```
pub fn power(units: u64, noncentrality: f64, level: f64) -> f64 {
    let df = units.saturating_sub(1).max(1) as f64;
    let critical = student_quantile(level, df);
    // The estimated deviation over the true one, s, has a density proportional to s^(df − 1) exp(−df s² / 2).
    let (mode, spread) = (((df - 1.0) / df).sqrt(), 1.0 / (2.0 * df).sqrt());
    let log_density = |s: f64| (if df > 1.0 { (df - 1.0) * libm::log(s) } else { 0.0 }) - df * s * s / 2.0;
    let peak = if mode > 0.0 { log_density(mode) } else { 0.0 };
    let low = (mode - REACH * spread).max(0.0);
    let steps = STEPS[usize::from(df < MANY)];
    let step = (mode + REACH * spread - low) / steps as f64;
    let (mut all, mut found) = (0.0, 0.0);
    for place in 0..=steps {
        let s = low + step * place as f64;
        // Simpson's rule; its common factor cancels.
        let weight = match place {
            0 => 1.0,
            _ if place == steps => 1.0,
            _ if place % 2 == 1 => 4.0,
            _ => 2.0,
        } * if s > 0.0 || df == 1.0 { libm::exp(log_density(s) - peak) } else { 0.0 };
        all += weight;
        found += weight * (above(critical * s - noncentrality) + above(critical * s + noncentrality));
    }
    found / all
}

/// The fewest units with which such a test finds a difference with this probability, at least 2; none if that is more
/// than a billion. `ratio` is the difference in standard deviations.
///
/// ```
/// assert_eq!(evouct_stats::power::units(0.5, 0.05, 0.8), Some(34));
/// assert_eq!(evouct_stats::power::units(0.0, 0.05, 0.8), None);
/// ```
pub fn units(ratio: f64, level: f64, wanted: f64) -> Option<u64> {
    let by_normal = (normal_quantile(1.0 - level / 2.0) + normal_quantile(wanted)) / ratio.abs();
    fewest(by_normal * by_normal, |units| power(units, ratio.abs() * (units as f64).sqrt(), level) >= wanted)
}

/// The fewest units whose 95 % interval reaches no further than this from the mean, on average over deviations; `ratio`
/// is that width in standard deviations.
///
/// ```
/// assert_eq!(evouct_stats::power::units_within(0.5, 0.05), Some(18));
/// ```
pub fn units_within(ratio: f64, level: f64) -> Option<u64> {
    let by_normal = normal_quantile(1.0 - level / 2.0) / ratio.abs();
    fewest(by_normal * by_normal, |units| {
        student_quantile(level, (units - 1) as f64) <= ratio.abs() * (units as f64).sqrt()
    })
}

/// The least number from 2 on that suffices, sought upwards from a number that is too small or just enough.
fn fewest(start: f64, suffices: impl Fn(u64) -> bool) -> Option<u64> {
    if start.is_nan() || start > MOST as f64 {
        return None;
    }
    let mut low = (start as u64).max(2);
    if suffices(low) {
        // Above the start the test's own deviation costs units, never below.
        low = 1;
    }
    let mut high = low.max(2);
    while !suffices(high) {
        (low, high) = (high, high + high / 4 + 1);
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if suffices(middle) { high = middle } else { low = middle }
    }
    (high <= MOST).then_some(high)
}

/// P(Z > z).
fn above(z: f64) -> f64 {
    let tail = normal_two_sided(z) / 2.0;
    if z < 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By SciPy 1.16: `nct.sf(c, n - 1, d/s*sqrt(n)) + nct.cdf(-c, …)` with `c = t.ppf(1 - level/2, n - 1)`.
    #[test]
    fn power_is_that_of_the_noncentral_distribution() {
        for (difference, deviation, units, level, expected) in [
            (1.5, 14.0, 2, 0.05, 0.050_570_517_502_769_204),
            (20.0, 14.0, 2, 0.05, 0.126_955_139_417_145_6),
            (1.5, 14.0, 3, 0.05, 0.051_593_607_670_260_166),
            (10.0, 14.0, 5, 0.05, 0.235_002_555_158_470_96),
            (10.0, 14.0, 26, 0.05, 0.938_103_837_453_264_9),
            (1.5, 14.0, 600, 0.05, 0.745_465_060_109_425_5),
            (1.5, 14.0, 1290, 0.05 / 3.0, 0.926_463_031_378_120_5),
            (0.1, 14.0, 100_000, 0.05, 0.617_459_885_746_052),
            (3.0, 20.0, 200, 0.05 / 45.0, 0.121_471_083_895_993_89),
            (0.0, 1.0, 10, 0.05, 0.05),
            (30.0, 14.0, 10, 0.001, 0.920_064_904_149_789_1),
        ] {
            let found = power(units, difference / deviation * (units as f64).sqrt(), level);
            assert!((found - expected).abs() < 1e-6, "{difference} {deviation} {units}: {found}, {expected}");
        }
    }

    #[test]
    fn units_are_the_fewest() {
        for (ratio, level, wanted) in
            [(3.0, 0.05, 0.9), (0.5, 0.05, 0.8), (0.1, 0.01, 0.95), (1.5 / 14.0, 0.05 / 45.0, 0.9)]
        {
            let least = units(ratio, level, wanted).unwrap();
            let power_of = |units: u64| power(units, ratio * (units as f64).sqrt(), level);
            assert!(power_of(least) >= wanted && (least == 2 || power_of(least - 1) < wanted), "{ratio}: {least}");
        }
        assert_eq!(units(1e-9, 0.05, 0.9), None);
        assert_eq!(units(f64::INFINITY, 0.05, 0.9), Some(2));
        assert_eq!(units_within(1e9, 0.05), Some(2));
        let least = units_within(0.1, 0.05).unwrap();
        let half = |units: u64| student_quantile(0.05, (units - 1) as f64) / (units as f64).sqrt();
        assert!(half(least) <= 0.1 && half(least - 1) > 0.1);
    }
}
