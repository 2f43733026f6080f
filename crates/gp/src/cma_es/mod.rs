//! CMA-ES: a search for good real numbers, here the constants of a structure.
//!
//! Samples come from a normal distribution, whose mean, step and covariance learn from their order (Hansen, The CMA
//! Evolution Strategy: A Tutorial, arXiv:1604.00772v2, with its default parameters and active weights). The separable form learns
//! variances alone, faster by a factor of (n + 2) / 3 (Ros and Hansen 2008, A Simple Modification in CMA-ES).
//!
//! Values may be noisy: only their order counts, and recombination averages over samples. All arithmetic is that of
//! IEEE 754 and of `libm`, in a fixed order: the same course on every machine.

mod eigen;
#[cfg(test)]
mod tests;

use eigen::eigen;
use evouct_base::sampling::normal;
use rand::Rng;

/// Which covariances are learnt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Covariance {
    /// All of them: n(n + 1)/2 numbers.
    Full,
    /// Variances alone: for few samples.
    Separable,
}

/// The distribution of a search that maximises.
///
/// ```
/// use evouct_base::seed::Key;
/// use evouct_gp::{CmaEs, Covariance};
///
/// let mut search = CmaEs::new(vec![0.0; 3], 0.5, 7, Covariance::Full);
/// let mut rng = Key::experiment(1).stream();
/// for _ in 0..100 {
///     let samples: Vec<Vec<f64>> = (0..7).map(|_| search.sample(&mut rng)).collect();
///     let values = samples.iter().map(|x| -x.iter().map(|x| (x - 2.0) * (x - 2.0)).sum::<f64>());
///     search.update(&samples, &values.collect::<Vec<f64>>());
/// }
/// assert!(search.mean().iter().all(|x| (x - 2.0).abs() < 1e-3));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CmaEs {
    mean: Vec<f64>,
    step: f64,
    covariance: Covariance,
    /// C: the whole matrix, row by row, or its diagonal.
    matrix: Vec<f64>,
    /// The columns of B, one after another; empty where only variances are learnt.
    vectors: Vec<f64>,
    /// The diagonal of D: square roots of eigenvalues.
    scales: Vec<f64>,
    step_path: Vec<f64>,
    rank_one_path: Vec<f64>,
    rates: Rates,
    updates: u32,
}

/// The default parameters of the tutorial's table 1, by number of dimensions and samples.
#[derive(Clone, Debug, PartialEq)]
struct Rates {
    /// wᵢ, the best sample first; the negative ones count in the covariance alone.
    weights: Vec<f64>,
    /// Samples with a positive weight: μ.
    parents: usize,
    /// μ_eff.
    effective: f64,
    step: f64,
    damping: f64,
    path: f64,
    rank_one: f64,
    rank_mu: f64,
    /// E‖N(0, I)‖.
    length: f64,
}

impl Rates {
    fn of(dimensions: usize, samples: usize, covariance: Covariance) -> Rates {
        let (n, parents) = (dimensions as f64, samples / 2);
        let (weights, effective) = match covariance {
            Covariance::Full => Rates::log_weights((samples as f64 + 1.0) / 2.0, samples),
            // Ros and Hansen have no negative weights.
            Covariance::Separable => Rates::log_weights(parents as f64 + 1.0, parents),
        };
        // (n + 1.3)², and so on: products are exact where powers need not be.
        let square = |x: f64| x * x;
        let rank_one = 2.0 / (square(n + 1.3) + effective);
        let spread = 1.0 + 2.0 * f64::max(0.0, ((effective - 1.0) / (n + 1.0)).sqrt() - 1.0);
        let (step, path, rank_mu) = match covariance {
            Covariance::Full => (
                (effective + 2.0) / (n + effective + 5.0),
                (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
                f64::min(1.0 - rank_one, 2.0 * (effective - 2.0 + 1.0 / effective) / (square(n + 2.0) + effective)),
            ),
            Covariance::Separable => {
                let rank_one_part = 2.0 / (effective * square(n + std::f64::consts::SQRT_2));
                let bound = f64::min(1.0, (2.0 * effective - 1.0) / (square(n + 2.0) + effective));
                let full = rank_one_part + (1.0 - 1.0 / effective) * bound;
                let step = (effective + 2.0) / (n + effective + 3.0);
                (step, 4.0 / (n + 4.0), f64::min(1.0 - rank_one, full * (n + 2.0) / 3.0))
            }
        };
        let mut rates = Rates {
            weights,
            parents,
            effective,
            step,
            damping: spread + step,
            path,
            rank_one,
            rank_mu,
            length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        };
        rates.weights.resize(samples, 0.0);
        rates.scale_negative_weights(n);
        rates
    }

    /// ln(`last`) − ln(i) for as many samples, and their μ_eff; the positive ones add up to 1.
    fn log_weights(last: f64, samples: usize) -> (Vec<f64>, f64) {
        let raw: Vec<f64> = (1..=samples).map(|place| libm::log(last) - libm::log(place as f64)).collect();
        let positive: Vec<f64> = raw.iter().copied().filter(|weight| *weight > 0.0).collect();
        let sum = positive.iter().sum::<f64>();
        (raw.iter().map(|weight| weight / sum).collect(), effective(&positive))
    }

    /// Scales the negative weights to the sum of the tutorial's equations 50 to 53.
    fn scale_negative_weights(&mut self, n: f64) {
        let negative = &self.weights[self.parents..];
        let sum = negative.iter().sum::<f64>().abs();
        if sum == 0.0 {
            return;
        }
        let bounds = [
            1.0 + self.rank_one / self.rank_mu,
            1.0 + 2.0 * effective(negative) / (self.effective + 2.0),
            (1.0 - self.rank_one - self.rank_mu) / (n * self.rank_mu),
        ];
        let bound = bounds.into_iter().fold(f64::INFINITY, f64::min);
        self.weights[self.parents..].iter_mut().for_each(|weight| *weight *= bound / sum);
    }
}

/// The number of equal weights that would average as well.
fn effective(weights: &[f64]) -> f64 {
    let (sum, squares) = weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
    sum * sum / squares
}

impl CmaEs {
    /// A search around `mean` with the standard deviation `step` in every dimension, for `samples` values at a time.
    ///
    /// # Panics
    /// If there is no dimension, there are fewer than four samples, or the step is not above 0.
    pub fn new(mean: Vec<f64>, step: f64, samples: usize, covariance: Covariance) -> CmaEs {
        let n = mean.len();
        assert!(n > 0, "a search needs a dimension");
        assert!(samples >= CmaEs::FEWEST, "a search needs {} samples, not {samples}", CmaEs::FEWEST);
        assert!(step > 0.0, "the step is {step}; it must be above 0");
        let is_full = covariance == Covariance::Full;
        let identity = || (0..n * n).map(|at| f64::from(u8::from(at % (n + 1) == 0))).collect::<Vec<f64>>();
        CmaEs {
            step,
            covariance,
            matrix: if is_full { identity() } else { vec![1.0; n] },
            vectors: if is_full { identity() } else { Vec::new() },
            scales: vec![1.0; n],
            step_path: vec![0.0; n],
            rank_one_path: vec![0.0; n],
            rates: Rates::of(n, samples, covariance),
            updates: 0,
            mean,
        }
    }

    /// The fewest samples of an update.
    pub const FEWEST: usize = 4;

    /// The usual number of samples: 4 + ⌊3 ln n⌋.
    pub fn usual_samples(dimensions: usize) -> usize {
        4 + (3.0 * libm::log(dimensions.max(1) as f64)).floor() as usize
    }

    /// The mean of the distribution: the best guess so far.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The standard deviation as a factor on that of the start; the covariance has its shape.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The weights of the better half of the samples, the best first; they add up to 1.
    pub fn weights(&self) -> &[f64] {
        &self.rates.weights[..self.rates.parents]
    }

    /// The standard deviation in a dimension.
    pub fn deviation(&self, dimension: usize) -> f64 {
        let n = self.mean.len();
        let at = if self.covariance == Covariance::Full { dimension * (n + 1) } else { dimension };
        self.step * self.matrix[at].sqrt()
    }

    /// A sample of the distribution.
    pub fn sample(&self, rng: &mut (impl Rng + ?Sized)) -> Vec<f64> {
        let scaled: Vec<f64> = self.scales.iter().map(|scale| scale * normal(rng)).collect();
        let direction = self.turned(&scaled);
        self.mean.iter().zip(direction).map(|(mean, y)| mean + self.step * y).collect()
    }

    /// Learns from samples and their values: higher is better, and of equal ones the first. What is not a number is
    /// the worst.
    ///
    /// # Panics
    /// If there are not as many samples and values as the search was made for.
    pub fn update(&mut self, samples: &[Vec<f64>], values: &[f64]) {
        let Rates { weights, parents, effective, step, damping, path, rank_one, rank_mu, length } = self.rates.clone();
        assert!(samples.len() == weights.len() && values.len() == weights.len(), "expected {} samples", weights.len());
        let n = self.mean.len();
        let mut order: Vec<usize> = (0..samples.len()).collect();
        let value = |at: usize| if values[at].is_nan() { f64::NEG_INFINITY } else { values[at] };
        order.sort_by(|a, b| value(*b).total_cmp(&value(*a)));
        // yᵢ of the tutorial, the best first.
        let of_mean = |at: &usize| -> Vec<f64> {
            samples[*at].iter().zip(&self.mean).map(|(x, mean)| (x - mean) / self.step).collect()
        };
        let steps: Vec<Vec<f64>> = order.iter().map(of_mean).collect();
        let parts = || steps.iter().zip(&weights).take(parents);
        let mean_step: Vec<f64> = (0..n).map(|i| parts().map(|(y, w)| w * y[i]).sum()).collect();
        self.mean.iter_mut().zip(&mean_step).for_each(|(mean, y)| *mean += self.step * y);
        self.updates += 1;

        // The paths (equations 43 and 45) and the step (44).
        let whitened = self.whitened(&mean_step);
        let gain = (step * (2.0 - step) * effective).sqrt();
        self.step_path.iter_mut().zip(&whitened).for_each(|(p, y)| *p = (1.0 - step) * *p + gain * y);
        let path_length = norm(&self.step_path);
        let decay = (0..2 * self.updates).fold(1.0, |power, _| power * (1.0 - step));
        let is_long = path_length / (1.0 - decay).sqrt() >= (1.4 + 2.0 / (n as f64 + 1.0)) * length;
        let h = f64::from(u8::from(!is_long));
        let gain = h * (path * (2.0 - path) * effective).sqrt();
        self.rank_one_path.iter_mut().zip(&mean_step).for_each(|(p, y)| *p = (1.0 - path) * *p + gain * y);

        // The covariance (47); negative weights are scaled so that it stays positive (46).
        let scale = |(y, w): (&Vec<f64>, &f64)| {
            let squares = |y: &[f64]| y.iter().map(|y| y * y).sum::<f64>();
            if *w >= 0.0 { *w } else { w * n as f64 / (squares(&self.whitened(y)) + 1e-8) }
        };
        let scaled: Vec<f64> = steps.iter().zip(&weights).map(scale).collect();
        let kept = 1.0 + rank_one * (1.0 - h) * path * (2.0 - path) - rank_one - rank_mu * weights.iter().sum::<f64>();
        let learnt = |i: usize, j: usize| {
            let of_samples: f64 = steps.iter().zip(&scaled).map(|(y, w)| w * y[i] * y[j]).sum();
            rank_one * self.rank_one_path[i] * self.rank_one_path[j] + rank_mu * of_samples
        };
        match self.covariance {
            Covariance::Separable => {
                for i in 0..n {
                    self.matrix[i] = kept * self.matrix[i] + learnt(i, i);
                }
            }
            Covariance::Full => {
                for i in 0..n {
                    for j in 0..=i {
                        let covariance = kept * self.matrix[i * n + j] + learnt(i, j);
                        self.matrix[i * n + j] = covariance;
                        self.matrix[j * n + i] = covariance;
                    }
                }
            }
        }
        self.decompose();
        self.step *= libm::exp(f64::min(1.0, step / damping * (path_length / length - 1.0)));
    }

    /// Widens the distribution where a standard deviation is below the least one; correlations stay.
    pub fn widen(&mut self, least: f64) {
        let n = self.mean.len();
        let factors: Vec<f64> = (0..n).map(|i| f64::max(1.0, least / self.deviation(i))).collect();
        if factors.iter().all(|factor| *factor == 1.0) {
            return;
        }
        match self.covariance {
            Covariance::Separable => (0..n).for_each(|i| self.matrix[i] *= factors[i] * factors[i]),
            Covariance::Full => (0..n * n).for_each(|at| self.matrix[at] *= factors[at / n] * factors[at % n]),
        }
        self.decompose();
    }

    /// Finds B and D of the matrix.
    fn decompose(&mut self) {
        match self.covariance {
            Covariance::Separable => self.scales = self.matrix.iter().map(|variance| variance.sqrt()).collect(),
            Covariance::Full => {
                let (values, vectors) = eigen(&self.matrix, self.mean.len());
                // Rounding may leave a tiny negative one.
                self.scales = values.into_iter().map(|value| f64::max(value, 1e-20).sqrt()).collect();
                self.vectors = vectors;
            }
        }
    }

    /// B x.
    fn turned(&self, x: &[f64]) -> Vec<f64> {
        let n = x.len();
        match self.covariance {
            Covariance::Separable => x.to_vec(),
            Covariance::Full => (0..n).map(|i| (0..n).map(|k| self.vectors[k * n + i] * x[k]).sum()).collect(),
        }
    }

    /// C^(-1/2) x = B D⁻¹ Bᵀ x.
    fn whitened(&self, x: &[f64]) -> Vec<f64> {
        let n = x.len();
        let along = |k: usize| match self.covariance {
            Covariance::Separable => x[k],
            Covariance::Full => (0..n).map(|i| self.vectors[k * n + i] * x[i]).sum(),
        };
        let scaled: Vec<f64> = (0..n).map(|k| along(k) / self.scales[k]).collect();
        self.turned(&scaled)
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
