//! The linear correlation of two lists of numbers, and that of their ranks.
//!
//! K. Pearson, "Note on regression and inheritance in the case of two parents", Proceedings of the Royal Society of
//! London 58 (1895).

use super::Unavailable;
use super::ranks::midranks;

/// Pearson's product-moment correlation of pairs, −1 ..= 1.
///
/// Needs two pairs; [`Unavailable::LengthMismatch`] and [`Unavailable::NotFinite`] concern the lists,
/// [`Unavailable::NoVariance`] a list whose values are all the same.
///
/// ```
/// use evouct_stats::correlation::pearson;
/// assert_eq!(pearson(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]), Ok(1.0));
/// ```
pub fn pearson(first: &[f64], second: &[f64]) -> Result<f64, Unavailable> {
    Unavailable::unless_same_length(first, second)?;
    Unavailable::unless_enough(2, first.len() as u64)?;
    Unavailable::unless_finite(first)?;
    Unavailable::unless_finite(second)?;
    let [first, second] = [first, second].map(centred);
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let spread = (product(&first, &first) * product(&second, &second)).sqrt();
    if spread == 0.0 {
        return Err(Unavailable::NoVariance);
    }
    Ok(Unavailable::unless_overflowed(product(&first, &second) / spread)?.clamp(-1.0, 1.0))
}

/// Spearman's rank correlation of pairs, −1 ..= 1: Pearson's of the ranks, tied values sharing the mean of their
/// places.
///
/// Errors are those of [`pearson`].
///
/// ```
/// use evouct_stats::correlation::spearman;
/// assert_eq!(spearman(&[1.0, 2.0, 30.0], &[2.0, 40.0, 60.0]), Ok(1.0));
/// ```
pub fn spearman(first: &[f64], second: &[f64]) -> Result<f64, Unavailable> {
    Unavailable::unless_same_length(first, second)?;
    Unavailable::unless_finite(first)?;
    Unavailable::unless_finite(second)?;
    pearson(&midranks(first).ranks, &midranks(second).ranks)
}

/// Deviations from the mean; exactly 0 where all values are equal, in spite of rounding in their mean.
fn centred(values: &[f64]) -> Vec<f64> {
    if values.iter().all(|value| *value == values[0]) {
        return vec![0.0; values.len()];
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| value - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_see_order_only() {
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[9.0, 8.0, -700.0]), Ok(-1.0));
        // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 / sqrt(4.5 · 5).
        let tied = spearman(&[1.0, 5.0, 5.0, 9.0], &[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert!((tied - 4.5 / (4.5_f64 * 5.0).sqrt()).abs() < 1e-15);
        assert!(spearman(&[1.0, 1.0], &[1.0, 2.0]).is_err());
    }

    #[test]
    fn anscombes_quartet() {
        // F. J. Anscombe, "Graphs in statistical analysis" (1973): 0.816 for the first set; further digits by
        // scipy.stats.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        assert!((pearson(&x, &y).unwrap() - 0.816_420_516_344_839_5).abs() < 1e-12);
        let falling = y.map(|y| -y);
        assert_eq!(pearson(&x, &falling).unwrap(), -pearson(&x, &y).unwrap());
    }

    #[test]
    fn what_has_no_correlation_is_refused() {
        assert_eq!(pearson(&[0.1; 3], &[1.0, 2.0, 3.0]), Err(Unavailable::NoVariance));
        assert_eq!(pearson(&[1.0], &[1.0]), Err(Unavailable::TooFew { needed: 2, found: 1 }));
        assert_eq!(pearson(&[1.0, f64::NAN], &[1.0, 2.0]), Err(Unavailable::NotFinite));
        assert!(matches!(pearson(&[1.0, 2.0], &[1.0]), Err(Unavailable::LengthMismatch { .. })));
    }
}
