//! The limits of the rules, each with its reason.
//!
//! A position is one flat value without allocation, so every table in it has a fixed size. The sizes belong to the
//! [`Edition`](super::Edition): the tests of this file compare them with the tile sets.

/// The most seats under any rules: the base game is for five, Inns & Cathedrals brings a sixth.
pub const MAX_SEATS: usize = 6;

/// Meeples of each seat at the start, without the other figures.
pub const MEEPLES: u8 = 7;

/// The most tiles of any set, the start tile included.
pub(super) const MAX_TILES: usize = 102;

/// The most segments on a tile: one byte each in a 64-bit word.
pub(super) const MAX_SEGMENTS: usize = 8;

/// The bits that count the meeples of one seat.
pub(super) const MEEPLE_BITS: u32 = 4;

/// The bits of a feature's sum word for figures: one group of [`MEEPLE_BITS`] per seat, then one bit per seat for a big
/// meeple.
pub(super) const FIGURE_BITS: u32 = 32;

const _: () = {
    assert!(MEEPLES < 1 << MEEPLE_BITS, "a counter holds all meeples of a seat");
    assert!((MEEPLE_BITS + 1) * MAX_SEATS as u32 <= FIGURE_BITS, "the figures of all seats fit");
    assert!(MAX_SEGMENTS == size_of::<u64>(), "the feature ids of a tile are the bytes of a word");
    assert!(MAX_TILES < i8::MAX as usize, "a coordinate is a signed byte");
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::edition::{Base, Edition, Expanded, FixedTable, SetWord};
    use crate::rules::{FeatureKind, Segment, TileKind, TileSet};

    /// The sum over all tiles of a set, each copy counted.
    fn sum_over_tiles(set: &TileSet, count: impl Fn(&[Segment]) -> usize) -> usize {
        let kinds = (0..set.kinds().len() as u8).map(TileKind);
        kinds.map(|kind| usize::from(set.kind(kind).count) * count(set.segments(kind))).sum()
    }

    fn fits<E: Edition>(set: &TileSet) {
        let name = &set.name;
        let segments =
            |kind| sum_over_tiles(set, |segments| segments.iter().filter(|segment| segment.kind() == kind).count());
        let tiles = usize::from(set.tiles);
        assert!(tiles <= <E::Tiles<u8> as FixedTable<u8>>::LEN, "{name}: tiles");
        assert!(tiles - 1 <= <E::Turns<u8> as FixedTable<u8>>::LEN, "{name}: turns");
        assert!(set.kinds().len() <= <E::Kinds<u8> as FixedTable<u8>>::LEN, "{name}: kinds");
        assert!(segments(FeatureKind::City) / 2 <= <E::Cities<u8> as FixedTable<u8>>::LEN, "{name}: complete cities");
        assert!(
            <E::Cities<u8> as FixedTable<u8>>::LEN < E::CitySet::BITS as usize,
            "{name}: a set of cities is never full"
        );
        let centres = segments(FeatureKind::Monastery) + segments(FeatureKind::Garden);
        assert!(centres <= <E::Monasteries<u8> as FixedTable<u8>>::LEN, "{name}: {centres} monasteries and gardens");
        let on_edges = sum_over_tiles(set, <[Segment]>::len) - centres;
        let features = on_edges - (tiles - 1);
        assert!(features < <E::Features<u8> as FixedTable<u8>>::LEN, "{name}: {features} features and id 0");
        let tables = E::of(set);
        let bits = (tables.city_segments | tables.several_city_segments).count();
        assert!(bits <= E::Set::BITS, "{name}: {bits} bits");
        let slots = <E::Slots<u8> as FixedTable<u8>>::LEN;
        assert!(slots > 2 * tiles + 2 && slots < 255, "{name}: a slot is a byte, 0 is an empty cell and 255 a tile");
        assert_eq!(slots.div_ceil(64), <E::Words<u64> as FixedTable<u64>>::LEN);
        assert!(i32::from(set.tiles) + 2 <= E::REACH, "{name}: cells that are far apart");
        assert!(tiles <= MAX_TILES, "{name}");
    }

    #[test]
    fn the_tables_have_room_for_every_tile_set() {
        fits::<Base>(TileSet::base());
        for set in TileSet::all() {
            fits::<Expanded>(set);
        }
    }

    fn indices_differ<E: Edition>() {
        let (reach, cells) = (E::REACH, <E::Cells<u8> as FixedTable<u8>>::LEN as i32);
        let offsets = (-reach..=reach).flat_map(|x| (-reach..=reach).map(move |y| (x, y)));
        for (x, y) in offsets.filter(|(x, y)| (1..=reach).contains(&(x.abs() + y.abs()))) {
            assert_ne!((x + E::ROW * y).rem_euclid(cells), 0, "{x}, {y}");
        }
    }

    #[test]
    fn cells_within_reach_have_different_indices() {
        indices_differ::<Base>();
        indices_differ::<Expanded>();
    }

    #[test]
    fn tables_by_kind_have_a_power_of_two_as_length() {
        assert!(<<Base as Edition>::Kinds<u8> as FixedTable<u8>>::LEN.is_power_of_two());
        assert!(<<Expanded as Edition>::Kinds<u8> as FixedTable<u8>>::LEN.is_power_of_two());
    }
}
