//! Word operations of the board: with AVX2, SSSE3 and SSE2 where the build has them, with plain integers
//! elsewhere.
//!
//! Both versions give the same results, which the tests compare. Only their speed differs.

pub(super) use evouct_base::bits::nth_one;

/// Four words, one for each rotation.
pub(super) type Lanes = [u64; 4];

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

/// The number of set bits in all lanes.
// In two halves: of four words the compiler makes a vector, and its sum comes later than four population counts.
#[inline]
pub(super) fn count_ones(lanes: Lanes) -> u32 {
    let both = |low: u64, high: u64| (u128::from(low) | u128::from(high) << 64).count_ones();
    both(lanes[0], lanes[1]) + both(lanes[2], lanes[3])
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
            m256i::from(ORIENTATIONS[usize::from(orientations) % 8]),
        );
        <[u64; 4]>::from(bitandnot_m256i(clash, wanted))
    }
    #[cfg(not(target_feature = "avx2"))]
    plain_legal_lanes(open, orientations, clashes)
}

/// The bit of a slot in a word of a bitmap; 0 if the slot belongs to another word.
#[inline]
pub(super) fn bit_in_word(slot: u8, word: usize) -> u64 {
    u64::from(usize::from(slot) / 64 == word) << (slot % 64)
}

/// The positions of the four lowest set bits in ascending order, one a byte; without meaning beyond the last set bit.
#[inline]
pub(super) fn lowest_four(word: u64) -> u32 {
    let (mut left, mut four) = (word, 0);
    for place in 0..4 {
        four |= left.trailing_zeros() << (8 * place);
        left &= left.wrapping_sub(1);
    }
    four
}

/// Updates one word of the bitmaps of clashes after a tile is placed on the slot `closed`. In byte `j` of `slots` is
/// the slot that sees the tile on side `j`, and in byte `j` of `edges` the kind of edge that it sees there; a number
/// that is no kind clashes with all. Slots of other words are left out. Returns those of this word.
#[inline]
pub(super) fn show_edges(clash: &mut [Lanes; 3], word: usize, closed: u8, slots: u32, edges: u32) -> u64 {
    #[cfg(target_feature = "avx2")]
    {
        use safe_arch::{
            bitandnot_m256i, bitor_m128i, bitor_m256i, cmp_eq_mask_i64_m256i,
            convert_to_i16_m256i_from_lower4_u8_m128i, extract_i64_imm_m128i, extract_m128i_m256i,
            get_i64_from_m128i_s, m256i, set_i32_m128i_s, set_splat_i64_m256i, shl_each_u64_m256i, sub_i64_m256i,
        };
        let each = |bytes: u32| convert_to_i16_m256i_from_lower4_u8_m128i(set_i32_m128i_s(bytes as i32));
        // A shift by more than 63, and so one by a negative number, gives no bit.
        let ones = set_splat_i64_m256i(1);
        let seen = shl_each_u64_m256i(ones, sub_i64_m256i(each(slots), set_splat_i64_m256i(64 * word as i64)));
        let gone = shl_each_u64_m256i(ones, set_splat_i64_m256i(i64::from(closed) - 64 * word as i64));
        let edges = each(edges);
        for (kind, lanes) in clash.iter_mut().enumerate() {
            let same = cmp_eq_mask_i64_m256i(edges, set_splat_i64_m256i(kind as i64));
            let kept = bitandnot_m256i(gone, m256i::from(*lanes));
            *lanes = bitor_m256i(kept, bitandnot_m256i(same, seen)).into();
        }
        let both = bitor_m128i(extract_m128i_m256i::<0>(seen), extract_m128i_m256i::<1>(seen));
        (get_i64_from_m128i_s(both) | extract_i64_imm_m128i::<1>(both)) as u64
    }
    #[cfg(not(target_feature = "avx2"))]
    plain_show_edges(clash, word, closed, slots, edges)
}

/// By number of orientations: all bits set in the lanes of the rotations that look different. Eight entries, so that a
/// remainder is a bit mask.
static ORIENTATIONS: [Lanes; 8] =
    [[0; 4], [!0, 0, 0, 0], [!0, !0, 0, 0], [!0, !0, !0, 0], [!0; 4], [0; 4], [0; 4], [0; 4]];

/// `table[ports[i]]` for each `i`. Ports are less than 16.
#[inline]
pub(super) fn pick(table: &[u8; 16], ports: &[u8; 16]) -> [u8; 16] {
    #[cfg(target_feature = "ssse3")]
    {
        use safe_arch::{m128i, shuffle_av_i8z_all_m128i};
        <[u8; 16]>::from(shuffle_av_i8z_all_m128i(m128i::from(*table), m128i::from(*ports)))
    }
    #[cfg(not(target_feature = "ssse3"))]
    plain_pick(table, ports)
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
    plain_ports_of(table, value)
}

/// By rotation: where [`turn_back`] finds the value of each port.
static TURNS: [[u8; 16]; 4] = {
    let mut turns = [[0; 16]; 4];
    let mut index = 0;
    while index < 64 {
        turns[index / 16][index % 16] = ((index % 16 + 4 * (index / 16)) % 16) as u8;
        index += 1;
    }
    turns
};

/// A table by port of the board as a table by port of a tile that is turned `rotation` times.
#[inline]
pub(super) fn turn_back(ports: &[u8; 16], rotation: u8) -> [u8; 16] {
    pick(ports, &TURNS[usize::from(rotation) % 4])
}

/// A table by port of a tile that is turned `rotation` times as a table by port of the board.
#[inline]
pub(super) fn turn(ports: &[u8; 16], rotation: u8) -> [u8; 16] {
    pick(ports, &TURNS[usize::from(rotation).wrapping_neg() % 4])
}

// What a build without an instruction runs in its place, and the tests compare with it.

#[cfg(any(test, not(target_feature = "avx2")))]
#[inline]
fn plain_legal_lanes(open: u64, orientations: u8, clashes: [&Lanes; 4]) -> Lanes {
    std::array::from_fn(|r| {
        let clash = (0..4).fold(0, |clash, j| clash | clashes[j][(j + r) % 4]);
        open & !clash & ORIENTATIONS[usize::from(orientations) % 8][r]
    })
}

#[cfg(any(test, not(target_feature = "avx2")))]
#[inline]
fn plain_show_edges(clash: &mut [Lanes; 3], word: usize, closed: u8, slots: u32, edges: u32) -> u64 {
    let (seen, edges) = (slots.to_le_bytes().map(|slot| bit_in_word(slot, word)), edges.to_le_bytes());
    let gone = bit_in_word(closed, word);
    for (kind, lanes) in clash.iter_mut().enumerate() {
        for (side, lane) in lanes.iter_mut().enumerate() {
            *lane = *lane & !gone | if usize::from(edges[side]) == kind { 0 } else { seen[side] };
        }
    }
    seen.into_iter().fold(0, |all, bit| all | bit)
}

#[cfg(any(test, not(target_feature = "ssse3")))]
#[inline]
fn plain_pick(table: &[u8; 16], ports: &[u8; 16]) -> [u8; 16] {
    ports.map(|port| table[usize::from(port % 16)])
}

#[cfg(any(test, not(target_feature = "sse2")))]
#[inline]
fn plain_ports_of(table: &[u8; 16], value: u8) -> u16 {
    table.iter().enumerate().fold(0, |set, (port, held)| set | u16::from(*held == value) << port)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 2_000, rng_seed: RngSeed::Fixed(2026), failure_persistence: None, ..Default::default()
        })]

        #[test]
        fn plain_integers_give_the_same(
            word in 1_u64.., lanes: [Lanes; 4], orientations in prop::sample::select(vec![1_u8, 2, 4]),
            // 192 slots in three words, and what is a slot of none; kinds of edges, and what is none.
            closed in 0_u8..=200, slots in prop::array::uniform4(0_u8..=255), edges in prop::array::uniform4(0_u8..=4),
            table in prop::array::uniform16(0_u8..=20), ports in prop::array::uniform16(0_u8..16), value in 0_u8..=20,
        ) {
            let clashes = lanes.each_ref();
            prop_assert_eq!(legal_lanes(word, orientations, clashes), plain_legal_lanes(word, orientations, clashes));
            for of_word in 0..4 {
                let [mut fast, mut slow] = [[lanes[0], lanes[1], lanes[2]]; 2];
                let (slots, edges) = (u32::from_le_bytes(slots), u32::from_le_bytes(edges));
                let opened = show_edges(&mut fast, of_word, closed, slots, edges);
                prop_assert_eq!(opened, plain_show_edges(&mut slow, of_word, closed, slots, edges));
                prop_assert_eq!(fast, slow);
            }
            prop_assert_eq!(pick(&table, &ports), plain_pick(&table, &ports));
            prop_assert_eq!(ports_of(&table, value), plain_ports_of(&table, value));
        }
    }

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
    fn the_lowest_four_are_in_ascending_order() {
        let word = 0x8000_4210_0801_0005;
        let lowest: Vec<u32> = ones(word).take(4).collect();
        assert_eq!(lowest_four(word).to_le_bytes().map(u32::from), lowest[..]);
        assert_eq!(lowest_four(1 << 63 | 1 << 7) as u16, 63 << 8 | 7);
        assert_eq!(count_ones([word, 0, !0, 1]), word.count_ones() + 65);
    }

    #[test]
    fn shown_edges_clash_with_all_other_kinds() {
        let before: [Lanes; 3] =
            std::array::from_fn(|kind| std::array::from_fn(|side| 0x0123_4567_89ab_cdef << (7 * kind + side)));
        // A slot of each word, one of them in a word with another; the last edge is of no kind.
        for (closed, slots, edges) in [(9, [3, 63, 64, 200], [0, 1, 2, 3]), (70, [65, 70, 0, 130], [2, 0, 3, 1])] {
            for word in 0..4 {
                let in_word = |slot: u8| if usize::from(slot) / 64 == word { 1_u64 << (slot % 64) } else { 0 };
                let mut clash = before;
                let opened = show_edges(&mut clash, word, closed, u32::from_le_bytes(slots), u32::from_le_bytes(edges));
                assert_eq!(opened, slots.iter().fold(0, |all, slot| all | in_word(*slot)));
                assert_eq!(bit_in_word(closed, word), in_word(closed));
                for (kind, side) in (0..3).flat_map(|kind| (0..4).map(move |side| (kind, side))) {
                    let seen = if usize::from(edges[side]) == kind { 0 } else { in_word(slots[side]) };
                    assert_eq!(clash[kind][side], before[kind][side] & !in_word(closed) | seen, "{word} {kind} {side}");
                }
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
        for rotation in 0..4 {
            assert_eq!(turn(&turn_back(&table, rotation), rotation), table);
        }
    }
}
