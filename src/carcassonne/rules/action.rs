//! Decisions of a player: the cell, the rotation of the tile, and the segment for a meeple.

use super::board::Cell;
use super::tile::TileKind;
use std::num::NonZeroU8;

/// The number of a segment on its tile: an index into [`TileSet::segments`](super::TileSet::segments).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct SegmentId(NonZeroU8);

impl SegmentId {
    /// The id of the segment with this number, from 0.
    #[inline]
    pub const fn new(index: u8) -> SegmentId {
        SegmentId(NonZeroU8::MIN.saturating_add(index))
    }

    /// The number of the segment, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// One decision: a placement of the tile in hand, and a meeple or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The cell of the tile.
    pub cell: Cell,
    /// Quarter turns clockwise, less than the kind's number of orientations.
    pub rotation: u8,
    /// The segment on which the player places a meeple.
    pub meeple: Option<SegmentId>,
}

/// A turn that was played: a tile and the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct PlayedTurn {
    /// The tile.
    pub tile: TileKind,
    /// The decision.
    pub action: Move,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_four_bytes_and_a_turn_five() {
        assert_eq!((size_of::<Move>(), size_of::<PlayedTurn>()), (4, 5));
        assert_eq!(SegmentId::new(0).index(), 0);
        assert_eq!(SegmentId::new(6).index(), 6);
    }
}
