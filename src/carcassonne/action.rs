//! What a player decides: where the tile goes, how it is turned, and where a meeple stands on it.

use super::frontier::Cell;
use super::tile::TileKind;
use std::num::NonZeroU8;

/// A part of the tile that a meeple is put on, by its number in [`TileSet::parts`](super::TileSet::parts).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Spot(NonZeroU8);

impl Spot {
    /// The part with this number, from 0.
    #[inline]
    pub const fn part(part: u8) -> Spot {
        Spot(NonZeroU8::MIN.saturating_add(part))
    }

    /// The number of the part, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// One decision: a placement and the choice of a meeple. The tile is the one in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the tile goes.
    pub cell: Cell,
    /// Quarter turns clockwise, below the kind's number of orientations.
    pub rotation: u8,
    /// Where a meeple is put, if anywhere.
    pub meeple: Option<Spot>,
}

/// A turn that was played: a tile and what was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Turn {
    /// The tile.
    pub tile: TileKind,
    /// What was done with it.
    pub action: Move,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_four_bytes_and_a_turn_five() {
        assert_eq!((size_of::<Move>(), size_of::<Turn>()), (4, 5));
        assert_eq!(Spot::part(0).index(), 0);
        assert_eq!(Spot::part(6).index(), 6);
    }
}
