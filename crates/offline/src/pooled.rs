//! Estimates that grow: the gain of an individual over the reference, pooled over batches.

use evouct_stats::t_test::upper_tail;

/// The error of equal blocks, as a share of their mean: what rounding leaves of the difference of two sums of squares.
const ROUNDING: f64 = 1e-7;

/// The mean difference from the reference, in points per game.
///
/// Differences are taken block by block: both saw the same units, so most of the noise cancels. An individual that
/// stays is measured again in every generation, which takes away the error that made it stand out.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Pooled {
    units: f64,
    total: f64,
    blocks: f64,
    /// Sum and sum of squares of the mean differences of blocks.
    sum: f64,
    squares: f64,
}

impl Pooled {
    /// Adds the sums of the blocks of a batch. `units` are those of each block.
    pub fn add(&mut self, own: &[f64], reference: &[f64], units: impl Iterator<Item = u32>) {
        for ((own, reference), units) in own.iter().zip(reference).zip(units) {
            let difference = own - reference;
            let mean = difference / f64::from(units);
            self.units += f64::from(units);
            self.total += difference;
            self.blocks += 1.0;
            self.sum += mean;
            self.squares += mean * mean;
        }
    }

    /// Adds a batch that is not paired: the reference is worth `level` per unit.
    pub fn add_against(&mut self, own: &[f64], level: f64, units: impl Iterator<Item = u32> + Clone) {
        let reference: Vec<f64> = units.clone().map(|units| level * f64::from(units)).collect();
        self.add(own, &reference, units);
    }

    /// Forgets a share of what was measured, evenly: what is measured from now on counts for more.
    pub fn forget(&mut self, share: f64) {
        for part in [&mut self.units, &mut self.total, &mut self.blocks, &mut self.sum, &mut self.squares] {
            *part *= 1.0 - share;
        }
    }

    /// Moves the gain, for a reference that turns out to be worth so much less.
    pub fn shift(&mut self, by: f64) {
        self.squares += by * (2.0 * self.sum + by * self.blocks);
        self.sum += by * self.blocks;
        self.total += by * self.units;
    }

    /// The gain; 0 before the first batch.
    pub fn mean(&self) -> f64 {
        if self.units == 0.0 { 0.0 } else { self.total / self.units }
    }

    /// The standard error of the gain, from the scatter of blocks; infinite with fewer than two.
    pub fn error(&self) -> f64 {
        if self.blocks < 2.0 {
            return f64::INFINITY;
        }
        let mean = self.sum / self.blocks;
        let variance = (self.squares - self.blocks * mean * mean).max(0.0) / (self.blocks - 1.0);
        (variance / self.blocks).sqrt()
    }

    /// Half of the 95 % interval of the gain; none with fewer than two blocks.
    pub fn half(&self) -> Option<f64> {
        let error = self.error();
        error.is_finite().then_some(1.96 * error)
    }

    /// `± 0.50` for people: half of the 95 % interval, or in words that it is not known.
    pub fn plus_minus(&self, decimals: usize) -> String {
        self.half().map_or("(too few blocks)".to_owned(), |half| format!("± {half:.decimals$}"))
    }

    /// The p-value of the one-sided t-test, by block, that the true gain is at most 0; none with fewer than two blocks.
    /// Where blocks do not vary at all, that of the exact test of their signs.
    pub fn p_not_above(&self) -> Option<f64> {
        let (mean, error) = (self.mean(), self.error());
        match error {
            f64::INFINITY => None,
            _ if error <= ROUNDING * mean.abs() => Some(if mean > 0.0 { 0.5_f64.powf(self.blocks) } else { 1.0 }),
            _ => Some(upper_tail(mean / error, self.blocks - 1.0)),
        }
    }

    /// Units so far.
    pub fn units(&self) -> u64 {
        self.units as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_paired_by_block() {
        let mut pooled = Pooled::default();
        pooled.add(&[10.0, -30.0, 6.0], &[6.0, -34.0, 4.0], [2, 2, 1].into_iter());
        // 4/2, 4/2 and 2/1: the same gain in every block, however the blocks differ.
        assert_eq!((pooled.mean(), pooled.error(), pooled.units()), (2.0, 0.0, 5));
        pooled.add(&[0.0], &[4.0], [2].into_iter());
        // Block means 2, 2, 2, −2: deviation 2, error 1; the mean is over units.
        assert_eq!((pooled.error(), pooled.mean()), (1.0, 6.0 / 7.0));
        assert_eq!(Pooled::default().error(), f64::INFINITY);
        assert_eq!(pooled.plus_minus(1), "± 2.0");
        // One block says nothing of its error.
        let mut one = Pooled::default();
        one.add(&[3.0], &[1.0], [2].into_iter());
        assert_eq!((one.mean(), one.half(), one.plus_minus(2)), (1.0, None, "(too few blocks)".to_owned()));
        // 6/7 of a standard error above 0 with three degrees of freedom, by SciPy: stats.t.sf(6/7, 3).
        assert!((pooled.p_not_above().unwrap() - 0.227_190_480_013_142_57).abs() < 1e-12);
        assert_eq!(Pooled::default().p_not_above(), None);
    }

    #[test]
    fn equal_blocks_are_tested_by_their_signs_alone() {
        for blocks in [2, 3, 12, 400] {
            for part in 1..29 {
                let p = |value: f64| {
                    let mut pooled = Pooled::default();
                    pooled.add(&vec![value; blocks], &vec![0.0; blocks], vec![1; blocks].into_iter());
                    pooled.p_not_above().unwrap()
                };
                let part = f64::from(part) / 29.0;
                assert_eq!((p(part), p(-part)), (0.5_f64.powi(blocks as i32), 1.0), "{part}, {blocks}");
            }
        }
    }

    #[test]
    fn what_is_forgotten_counts_for_less() {
        let batch = |value: f64| [value; 4];
        let mut pooled = Pooled::default();
        pooled.add_against(&batch(1.0), 0.0, [1; 4].into_iter());
        pooled.forget(0.5);
        assert_eq!((pooled.mean(), pooled.units()), (1.0, 2));
        pooled.add_against(&batch(4.0), 0.0, [1; 4].into_iter());
        assert_eq!((pooled.mean(), pooled.units()), (3.0, 6));
    }

    #[test]
    fn a_gain_moves_with_the_level_of_the_reference() {
        let own = [10.0, -30.0, 6.0];
        let against = |level: f64| {
            let mut pooled = Pooled::default();
            pooled.add_against(&own, level, [2, 2, 1].into_iter());
            pooled
        };
        let mut pooled = against(1.0);
        assert_eq!(pooled.mean(), (10.0 - 30.0 + 6.0 - 5.0) / 5.0);
        let error = pooled.error();
        pooled.shift(-2.0);
        assert_eq!((pooled, pooled.error()), (against(3.0), error));
    }
}
