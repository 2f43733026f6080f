//! What a test at looks finds and costs where there is a difference (Jennison and Turnbull, sections 7.2 and 19.3).

use super::super::distribution::{normal_quantile, normal_two_sided};
use super::{FARTHEST, Looks, Rule, Walk, crossing};

/// The largest drift that is sought: a level of 1e-30 at a power of 99.99 %.
const MOST_DRIFT: f64 = 20.0;

/// A test at looks under a true difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CourseAtLooks {
    /// The probability that a look is significant.
    pub power: f64,
    /// The share of the planned data that is taken before the test stops, on average.
    pub share: f64,
}

impl Looks {
    /// A test at this level (above 0, below 1) whose true difference is so many standard errors of all planned data.
    ///
    /// ```
    /// use evouct_stats::looks::Looks;
    /// let looks = Looks::new(5)?;
    /// let none = looks.course(0.05, 0.0);
    /// // Without a difference a look is significant with the probability of the level.
    /// assert!((none.power - 0.05).abs() < 1e-4 && none.share > 0.97);
    /// let large = looks.course(0.05, 6.0);
    /// assert!(large.power > 0.999 && large.share < 0.5);
    /// # Ok::<(), evouct_stats::Unavailable>(())
    /// ```
    pub fn course(&self, level: f64, drift: f64) -> CourseAtLooks {
        let (count, rule) = (self.count(), Rule::of_looks(self.count()));
        let step = 1.0 / count as f64;
        let mut walk = Walk::new(&rule, step, drift);
        let (mut power, mut share) = (0.0, 0.0);
        for look in 1..=count {
            // It is as far as here if no look before was significant.
            share += step * (1.0 - power);
            let nominal = libm::log(self.nominal(look, level));
            let z = crossing(FARTHEST, |z| libm::log(normal_two_sided(z)) - nominal);
            let end = z * (look as f64 * step).sqrt();
            power += walk.beyond(end);
            walk.go_on(end);
        }
        CourseAtLooks { power, share }
    }

    /// How many times the data of a test without looks are planned for the same power (from 0.5 and below 1) at the same
    /// level.
    ///
    /// ```
    /// use evouct_stats::looks::Looks;
    /// assert!((Looks::new(1)?.inflation(0.05, 0.8) - 1.0).abs() < 1e-4);
    /// assert!((1.05..1.15).contains(&Looks::new(10)?.inflation(0.05, 0.8)));
    /// # Ok::<(), evouct_stats::Unavailable>(())
    /// ```
    pub fn inflation(&self, level: f64, power: f64) -> f64 {
        let drift = crossing(MOST_DRIFT, |drift| power - self.course(level, drift).power);
        let without = normal_quantile(1.0 - level / 2.0) + normal_quantile(power);
        (drift / without) * (drift / without)
    }
}
