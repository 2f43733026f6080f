//! Features: cities, roads and fields that grow and merge as tiles are placed.
//!
//! A feature is two words. When features merge, their *set* words are united and their *sum* words are added. City
//! segments, and tiles with several segments, are bits of the set: a tile that joins one feature at two ports counts
//! once. Open ends, tiles, pennants and meeples are counters side by side in the sum.
//!
//! Merged features form a union-find structure over one-byte ids. A merge also relabels the ids that the board shows at
//! open cells, so placing a tile needs no search for roots, except where one tile merges several features. Only the ids
//! of claimed features go stale; scoring finds their roots. [`Features::find`] only reads and does not compress paths.

use super::action::Figure;
use super::edition::{Edition, FixedTable, copy_blocks};
use super::limits::{FIGURE_BITS, MAX_SEATS, MEEPLE_BITS};
use evouct_base::prefetch::prefetch;

/// Figures by seat: those on a feature, or those that a seat has left.
///
/// From bit 0 the meeples, [`MEEPLE_BITS`] for each seat; from [`BIG_SHIFT`] and [`ABBOT_SHIFT`] a bit for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meeples(u64);

/// Meeples that a big one counts as for the majority.
pub(crate) const BIG_STRENGTH: u8 = 2;

impl Meeples {
    /// The same number for every seat.
    pub(super) const fn each(count: u8) -> Meeples {
        Meeples(COUNTER_MASK / SEAT_MASK * count as u64)
    }

    /// One more figure of this kind for every seat.
    pub(super) const fn with_one_each(self, figure: Figure) -> Meeples {
        let each_seat = (1 << MAX_SEATS) - 1;
        match figure {
            Figure::Meeple => Meeples(self.0 + COUNTER_MASK / SEAT_MASK),
            Figure::Big => Meeples(self.0 | each_seat << BIG_SHIFT),
            Figure::Abbot => Meeples(self.0 | each_seat << ABBOT_SHIFT),
        }
    }

    #[inline]
    pub(super) fn of(self, seat: u8) -> u8 {
        (self.0 >> (MEEPLE_BITS * u32::from(seat)) & SEAT_MASK) as u8
    }

    /// The meeples of a seat and of the other one, where the first two seats alone play.
    #[inline]
    pub(super) fn of_two(self, seat: u8) -> [u8; 2] {
        [self.of(seat), self.of(seat ^ 1)]
    }

    #[inline]
    pub(super) fn one(figure: Figure, seat: u8) -> Meeples {
        Meeples::one_if(true, figure, seat)
    }

    /// One figure of a seat, or none.
    #[inline]
    pub(super) fn one_if(is_placed: bool, figure: Figure, seat: u8) -> Meeples {
        let shift = match figure {
            Figure::Meeple => MEEPLE_BITS * u32::from(seat),
            Figure::Big => BIG_SHIFT + u32::from(seat),
            Figure::Abbot => ABBOT_SHIFT + u32::from(seat),
        };
        Meeples(u64::from(is_placed) << shift)
    }

    /// Whether a seat has a figure of this kind.
    #[inline]
    pub(super) fn has(self, figure: Figure, seat: u8) -> bool {
        match figure {
            Figure::Meeple => self.of(seat) > 0,
            figure => self.0 & Meeples::one(figure, seat).0 != 0,
        }
    }

    /// Adds these figures.
    #[inline]
    pub(super) fn add_all(&mut self, others: Meeples) {
        self.0 += others.0;
    }

    /// Removes these figures. They must be there.
    #[inline]
    pub(super) fn take_all(&mut self, others: Meeples) {
        self.0 -= others.0;
    }

    /// All figures: from bit 0 on the meeples, [`MEEPLE_BITS`] for each seat, above them the other figures.
    #[inline]
    pub(super) fn packed(self) -> u64 {
        self.0
    }

    /// The meeples by seat, without other figures.
    #[inline]
    pub(super) fn by_seat(self) -> [u8; MAX_SEATS] {
        std::array::from_fn(|seat| self.of(seat as u8))
    }

    /// By seat: what its figures count for the majority.
    #[inline]
    pub(super) fn strengths<E: Edition>(self) -> [u8; MAX_SEATS] {
        let mut strengths = [0; MAX_SEATS];
        for (seat, strength) in strengths.iter_mut().enumerate().take(E::SEATS) {
            *strength = self.of(seat as u8);
            if E::EXPANDED {
                let flag = |shift: u32| (self.0 >> (shift as usize + seat) & 1) as u8;
                *strength += BIG_STRENGTH * flag(BIG_SHIFT) + flag(ABBOT_SHIFT);
            }
        }
        strengths
    }

    /// All figures of a seat.
    #[inline]
    pub(super) fn figures<E: Edition>(self, seat: u8) -> u8 {
        let other = |figure| E::EXPANDED && self.has(figure, seat);
        self.of(seat) + u8::from(other(Figure::Big)) + u8::from(other(Figure::Abbot))
    }
}

/// The data of one feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Feature<E: Edition> {
    /// City: its segments, and its tiles with several segments. Road: its tiles with several segments. Field: the city
    /// segments that it touches.
    pub(super) set: E::Set,
    /// From bit 0 the meeples by seat and the big ones, from bit 32 open ends, from bit 40 tiles with one segment, from
    /// bit 48 pennants, from bit 56 inns or cathedrals.
    pub(super) sum: u64,
}

const SEAT_MASK: u64 = (1 << MEEPLE_BITS) - 1;
const COUNTER_MASK: u64 = (1 << (MEEPLE_BITS * MAX_SEATS as u32)) - 1;
/// The lowest bit of the big meeples: above the counters of meeples.
const BIG_SHIFT: u32 = MEEPLE_BITS * MAX_SEATS as u32;
/// The lowest bit of the abbots, which never stand on a feature of several tiles.
const ABBOT_SHIFT: u32 = FIGURE_BITS;
/// The figures on a feature.
const MEEPLE_MASK: u64 = (1 << (BIG_SHIFT + MAX_SEATS as u32)) - 1;
const OPEN_SHIFT: u32 = FIGURE_BITS;
const TILE_SHIFT: u32 = OPEN_SHIFT + 8;
const PENNANT_SHIFT: u32 = TILE_SHIFT + 8;
const SPECIAL_SHIFT: u32 = PENNANT_SHIFT + 8;
/// Replaces the open ends of a complete feature, so that it completes once.
const COMPLETE: u64 = 0x80 << OPEN_SHIFT;

impl<E: Edition> Feature<E> {
    /// The sum word of a segment with these tiles, pennants, and inns or cathedrals.
    pub(super) const fn sum(tiles: u64, pennants: u64, specials: u64) -> u64 {
        tiles << TILE_SHIFT | pennants << PENNANT_SHIFT | specials << SPECIAL_SHIFT
    }

    /// The sum word that changes the open ends by this number.
    #[inline]
    pub(super) const fn open_ends(change: i8) -> u64 {
        (change as u64) << OPEN_SHIFT
    }

    /// Adds another feature or segment, which must not be in this one yet.
    #[inline]
    pub(super) fn add(&mut self, other: Feature<E>) {
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

    /// Whether an inn is on the road, or a cathedral in the city.
    #[inline]
    pub(super) fn is_special(self) -> bool {
        E::EXPANDED && self.sum >> SPECIAL_SHIFT != 0
    }
}

/// All features of a board, by id.
#[derive(Clone)]
pub(super) struct Features<E: Edition> {
    /// The feature that this one was merged into. A root is its own parent.
    parent: E::Features<u8>,
    data: E::Features<Feature<E>>,
    /// The next free id.
    next: u8,
}

impl<E: Edition> Features<E> {
    pub(super) fn new() -> Features<E> {
        let mut parent = E::Features::<u8>::filled(0);
        parent.as_mut().iter_mut().zip(0..=u8::MAX).for_each(|(parent, id)| *parent = id);
        Features { parent, data: FixedTable::filled(Feature::default()), next: 1 }
    }

    /// Copies the entries in use. Entries beyond stay zero.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &Features<E>) {
        let used = usize::from(self.next.max(other.next));
        copy_blocks::<8, _, _>(&mut self.parent, &other.parent, used);
        copy_blocks::<8, _, _>(&mut self.data, &other.data, used);
        self.next = other.next;
    }

    /// Asks for the parents, which any search for a root reads.
    #[inline]
    pub(super) fn prefetch_parents(&self) {
        self.parent.as_ref()[..usize::from(self.next)].iter().step_by(64).for_each(prefetch);
    }

    /// Asks for the data of a feature, merged or not.
    #[inline]
    pub(super) fn prefetch(&self, id: u8) {
        prefetch(&self.data[usize::from(id)]);
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
    pub(super) fn root(&self, root: u8) -> Feature<E> {
        self.data[usize::from(root)]
    }

    /// Adds a segment to the feature with this root and returns the result.
    #[inline]
    pub(super) fn extend(&mut self, root: u8, segment: Feature<E>) -> Feature<E> {
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

    /// Places these figures on the feature with this root.
    #[inline]
    pub(super) fn claim_by(&mut self, root: u8, figures: Meeples) {
        self.data[usize::from(root)].sum += figures.0;
    }

    /// Marks the feature complete and removes its meeples. Returns the feature before that.
    #[inline]
    pub(super) fn complete(&mut self, root: u8) -> Feature<E> {
        let feature = self.data[usize::from(root)];
        self.data[usize::from(root)].sum = feature.sum & !MEEPLE_MASK | COMPLETE;
        feature
    }
}
