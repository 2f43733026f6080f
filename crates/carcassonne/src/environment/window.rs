//! The part of the board that an agent sees.

use crate::rules::Cell;

/// A window of `W × W` cells whose middle is the middle of the tiles that are placed, rounded to the north west. It
/// depends on the position only, not on how it came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    width: u8,
    /// The lowest `x` and `y` of a tile.
    low: [i8; 2],
    /// The highest `x` and `y` of a tile.
    high: [i8; 2],
    /// `x` and `y` of the cell at the north west corner.
    origin: [i32; 2],
}

impl Window {
    /// A window of this width on a board with one tile at (0, 0).
    pub const fn new(width: u8) -> Window {
        let margin = (width as i32 - 1) / 2;
        Window { width, low: [0; 2], high: [0; 2], origin: [-margin; 2] }
    }

    /// `W`.
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// Takes a further tile into account. The window may move.
    pub fn include(&mut self, cell: Cell) {
        for (axis, at) in [cell.x, cell.y].into_iter().enumerate() {
            self.low[axis] = self.low[axis].min(at);
            self.high[axis] = self.high[axis].max(at);
        }
        self.origin = std::array::from_fn(|axis| {
            let sum = i32::from(self.low[axis]) + i32::from(self.high[axis]);
            sum.div_euclid(2) - (i32::from(self.width) - 1) / 2
        });
    }

    /// Whether all tiles and all cells beside them are inside.
    pub fn holds_all(&self) -> bool {
        (0..2).all(|axis| i32::from(self.high[axis]) - i32::from(self.low[axis]) + 3 <= i32::from(self.width))
    }

    /// `x` and `y` of the cell at the north west corner.
    #[inline]
    pub const fn origin(&self) -> [i32; 2] {
        self.origin
    }

    /// The column and row of a cell; none outside the window.
    #[inline]
    pub fn place(&self, cell: Cell) -> Option<(usize, usize)> {
        let [west, north] = self.origin;
        // What is west or north of the window wraps to a large number.
        let (x, y) = ((i32::from(cell.x) - west) as u32, (i32::from(cell.y) - north) as u32);
        let width = u32::from(self.width);
        (x < width && y < width).then_some((x as usize, y as usize))
    }

    /// The cell at a column and row.
    pub fn cell(&self, x: usize, y: usize) -> Option<Cell> {
        let [west, north] = self.origin;
        let at = |low: i32, place: usize| i8::try_from(low + i32::try_from(place).ok()?).ok();
        Some(Cell { x: at(west, x)?, y: at(north, y)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_follows_the_middle_of_the_tiles() {
        let mut window = Window::new(5);
        assert_eq!((window.origin(), window.place(Cell { x: 0, y: 0 })), ([-2, -2], Some((2, 2))));
        window.include(Cell { x: 1, y: 0 });
        assert_eq!(window.origin(), [-2, -2], "the middle of 0 and 1 is rounded to 0");
        window.include(Cell { x: 2, y: 0 });
        assert_eq!(window.origin(), [-1, -2]);
        assert_eq!(window.place(Cell { x: 0, y: 0 }), Some((1, 2)));
        assert!(window.holds_all());
        window.include(Cell { x: 2, y: -3 });
        assert!(!window.holds_all(), "four rows of tiles and one cell beside them on both sides are six");
        assert_eq!(window.place(Cell { x: 0, y: 1 }), None);
        for (x, y) in (0..5).flat_map(|x| (0..5).map(move |y| (x, y))) {
            assert_eq!(window.place(window.cell(x, y).unwrap()), Some((x, y)));
        }
    }

    #[test]
    fn all_that_is_held_is_inside() {
        for (low, high) in (-40..=0_i8).flat_map(|low| (0..=40_i8).map(move |high| (low, high))) {
            let mut window = Window::new(25);
            window.include(Cell { x: low, y: 0 });
            window.include(Cell { x: high, y: 0 });
            let inside = [low - 1, high + 1].map(|x| window.place(Cell { x, y: 0 }).is_some());
            assert_eq!(window.holds_all(), high - low <= 22);
            assert!(!window.holds_all() || inside == [true, true], "{low} to {high}");
        }
    }
}
