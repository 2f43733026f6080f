//! The sizes of the fixed tables, each with its reason.
//!
//! A position is one flat value without allocation, so every table in it has a fixed size. The sizes fit the base game.
//! A larger tile set needs larger limits: the tests of this file compare the limits with the tile sets.

/// The most seats: the fixed tables of a position have a place for each.
pub const MAX_SEATS: usize = 5;

/// Meeples of each seat at the start.
pub const MEEPLES: u8 = 7;

/// The most tiles of a set, the start tile included. The bag, the deck and the list of claims have this size.
pub(super) const MAX_TILES: usize = 72;

/// The most turns of a game: one for every tile except the start tile.
pub(super) const MAX_TURNS: usize = MAX_TILES - 1;

/// The most kinds of tile in a set. A power of two, so that `index % MAX_KINDS` is a bit mask.
pub(super) const MAX_KINDS: usize = 32;

/// The most segments on a tile: one byte each in a 64-bit word.
pub(super) const MAX_SEGMENTS: usize = 8;

/// The most ids of features, id 0 (no feature) included. Every tile after the first continues at least one feature, so
/// a game has at most as many features as segments on edges, less one for each turn: 237 − 71 = 166 in the base game.
pub(super) const MAX_FEATURES: usize = 168;

/// The bits in the set word of a feature. In a city and in a field each city segment of the tile set has a bit, and so
/// has each tile with several city segments: 54 bits in the base game. In a road each tile with several roads has a
/// bit.
pub(super) const SET_BITS: u32 = u64::BITS;

/// The most complete cities: a complete city has at least two segments, and the base game has 49.
pub(super) const MAX_CITIES: usize = 24;

/// The most features that meeples were placed on during a game: one per turn.
pub(super) const MAX_CLAIMS: usize = MAX_TILES;

/// The most monasteries of a set.
pub(super) const MAX_MONASTERIES: usize = 8;

/// The bits that count the meeples of one seat.
pub(super) const MEEPLE_BITS: u32 = 4;

/// The bits of a feature's sum word that count meeples: one group of [`MEEPLE_BITS`] per seat.
pub(super) const MEEPLE_COUNTER_BITS: u32 = 32;

/// The slots for open cells. `n` connected tiles have at most `2n + 2` open cells (146 for 72 tiles), and slot 0 is not
/// used.
pub(super) const SLOTS: usize = 160;

/// The largest distance of a tile from the start tile, in `x` or in `y`, that the notation accepts.
pub(in crate::carcassonne) const MAX_COORDINATE: u8 = 72;

const _: () = {
    assert!(MEEPLES < 1 << MEEPLE_BITS, "a counter holds all meeples of a seat");
    assert!(MEEPLE_BITS * MAX_SEATS as u32 <= MEEPLE_COUNTER_BITS, "the counters of all seats fit");
    assert!(MAX_SEGMENTS == size_of::<u64>(), "the feature ids of a tile are the bytes of a word");
    assert!(MAX_KINDS.is_power_of_two(), "a remainder is a mask");
    assert!(MAX_FEATURES <= 1 << u8::BITS, "an id of a feature is a byte");
    assert!(SLOTS > 2 * MAX_TILES + 2 && SLOTS < 255, "a slot is a byte, 0 is an empty cell and 255 a tile");
    assert!(MAX_TURNS <= MAX_COORDINATE as usize && MAX_COORDINATE < i8::MAX as u8, "a coordinate is a signed byte");
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carcassonne::rules::{FeatureKind, Segment, TileKind, TileSet};

    /// The sum over all tiles of a set, each copy counted.
    fn sum_over_tiles(set: &TileSet, count: impl Fn(&[Segment]) -> usize) -> usize {
        let kinds = (0..set.kinds().len() as u8).map(TileKind);
        kinds.map(|kind| usize::from(set.kind(kind).count) * count(set.segments(kind))).sum()
    }

    #[test]
    fn the_tables_have_room_for_every_tile_set() {
        for name in TileSet::KNOWN {
            let set = TileSet::named(name).unwrap();
            let segments =
                |kind| sum_over_tiles(set, |segments| segments.iter().filter(|segment| segment.kind() == kind).count());
            assert!(usize::from(set.tiles) <= MAX_TILES, "{name}: tiles");
            assert!(set.kinds().len() <= MAX_KINDS, "{name}: kinds");
            assert!(segments(FeatureKind::City) / 2 <= MAX_CITIES, "{name}: complete cities");
            assert!(segments(FeatureKind::Monastery) <= MAX_MONASTERIES, "{name}: monasteries");
            let on_edges = sum_over_tiles(set, <[Segment]>::len) - segments(FeatureKind::Monastery);
            let features = on_edges - (usize::from(set.tiles) - 1);
            assert!(features < MAX_FEATURES, "{name}: {features} features and id 0");
            let city_bits = set.city_segments | set.several_city_segments;
            assert!(
                city_bits.count_ones() <= SET_BITS && city_bits.count_ones() == city_bits.trailing_ones(),
                "{name}"
            );
        }
    }
}
