//! Decisions of a player: the cell, the rotation of the tile, and what happens with a figure.

use super::cell::Cell;
use super::tile::TileKind;
use std::fmt;
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

/// The kinds of figure of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Figure {
    /// One of the seven.
    Meeple,
    /// The big meeple of Inns & Cathedrals: counts as two for the majority.
    Big,
    /// The abbot: stands on monasteries and gardens only.
    Abbot,
}

impl Figure {
    /// All kinds.
    pub const ALL: [Figure; 3] = [Figure::Meeple, Figure::Big, Figure::Abbot];
}

/// What happens with a figure: one is placed on a segment of the tile, or the abbot is taken back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Deployment(NonZeroU8);

impl Deployment {
    /// The bits of the segment's number.
    const SEGMENT: u8 = 0xf;
    /// The lowest bit of the figure.
    const FIGURE_SHIFT: u32 = 4;
    /// The abbot returns to its seat, and the monastery or garden where it stands scores.
    pub const RECALL: Deployment = Deployment(NonZeroU8::new(0x70).expect("not zero"));

    /// A meeple on a segment.
    #[inline]
    pub const fn meeple(segment: SegmentId) -> Deployment {
        Deployment(segment.0)
    }

    /// No figure where the number is 0, otherwise a meeple on segment `number - 1`.
    #[inline]
    pub(super) fn meeple_option(number: u8) -> Option<Deployment> {
        NonZeroU8::new(number).map(Deployment)
    }

    /// A figure on a segment.
    #[inline]
    pub const fn new(figure: Figure, segment: SegmentId) -> Deployment {
        Deployment(segment.0.saturating_add((figure as u8) << Deployment::FIGURE_SHIFT))
    }

    /// The segment of a figure that is placed.
    #[inline]
    pub const fn segment(self) -> Option<SegmentId> {
        match NonZeroU8::new(self.0.get() & Deployment::SEGMENT) {
            Some(number) => Some(SegmentId(number)),
            None => None,
        }
    }

    /// Which figure is placed, or the abbot that is taken back.
    #[inline]
    pub const fn figure(self) -> Figure {
        match self.0.get() >> Deployment::FIGURE_SHIFT {
            0 => Figure::Meeple,
            1 => Figure::Big,
            _ => Figure::Abbot,
        }
    }
}

impl fmt::Debug for Deployment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.segment() {
            Some(segment) => write!(f, "{:?} on {}", self.figure(), segment.index()),
            None => f.write_str("Recall"),
        }
    }
}

/// One decision: a placement of the tile in hand, and a figure or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The cell of the tile.
    pub cell: Cell,
    /// Quarter turns clockwise, less than the kind's number of orientations.
    pub rotation: u8,
    /// What the player does with a figure: places one on a segment of the tile, or takes the abbot back.
    pub meeple: Option<Deployment>,
}

impl Move {
    /// The segment on which the player places a figure.
    #[inline]
    pub const fn segment(&self) -> Option<SegmentId> {
        match self.meeple {
            Some(deployment) => deployment.segment(),
            None => None,
        }
    }

    /// The number of the segment on which the player places a figure, from 1; 0 where it places none.
    #[inline]
    pub(super) fn segment_number(&self) -> usize {
        self.meeple.map_or(0, |deployment| usize::from(deployment.0.get() & Deployment::SEGMENT))
    }
}

/// A turn that was played: a tile and the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct PlayedTurn {
    /// The tile that was drawn.
    pub tile: TileKind,
    /// Where it went, and the figure.
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

    #[test]
    fn a_deployment_gives_back_its_figure_and_segment() {
        for figure in Figure::ALL {
            for segment in (0..8).map(SegmentId::new) {
                let deployment = Deployment::new(figure, segment);
                assert_eq!((deployment.figure(), deployment.segment()), (figure, Some(segment)));
                assert_ne!(deployment, Deployment::RECALL);
            }
        }
        assert_eq!(Deployment::meeple(SegmentId::new(3)), Deployment::new(Figure::Meeple, SegmentId::new(3)));
        assert_eq!((Deployment::RECALL.figure(), Deployment::RECALL.segment()), (Figure::Abbot, None));
    }
}
