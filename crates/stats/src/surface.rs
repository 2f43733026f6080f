//! A smooth surface from noisy measurements at some places: a Gaussian process over a finite set of places.
//!
//! C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006: the posterior is that
//! of algorithm 2.1, the kernel that of Matérn with ν = 5/2 (equation 4.17) and a length for each coordinate, and the
//! mean is a constant with a wide normal prior (section 2.7). Every measurement has a known variance. Lengths and
//! amplitude maximise the marginal likelihood (equation 5.8) times a weak prior: a climb over a grid from fixed starts.
//!
//! All arithmetic is that of IEEE 754 and of `libm`, in a fixed order: the same surface on every machine.

use super::Unavailable;
use serde::Serialize;

/// The grid of lengths: from `GRID[0]` to `GRID[1]` steps of a factor of √2, around [`LENGTH`].
const GRID: [i32; 2] = [-4, 10];
/// The median of a length before any measurement, as a share of the range of a coordinate.
const LENGTH: f64 = 0.25;
/// The standard deviation of its logarithm.
const LENGTH_SPREAD: f64 = 1.0;
/// The amplitude is within this many factors of √2 of the standard deviation of the measured values, which is its median.
const AMPLITUDES: i32 = 6;
/// The standard deviation of its logarithm.
const AMPLITUDE_SPREAD: f64 = 1.5;
/// Starts of climbs: steps of all lengths.
const STARTS: [i32; 2] = [0, 4];
/// The most rounds of a climb; each tries both neighbours of every number.
const CLIMB: usize = 20;
/// The standard deviation of the constant mean, in standard deviations of the measured values.
const CONSTANT: f64 = 10.0;
/// The least variance of a measurement, as a share of the variance of the measured values: matrices stay regular.
const LEAST: f64 = 1e-6;
/// The largest magnitude of a coordinate: no distance overflows.
const FARTHEST: f64 = 1e6;

/// A finite set of places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// The coordinates of each place. Those with an order are scaled to 0 to 1; none is above a million in magnitude.
    pub coordinates: Vec<Vec<f64>>,
    /// For each coordinate, whether its values have no order: two of them are equal, or at distance 1.
    pub unordered: Vec<bool>,
}

/// A value that was measured with a normally distributed error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoisyValue {
    /// Index of the place in [`coordinates`](Places::coordinates).
    pub place: usize,
    /// What was measured there.
    pub value: f64,
    /// The variance of its error, 0 or more.
    pub variance: f64,
}

/// Length scales and amplitude of a surface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Smoothness {
    /// The length of each coordinate: over much less the surface hardly changes. Large where it does not matter.
    pub lengths: Vec<f64>,
    /// The standard deviation of the surface about its mean, in units of the values.
    pub amplitude: f64,
}

/// The joint normal distribution of the values at all places.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    smoothness: Smoothness,
    mean: Vec<f64>,
    /// Row by row.
    covariance: Vec<f64>,
}

impl Surface {
    /// The surface by these measurements. Several of one place are independent.
    ///
    /// ```
    /// use evouct_stats::surface::{NoisyValue, Places, Surface};
    /// let coordinates = (0..=10).map(|at| vec![f64::from(at) / 10.0]).collect();
    /// let places = Places { coordinates, unordered: vec![false] };
    /// let parabola = [0, 3, 5, 8, 10].map(|place| {
    ///     let x = place as f64 / 10.0 - 0.6;
    ///     NoisyValue { place, value: -100.0 * x * x, variance: 0.01 }
    /// });
    /// let surface = Surface::fit(&places, &parabola).unwrap();
    /// assert!((surface.mean(6) - 0.0).abs() < 0.5 && surface.sd(6) < 2.5);
    /// assert!(surface.sd(6) > surface.sd(5));
    /// ```
    ///
    /// # Errors
    /// [`Unavailable::TooFew`] without measurements; [`Unavailable::NotFinite`] for a coordinate, value or variance that is
    /// not finite; [`Unavailable::OutOfRange`] for a negative variance, a place that is not one of these, or a place with
    /// another number of coordinates; [`Unavailable::Overflow`] for values whose squares do not fit.
    pub fn fit(places: &Places, measured: &[NoisyValue]) -> Result<Surface, Unavailable> {
        Unavailable::unless_enough(1, measured.len() as u64)?;
        places.coordinates.iter().try_for_each(|place| Unavailable::unless_finite(place))?;
        measured.iter().try_for_each(|one| Unavailable::unless_finite(&[one.value, one.variance]))?;
        let whole = places
            .coordinates
            .iter()
            .all(|place| place.len() == places.unordered.len() && place.iter().all(|number| number.abs() <= FARTHEST));
        if !whole || measured.iter().any(|one| one.place >= places.coordinates.len() || one.variance < 0.0) {
            return Err(Unavailable::OutOfRange {
                what: "a place or a variance",
                expected: "known places, coordinates within a million and variances of 0 or more",
            });
        }
        let fit = Fit::of(places, measured)?;
        let step = fit.climbed();
        fit.surface(&step).ok_or(Unavailable::Overflow)
    }

    /// The expected value at a place.
    pub fn mean(&self, place: usize) -> f64 {
        self.mean[place]
    }

    /// The standard deviation of what is known of the value at a place.
    pub fn sd(&self, place: usize) -> f64 {
        self.covariance(place, place).max(0.0).sqrt()
    }

    /// The covariance of what is known of the values at two places.
    pub fn covariance(&self, a: usize, b: usize) -> f64 {
        self.covariance[a * self.mean.len() + b]
    }

    /// The variance of what is known of the difference of the values at two places.
    pub fn variance_of_difference(&self, a: usize, b: usize) -> f64 {
        (self.covariance(a, a) + self.covariance(b, b) - 2.0 * self.covariance(a, b)).max(0.0)
    }

    /// How smooth it is.
    pub fn smoothness(&self) -> &Smoothness {
        &self.smoothness
    }

    /// Takes a place as measured, with an error of this variance and the value that is expected: less is unknown, and
    /// what is expected stays.
    pub fn expect(&mut self, place: usize, variance: f64) {
        let size = self.mean.len();
        let column: Vec<f64> = (0..size).map(|other| self.covariance(other, place)).collect();
        let total = column[place] + variance;
        if total <= 0.0 {
            return;
        }
        for (row, with) in self.covariance.chunks_mut(size).zip(&column) {
            let share = with / total;
            row.iter_mut().zip(&column).for_each(|(cell, other)| *cell -= share * other);
        }
    }
}

/// Places of a grid: of each length, and of the amplitude as the last one.
type Steps = Vec<i32>;

/// Measurements, one for each measured place.
struct Fit<'a> {
    places: &'a Places,
    measured: Vec<NoisyValue>,
    /// The mean of all values, and their standard deviation.
    centre: f64,
    scale: f64,
}

impl<'a> Fit<'a> {
    fn of(places: &'a Places, measured: &[NoisyValue]) -> Result<Fit<'a>, Unavailable> {
        // An exact value outweighs the others by far, and still by a finite factor.
        let largest = measured.iter().map(|one| one.value.abs()).fold(0.0, f64::max);
        let least = (largest * largest * 1e-18).max(f64::MIN_POSITIVE * 1e20);
        let mut of_place: Vec<(usize, f64, f64)> = Vec::new();
        for one in measured {
            let weight = 1.0 / one.variance.max(least);
            match of_place.iter_mut().find(|(place, ..)| *place == one.place) {
                Some((_, sum, total)) => (*sum, *total) = (*sum + one.value * weight, *total + weight),
                None => of_place.push((one.place, one.value * weight, weight)),
            }
        }
        let total: f64 = of_place.iter().map(|(.., weight)| weight).sum();
        let centre = of_place.iter().map(|(_, sum, _)| sum).sum::<f64>() / total;
        let square = |(_, sum, weight): &(usize, f64, f64)| weight * (sum / weight - centre) * (sum / weight - centre);
        let scale = (of_place.iter().map(square).sum::<f64>() / total).sqrt();
        // Equal values have no scale of their own.
        let scale = if scale > 0.0 { scale } else { (largest * 1e-6).max(1e-6) };
        Unavailable::unless_overflowed(centre)?;
        Unavailable::unless_overflowed(scale * scale * 1e6)?;
        let one = |(place, sum, weight): (usize, f64, f64)| NoisyValue {
            place,
            value: sum / weight - centre,
            variance: (1.0 / weight).max(LEAST * scale * scale),
        };
        Ok(Fit { places, measured: of_place.into_iter().map(one).collect(), centre, scale })
    }

    fn smoothness(&self, steps: &Steps) -> Smoothness {
        let factor = |step: i32| libm::exp2(0.5 * f64::from(step));
        let (amplitude, lengths) = steps.split_last().expect("the amplitude is one of them");
        Smoothness {
            lengths: lengths.iter().map(|step| LENGTH * factor(*step)).collect(),
            amplitude: self.scale * factor(*amplitude),
        }
    }

    /// The covariance of the values at two places before any measurement.
    fn prior(&self, a: usize, b: usize, smoothness: &Smoothness) -> f64 {
        let (a, b) = (&self.places.coordinates[a], &self.places.coordinates[b]);
        let mut squared = 0.0;
        for (at, length) in smoothness.lengths.iter().enumerate() {
            let unordered = self.places.unordered[at];
            let apart = if unordered { f64::from(u8::from(a[at] != b[at])) } else { a[at] - b[at] };
            squared += apart * apart / (length * length);
        }
        let root = (5.0 * squared).sqrt();
        let correlation = (1.0 + root + 5.0 / 3.0 * squared) * libm::exp(-root);
        let constant = CONSTANT * self.scale;
        constant * constant + smoothness.amplitude * smoothness.amplitude * correlation
    }

    /// The lower triangle L of the covariance of the measured values, row by row: L·Lᵀ is the covariance. None if it is
    /// not positive.
    fn triangle(&self, smoothness: &Smoothness) -> Option<Vec<Vec<f64>>> {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(self.measured.len());
        for (i, one) in self.measured.iter().enumerate() {
            let mut row = Vec::with_capacity(i + 1);
            for (j, other) in self.measured[..i].iter().enumerate() {
                let left = self.prior(one.place, other.place, smoothness) - product(&row, &rows[j]);
                row.push(left / rows[j][j]);
            }
            let left = self.prior(one.place, one.place, smoothness) + one.variance - product(&row, &row);
            row.push(Some(left.sqrt()).filter(|root| *root > 0.0)?);
            rows.push(row);
        }
        Some(rows)
    }

    /// The logarithm of the marginal likelihood times the prior of these numbers, up to a constant.
    fn likelihood(&self, steps: &Steps) -> f64 {
        let smoothness = self.smoothness(steps);
        let Some(triangle) = self.triangle(&smoothness) else { return f64::NEG_INFINITY };
        let values = solved(&triangle, self.measured.iter().map(|one| one.value));
        let roots: f64 = triangle.iter().enumerate().map(|(at, row)| libm::log(row[at])).sum();
        let prior = |step: i32, spread: f64| {
            let off = 0.5 * f64::from(step) * std::f64::consts::LN_2 / spread;
            -0.5 * off * off
        };
        let (amplitude, lengths) = steps.split_last().expect("the amplitude is one of them");
        let prior =
            lengths.iter().map(|step| prior(*step, LENGTH_SPREAD)).sum::<f64>() + prior(*amplitude, AMPLITUDE_SPREAD);
        prior - 0.5 * product(&values, &values) - roots
    }

    /// The best of the climbs.
    fn climbed(&self) -> Steps {
        let climb = |start: i32| {
            let mut steps: Steps = vec![start; self.places.unordered.len()];
            steps.push(0);
            let mut value = self.likelihood(&steps);
            for _ in 0..CLIMB {
                let before = value;
                for at in 0..steps.len() {
                    let [low, high] = if at + 1 == steps.len() { [-AMPLITUDES, AMPLITUDES] } else { GRID };
                    for change in [-1, 1] {
                        let mut other = steps.clone();
                        other[at] += change;
                        if !(low..=high).contains(&other[at]) {
                            continue;
                        }
                        let likelihood = self.likelihood(&other);
                        if likelihood > value {
                            (steps, value) = (other, likelihood);
                            // The other neighbour is what it came from.
                            break;
                        }
                    }
                }
                if value <= before {
                    break;
                }
            }
            (value, steps)
        };
        let [first, second] = STARTS.map(climb);
        if second.0 > first.0 { second.1 } else { first.1 }
    }

    fn surface(&self, steps: &Steps) -> Option<Surface> {
        let smoothness = self.smoothness(steps);
        let triangle = self.triangle(&smoothness)?;
        let values = solved(&triangle, self.measured.iter().map(|one| one.value));
        let size = self.places.coordinates.len();
        let with = |place: usize| self.measured.iter().map(move |one| (place, one.place));
        let columns: Vec<Vec<f64>> =
            (0..size).map(|place| solved(&triangle, with(place).map(|(a, b)| self.prior(a, b, &smoothness)))).collect();
        let mean = columns.iter().map(|column| self.centre + product(column, &values)).collect();
        let mut covariance = vec![0.0; size * size];
        for a in 0..size {
            for b in 0..=a {
                let left = self.prior(a, b, &smoothness) - product(&columns[a], &columns[b]);
                (covariance[a * size + b], covariance[b * size + a]) = (left, left);
            }
        }
        Some(Surface { smoothness, mean, covariance })
    }
}

/// The sum of products, as far as the shorter list goes.
fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// x of L·x = y.
fn solved(triangle: &[Vec<f64>], y: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut x: Vec<f64> = Vec::with_capacity(triangle.len());
    for (row, y) in triangle.iter().zip(y) {
        let left = y - product(row, &x);
        x.push(left / row[x.len()]);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(count: usize) -> Places {
        let coordinates = (0..count).map(|at| vec![at as f64 / (count - 1) as f64]).collect();
        Places { coordinates, unordered: vec![false] }
    }

    fn values(of: &[(usize, f64)], variance: f64) -> Vec<NoisyValue> {
        of.iter().map(|(place, value)| NoisyValue { place: *place, value: *value, variance }).collect()
    }

    /// Two measurements by hand: the inverse of a matrix of two rows.
    #[test]
    fn two_measurements_give_the_posterior_of_the_book() {
        let places = line(3);
        let measured = values(&[(0, 1.0), (2, 3.0)], 0.25);
        let fit = Fit::of(&places, &measured).unwrap();
        assert_eq!((fit.centre, fit.scale), (2.0, 1.0));
        let steps = vec![2, 1];
        let (surface, smoothness) = (fit.surface(&steps).unwrap(), fit.smoothness(&steps));
        assert_eq!(smoothness.lengths, [0.5]);
        assert!((smoothness.amplitude - 2_f64.sqrt()).abs() < 1e-12);
        let k = |distance: f64| {
            let root = 5_f64.sqrt() * distance / 0.5;
            100.0 + 2.0 * (1.0 + root + root * root / 3.0) * (-root).exp()
        };
        let (own, cross) = (k(0.0) + 0.25, k(1.0));
        let (with, determinant) = (k(0.5), own * own - cross * cross);
        // Both weights of the middle are equal, and the values are symmetric about the centre.
        assert!((surface.mean(1) - 2.0).abs() < 1e-9);
        let variance = k(0.0) - 2.0 * with * with * (own - cross) / determinant;
        assert!((surface.covariance(1, 1) - variance).abs() < 1e-9, "{} {variance}", surface.covariance(1, 1));
        let mean = 2.0 + (k(0.0) * (-own - cross) + cross * (own + cross)) / determinant;
        assert!((surface.mean(0) - mean).abs() < 1e-9, "{} {mean}", surface.mean(0));
    }

    #[test]
    fn an_expected_measurement_leaves_as_much_unknown_as_a_real_one() {
        let places = line(9);
        let measured = values(&[(0, 1.0), (4, 3.0), (8, 2.0)], 0.5);
        let steps = vec![1, 0];
        let mut surface = Fit::of(&places, &measured).unwrap().surface(&steps).unwrap();
        let smoothness = surface.smoothness().clone();
        surface.expect(6, 0.5);
        // The same numbers with a fourth measurement of any value.
        let more = NoisyValue { place: 6, value: 0.0, variance: 0.5 };
        let mut fit = Fit::of(&places, &measured).unwrap();
        fit.measured.push(more);
        let real = fit.surface(&steps).unwrap();
        assert_eq!(real.smoothness(), &smoothness);
        for (a, b) in (0..9).flat_map(|a| (0..9).map(move |b| (a, b))) {
            assert!((surface.covariance(a, b) - real.covariance(a, b)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_coordinate_that_changes_nothing_gets_a_long_length() {
        let coordinates: Vec<Vec<f64>> =
            (0..64).map(|at| vec![f64::from(at % 8) / 7.0, f64::from(at / 8 * 3 % 8) / 7.0]).collect();
        let of = |(place, at): (usize, &Vec<f64>)| NoisyValue { place, value: (at[0] * 9.0).sin(), variance: 1e-4 };
        let measured: Vec<NoisyValue> = coordinates.iter().enumerate().map(of).collect();
        let surface = Surface::fit(&Places { coordinates, unordered: vec![false; 2] }, &measured).unwrap();
        let lengths = &surface.smoothness().lengths;
        assert!(lengths[0] < 1.0 && lengths[1] > 4.0, "{lengths:?}");
    }

    #[test]
    fn words_have_no_order() {
        let coordinates = (0..3).map(|word| vec![f64::from(word)]).collect();
        let places = Places { coordinates, unordered: vec![true] };
        let surface = Surface::fit(&places, &values(&[(0, 1.0), (1, 5.0)], 0.01)).unwrap();
        assert!(surface.mean(1) > 4.5 && surface.mean(0) < 1.5);
        assert!((surface.mean(2) - 3.0).abs() < 1e-9, "as far from both: {}", surface.mean(2));
    }

    /// A change here changes every tuning that was begun.
    #[test]
    fn the_arithmetic_is_pinned() {
        let measured = values(&[(0, 1.5), (3, 4.25), (7, -2.0), (10, 0.5), (3, 3.75)], 0.3);
        let mut surface = Surface::fit(&line(11), &measured).unwrap();
        surface.expect(5, 0.3);
        let bits = [surface.mean(5), surface.sd(5), surface.mean(9), surface.covariance(2, 8)].map(f64::to_bits);
        let pinned = [4607384105056211042, 4602905001274630387, 13821596418137363164, 13803670851213063792];
        assert_eq!(bits, pinned);
    }

    #[test]
    fn hostile_values_give_a_surface_or_a_reason() {
        let places = line(4);
        for value in [0.0, 1.0, -1e-300, 1e-200, 1e60, -1e100] {
            for variance in [0.0, 1e-300, 1.0, 1e100] {
                let Ok(mut surface) = Surface::fit(&places, &values(&[(0, value), (1, -value), (1, value)], variance))
                else {
                    assert!(value.abs() > 1.0 || variance > 1.0, "{value} {variance}");
                    continue;
                };
                surface.expect(2, variance);
                assert!(
                    (0..4).all(|at| surface.mean(at).is_finite() && surface.sd(at).is_finite()),
                    "{value} {variance}"
                );
            }
        }
        for (place, value, variance) in [(0, f64::NAN, 1.0), (0, 1.0, f64::INFINITY), (4, 1.0, 1.0), (0, 1.0, -1.0)] {
            assert!(Surface::fit(&places, &[NoisyValue { place, value, variance }]).is_err());
        }
        let far = Places { coordinates: vec![vec![0.0], vec![1e200]], unordered: vec![false] };
        assert!(Surface::fit(&far, &[NoisyValue { place: 0, value: 1.0, variance: 1.0 }]).is_err());
        assert_eq!(Surface::fit(&places, &[]), Err(Unavailable::TooFew { needed: 1, found: 0 }));
    }
}
