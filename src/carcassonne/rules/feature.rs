//! Features: cities, roads and fields that grow and merge as tiles are placed.
//!
//! A feature is two words. When features merge, their *set* words are united and their *sum* words are added. City
//! segments, and tiles with several segments, are bits of the set: a tile that joins one feature at two ports counts
//! once. Open ends, tiles, pennants and meeples are counters side by side in the sum.
//!
//! Merged features form a union-find structure over one-byte ids. A merge also relabels the ids that the board shows at
//! open cells, so placing a tile needs no search for roots, except where one tile merges several features. Only the ids
//! of claimed features go stale; scoring finds their roots. [`Features::find`] only reads and does not compress paths.

use super::limits::{MAX_FEATURES, MAX_SEATS, MEEPLE_BITS, MEEPLE_COUNTER_BITS};

/// Meeples by seat, [`MEEPLE_BITS`] each: those on a feature, or those that a seat has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meeples(u64);

impl Meeples {
    /// The same number for every seat.
    pub(super) const fn each(count: u8) -> Meeples {
        Meeples(MEEPLE_MASK / SEAT_MASK * count as u64)
    }

    /// The number of one seat.
    #[inline]
    pub(super) fn of(self, seat: u8) -> u8 {
        (self.0 >> (MEEPLE_BITS * u32::from(seat)) & SEAT_MASK) as u8
    }

    /// Adds one meeple of a seat.
    #[inline]
    pub(super) fn add(&mut self, seat: u8) {
        self.0 += 1 << (MEEPLE_BITS * u32::from(seat));
    }

    /// Removes one meeple of a seat. The seat must have one.
    #[inline]
    pub(super) fn take(&mut self, seat: u8) {
        self.0 -= 1 << (MEEPLE_BITS * u32::from(seat));
    }

    /// Adds the meeples of all seats.
    #[inline]
    pub(super) fn add_all(&mut self, others: Meeples) {
        self.0 += others.0;
    }

    /// The numbers, [`MEEPLE_BITS`] each.
    #[inline]
    pub(super) fn packed(self) -> u64 {
        self.0
    }

    /// The numbers by seat.
    #[inline]
    pub(super) fn by_seat(self) -> [u8; MAX_SEATS] {
        std::array::from_fn(|seat| self.of(seat as u8))
    }
}

/// The data of one feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Feature {
    /// City: its segments, and its tiles with several segments. Road: its tiles with several segments. Field: the city
    /// segments that it touches.
    pub(super) set: u64,
    /// From bit 0 the meeples by seat, from bit 32 open ends, from bit 40 tiles with one segment, from bit 48 pennants.
    pub(super) sum: u64,
}

const SEAT_MASK: u64 = (1 << MEEPLE_BITS) - 1;
const MEEPLE_MASK: u64 = (1 << (MEEPLE_BITS * MAX_SEATS as u32)) - 1;
const OPEN_SHIFT: u32 = MEEPLE_COUNTER_BITS;
const TILE_SHIFT: u32 = OPEN_SHIFT + 8;
const PENNANT_SHIFT: u32 = TILE_SHIFT + 8;
/// Replaces the open ends of a complete feature, so that it completes once.
const COMPLETE: u64 = 0x80 << OPEN_SHIFT;

impl Feature {
    /// The sum word of a segment with these tiles and pennants.
    pub(super) const fn sum(tiles: u64, pennants: u64) -> u64 {
        tiles << TILE_SHIFT | pennants << PENNANT_SHIFT
    }

    /// The sum word that changes the open ends by this number.
    #[inline]
    pub(super) const fn open_ends(change: i8) -> u64 {
        (change as u64) << OPEN_SHIFT
    }

    /// Adds another feature or segment, which must not be in this one yet.
    #[inline]
    pub(super) fn add(&mut self, other: Feature) {
        self.set |= other.set;
        self.sum = self.sum.wrapping_add(other.sum);
    }

    /// Whether a meeple stands on the feature.
    #[inline]
    pub(super) fn is_claimed(self) -> bool {
        self.sum & MEEPLE_MASK != 0
    }

    /// The meeples on the feature.
    #[inline]
    pub(super) fn meeples(self) -> Meeples {
        Meeples(self.sum & MEEPLE_MASK)
    }

    /// Whether the last open end is closed and [`Features::complete`] is not yet called.
    #[inline]
    pub(super) fn is_closed(self) -> bool {
        self.sum >> OPEN_SHIFT & 0xff == 0
    }

    /// The number of open ends; of a complete feature a number without meaning.
    #[inline]
    pub(super) fn open_end_count(self) -> i32 {
        (self.sum >> OPEN_SHIFT & 0xff) as i32
    }

    /// The number of tiles with a single segment in the feature.
    #[inline]
    pub(super) fn single_tiles(self) -> u32 {
        (self.sum >> TILE_SHIFT & 0xff) as u32
    }

    /// The pennants of a city.
    #[inline]
    pub(super) fn pennants(self) -> u32 {
        (self.sum >> PENNANT_SHIFT & 0xff) as u32
    }
}

/// All features of a board, by id.
#[derive(Clone)]
pub(super) struct Features {
    /// The feature that this one was merged into. A root is its own parent.
    parent: [u8; MAX_FEATURES],
    data: [Feature; MAX_FEATURES],
    /// The next free id.
    next: u8,
}

impl Features {
    pub(super) fn new() -> Features {
        Features { parent: std::array::from_fn(|id| id as u8), data: [Feature::default(); MAX_FEATURES], next: 1 }
    }

    /// Copies the entries in use. Entries beyond stay zero.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &Features) {
        let used = usize::from(self.next.max(other.next));
        self.parent[..used].copy_from_slice(&other.parent[..used]);
        self.data[..used].copy_from_slice(&other.data[..used]);
        self.next = other.next;
    }

    /// The id that the next new feature gets.
    #[inline]
    pub(super) fn next(&self) -> u8 {
        self.next
    }

    /// Begins this number of new features.
    #[inline]
    pub(super) fn begin(&mut self, count: u8) {
        self.next += count;
    }

    /// The root of the feature that an id belongs to.
    #[inline]
    pub(super) fn find(&self, id: u8) -> u8 {
        let mut id = id;
        loop {
            let parent = self.parent[usize::from(id)];
            if parent == id {
                return id;
            }
            id = parent;
        }
    }

    /// The feature with this root. A new feature is all zero.
    #[inline]
    pub(super) fn root(&self, root: u8) -> Feature {
        self.data[usize::from(root)]
    }

    /// Adds a segment to the feature with this root and returns the result.
    #[inline]
    pub(super) fn extend(&mut self, root: u8, segment: Feature) -> Feature {
        let feature = &mut self.data[usize::from(root)];
        feature.add(segment);
        *feature
    }

    /// Merges two features. The result has the root `into`.
    #[inline]
    pub(super) fn merge(&mut self, into: u8, from: u8) {
        let absorbed = self.data[usize::from(from)];
        self.extend(into, absorbed);
        self.parent[usize::from(from)] = into;
    }

    /// Places a meeple of `seat` on the feature with this root.
    #[inline]
    pub(super) fn claim(&mut self, root: u8, seat: u8) {
        self.data[usize::from(root)].sum += 1 << (MEEPLE_BITS * u32::from(seat));
    }

    /// Marks the feature complete and removes its meeples. Returns the feature before that.
    #[inline]
    pub(super) fn complete(&mut self, root: u8) -> Feature {
        let feature = self.data[usize::from(root)];
        self.data[usize::from(root)].sum = feature.sum & !MEEPLE_MASK | COMPLETE;
        feature
    }
}
