//! Cells of the board.

use super::tile::Side;

/// A cell of the board. `x` grows to the east and `y` to the south. The start tile is at (0, 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Steps east of the start tile.
    pub x: i8,
    /// Steps south of the start tile.
    pub y: i8,
}

impl Cell {
    /// The neighbour on this side.
    #[inline]
    #[must_use]
    pub const fn neighbour(self, side: Side) -> Cell {
        let (dx, dy) = side.step();
        Cell { x: self.x.wrapping_add(dx), y: self.y.wrapping_add(dy) }
    }
}
