//! Power and cost of a test at looks if there is a difference (Jennison and Turnbull, sections 7.2 and 19.3).

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
        course_between(&Rule::of_looks(self.count()), &self.ends(level), drift)
    }

    /// By look: where the sum of all planned data, in its standard errors, becomes significant at this level.
    fn ends(&self, level: f64) -> Vec<f64> {
        let end = |look: usize| {
            let nominal = libm::log(self.nominal(look, level));
            let z = crossing(FARTHEST, |z| libm::log(normal_two_sided(z)) - nominal);
            z * (look as f64 / self.count() as f64).sqrt()
        };
        (1..=self.count()).map(end).collect()
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
        let (rule, ends) = (Rule::of_looks(self.count()), self.ends(level));
        let drift = crossing(MOST_DRIFT, |drift| power - course_between(&rule, &ends, drift).power);
        let without = normal_quantile(1.0 - level / 2.0) + normal_quantile(power);
        (drift / without) * (drift / without)
    }
}

fn course_between(rule: &Rule, ends: &[f64], drift: f64) -> CourseAtLooks {
    let step = 1.0 / ends.len() as f64;
    let mut walk = Walk::new(rule, step, drift);
    let (mut power, mut share) = (0.0, 0.0);
    for end in ends.iter().copied() {
        // It is as far as here if no look before was significant.
        share += step * (1.0 - power);
        power += walk.beyond(end);
        walk.go_on(end);
    }
    CourseAtLooks { power, share }
}
