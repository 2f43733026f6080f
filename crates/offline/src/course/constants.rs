//! The constants of a structure: each individual has a search of its own for them, as long as it survives.
//!
//! A structure is worth what it can do with good constants. An offspring begins with those of its parent, and CMA-ES
//! learns from every round in which the individual is measured: each of the round's samples is the structure with other
//! constants. A structure that survives is measured again, so that its search goes on.

use evouct_gp::{CmaEs, Covariance, Genome};
use rand::Rng;

/// The standard deviation of the first samples of a seed, as a share of each constant.
const STEP: f64 = 0.3;
/// The least share: later ones are those of the parent, whose constants are better known.
const LEAST_STEP: f64 = 0.1;

/// The search for the constants of a structure.
#[derive(Clone, Debug)]
pub(crate) struct ConstantSearch {
    /// The genome that it began with.
    start: Genome,
    /// By constant, the unit of the search.
    scales: Vec<f64>,
    /// The share at the start.
    step: f64,
    /// In units, from the start.
    search: CmaEs,
}

impl ConstantSearch {
    /// A search around the constants of a genome; none if it has none. The parent's search tells how well constants are
    /// known. `most` is the most samples that it can be told of: a covariance of many constants is not learnt from few.
    pub(crate) fn of(
        genome: &Genome,
        parent: Option<&ConstantSearch>,
        samples: usize,
        most: usize,
    ) -> Option<ConstantSearch> {
        let numbers = genome.numbers();
        if numbers.is_empty() {
            return None;
        }
        let step = parent.map_or(STEP, |parent| (parent.step * parent.search.step()).clamp(LEAST_STEP, STEP));
        let scale = |number: &f64| step * if *number == 0.0 { 1.0 } else { number.abs() };
        let n = numbers.len();
        let covariance = if most < 10 * n * n { Covariance::Separable } else { Covariance::Full };
        Some(ConstantSearch {
            scales: numbers.iter().map(scale).collect(),
            search: CmaEs::new(vec![0.0; n], 1.0, samples, covariance),
            start: genome.clone(),
            step,
        })
    }

    /// A point of the search, in its units.
    pub(crate) fn sample(&self, rng: &mut impl Rng) -> Vec<f64> {
        self.search.sample(rng)
    }

    /// The structure with the constants of a point.
    pub(crate) fn genome(&self, point: &[f64]) -> Genome {
        let numbers = self.start.numbers().into_iter().zip(&self.scales).zip(point);
        self.start.with_numbers(&numbers.map(|((number, scale), at)| number + scale * at).collect::<Vec<f64>>())
    }

    /// Learns what the points of a round are worth; returns the structure with the best guess at its constants.
    pub(crate) fn learn(&mut self, points: &[Vec<f64>], values: &[f64]) -> Genome {
        self.search.update(points, values);
        self.genome(self.search.mean())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;
    use evouct_gp::Terminal;

    fn genome(text: &str) -> Genome {
        Genome::parse(text, &Terminal::NAMED).unwrap()
    }

    #[test]
    fn samples_lie_around_the_constants_and_offspring_know_what_parents_learnt() {
        let start = genome("Q + 2 * sqrt(20 / n) - 0 * N");
        let mut search = ConstantSearch::of(&start, None, 8, 100).unwrap();
        let mut rng = Key::experiment(1).stream();
        let numbers: Vec<Vec<f64>> = (0..2_000).map(|_| search.genome(&search.sample(&mut rng)).numbers()).collect();
        for (constant, deviation) in [(0, 0.6), (1, 6.0), (2, 0.3)] {
            let mean = numbers.iter().map(|numbers| numbers[constant]).sum::<f64>() / 2_000.0;
            let squares = numbers.iter().map(|numbers| (numbers[constant] - mean).powi(2)).sum::<f64>();
            assert!((mean - start.numbers()[constant]).abs() < 0.1 * deviation, "{mean}");
            assert!(((squares / 2_000.0).sqrt() / deviation - 1.0).abs() < 0.06);
        }
        // The constants of a known optimum are approached, and the step shrinks.
        let value = |genome: &Genome| -(genome.numbers()[0] - 3.0).abs() - (genome.numbers()[1] / 10.0 - 3.0).abs();
        let mut best = start.clone();
        for _ in 0..40 {
            let points: Vec<Vec<f64>> = (0..8).map(|_| search.sample(&mut rng)).collect();
            let values: Vec<f64> = points.iter().map(|point| value(&search.genome(point))).collect();
            best = search.learn(&points, &values);
        }
        assert!(value(&best) > -0.05, "{best}");
        let child = ConstantSearch::of(&best, Some(&search), 8, 100).unwrap();
        assert_eq!(child.step, LEAST_STEP);
        assert!(ConstantSearch::of(&genome("Q"), None, 8, 100).is_none());
    }
}
