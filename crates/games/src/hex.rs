//! Hex (P. Hein, 1942; J. Nash, 1948) on bitboards.
//!
//! Two seats place stones in turn on a rhombus of hexagons. The first seat wins by a chain of its stones from the top to
//! the bottom, the second by one from the left to the right. One of them always does. There is no swap of colours.

use super::won::{caption, game_without_chance, won_domain};
use evouct_base::parameter::Values;
use evouct_platform::domain::{Drawing, Grid, GridCell, Notation, cell_name};

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

    fn is_over(&self) -> bool {
        self.won
    }

    fn winner(&self) -> Option<usize> {
        self.won.then_some(1 - usize::from(self.seat))
    }

    #[inline]
    fn add_actions(&self, actions: &mut Vec<u8>) {
        let mut free = self.all() & !(self.stones[0] | self.stones[1]);
        while free != 0 {
            actions.push(free.trailing_zeros() as u8);
            free &= free - 1;
        }
    }

    #[inline]
    fn make(&mut self, cell: u8) {
        let (seat, stone) = (usize::from(self.seat), 1 << cell);
        self.stones[seat] |= stone;
        let [begin, end] = self.edges(seat);
        if stone & begin != 0 || self.near(stone) & self.reached[seat] != 0 {
            // Every stone is reached once in a game.
            let mut new = stone;
            while new != 0 {
                self.reached[seat] |= new;
                new = self.near(new) & self.stones[seat] & !self.reached[seat];
            }
            self.won = self.reached[seat] & end != 0;
        }
        self.seat = 1 - self.seat;
        self.last = Some(cell);
    }
}

game_without_chance!(HexBoard, u8);

won_domain!(Hex, HexBoard, HexRules, "hex", "Hex: a chain of stones from edge to edge wins");

impl Notation<HexBoard> for Hex {
    /// The cell, as `c3`.
    fn write_action(&self, board: &HexBoard, cell: u8) -> String {
        cell_name(board.cell(cell))
    }
}

impl Drawing<HexBoard> for Hex {
    /// Each row stands half a cell further to the right than the one above it.
    fn grid(&self, board: &HexBoard) -> Option<Grid> {
        let way = [", top to bottom", ", left to right"][usize::from(board.seat)];
        let caption = caption(board.winner(), board.won, board.seat) + if board.won { "" } else { way };
        let piece = |(row, column)| {
            let cell = board.size * row + column;
            (0..2).find(|seat| board.stones[*seat] >> cell & 1 != 0).map(|seat| (seat, 0))
        };
        Some(Grid::new([board.size; 2], piece, board.last.map(|cell| board.cell(cell)), caption).slanted())
    }

    fn grid_move(&self, board: &HexBoard, cell: u8) -> Option<[GridCell; 2]> {
        Some([board.cell(cell); 2])
    }
}
