//! A share of successes and its interval.
//!
//! E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
//! Statistical Association 22 (1927); without continuity correction.

use serde::Serialize;

use super::distribution::NORMAL_CRITICAL;
use super::{Interval, Unavailable};

/// A probability that is estimated from independent trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proportion {
    /// successes / trials, 0 ..= 1.
    pub estimate: f64,
    /// 95 % Wilson score interval, within 0 ..= 1 and never empty.
    pub interval: Interval,
}

/// The Wilson interval of `successes` among `trials` independent trials with two outcomes. Draws are a third outcome:
/// leave such games out of both counts, or use [`super::bootstrap`].
///
/// [`Unavailable::TooFew`] without trials, [`Unavailable::OutOfRange`] for more successes than trials.
///
/// ```
/// let win_rate = evouct_stats::proportion::wilson(15, 20).unwrap();
/// assert_eq!(win_rate.estimate, 0.75);
/// assert!(win_rate.interval.low > 0.53 && win_rate.interval.high < 0.89);
/// ```
pub fn wilson(successes: u64, trials: u64) -> Result<Proportion, Unavailable> {
    Unavailable::unless_enough(1, trials)?;
    if successes > trials {
        return Err(Unavailable::OutOfRange { what: "the number of successes", expected: "at most the trials" });
    }
    wilson_share(successes as f64 / trials as f64, trials)
}

/// As [`wilson`], for a mean of `trials` independent values within 0 ..= 1 that need not be 0 or 1 (such as shares of
/// the games on a deck). The variance of such values is at most that of a coin with the same mean, so the interval is
/// conservative.
///
/// [`Unavailable::TooFew`] without trials, [`Unavailable::OutOfRange`] for an estimate that is not within 0 ..= 1.
///
/// ```
/// let all_lost = evouct_stats::proportion::wilson_share(0.0, 20).unwrap();
/// assert!((all_lost.interval.high - 0.1611).abs() < 5e-5);
/// ```
pub fn wilson_share(estimate: f64, trials: u64) -> Result<Proportion, Unavailable> {
    Unavailable::unless_enough(1, trials)?;
    if !(0.0..=1.0).contains(&estimate) {
        return Err(Unavailable::OutOfRange { what: "the share", expected: "0 to 1" });
    }
    let (n, z2) = (trials as f64, NORMAL_CRITICAL * NORMAL_CRITICAL);
    let centre = (estimate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = NORMAL_CRITICAL / (1.0 + z2 / n) * (estimate * (1.0 - estimate) / n + z2 / (4.0 * n * n)).sqrt();
    // Up to rounding the formula gives 0 and 1 at the ends.
    let low = if estimate == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if estimate == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    Ok(Proportion { estimate, interval: Interval { low, high } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_example() {
        // R. G. Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives
        // 0.0000 to 0.1611, 1 of 29 gives 0.0061 to 0.1718.
        for (successes, trials, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let interval = wilson(successes, trials).unwrap().interval;
            assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5, "{successes}/{trials}");
        }
    }

    #[test]
    fn ends_are_exact() {
        assert_eq!(wilson(0, 7).unwrap().interval.low, 0.0);
        assert_eq!(wilson(7, 7).unwrap().interval.high, 1.0);
        assert_eq!(wilson(u64::MAX, u64::MAX).unwrap().estimate, 1.0);
    }

    #[test]
    fn impossible_counts_are_refused() {
        assert_eq!(wilson(0, 0), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        assert!(matches!(wilson(2, 1), Err(Unavailable::OutOfRange { .. })));
        assert!(matches!(wilson_share(1.5, 1), Err(Unavailable::OutOfRange { .. })));
        assert!(matches!(wilson_share(f64::NAN, 1), Err(Unavailable::OutOfRange { .. })));
    }
}
