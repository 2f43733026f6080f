//! Hex (P. Hein, 1942; J. Nash, 1948) on bitboards.
//!
//! Two seats place stones in turn on a rhombus of hexagons. The first seat wins by a chain of its stones from the top to
//! the bottom, the second by one from the left to the right. One of them always does. There is no swap of colours.

use super::chain::{Reach, cells_as_moves, chain_board, stone_at};
use super::won::{caption, won_domain};
use evouct_base::parameter::Values;
use evouct_platform::domain::{Grid, GridCell};

/// The game Hex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hex;

evouct_base::parameters! {
    /// The options of the rules.
    #[derive(Copy, Eq)]
    pub struct HexRules {
        /// Cells along each side of the board.
        size: u8 = 7, values = Values::Count(2, 11), recorded = true;
    }
}

/// A position: bit `size * row + column` of a seat is a stone of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HexBoard {
    size: u8,
    seat: u8,
    /// Whether the other seat has its chain.
    won: bool,
    last: Option<u8>,
    stones: [u128; 2],
    /// By seat, its stones that are connected to the edge where its chain begins.
    reached: [Reach; 2],
    /// By seat, the edge where its chain ends.
    ends: [u128; 2],
    /// The cells of the first column.
    left: u128,
}

impl HexBoard {
    /// The empty board.
    pub fn new(rules: HexRules) -> HexBoard {
        let size = rules.size;
        let (top, left) = ((1 << size) - 1, (0..size).map(|row| 1 << (size * row)).sum());
        let (reached, ends) = ([top, left].map(Reach::of), [top << (size * (size - 1)), left << (size - 1)]);
        HexBoard { size, seat: 0, won: false, last: None, stones: [0; 2], reached, ends, left }
    }

    fn all(&self) -> u128 {
        (1 << (self.size * self.size)) - 1
    }

    /// All neighbours of these cells: of a cell those above, below, left, right, above right and below left.
    #[inline]
    fn near(&self, cells: u128) -> u128 {
        let (left, right) = ((cells & !self.left) >> 1, (cells & !(self.left << (self.size - 1))) << 1);
        left | right | (cells | left) << self.size | (cells | right) >> self.size
    }

    fn cell(&self, number: u8) -> GridCell {
        (number / self.size, number % self.size)
    }

    fn free(&self) -> u128 {
        self.all() & !(self.stones[0] | self.stones[1])
    }

    fn winning(&self, seat: usize) -> u128 {
        let (stones, ends) = (self.stones[seat], self.ends[seat]);
        let mut end = Reach::of(ends);
        end.add(ends & stones, stones, |cells| self.near(cells));
        self.reached[seat].border & end.border & self.free()
    }

    #[inline]
    fn make(&mut self, cell: u8) {
        let (seat, stone) = (usize::from(self.seat), 1 << cell);
        self.stones[seat] |= stone;
        let mut reached = self.reached[seat];
        reached.add(stone, self.stones[seat], |cells| self.near(cells));
        self.won = reached.stones & self.ends[seat] != 0;
        self.reached[seat] = reached;
        self.seat = 1 - self.seat;
        self.last = Some(cell);
    }

    /// Each row stands half a cell further to the right than the one above it.
    fn drawn(&self) -> Grid {
        let way = [", top to bottom", ", left to right"][usize::from(self.seat)];
        let caption = caption(self.winner(), self.won, self.seat) + if self.won { "" } else { way };
        let piece = |(row, column)| stone_at(&self.stones, self.size * row + column);
        let grid = Grid::new([self.size; 2], piece, self.last.map(|cell| self.cell(cell)), caption);
        grid.slanted().with_edges([0, 1, 0, 1])
    }
}

chain_board!(HexBoard, false);

won_domain!(
    Hex,
    HexBoard,
    HexRules,
    "hex",
    "Hex: a chain of stones from edge to edge wins",
    "formula:formula=Q + 30/(30 + n)*(w1 - Q) + sqrt(2)*sqrt(ln(N)/n) + 3*hm,untried=Qbar + sqrt(2)*sqrt(ln(N)) + 3*hm + w1,final_formula=n",
    "Two players place a stone in turn on a free cell. Stones never move and are never taken.\n\
     The first player (blue) wins by a chain of its stones from the top to the bottom, the second (orange) by one from the left to the right.\n\
     One of them always wins: there is no draw. There is no swap of colours."
);

cells_as_moves!(Hex, HexBoard);
