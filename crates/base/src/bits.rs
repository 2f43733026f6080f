//! Sets as the bits of a word.

/// The position of the set bit with `n` set bits below it. `n` must be less than the number of set bits.
#[inline]
pub fn nth_one(word: u64, n: u32) -> u32 {
    #[cfg(target_feature = "bmi2")]
    {
        safe_arch::population_deposit_u64(1 << n, word).trailing_zeros()
    }
    #[cfg(not(target_feature = "bmi2"))]
    plain_nth_one(word, n)
}

/// The same of a wide word.
#[inline]
pub fn nth_one_wide(word: u128, n: u32) -> u32 {
    let (low, high) = (word as u64, (word >> 64) as u64);
    let below = low.count_ones();
    if n < below { nth_one(low, n) } else { 64 + nth_one(high, n - below) }
}

/// What a build without BMI2 runs in its place.
#[cfg(any(test, not(target_feature = "bmi2")))]
#[inline]
fn plain_nth_one(word: u64, n: u32) -> u32 {
    let mut left = word;
    for _ in 0..n {
        left &= left - 1;
    }
    left.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Key;
    use rand::Rng;

    #[test]
    fn bits_are_found_by_their_number() {
        let mut rng = Key::experiment(2026).stream();
        for _ in 0..2_000 {
            let (low, high) = (rng.next_u64() & rng.next_u64(), rng.next_u64() & rng.next_u64());
            let wide = u128::from(high) << 64 | u128::from(low);
            let ones: Vec<u32> = (0..128).filter(|bit| wide >> bit & 1 != 0).collect();
            for (n, bit) in ones.into_iter().enumerate() {
                assert_eq!(nth_one_wide(wide, n as u32), bit);
                if bit < 64 {
                    assert_eq!([nth_one(low, n as u32), plain_nth_one(low, n as u32)], [bit; 2]);
                }
            }
        }
    }
}
