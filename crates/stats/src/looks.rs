//! Tests of results that accumulate, at planned looks: error rates that hold over all looks together.
//!
//! A test at level α spends its error as the data come in: of α, t² is spent up to the look at a share t of the planned
//! data (K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983), with
//! the function of K. Kim and D. L. DeMets, "Design and analysis of group sequential tests based on the type I error
//! spending rate function", Biometrika 74 (1987), ρ = 2). What a look may spend gives the p-value that is significant
//! there, by the recursion of P. Armitage, C. K. McPherson and B. C. Rowe ("Repeated significance tests on accumulating
//! data", J. R. Stat. Soc. A 132, 1969). It is for normal sums; p-values of t-tests are compared with it too (C. Jennison
//! and B. W. Turnbull, "Group Sequential Methods with Applications to Clinical Trials", 2000, section 4.4).
//!
//! The *repeated* p-value of a look is the smallest α at which the look is significant (Jennison and Turnbull, chapter
//! 9). The smallest of all looks so far is a p-value whenever the test stops, so corrections for several tests apply.

mod course;

pub use course::CourseAtLooks;

use super::Unavailable;
use super::distribution::normal_two_sided;
use std::f64::consts::PI;

/// Levels per factor of ten in the table, and how many factors it has.
const STEPS: usize = 8;
const DECADES: usize = 6;
/// Beyond it a normal number is at most 1e-16 from certainty.
const FARTHEST: f64 = 9.0;

/// Equally spaced looks at accumulating data.
#[derive(Clone, Debug)]
pub struct Looks {
    /// By look: the logarithms of the p-values that are significant there, by level from 1 downwards.
    nominal: Vec<Vec<f64>>,
}

impl Looks {
    /// Largest number of looks.
    pub const MOST: usize = 20;

    /// A test with a number of looks, the last one at all data.
    ///
    /// # Errors
    /// [`Unavailable::OutOfRange`] unless there are 1 to [`MOST`](Looks::MOST).
    ///
    /// ```
    /// use evouct_stats::looks::Looks;
    /// let looks = Looks::new(5)?;
    /// // Early looks need a smaller p-value; five at 0.05 would find a difference too often.
    /// assert!(looks.repeated(1, 0.002) <= 0.05 && looks.repeated(1, 0.01) > 0.05);
    /// assert!(looks.repeated(5, 0.03) <= 0.05 && looks.repeated(5, 0.05) > 0.05);
    /// # Ok::<(), evouct_stats::Unavailable>(())
    /// ```
    pub fn new(count: usize) -> Result<Looks, Unavailable> {
        if !(1..=Looks::MOST).contains(&count) {
            return Err(Unavailable::OutOfRange { what: "the number of looks", expected: "1 to 20" });
        }
        let mut nominal = vec![Vec::new(); count];
        let rule = Rule::of_looks(count);
        for step in 0..=STEPS * DECADES {
            for (look, z) in boundaries(libm::exp(level_of(step)), count, &rule).into_iter().enumerate() {
                nominal[look].push(libm::log(normal_two_sided(z)));
            }
        }
        Ok(Looks { nominal })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.nominal.len()
    }

    /// The two-sided p-value that is significant at a look, from 1, if the error over all looks is to be this level. Looks
    /// beyond the last count as the last.
    pub fn nominal(&self, look: usize, level: f64) -> f64 {
        let look = look.clamp(1, self.count());
        let place = -libm::log10(level) * STEPS as f64;
        let column = &self.nominal[look - 1];
        let below = (place.max(0.0) as usize).min(column.len() - 2);
        if place > (below + 1) as f64 {
            // What the look spends, as if there were no others: a little less than what is significant.
            return level * self.share(look);
        }
        let part = place - below as f64;
        libm::exp(column[below] * (1.0 - part) + column[below + 1] * part)
    }

    /// The smallest level over all looks at which a two-sided p-value is significant at a look, from 1. Looks beyond the last
    /// count as the last.
    pub fn repeated(&self, look: usize, p: f64) -> f64 {
        let look = look.clamp(1, self.count());
        let (column, ln_p) = (&self.nominal[look - 1], libm::log(p));
        // The first level whose p-value is too small.
        let above = column.partition_point(|nominal| *nominal >= ln_p);
        match above {
            0 => 1.0,
            _ if above == column.len() => (p / self.share(look)).min(libm::exp(level_of(above - 1))),
            _ => {
                let part = (column[above - 1] - ln_p) / (column[above - 1] - column[above]);
                libm::exp(level_of(above - 1) * (1.0 - part) + level_of(above) * part)
            }
        }
    }

    /// The share of a level that a look spends.
    fn share(&self, look: usize) -> f64 {
        let count = self.count() as f64;
        (2 * look - 1) as f64 / (count * count)
    }
}

/// The logarithm of the level at a place of the table.
fn level_of(step: usize) -> f64 {
    -(step as f64) / STEPS as f64 * std::f64::consts::LN_10
}

/// The boundaries of |z| at the looks of a test at this level.
fn boundaries(level: f64, count: usize, rule: &Rule) -> Vec<f64> {
    let step = 1.0 / count as f64;
    let mut walk = Walk::new(rule, step, 0.0);
    let mut found = Vec::with_capacity(count);
    for look in 1..=count {
        let root = (look as f64 * step).sqrt();
        let spent = level * (2 * look - 1) as f64 * step * step;
        let z = crossing(FARTHEST, |z| libm::log(walk.beyond(z * root)) - libm::log(spent));
        found.push(z);
        walk.go_on(z * root);
    }
    found
}

/// The sum of the data, with variance t, where no boundary was crossed.
struct Walk<'a> {
    rule: &'a Rule,
    /// The share of the data between two looks.
    step: f64,
    /// The mean that the sum gains up to the next look.
    gain: f64,
    /// Places with their probabilities.
    sums: Vec<(f64, f64)>,
}

impl Walk<'_> {
    /// Before the first look; `drift` is the mean of the sum of all data.
    fn new(rule: &Rule, step: f64, drift: f64) -> Walk<'_> {
        Walk { rule, step, gain: drift * step, sums: vec![(0.0, 1.0)] }
    }

    /// The probability to be beyond ± this at the next look.
    fn beyond(&self, end: f64) -> f64 {
        let tail = |distance: f64| libm::erfc(distance / (2.0 * self.step).sqrt()) / 2.0;
        let of = |sum: f64| tail(end - sum - self.gain) + tail(end + sum + self.gain);
        self.sums.iter().map(|(sum, weight)| weight * of(*sum)).sum::<f64>()
    }

    /// Takes the next look, between ± this.
    fn go_on(&mut self, end: f64) {
        let (step, gain) = (self.step, self.gain);
        let density = |at: f64| {
            let kernel = |sum: f64| {
                let way = at - sum - gain;
                libm::exp(-way * way / (2.0 * step)) / (2.0 * PI * step).sqrt()
            };
            self.sums.iter().map(|(sum, weight)| weight * kernel(*sum)).sum::<f64>()
        };
        self.sums = self.rule.points(end).map(|(at, weight)| (at, weight * density(at))).collect();
    }
}

/// Where a falling function is 0, between 0 and `farthest`: halving, with a secant where it is faster.
fn crossing(farthest: f64, value: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = ((0.0, value(0.0)), (farthest, value(farthest)));
    if low.1 <= 0.0 {
        return 0.0;
    }
    for round in 0..80 {
        let secant = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
        let middle = if round % 3 == 2 || !secant.is_finite() { (low.0 + high.0) / 2.0 } else { secant };
        let found = value(middle);
        if found > 0.0 {
            low = (middle, found);
        } else {
            high = (middle, found);
        }
        if found.abs() < 1e-12 || high.0 - low.0 < 1e-13 {
            return middle;
        }
    }
    (low.0 + high.0) / 2.0
}

/// The Gauss–Legendre rule: points between −1 and 1 with their weights. Libraries take the cosines of the platform, and
/// which games a league plays must not depend on it.
struct Rule(Vec<(f64, f64)>);

impl Rule {
    /// As fine as so many looks need.
    fn of_looks(count: usize) -> Rule {
        Rule::of(16 * (count as f64).sqrt().ceil() as usize)
    }

    /// With so many points: roots of the Legendre polynomial by Newton's method.
    fn of(count: usize) -> Rule {
        let point = |index: usize| {
            let mut x = libm::cos(PI * (index as f64 + 0.75) / (count as f64 + 0.5));
            let mut slope = 0.0;
            for _ in 0..20 {
                let (mut before, mut value) = (1.0, x);
                for degree in 2..=count {
                    let degree = degree as f64;
                    (before, value) = (value, ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * before) / degree);
                }
                slope = count as f64 * (x * value - before) / (x * x - 1.0);
                x -= value / slope;
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        };
        Rule((0..count).map(point).collect())
    }

    /// The points and weights for an integral from −end to end.
    fn points(&self, end: f64) -> impl Iterator<Item = (f64, f64)> {
        self.0.iter().map(move |(x, weight)| (x * end, weight * end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_is_a_test_without_looks() {
        assert!(Looks::new(0).is_err() && Looks::new(Looks::MOST + 1).is_err());
        let looks = Looks::new(1).unwrap();
        for p in [1.0, 0.5, 0.05, 0.0123, 1e-5, 1e-12] {
            assert!((looks.repeated(1, p) / p - 1.0).abs() < 1e-6, "{p}: {}", looks.repeated(1, p));
        }
    }

    #[test]
    fn smaller_levels_need_smaller_p_values_at_every_look() {
        for count in 1..=Looks::MOST {
            let looks = Looks::new(count).unwrap();
            for (look, column) in (1..).zip(&looks.nominal) {
                assert!(column.windows(2).all(|pair| pair[0] > pair[1]), "{count}, {look}: {column:?}");
                // What is significant is never less than what a look may spend.
                for (step, nominal) in column.iter().enumerate() {
                    assert!(*nominal > level_of(step) + libm::log(looks.share(look)) - 1e-9, "{count}, {look}, {step}");
                }
                let p_values = [0.9, 0.3, 1e-2, 1e-4, 1e-6, 1e-7, 1e-8, 1e-9, 1e-12, 1e-300];
                let levels = p_values.map(|p| looks.repeated(look, p));
                assert!(levels.windows(2).all(|pair| pair[0] >= pair[1]), "{count}, {look}: {levels:?}");
            }
        }
    }
}
