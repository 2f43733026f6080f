//! Holm's correction for a family of tests.
//!
//! S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
//! With p₍₁₎ ≤ … ≤ p₍ₘ₎ the adjusted values are max over j ≤ i of min(1, (m − j + 1) p₍ⱼ₎): rejecting where they are
//! at most α keeps the probability of any false rejection at most α, whatever the dependence between the tests.

use super::Unavailable;

/// Adjusted p-values in the order given. Missing entries stay missing and do not count in the family's size.
///
/// [`Unavailable::OutOfRange`] when an entry is NaN or outside 0 ..= 1: dropping it silently would change all others.
///
/// ```
/// let adjusted = evouct_stats::holm::holm(&[Some(0.01), None, Some(0.04)]).unwrap();
/// assert_eq!(adjusted, [Some(0.02), None, Some(0.04)]);
/// ```
pub fn holm(p_values: &[Option<f64>]) -> Result<Vec<Option<f64>>, Unavailable> {
    holm_within(p_values, 0)
}

/// Adjusted p-values of a part of a family, of which `others` tests were not made. The correction counts them as if
/// their p-values were larger than all given ones: the largest that it can be for a part of the family, so rejections
/// keep their level over the whole family.
///
/// The same errors as [`holm`].
///
/// ```
/// let adjusted = evouct_stats::holm::holm_within(&[Some(0.01), Some(0.04)], 3).unwrap();
/// assert_eq!(adjusted, [Some(0.05), Some(0.16)]);
/// ```
pub fn holm_within(p_values: &[Option<f64>], others: usize) -> Result<Vec<Option<f64>>, Unavailable> {
    let mut family: Vec<(f64, usize)> = Vec::with_capacity(p_values.len());
    for (index, p) in p_values.iter().enumerate() {
        match p {
            Some(p) if (0.0..=1.0).contains(p) => family.push((*p, index)),
            Some(_) => return Err(Unavailable::OutOfRange { what: "a p-value", expected: "0 to 1" }),
            None => {}
        }
    }
    family.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut adjusted = vec![None; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, (p, index)) in family.iter().enumerate() {
        largest = largest.max((p * (family.len() - rank + others) as f64).min(1.0));
        adjusted[*index] = Some(largest);
    }
    Ok(adjusted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Sorted 0.005·4, 0.01·3, 0.03·2, 0.04·1 = 0.02, 0.03, 0.06, 0.04; the last is lifted to 0.06.
        let adjusted = holm(&[Some(0.01), Some(0.04), None, Some(0.03), Some(0.005)]).unwrap();
        let expected = [Some(0.03), Some(0.06), None, Some(0.06), Some(0.02)];
        for (found, expected) in adjusted.iter().zip(expected) {
            match (found, expected) {
                (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-15),
                other => assert_eq!(other, (&None, None)),
            }
        }
    }

    #[test]
    fn edges() {
        assert_eq!(holm(&[]), Ok(vec![]));
        assert_eq!(holm(&[None, None]), Ok(vec![None, None]));
        assert_eq!(holm(&[Some(0.2)]), Ok(vec![Some(0.2)]));
        assert_eq!(holm(&[Some(0.9), Some(0.8)]), Ok(vec![Some(1.0), Some(1.0)]));
        for bad in [f64::NAN, -0.1, 1.1] {
            assert!(matches!(holm(&[Some(0.5), Some(bad)]), Err(Unavailable::OutOfRange { .. })));
        }
    }
}
