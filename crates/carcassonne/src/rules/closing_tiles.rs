//! Which tiles fit in an open cell, and which of them close the features that end there: a table made once for each
//! tile set.

use super::edition::Edition;
use super::shape::Shape;
use super::tile::{Land, Side};

/// What surrounds a cell: two bits for each side, 0 without a neighbour, otherwise one more than the number of the
/// [`Land`] that the neighbour shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern(u8);

impl Pattern {
    /// The same with a neighbour on this side.
    #[inline]
    pub(super) const fn with(self, side: usize, land: Land) -> Pattern {
        Pattern(self.0 | (land as u8 + 1) << (2 * side))
    }
}

/// Tiles that were not drawn yet: a bit for each copy of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TileBits(u128);

impl TileBits {
    /// The tiles of both.
    #[inline]
    pub(super) fn or(self, others: TileBits) -> TileBits {
        TileBits(self.0 | others.0)
    }

    /// The number of tiles that are in both.
    #[inline]
    pub(super) fn in_common(self, others: TileBits) -> u32 {
        (self.0 & others.0).count_ones()
    }
}

/// No kind has more copies.
const MOST_COPIES: usize = 15;

/// For every pattern and set of sides: the tiles that fit there and close what comes in at these sides.
#[derive(Debug)]
pub(super) struct ClosingTiles {
    /// By pattern, then by set of sides.
    tiles: Vec<TileBits>,
    /// By kind, then by number of copies up to [`MOST_COPIES`]: their bits; none of a tile with a river, which is placed
    /// by rules of its own.
    copies: Vec<[TileBits; MOST_COPIES + 1]>,
}

impl ClosingTiles {
    /// The table of these kinds, with the number of copies of each.
    pub(super) fn new<'a, E: Edition>(kinds: impl Iterator<Item = (&'a Shape<E>, u8)>) -> ClosingTiles {
        let (mut copies, mut bits) = (Vec::new(), 0);
        let mut tiles = vec![TileBits::default(); 256 * 16];
        for (shape, count) in kinds {
            let count = if shape.has_river() { 0 } else { count };
            let of = |copies: usize| TileBits(((1 << copies.min(count.into())) - 1) << bits);
            copies.push(std::array::from_fn(of));
            let own = of(MOST_COPIES);
            bits += u32::from(count);
            for (rotation, occupied) in (0..shape.orientations).flat_map(|turns| (0..16).map(move |set| (turns, set))) {
                let reached = Side::ALL.map(|side| sides_reached(shape, side as usize, rotation));
                let edge = |side: usize| shape.edges[(side + 4 - usize::from(rotation)) % 4];
                let sides = (0..4).filter(|side| occupied >> side & 1 == 1);
                let pattern = sides.fold(Pattern::default(), |pattern, side| pattern.with(side, edge(side)));
                // The segments at these sides lead to no other side.
                let closes = |set: &u8| (0..4).all(|side| set >> side & 1 == 0 || reached[side] & !set == 0);
                for set in (0..16).filter(|set| set & !occupied == 0).filter(closes) {
                    let place = place(pattern, set);
                    tiles[place] = tiles[place].or(own);
                }
            }
        }
        ClosingTiles { tiles, copies }
    }

    /// The tiles that fit where this is around them, in some rotation in which the cities and roads at these sides lead
    /// to no other side. Without sides: all tiles that fit.
    #[inline]
    pub(super) fn tiles(&self, pattern: Pattern, sides: u8) -> TileBits {
        self.tiles[place(pattern, sides)]
    }

    /// These tiles, by kind.
    pub(super) fn bits(&self, counts: &[u8]) -> TileBits {
        let of_kind =
            |(bits, count): (&[TileBits; MOST_COPIES + 1], &u8)| bits[usize::from(*count) % (MOST_COPIES + 1)];
        self.copies.iter().zip(counts).map(of_kind).fold(TileBits::default(), TileBits::or)
    }
}

#[inline]
fn place(pattern: Pattern, sides: u8) -> usize {
    usize::from(pattern.0) * 16 + usize::from(sides % 16)
}

/// The sides that the city or road at this side of a turned tile leads to; none at a field.
fn sides_reached<E: Edition>(shape: &Shape<E>, side: usize, rotation: u8) -> u8 {
    let middle = |side: usize| 1_u16 << (4 * side + 1);
    let segments = shape.segments[..usize::from(shape.closable)].iter();
    let mut reached = segments.map(|segment| segment.ports(rotation)).filter(|ports| ports & middle(side) != 0);
    reached
        .next()
        .map_or(0, |ports| (0..4).filter(|side| ports & middle(*side) != 0).fold(0, |set, side| set | 1 << side))
}
