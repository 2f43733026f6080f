//! Estimates that grow: the gain over the reference in one game, pooled over batches.

use super::distinct_decks::{Objective, distinct_blocks};
use super::measure::Measured;
use evouct_stats::distinct::Distinct;
use evouct_stats::t_test::upper_tail;

/// The error of equal blocks, as a share of their mean: what rounding leaves of the difference of two sums of squares.
pub(super) const ROUNDING: f64 = 1e-7;

/// The mean difference from the reference in one game.
///
/// Differences are taken block by block: both saw the same units, so most of the noise cancels. An individual that
/// stays is measured again in every generation, which takes away the error that made it stand out.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Estimate {
    units: f64,
    total: f64,
    blocks: f64,
    /// Sum and sum of squares of the mean differences of blocks.
    sum: f64,
    squares: f64,
    /// The decks of measurements in which some repeat others.
    distinct: Distinct,
}

impl Estimate {
    /// Adds the sums of the blocks of a batch. `units` are those of each block.
    pub(crate) fn add(&mut self, own: &[f64], reference: &[f64], units: impl Iterator<Item = u32>) {
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

    /// Adds a batch. `units` are those of each block. With a reference it is paired, else `level` per unit is taken off.
    /// The mean is over all units; the error is over the decks that repeat no earlier ones.
    pub(crate) fn add_measured(
        &mut self,
        own: &Measured,
        reference: Result<&Measured, f64>,
        objective: Objective,
        units: &[u32],
    ) {
        let distinct = distinct_blocks(own, reference.ok(), objective, units, &mut self.distinct);
        let known = (self.blocks, self.sum, self.squares);
        let sums = own.sums_of(objective);
        match reference {
            Ok(reference) => self.add(sums, reference.sums_of(objective), units.iter().copied()),
            Err(level) => self.add_against(sums, level, units.iter().copied()),
        }
        let Some(blocks) = distinct else { return };
        (self.blocks, self.sum, self.squares) = known;
        for (sum, count) in blocks.into_iter().filter(|(_, count)| *count > 0) {
            let mean = sum / f64::from(count) - reference.err().unwrap_or(0.0);
            self.blocks += 1.0;
            self.sum += mean;
            self.squares += mean * mean;
        }
    }

    /// Adds a batch that is not paired: the reference is worth `level` per unit.
    pub(crate) fn add_against(&mut self, own: &[f64], level: f64, units: impl Iterator<Item = u32> + Clone) {
        let reference: Vec<f64> = units.clone().map(|units| level * f64::from(units)).collect();
        self.add(own, &reference, units);
    }

    /// Forgets a share of what was measured, evenly: what is measured from now on counts for more.
    pub(crate) fn forget(&mut self, share: f64) {
        for part in [&mut self.units, &mut self.total, &mut self.blocks, &mut self.sum, &mut self.squares] {
            *part *= 1.0 - share;
        }
    }

    /// Moves the gain, for a reference that turns out to be worth so much less.
    pub(crate) fn shift(&mut self, by: f64) {
        self.squares += by * (2.0 * self.sum + by * self.blocks);
        self.sum += by * self.blocks;
        self.total += by * self.units;
    }

    /// The gain; 0 before the first batch.
    pub(crate) fn mean(&self) -> f64 {
        if self.units == 0.0 { 0.0 } else { self.total / self.units }
    }

    /// Decks that repeat earlier ones, of which the error knows nothing.
    pub(crate) fn repeats(&self) -> u64 {
        self.distinct.repeats()
    }

    /// The gain by what tests count: the mean over distinct decks, where some repeat others.
    pub(crate) fn tested(&self) -> f64 {
        if self.repeats() > 0 { self.sum / self.blocks } else { self.mean() }
    }

    /// The gain that is sure: the gain less its standard error. Where only one game was ever played, there is no error, and
    /// the gain is what it is.
    pub(crate) fn sure(&self) -> f64 {
        if self.repeats() > 0 && self.blocks < 2.0 { self.mean() } else { self.mean() - self.error() }
    }

    /// The standard error of the gain, from the scatter of blocks; infinite with fewer than two.
    pub(crate) fn error(&self) -> f64 {
        if self.blocks < 2.0 {
            return f64::INFINITY;
        }
        let mean = self.sum / self.blocks;
        let variance = (self.squares - self.blocks * mean * mean).max(0.0) / (self.blocks - 1.0);
        (variance / self.blocks).sqrt()
    }

    /// The p-value of the one-sided t-test, by block, that the true gain is at most 0; none with fewer than two blocks.
    /// Where blocks do not vary at all, that of the exact test of their signs.
    pub(crate) fn p_not_above(&self) -> Option<f64> {
        let (mean, error) = (self.tested(), self.error());
        match error {
            f64::INFINITY => None,
            _ if error <= ROUNDING * mean.abs() => Some(if mean > 0.0 { 0.5_f64.powf(self.blocks) } else { 1.0 }),
            _ => Some(upper_tail(mean / error, self.blocks - 1.0)),
        }
    }

    /// Blocks so far, those that repeat others left out.
    pub(super) fn blocks(&self) -> f64 {
        self.blocks
    }

    /// Units so far.
    pub(crate) fn units(&self) -> u64 {
        self.units as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::{BlockValue, PlayedDeck};
    use super::*;

    #[test]
    fn gains_are_paired_by_block() {
        let mut estimate = Estimate::default();
        estimate.add(&[10.0, -30.0, 6.0], &[6.0, -34.0, 4.0], [2, 2, 1].into_iter());
        // 4/2, 4/2 and 2/1: the same gain in every block, however the blocks differ.
        assert_eq!((estimate.mean(), estimate.error(), estimate.units()), (2.0, 0.0, 5));
        estimate.add(&[0.0], &[4.0], [2].into_iter());
        // Block means 2, 2, 2, −2: deviation 2, error 1; the mean is over units.
        assert_eq!((estimate.error(), estimate.mean()), (1.0, 6.0 / 7.0));
        assert_eq!(Estimate::default().error(), f64::INFINITY);
        // One block says nothing of its error.
        let mut one = Estimate::default();
        one.add(&[3.0], &[1.0], [2].into_iter());
        assert_eq!((one.mean(), one.error()), (1.0, f64::INFINITY));
        // 6/7 of a standard error above 0 with three degrees of freedom, by SciPy: stats.t.sf(6/7, 3).
        assert!((estimate.p_not_above().unwrap() - 0.227_190_480_013_142_57).abs() < 1e-12);
        assert_eq!(Estimate::default().p_not_above(), None);
    }

    /// Decks in blocks of two by their games, worth as much as their number.
    fn played(games: &[u64]) -> (Measured, Vec<u32>) {
        let decks: Vec<PlayedDeck> =
            games.iter().map(|games| PlayedDeck { games: *games, value: *games as f64, second: None }).collect();
        let blocks = decks.chunks(2).map(|decks| {
            let sum = decks.iter().map(|deck| deck.value).sum();
            BlockValue { sum, second: None, decks: decks.to_vec(), seconds: None }
        });
        (blocks.collect(), decks.chunks(2).map(|decks| decks.len() as u32).collect())
    }

    #[test]
    fn a_deck_that_repeats_another_has_no_part_in_the_error() {
        let add = |estimate: &mut Estimate, games: &[u64]| {
            let (own, units) = played(games);
            estimate.add_measured(&own, Err(0.0), Objective::Value, &units);
        };
        // One game, however often and in however many batches, has no error and is no test.
        let mut one = Estimate::default();
        [[3; 8], [3; 8]].iter().for_each(|games| add(&mut one, games));
        assert_eq!((one.mean(), one.error(), one.p_not_above()), (3.0, f64::INFINITY, None));
        assert_eq!((one.units(), one.repeats(), one.sure()), (16, 15, 3.0));
        // The mean is over what was played, and tests are over distinct decks: 1, 2 and 6 in blocks of their own.
        let mut some = Estimate::default();
        add(&mut some, &[1, 1, 2, 1, 6, 1]);
        let mut three = Estimate::default();
        three.add(&[1.0, 2.0, 6.0], &[0.0; 3], [1; 3].into_iter());
        assert_eq!((some.mean(), some.tested(), some.error(), some.repeats()), (2.0, 3.0, three.error(), 3));
        assert_eq!(some.p_not_above(), three.p_not_above());
        // Where all differ, blocks count as they are, and nothing is kept of decks.
        let (all, units) = played(&[1, 2, 3, 4]);
        assert!(all.decks.is_empty());
        let [mut whole, mut known] = [Estimate::default(), Estimate::default()];
        whole.add_against(&all.sums, 0.5, units.iter().copied());
        known.add_measured(&all, Err(0.5), Objective::Value, &units);
        assert_eq!(whole, known);
        // A pair of decks repeats if both do.
        let ([own, reference], mut paired) =
            ([[1, 1, 1, 1], [2, 5, 2, 2]].map(|games| played(&games).0), Estimate::default());
        paired.add_measured(&own, Ok(&reference), Objective::Value, &units);
        assert_eq!((paired.repeats(), paired.tested(), paired.mean()), (2, -2.5, -7.0 / 4.0));
    }

    #[test]
    fn equal_blocks_are_tested_by_their_signs_alone() {
        for blocks in [2, 3, 12, 400] {
            for part in 1..29 {
                let p = |value: f64| {
                    let mut estimate = Estimate::default();
                    estimate.add(&vec![value; blocks], &vec![0.0; blocks], vec![1; blocks].into_iter());
                    estimate.p_not_above().unwrap()
                };
                let part = f64::from(part) / 29.0;
                assert_eq!((p(part), p(-part)), (0.5_f64.powi(blocks as i32), 1.0), "{part}, {blocks}");
            }
        }
    }

    #[test]
    fn what_is_forgotten_counts_for_less() {
        let batch = |value: f64| [value; 4];
        let mut estimate = Estimate::default();
        estimate.add_against(&batch(1.0), 0.0, [1; 4].into_iter());
        estimate.forget(0.5);
        assert_eq!((estimate.mean(), estimate.units()), (1.0, 2));
        estimate.add_against(&batch(4.0), 0.0, [1; 4].into_iter());
        assert_eq!((estimate.mean(), estimate.units()), (3.0, 6));
    }

    #[test]
    fn a_gain_moves_with_the_level_of_the_reference() {
        let own = [10.0, -30.0, 6.0];
        let against = |level: f64| {
            let mut estimate = Estimate::default();
            estimate.add_against(&own, level, [2, 2, 1].into_iter());
            estimate
        };
        let mut estimate = against(1.0);
        assert_eq!(estimate.mean(), (10.0 - 30.0 + 6.0 - 5.0) / 5.0);
        let error = estimate.error();
        estimate.shift(-2.0);
        assert_eq!(estimate.error(), error);
        assert_eq!(estimate, against(3.0));
    }
}
