//! Hex (P. Hein, 1942; J. Nash, 1948) on bitboards.
//!
//! Two seats place stones in turn on a rhombus of hexagons. The first seat wins by a chain of its stones from the top to
//! the bottom, the second by one from the left to the right. One of them always does. There is no swap of colours.

use super::chain::{cells_as_moves, chain_board, connect, stone_at};
use super::won::{caption, game_without_chance, won_domain};
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
    reached: [u128; 2],
    /// The cells of the first column.
    left: u128,
}

impl HexBoard {
    /// The empty board.
    pub fn new(rules: HexRules) -> HexBoard {
        let size = rules.size;
        let left = (0..size).map(|row| 1 << (size * row)).sum();
        HexBoard { size, seat: 0, won: false, last: None, stones: [0; 2], reached: [0; 2], left }
    }

    fn all(&self) -> u128 {
        (1 << (self.size * self.size)) - 1
    }

    /// The edges where the chain of a seat begins and where it ends.
    fn edges(&self, seat: usize) -> [u128; 2] {
        let top = (1 << self.size) - 1;
        if seat == 0 { [top, top << (self.size * (self.size - 1))] } else { [self.left, self.left << (self.size - 1)] }
    }

    /// All neighbours of these cells: of a cell those above, below, left, right, above right and below left.
    #[inline]
    fn near(&self, cells: u128) -> u128 {
        let (size, right) = (self.size, self.left << (self.size - 1));
        let (not_left, not_right) = (cells & !self.left, cells & !right);
        let near = cells << size | cells >> size | not_left >> 1 | not_right << 1;
        near | not_left << (size - 1) | not_right >> (size - 1)
    }

    fn cell(&self, number: u8) -> GridCell {
        (number / self.size, number % self.size)
    }

    fn free(&self) -> u128 {
        self.all() & !(self.stones[0] | self.stones[1])
    }

    #[inline]
    fn make(&mut self, cell: u8) {
        let (seat, stone) = (usize::from(self.seat), 1 << cell);
        self.stones[seat] |= stone;
        let ([begin, end], mut reached) = (self.edges(seat), self.reached[seat]);
        connect(&mut reached, begin, stone, self.stones[seat], |cells| self.near(cells));
        self.won = reached & end != 0;
        self.reached[seat] = reached;
        self.seat = 1 - self.seat;
        self.last = Some(cell);
    }

    /// Each row stands half a cell further to the right than the one above it.
    fn drawn(&self) -> Grid {
        let way = [", top to bottom", ", left to right"][usize::from(self.seat)];
        let caption = caption(self.winner(), self.won, self.seat) + if self.won { "" } else { way };
        let piece = |(row, column)| stone_at(&self.stones, self.size * row + column);
        Grid::new([self.size; 2], piece, self.last.map(|cell| self.cell(cell)), caption).slanted()
    }
}

chain_board!(HexBoard, false);

game_without_chance!(HexBoard, u8, stones);

won_domain!(Hex, HexBoard, HexRules, "hex", "Hex: a chain of stones from edge to edge wins");

cells_as_moves!(Hex, HexBoard);
