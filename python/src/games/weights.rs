//! Probabilities as whole weights.

/// Probabilities may add up to 1 with this difference.
const TOLERANCE: f64 = 1e-6;
/// Weights are sought among multiples of the smallest probability, up to this one.
const MOST_MULTIPLES: u32 = 64;
/// What weights add up to, about, where no small ones fit.
const FINEST: f64 = 1e9;

/// Whole weights in proportion to probabilities: small ones that fit exactly where there are such, otherwise rounded to
/// a part in 10⁹. A probability of 0 has the weight 0, any other at least 1.
///
/// # Errors
/// If they are not probabilities that add up to 1.
pub fn weights(probabilities: &[f64]) -> Result<Vec<u32>, String> {
    if probabilities.is_empty() {
        return Err("gave no outcome, expected at least one where chance decides".to_owned());
    }
    if let Some(wrong) = probabilities.iter().find(|probability| !(0.0..=1.0 + TOLERANCE).contains(*probability)) {
        return Err(format!("gave the probability {wrong}, expected 0 to 1"));
    }
    let total: f64 = probabilities.iter().sum();
    if (total - 1.0).abs() > TOLERANCE {
        return Err(format!("gave probabilities that add up to {total}, expected 1"));
    }
    let least = probabilities.iter().copied().filter(|probability| *probability > 0.0).fold(1.0, f64::min);
    for multiple in 1..=MOST_MULTIPLES {
        let scale = f64::from(multiple) / least;
        let fits = |probability: &f64| {
            let weight = probability * scale;
            (weight - weight.round()).abs() <= 1e-9 * weight.max(1.0)
        };
        if scale <= FINEST && probabilities.iter().all(fits) {
            return Ok(probabilities.iter().map(|probability| (probability * scale).round() as u32).collect());
        }
    }
    let rounded =
        |probability: &f64| if *probability > 0.0 { (probability * FINEST).round().max(1.0) as u32 } else { 0 };
    Ok(probabilities.iter().map(rounded).collect())
}
