//! Quantiles, and the numbers of a box plot.
//!
//! R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996),
//! definition 7: linear between order statistics at (n − 1) q, the default of NumPy and R. Whiskers after J. W.
//! Tukey, Exploratory Data Analysis (1977).

use serde::Serialize;

use super::Unavailable;

/// The numbers of a box plot: `min ≤ whisker_low ≤ q1 ≤ median ≤ q3 ≤ whisker_high ≤ max`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoxPlot {
    /// Number of values, at least 1.
    pub count: usize,
    /// Smallest value.
    pub min: f64,
    /// Smallest value within 1.5 interquartile ranges below `q1`, or `q1` where no value lies between the two.
    pub whisker_low: f64,
    /// First quartile.
    pub q1: f64,
    /// Second quartile.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// Largest value within 1.5 interquartile ranges above `q3`, or `q3` where no value lies between the two.
    pub whisker_high: f64,
    /// Largest value.
    pub max: f64,
    /// Values outside the whiskers, ascending.
    pub outliers: Vec<f64>,
}

/// The quantile at `q` (0 ..= 1) of values **sorted ascending**; of anything else it is some number between two of
/// them.
///
/// [`Unavailable::TooFew`] when empty, [`Unavailable::OutOfRange`] for another `q`, [`Unavailable::NotFinite`] where
/// the value is not finite.
///
/// ```
/// assert_eq!(evouct_stats::quantiles::quantile(&[1.0, 2.0, 4.0], 0.75), Ok(3.0));
/// ```
pub fn quantile(sorted: &[f64], q: f64) -> Result<f64, Unavailable> {
    Unavailable::unless_enough(1, sorted.len() as u64)?;
    if !(0.0..=1.0).contains(&q) {
        return Err(Unavailable::OutOfRange { what: "the quantile", expected: "0 to 1" });
    }
    let place = q * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(sorted.len() - 1)]);
    Unavailable::unless_finite(&[low, high])?;
    let share = place - place.floor();
    // Weighted and not `low + share * (high - low)`, where the difference may overflow; kept between its ends since
    // rounding may leave them.
    Ok((low * (1.0 - share) + high * share).max(low.min(high)).min(low.max(high)))
}

/// The box plot of values in any order: [`Unavailable::TooFew`] when empty, [`Unavailable::NotFinite`] with a NaN or
/// infinity. Of constant values all five numbers are the same.
///
/// ```
/// let plot = evouct_stats::quantiles::box_plot(&[1.0, 2.0, 3.0, 4.0, 40.0]).unwrap();
/// assert_eq!((plot.q1, plot.median, plot.q3, plot.whisker_high), (2.0, 3.0, 4.0, 4.0));
/// assert_eq!(plot.outliers, [40.0]);
/// ```
pub fn box_plot(values: &[f64]) -> Result<BoxPlot, Unavailable> {
    Unavailable::unless_finite(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (q1, median, q3) = (quantile(&sorted, 0.25)?, quantile(&sorted, 0.5)?, quantile(&sorted, 0.75)?);
    let reach = 1.5 * (q3 - q1);
    let inside = |x: &&f64| (q1 - reach..=q3 + reach).contains(*x);
    // Both ends exist: the fences enclose the quartiles, and a quartile has values on both sides.
    let first = sorted.iter().find(inside).copied().unwrap_or(q1);
    let last = sorted.iter().rev().find(inside).copied().unwrap_or(q3);
    Ok(BoxPlot {
        count: sorted.len(),
        min: sorted[0],
        whisker_low: first.min(q1),
        q1,
        median,
        q3,
        whisker_high: last.max(q3),
        max: sorted[sorted.len() - 1],
        outliers: sorted.iter().filter(|x| !inside(x)).copied().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Ten values: places 2.25, 4.5 and 6.75.
        let values = [7.0, 15.0, 36.0, 39.0, 40.0, 41.0, 42.0, 43.0, 47.0, 49.0];
        let plot = box_plot(&values).unwrap();
        assert_eq!((plot.q1, plot.median, plot.q3), (36.75, 40.5, 42.75));
        assert_eq!((plot.min, plot.whisker_low, plot.whisker_high, plot.max), (7.0, 36.0, 49.0, 49.0));
        assert_eq!(plot.outliers, [7.0, 15.0]);
    }

    #[test]
    fn whisker_stays_at_the_box_when_nothing_lies_beyond() {
        // q1 = 1.5, between an outlier and the bulk: the nearest inside value is 2, above q1.
        let values = [0.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0];
        let plot = box_plot(&values).unwrap();
        assert_eq!((plot.q1, plot.whisker_low, plot.outliers.len()), (2.0, 2.0, 1));
        let plot = box_plot(&[-100.0, -100.0, 3.0, 4.0, 4.0, 4.0, 4.0, 4.0]).unwrap();
        assert!(plot.whisker_low <= plot.q1 && plot.whisker_high >= plot.q3);
    }

    #[test]
    fn edges() {
        assert_eq!(box_plot(&[]), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        assert_eq!(box_plot(&[1.0, f64::NAN]), Err(Unavailable::NotFinite));
        let one = box_plot(&[3.5]).unwrap();
        assert_eq!((one.min, one.q1, one.median, one.q3, one.max), (3.5, 3.5, 3.5, 3.5, 3.5));
        let constant = box_plot(&[0.1; 9]).unwrap();
        assert_eq!((constant.whisker_low, constant.q3, constant.outliers.len()), (0.1, 0.1, 0));
        // 0.1 · 0.8 + 0.1 · 0.2 is more than 0.1 in doubles.
        assert_eq!(quantile(&[0.1, 0.1], 0.2), Ok(0.1));
        let wide = box_plot(&[f64::MIN, f64::MIN, f64::MAX, f64::MAX]).unwrap();
        assert_eq!((wide.median, wide.outliers.len()), (0.0, 0));
        assert_eq!(quantile(&[], 0.5), Err(Unavailable::TooFew { needed: 1, found: 0 }));
        for q in [-0.1, 1.1, f64::NAN] {
            assert!(matches!(quantile(&[1.0], q), Err(Unavailable::OutOfRange { .. })));
        }
    }
}
