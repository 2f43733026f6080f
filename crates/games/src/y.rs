//! Y (C. Schensted, C. Titus, 1953; "Mudcrack Y and Poly-Y", 1975) on bitboards.
//!
//! Two seats place stones in turn on a triangle of hexagons. A seat wins by a chain of its stones that touches all three
//! sides; a corner is on two of them. One seat always does. There is no swap of colours.

use super::chain::{Reach, cells_as_moves, chain_board, stone_at};
use super::won::{caption, won_domain};
use evouct_base::parameter::Values;
use evouct_platform::domain::{Grid, GridCell};

/// The game Y.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Y;

evouct_base::parameters! {
    /// The options of the rules.
    #[derive(Copy, Eq)]
    pub struct YRules {
        /// Cells along each side of the board.
        size: u8 = 9, values = Values::Count(2, 11), recorded = true;
    }
}

/// A position: bit `(size + 1) * row + column` of a seat is a stone of it. A row is a cell shorter than the one above
/// it, so the last bit of a row is no cell, and what leaves the board on one side does not come back on the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct YBoard {
    size: u8,
    seat: u8,
    /// Whether the other seat has its chain.
    won: bool,
    last: Option<u8>,
    all: u128,
    stones: [u128; 2],
    /// By seat and side, the stones that are connected to the side.
    reached: [[Reach; 3]; 2],
}

impl YBoard {
    /// The empty board.
    pub fn new(rules: YRules) -> YBoard {
        let size = rules.size;
        let side = |cell: fn(u8, u8) -> GridCell| {
            let bit = |(row, column): GridCell| 1 << ((size + 1) * row + column);
            (0..size).map(|at| bit(cell(size, at))).sum()
        };
        let sides = [side(|_, at| (0, at)), side(|_, at| (at, 0)), side(|size, at| (at, size - 1 - at))];
        let all = (0..size).map(|row| ((1 << (size - row)) - 1) << ((size + 1) * row)).sum();
        YBoard { size, seat: 0, won: false, last: None, all, stones: [0; 2], reached: [sides.map(Reach::of); 2] }
    }

    /// All neighbours of these cells: of a cell those above, below, left, right, above right and below left.
    #[inline]
    fn near(&self, cells: u128) -> u128 {
        let (left, right) = (cells >> 1, cells << 1);
        (left | right | (cells | right) << self.size | (cells | left) >> self.size) & self.all
    }

    fn cell(&self, number: u8) -> GridCell {
        (number / (self.size + 1), number % (self.size + 1))
    }

    fn free(&self) -> u128 {
        self.all & !(self.stones[0] | self.stones[1])
    }

    fn winning(&self, seat: usize) -> u128 {
        self.reached[seat].iter().fold(self.free(), |cells, reached| cells & reached.border)
    }

    #[inline]
    fn make(&mut self, cell: u8) {
        let (seat, stone) = (usize::from(self.seat), 1 << cell);
        self.stones[seat] |= stone;
        let mut reached = self.reached[seat];
        for reached in &mut reached {
            reached.add(stone, self.stones[seat], |cells| self.near(cells));
        }
        self.won = reached.iter().all(|reached| reached.stones & stone != 0);
        self.reached[seat] = reached;
        self.seat = 1 - self.seat;
        self.last = Some(cell);
    }

    /// Each row stands half a cell further to the right than the one above it.
    fn drawn(&self) -> Grid {
        let caption = caption(self.winner(), self.won, self.seat);
        let piece = |(row, column)| stone_at(&self.stones, (self.size + 1) * row + column);
        let grid = Grid::new([self.size; 2], piece, self.last.map(|cell| self.cell(cell)), caption);
        grid.slanted().with_cells(|(row, column)| row + column < self.size)
    }
}

chain_board!(YBoard, false);

won_domain!(
    Y,
    YBoard,
    YRules,
    "y",
    "Y: a chain of stones that touches all three sides wins",
    "formula:formula=Q + 300/(300 + n)*(hm - Q) + sqrt(2)*sqrt(ln(N)/n),untried=Qbar + sqrt(2)*sqrt(ln(N)) + hm,final_formula=n",
    "Two players place a stone in turn on a free cell of a triangle. Stones never move and are never taken.\n\
     The first chain of stones of one colour that touches all three sides wins. A corner touches two sides.\n\
     One of them always wins: there is no draw."
);

cells_as_moves!(Y, YBoard);
