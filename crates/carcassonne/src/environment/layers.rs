//! How encodings write the parts of a board, one at a time.

use super::numbering::SLOTS;
use super::pairs::{corner, pair};
use crate::rules::{Figure, MAX_SEATS, TileKind};

/// The planes of [`Encoding::Planes`](super::Encoding::Planes): each constant is the first of a group.
pub mod plane {
    use super::{MAX_SEATS, SLOTS};

    /// 1 where a tile is.
    pub const TILE: usize = 0;
    /// Four, by side from north clockwise: 1 where the edge is of a city, 2 of a city with a cathedral.
    pub const CITY: usize = TILE + 1;
    /// Four by side: 1 where the edge has a road, 2 a road with an inn.
    pub const ROAD: usize = CITY + 4;
    /// Four by side: 1 where the river crosses the edge.
    pub const RIVER: usize = ROAD + 4;
    /// The number of pennants.
    pub const PENNANTS: usize = RIVER + 4;
    /// 1 where a monastery is.
    pub const MONASTERY: usize = PENNANTS + 1;
    /// 1 where a garden is.
    pub const GARDEN: usize = MONASTERY + 1;
    /// Six by pair of sides (NE, NS, NW, ES, EW, SW): 1 where one city segment has both.
    pub const CITY_JOINED: usize = GARDEN + 1;
    /// The same for roads.
    pub const ROAD_JOINED: usize = CITY_JOINED + 6;
    /// Eight by half-edge, from the left half of the north edge clockwise: the number of its field on the tile, from 1.
    pub const FIELD: usize = ROAD_JOINED + 6;
    /// By slot: 1 where a figure stands.
    pub const SLOT: usize = FIELD + 8;
    /// By owner, the observer first: 1 where a figure of it stands.
    pub const OWNER: usize = SLOT + SLOTS;
    /// 1 where the figure is a big meeple.
    pub const BIG: usize = OWNER + MAX_SEATS;
    /// 1 where the figure is an abbot.
    pub const ABBOT: usize = BIG + 1;
    /// Four by rotation: 1 where the observer may place the tile in hand.
    pub const LEGAL: usize = ABBOT + 1;
    /// 1 where the tile is that was placed last.
    pub const LAST: usize = LEGAL + 4;
    /// The number of planes.
    pub const COUNT: usize = LAST + 1;
}

/// A figure as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shown {
    /// The place of its cell in the window, by rows.
    pub at: usize,
    /// Its owner: 0 is the observer.
    pub owner: u8,
    /// The kind of figure.
    pub figure: Figure,
    /// Where it stands on the tile.
    pub slot: u8,
}

/// By kind and rotation: the planes of a tile that are not 0, with their values.
pub(super) type Looks = [[Vec<(u8, u8)>; 4]];

/// How an encoding writes the parts of a board. `at` is the place of a cell in the window, by rows.
pub(super) trait Layers {
    fn clear(&mut self);
    fn tile(&mut self, at: usize, kind: TileKind, rotation: u8);
    fn figure(&mut self, figure: Shown, stands: bool);
    /// Another figure stands where this one stood.
    fn replace(&mut self, before: Shown, figure: Shown) {
        self.figure(before, false);
        self.figure(figure, true);
    }
    fn last(&mut self, at: usize, value: u8);
}

/// [`Encoding::Compact`](super::Encoding::Compact).
pub(super) struct Compact<'a> {
    pub board: &'a mut [u8],
}

impl Compact<'_> {
    /// The bytes of each cell.
    pub(super) const BYTES: usize = 5;
}

impl Layers for Compact<'_> {
    fn clear(&mut self) {
        self.board.fill(0);
    }

    #[inline]
    fn tile(&mut self, at: usize, kind: TileKind, rotation: u8) {
        self.board[5 * at..5 * at + 2].copy_from_slice(&[kind.0 + 1, rotation]);
    }

    #[inline]
    fn figure(&mut self, Shown { at, owner, figure, slot }: Shown, stands: bool) {
        let bytes = if stands { [owner + 1, figure as u8 + 1, slot + 1] } else { [0; 3] };
        self.board[5 * at + 2..5 * at + 5].copy_from_slice(&bytes);
    }

    #[inline]
    fn replace(&mut self, _: Shown, figure: Shown) {
        self.figure(figure, true);
    }

    /// The numbers beside the board say where it is.
    fn last(&mut self, _: usize, _: u8) {}
}

/// [`Encoding::Planes`](super::Encoding::Planes).
pub(super) struct Planes<'a> {
    pub board: &'a mut [u8],
    pub area: usize,
    pub looks: &'a Looks,
}

impl Layers for Planes<'_> {
    fn clear(&mut self) {
        self.board.fill(0);
    }

    #[inline]
    fn tile(&mut self, at: usize, kind: TileKind, rotation: u8) {
        for (plane, value) in &self.looks[kind.index()][usize::from(rotation)] {
            self.board[usize::from(*plane) * self.area + at] = *value;
        }
    }

    fn figure(&mut self, Shown { at, owner, figure, slot }: Shown, stands: bool) {
        let mut set = |plane: usize| self.board[plane * self.area + at] = u8::from(stands);
        set(plane::SLOT + usize::from(slot));
        set(plane::OWNER + usize::from(owner));
        match figure {
            Figure::Meeple => {}
            Figure::Big => set(plane::BIG),
            Figure::Abbot => set(plane::ABBOT),
        }
    }

    fn last(&mut self, at: usize, value: u8) {
        self.board[plane::LAST * self.area + at] = value;
    }
}

/// [`Encoding::Pairs`](super::Encoding::Pairs).
pub(super) struct Pairs<'a> {
    pub board: &'a mut [u8],
    pub seats: usize,
    pub looks: &'a Looks,
}

impl Pairs<'_> {
    fn set(&mut self, at: usize, plane: usize, value: u8) {
        self.board[at * pair::count(self.seats) + plane] = value;
    }
}

impl Layers for Pairs<'_> {
    fn clear(&mut self) {
        self.board.fill(0);
    }

    fn tile(&mut self, at: usize, kind: TileKind, rotation: u8) {
        let looks = self.looks;
        for (plane, value) in &looks[kind.index()][usize::from(rotation)] {
            self.set(at, usize::from(*plane), *value);
        }
    }

    fn figure(&mut self, Shown { at, owner, figure, slot }: Shown, stands: bool) {
        let (owner, slot) = (usize::from(owner), usize::from(slot));
        let plane = match (figure, corner(slot)) {
            (Figure::Abbot, _) => pair::abbot(self.seats, owner),
            (Figure::Meeple, None) => pair::meeple(owner, slot.min(4)),
            (Figure::Big, None) => pair::big_meeple(self.seats, owner, slot.min(4)),
            (Figure::Meeple, Some(corner)) => pair::farmer(self.seats, owner, corner),
            (Figure::Big, Some(corner)) => pair::big_farmer(self.seats, owner, corner),
        };
        self.set(at, plane, u8::from(stands));
    }

    /// The numbers in the last plane say where it is.
    fn last(&mut self, _: usize, _: u8) {}
}
