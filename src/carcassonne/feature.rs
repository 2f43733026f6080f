//! Features: cities, roads and fields that grow and merge as tiles are laid.
//!
//! A feature is two words. The *set* word is united when features merge, the *sum* word added. Physical segments are
//! bits of the set, so that nothing is counted twice when a tile joins one feature at two places; open ends, tiles,
//! pennants and meeples are small counters side by side in the sum. Which feature an id stands for is kept by
//! union-find over one-byte ids.

use super::rules::MAX_SEATS;

/// Ids that a game of 72 tiles can use: every tile after the first continues at least one feature (237 segments in the
/// base game, less 71), and id 0 means none.
pub(super) const MAX_FEATURES: usize = 168;

/// Meeples by seat, four bits each: those on a feature, or those in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meeples(u64);

impl Meeples {
    /// This many for every seat.
    pub(super) const fn each(count: u8) -> Meeples {
        Meeples(MEEPLES / 0xf * count as u64)
    }

    /// Those of one seat.
    #[inline]
    pub(super) fn of(self, seat: u8) -> u8 {
        (self.0 >> (MEEPLE_BITS * u32::from(seat)) & 0xf) as u8
    }

    /// One more for a seat.
    #[inline]
    pub(super) fn add(&mut self, seat: u8) {
        self.0 += 1 << (MEEPLE_BITS * u32::from(seat));
    }

    /// One fewer for a seat, which has one.
    #[inline]
    pub(super) fn take(&mut self, seat: u8) {
        self.0 -= 1 << (MEEPLE_BITS * u32::from(seat));
    }

    /// These come back to the hands.
    #[inline]
    pub(super) fn add_all(&mut self, others: Meeples) {
        self.0 += others.0;
    }

    /// By seat.
    #[inline]
    pub(super) fn by_seat(self) -> [u8; MAX_SEATS] {
        std::array::from_fn(|seat| self.of(seat as u8))
    }
}

/// What is known of one feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Feature {
    /// City: its segments, and its tiles that hold several. Road: its tiles that hold several segments. Field: the city
    /// segments that it touches.
    pub(super) set: u64,
    /// From bit 0 four bits a seat for meeples; from bit 32 open ends, bit 40 tiles with one segment, bit 48 pennants.
    pub(super) sum: u64,
}

const MEEPLE_BITS: u32 = 4;
const MEEPLES: u64 = (1 << (MEEPLE_BITS * MAX_SEATS as u32)) - 1;
const OPEN_SHIFT: u32 = 32;
const TILE_SHIFT: u32 = 40;
const PENNANT_SHIFT: u32 = 48;
/// Stands in place of the open ends once a feature is complete, so that it completes once.
const COMPLETE: u64 = 0x80 << OPEN_SHIFT;

impl Feature {
    /// The sum word of a segment with these tiles and pennants.
    pub(super) const fn sum(tiles: u64, pennants: u64) -> u64 {
        tiles << TILE_SHIFT | pennants << PENNANT_SHIFT
    }

    /// What changes the open ends by this many.
    #[inline]
    pub(super) const fn open_ends(change: i8) -> u64 {
        (change as u64) << OPEN_SHIFT
    }

    /// Whether any meeple stands here.
    #[inline]
    pub(super) fn is_claimed(self) -> bool {
        self.sum & MEEPLES != 0
    }

    /// The meeples that stand here.
    #[inline]
    pub(super) fn meeples(self) -> Meeples {
        Meeples(self.sum & MEEPLES)
    }

    /// Whether the last open end was closed just now (and [`Features::complete`] not yet called).
    #[inline]
    pub(super) fn is_closed(self) -> bool {
        self.sum >> OPEN_SHIFT & 0xff == 0
    }

    /// Tiles with a single segment here.
    #[inline]
    pub(super) fn single_tiles(self) -> u32 {
        (self.sum >> TILE_SHIFT & 0xff) as u32
    }

    /// Pennants of a city.
    #[inline]
    pub(super) fn pennants(self) -> u32 {
        (self.sum >> PENNANT_SHIFT & 0xff) as u32
    }
}

/// All features of a board, by id.
#[derive(Clone)]
pub(super) struct Features {
    /// The feature that one was merged into; a root is its own parent.
    parent: [u8; MAX_FEATURES],
    data: [Feature; MAX_FEATURES],
    /// The next id to hand out; ids below it are in use.
    next: u8,
}

impl Features {
    pub(super) fn new() -> Features {
        Features { parent: std::array::from_fn(|id| id as u8), data: [Feature::default(); MAX_FEATURES], next: 1 }
    }

    /// Copies what is in use. What lies beyond stays zero.
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

    /// As many new features as this begin.
    #[inline]
    pub(super) fn found(&mut self, count: u8) {
        self.next += count;
    }

    /// The root of the feature that an id has become part of.
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

    /// The feature with this root. A feature that has just begun is all zero.
    #[inline]
    pub(super) fn root(&self, root: u8) -> Feature {
        self.data[usize::from(root)]
    }

    /// Adds a segment to the feature with this root and returns what it is now.
    #[inline]
    pub(super) fn extend(&mut self, root: u8, segment: Feature) -> Feature {
        let feature = &mut self.data[usize::from(root)];
        feature.set |= segment.set;
        feature.sum = feature.sum.wrapping_add(segment.sum);
        *feature
    }

    /// Two features become one, which keeps the root `into`.
    #[inline]
    pub(super) fn merge(&mut self, into: u8, from: u8) {
        let absorbed = self.data[usize::from(from)];
        self.extend(into, absorbed);
        self.parent[usize::from(from)] = into;
    }

    /// Puts a meeple of `seat` on the feature with this root.
    #[inline]
    pub(super) fn claim(&mut self, root: u8, seat: u8) {
        self.data[usize::from(root)].sum += 1 << (MEEPLE_BITS * u32::from(seat));
    }

    /// Marks the feature complete and takes its meeples off; returns it as it was.
    #[inline]
    pub(super) fn complete(&mut self, root: u8) -> Feature {
        let feature = self.data[usize::from(root)];
        self.data[usize::from(root)].sum = feature.sum & !MEEPLES | COMPLETE;
        feature
    }
}
