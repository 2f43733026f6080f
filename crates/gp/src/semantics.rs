//! Sampling semantics: the behaviour of a formula as the rewards of the playouts that it chose.
//!
//! Galván et al. 2022, Definition 2 and Equation 2. The sampling semantic distance (SSD) of two individuals is the mean
//! absolute difference of their reward vectors, entry by entry. Evolution before play takes a sample of the fitness cases
//! for the rewards of playouts.

evouct_base::named! {
    /// How rewards become a semantic vector, and how distances are computed.
    #[derive(Default)]
    pub enum Semantics {
        /// Sorted from lowest to highest.
        #[default]
        Sorted = "sorted",
        /// Sorted, distances rounded to three decimals (the authors' code).
        Rounded = "rounded",
        /// In the order in which the playouts came (the definition as printed).
        Unsorted = "unsorted",
    }
}

impl Semantics {
    /// The semantic vector of these rewards.
    pub fn vector(self, mut rewards: Vec<f64>) -> Vec<f64> {
        if self != Semantics::Unsorted {
            rewards.sort_by(f64::total_cmp);
        }
        rewards
    }

    /// The distance of two vectors by this rule.
    pub fn distance(self, a: &[f64], b: &[f64]) -> f64 {
        let distance = distance(a, b);
        if self == Semantics::Rounded { (distance * 1000.0).round() / 1000.0 } else { distance }
    }
}

/// The sampling semantic distance of two vectors of the same length; 0 for empty ones.
///
/// ```
/// assert_eq!(evouct_gp::distance(&[1.0, 5.0], &[4.0, 4.0]), 2.0);
/// ```
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    mean_magnitude(a.iter().zip(b).map(|(a, b)| a - b))
}

/// The mean absolute value of the differences of two vectors, entry by entry; 0 if there are none.
pub fn mean_magnitude(differences: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = differences.fold((0.0, 0.0), |(sum, count), difference| (sum + difference.abs(), count + 1.0));
    sum / f64::max(count, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_and_rounding() {
        let [sorted, unsorted] = [Semantics::Sorted, Semantics::Unsorted].map(|rule| rule.vector(vec![3.0, -1.0, 2.0]));
        assert_eq!((sorted, unsorted), (vec![-1.0, 2.0, 3.0], vec![3.0, -1.0, 2.0]));
        let thirds = [1.0 / 3.0; 3];
        assert_eq!(Semantics::Rounded.distance(&thirds, &[0.0; 3]), 0.333);
        assert_eq!(Semantics::Sorted.distance(&[1.0, 1.0, 0.0], &[0.0; 3]), 2.0 / 3.0);
        assert_eq!(distance(&[], &[]), 0.0);
    }
}
