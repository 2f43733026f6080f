//! Word operations of the board: with BMI2, AVX2, SSSE3 and SSE2 where the build has them, with plain integers
//! elsewhere.
//!
//! Both versions give the same results. Only their speed differs.

use super::board::Lanes;
pub(in crate::carcassonne) use crate::fetch::fetch;

/// The set bits of a word, lowest first.
#[inline]
pub(super) fn ones(word: u64) -> impl Iterator<Item = u32> {
    let mut left = word;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let bit = left.trailing_zeros();
            left &= left - 1;
            bit
        })
    })
}

/// The position of the set bit with `n` set bits below it. `n` must be less than the number of set bits.
#[inline]
pub(super) fn nth_one(word: u64, n: u32) -> u32 {
    #[cfg(target_feature = "bmi2")]
    {
        safe_arch::population_deposit_u64(1 << n, word).trailing_zeros()
    }
    #[cfg(not(target_feature = "bmi2"))]
    {
        let mut left = word;
        for _ in 0..n {
            left &= left - 1;
        }
        left.trailing_zeros()
    }
}

/// For each rotation the slots in `open` where no edge clashes. `clashes[j]` holds, by side, the slots that clash with
/// the kind of edge `j` (N, E, S, W in rotation 0). After `r` quarter turns edge `j` is on side `j + r`. Lanes of
/// rotations that look like an earlier one are empty.
#[inline]
pub(super) fn legal_lanes(open: u64, orientations: u8, clashes: [&Lanes; 4]) -> Lanes {
    #[cfg(target_feature = "avx2")]
    {
        use safe_arch::{bitandnot_m256i, bitor_m256i, m256i, set_splat_i64_m256i, shuffle_ai_i64_all_m256i};
        let [north, east, south, west] = clashes.map(|lanes| m256i::from(*lanes));
        let clash = bitor_m256i(
            bitor_m256i(north, shuffle_ai_i64_all_m256i::<0b00_11_10_01>(east)),
            bitor_m256i(
                shuffle_ai_i64_all_m256i::<0b01_00_11_10>(south),
                shuffle_ai_i64_all_m256i::<0b10_01_00_11>(west),
            ),
        );
        let wanted = safe_arch::bitand_m256i(
            set_splat_i64_m256i(open as i64),
            m256i::from(ORIENTATIONS[usize::from(orientations) % 5]),
        );
        <[u64; 4]>::from(bitandnot_m256i(clash, wanted))
    }
    #[cfg(not(target_feature = "avx2"))]
    {
        std::array::from_fn(|r| {
            let clash = (0..4).fold(0, |clash, j| clash | clashes[j][(j + r) % 4]);
            open & !clash & ORIENTATIONS[usize::from(orientations) % 5][r]
        })
    }
}

/// By number of orientations: all bits set in the lanes of the rotations that look different.
static ORIENTATIONS: [Lanes; 5] = [[0; 4], [!0, 0, 0, 0], [!0, !0, 0, 0], [!0, !0, !0, 0], [!0; 4]];

/// `table[ports[i]]` for each `i`. Ports are less than 16.
#[inline]
pub(super) fn pick(table: &[u8; 16], ports: &[u8; 16]) -> [u8; 16] {
    #[cfg(target_feature = "ssse3")]
    {
        use safe_arch::{m128i, shuffle_av_i8z_all_m128i};
        <[u8; 16]>::from(shuffle_av_i8z_all_m128i(m128i::from(*table), m128i::from(*ports)))
    }
    #[cfg(not(target_feature = "ssse3"))]
    {
        ports.map(|port| table[usize::from(port % 16)])
    }
}

/// The set of ports at which a table holds this value.
#[inline]
pub(super) fn ports_of(table: &[u8; 16], value: u8) -> u16 {
    #[cfg(target_feature = "sse2")]
    {
        use safe_arch::{cmp_eq_mask_i8_m128i, m128i, move_mask_i8_m128i, set_splat_i8_m128i};
        move_mask_i8_m128i(cmp_eq_mask_i8_m128i(m128i::from(*table), set_splat_i8_m128i(value as i8))) as u16
    }
    #[cfg(not(target_feature = "sse2"))]
    {
        table.iter().enumerate().fold(0, |set, (port, held)| set | u16::from(*held == value) << port)
    }
}

/// A table by port of the board as a table by port of a tile that is turned `rotation` times.
#[inline]
pub(super) fn turn_back(ports: &[u8; 16], rotation: u8) -> [u8; 16] {
    static TURNS: [[u8; 16]; 4] = {
        let mut turns = [[0; 16]; 4];
        let mut index = 0;
        while index < 64 {
            turns[index / 16][index % 16] = ((index % 16 + 4 * (index / 16)) % 16) as u8;
            index += 1;
        }
        turns
    };
    pick(ports, &TURNS[usize::from(rotation) % 4])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_one_finds_each_set_bit() {
        let word = 0x8000_4210_0801_0005;
        for (n, bit) in ones(word).enumerate() {
            assert_eq!(nth_one(word, n as u32), bit);
        }
        assert_eq!(ones(word).count() as u32, word.count_ones());
    }

    #[test]
    fn lanes_hold_the_slots_without_a_clash() {
        // A different pattern for each lane and kind, so that a wrong permutation fails.
        let lanes: [Lanes; 4] =
            std::array::from_fn(|kind| std::array::from_fn(|side| 1 << (4 * kind + side) | 1 << (20 + side)));
        let open = 0x0fff_ffff;
        for orientations in [1, 2, 4] {
            let got = legal_lanes(open, orientations, [&lanes[0], &lanes[1], &lanes[2], &lanes[3]]);
            for (rotation, lane) in got.into_iter().enumerate() {
                let clash = (0..4).fold(0, |clash, edge| clash | lanes[edge][(edge + rotation) % 4]);
                let expected = if rotation < usize::from(orientations) { open & !clash } else { 0 };
                assert_eq!(lane, expected, "rotation {rotation} of {orientations}");
            }
        }
    }

    #[test]
    fn pick_and_turn_move_bytes() {
        let table: [u8; 16] = std::array::from_fn(|i| 100 + i as u8);
        let ports: [u8; 16] = std::array::from_fn(|i| (i as u8 * 7) % 16);
        assert_eq!(pick(&table, &ports), ports.map(|port| 100 + port));
        let ports = ports_of(&[1, 7, 7, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 7], 7);
        assert_eq!(ports, 1 << 1 | 1 << 2 | 1 << 8 | 1 << 15);
        assert_eq!(turn_back(&table, 1)[0..4], table[4..8]);
        assert_eq!(turn_back(&table, 3)[0..4], table[12..16]);
    }
}
