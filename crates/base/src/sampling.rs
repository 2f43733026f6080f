//! Drawing from a random stream: ranges, choices, shuffles. Implemented here, so that no upgrade of a library changes a
//! result.

use rand::Rng;

/// One 64-bit draw, to be split into several small numbers.
///
/// Each [`below`](Dice::below) multiplies the word by `n`; the upper half is the number, the lower half stays. With
/// numbers whose product is `p`, no outcome's probability is off by more than a factor of `p / 2⁶⁴`: for one turn of a
/// game, under 2⁻⁴⁰.
#[derive(Clone, Copy, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Draws a word.
    #[inline]
    pub fn roll(rng: &mut impl Rng) -> Dice {
        Dice(rng.next_u64())
    }

    /// A number from 0 to `n - 1`, each equally likely; 0 where `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let wide = u128::from(self.0) * u128::from(n);
        self.0 = wide as u64;
        (wide >> 64) as u32
    }
}

/// A number from 0 to `n - 1`; 0 where `n` is 0. The probability of each is within 2⁻⁶⁴ of 1/n.
#[inline]
pub fn below(rng: &mut (impl Rng + ?Sized), n: usize) -> usize {
    scaled(rng.next_u64(), n)
}

/// Fills a list as that many calls of [`below`] do.
pub fn fill_below(rng: &mut dyn Rng, n: usize, numbers: &mut [usize]) {
    let mut bytes = [0; 512];
    for numbers in numbers.chunks_mut(bytes.len() / 8) {
        let bytes = &mut bytes[..8 * numbers.len()];
        rng.fill_bytes(bytes);
        for (number, word) in numbers.iter_mut().zip(bytes.as_chunks().0) {
            *number = scaled(u64::from_le_bytes(*word), n);
        }
    }
}

#[inline]
fn scaled(word: u64, n: usize) -> usize {
    ((u128::from(word) * n as u128) >> 64) as usize
}

/// A number from 0 up to but without 1, uniformly distributed.
#[inline]
pub fn unit(rng: &mut (impl Rng + ?Sized)) -> f64 {
    // 53 random bits make a double in [0, 1).
    ((rng.next_u64() >> 11) as f64) * (1.0 / (1_u64 << 53) as f64)
}

/// True with this probability.
#[inline]
pub fn chance(rng: &mut (impl Rng + ?Sized), probability: f64) -> bool {
    unit(rng) < probability
}

/// A normal deviate by the sum of twelve uniform ones: exact arithmetic, the same on every machine.
pub fn normal(rng: &mut (impl Rng + ?Sized)) -> f64 {
    (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0
}

/// The index at which a roulette wheel with slots of these widths stops. The sum of widths must be above 0.
pub fn spin(widths: &[f64], rng: &mut (impl Rng + ?Sized)) -> usize {
    let mut left = unit(rng) * widths.iter().sum::<f64>();
    for (place, width) in widths.iter().enumerate() {
        if left < *width {
            return place;
        }
        left -= width;
    }
    // Rounding may leave a rest.
    widths.len() - 1
}

/// The first index with the highest value. NaN is never the highest; 0 if all values are NaN.
///
/// ```
/// # use evouct_base::sampling::first_highest;
/// assert_eq!(first_highest([1.0, f64::NAN, 3.0, 3.0].into_iter()), 2);
/// assert_eq!(first_highest([f64::NAN, f64::NEG_INFINITY].into_iter()), 1);
/// ```
#[inline]
pub fn first_highest(mut values: impl Iterator<Item = f64> + Clone) -> usize {
    let highest = highest(values.clone());
    values.position(|value| value == highest).unwrap_or(0)
}

/// A random one of the indices with the highest value, each equally likely; 0 if all values are NaN. One word is drawn,
/// also if there is no choice.
pub fn random_highest(values: impl Iterator<Item = f64> + Clone, rng: &mut (impl Rng + ?Sized)) -> usize {
    let highest = highest(values.clone());
    let mut equal = values.enumerate().filter(|(_, value)| *value == highest).map(|(index, _)| index);
    let chosen = below(rng, equal.clone().count());
    equal.nth(chosen).unwrap_or(0)
}

#[inline]
fn highest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, |a, b| if b > a { b } else { a })
}

/// Puts a list in random order (Fisher–Yates from the back).
pub fn shuffle<T>(rng: &mut impl Rng, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        list.swap(last, below(rng, last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Key;

    /// Test vectors: a change here changes every game ever recorded.
    #[test]
    fn sampling_is_pinned() {
        let mut stream = Key::experiment(2022).stream();
        let mut numbers = || below(&mut stream, 100);
        assert_eq!(std::array::from_fn(|_| numbers()), [94, 41, 95, 9, 84, 6, 87, 49]);
        let mut dice = Dice::roll(&mut stream);
        assert_eq!([71, 400, 9].map(|n| dice.below(n)), [59, 339, 6]);
        let (mut one, mut other, mut numbers) = (stream.clone(), stream.clone(), [0; 150]);
        fill_below(&mut one, 1_000, &mut numbers);
        assert_eq!(numbers, std::array::from_fn(|_| below(&mut other, 1_000)));
        assert_eq!(one, other);
        let mut list: [u8; 10] = std::array::from_fn(|i| i as u8);
        shuffle(&mut stream, &mut list);
        assert_eq!(list, [6, 0, 8, 7, 1, 2, 9, 4, 5, 3]);
        let draws: [bool; 8] = std::array::from_fn(|_| chance(&mut stream, 0.9));
        assert_eq!(draws, [true, true, true, true, true, false, true, true]);
    }

    #[test]
    fn the_highest_is_chosen_and_equal_ones_alike_often() {
        let mut stream = Key::experiment(1).stream();
        let mut counts = [0; 5];
        let values = [1.0, 3.0, f64::NAN, -2.0, 3.0];
        (0..20_000).for_each(|_| counts[random_highest(values.into_iter(), &mut stream)] += 1);
        assert_eq!((counts[0], counts[2], counts[3]), (0, 0, 0));
        assert!((9_600..10_400).contains(&counts[1]), "{counts:?}");
        assert_eq!(random_highest([f64::NAN; 2].into_iter(), &mut stream), 0);
    }

    #[test]
    fn ranges_stay_in_their_bounds() {
        let mut stream = Key::experiment(1).stream();
        for n in 1..200 {
            assert!(below(&mut stream, n) < n);
            assert!(Dice::roll(&mut stream).below(n as u32) < n as u32);
        }
        assert_eq!(below(&mut stream, 0), 0);
        assert!(!chance(&mut stream, 0.0) && chance(&mut stream, 1.0));
    }
}
