//! Othello on bitboards.
//!
//! Two seats place stones in turn. A stone must enclose stones of the opponent in a row between itself and another own
//! stone, across, up or along a diagonal; these become own stones. A seat that cannot do so passes, and if neither can,
//! the seat with more stones wins.

use super::won::{caption, game_without_chance, won_domain};
use evouct_base::bits::nth_one;
use evouct_base::parameter::Values;
use evouct_platform::domain::{Drawing, Grid, GridCell, Notation, cell_name};

/// The game Othello.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Othello;

evouct_base::parameters! {
    /// The options of the rules.
    #[derive(Copy, Eq)]
    pub struct OthelloRules {
        /// Half of the cells along each side of the board.
        half: u8 = 4, values = Values::Count(2, 4), recorded = true;
    }
}

/// The action of a seat that can place no stone; others are the number of a cell, row by row.
pub const PASS: u8 = 64;

/// A position: bit `size * row + column` of a seat is a stone of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OthelloBoard {
    size: u8,
    seat: u8,
    last: Option<u8>,
    stones: [u64; 2],
    /// Where the seat to play may place a stone.
    legal: u64,
    /// Whether neither seat can.
    is_over: bool,
}

impl OthelloBoard {
    /// The start of a game: four stones in the middle.
    pub fn new(rules: OthelloRules) -> OthelloBoard {
        let (half, size) = (rules.half, 2 * rules.half);
        let cell = |row: u8, column: u8| 1 << (size * row + column);
        let first = cell(half - 1, half) | cell(half, half - 1);
        let second = cell(half - 1, half - 1) | cell(half, half);
        let mut board = OthelloBoard { size, seat: 0, last: None, stones: [first, second], legal: 0, is_over: false };
        board.legal = board.places(0);
        board
    }

    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.size * self.size)
    }

    /// These cells moved one step in one of eight directions; what leaves the board is lost.
    #[inline]
    fn shifted(&self, cells: u64, direction: usize) -> u64 {
        let size = self.size;
        // Bits of the first column: one in each row.
        let left = self.all() / ((1 << size) - 1);
        let (not_left, not_right) = (cells & !left, cells & !(left << (size - 1)));
        let moved = match direction {
            0 => cells << size,
            1 => not_right << (size + 1),
            2 => not_right << 1,
            3 => not_right >> (size - 1),
            4 => cells >> size,
            5 => not_left >> (size + 1),
            6 => not_left >> 1,
            _ => not_left << (size - 1),
        };
        moved & self.all()
    }

    /// The stones of the other seat that follow on these cells in a row in this direction.
    #[inline]
    fn row_of_others(&self, from: u64, others: u64, direction: usize) -> u64 {
        let mut row = self.shifted(from, direction) & others;
        for _ in 0..self.size - 3 {
            row |= self.shifted(row, direction) & others;
        }
        row
    }

    /// Where a seat may place a stone.
    #[inline]
    fn places(&self, seat: usize) -> u64 {
        let [own, others] = [self.stones[seat], self.stones[1 - seat]];
        let free = self.all() & !(own | others);
        (0..8).fold(0, |places, direction| {
            places | self.shifted(self.row_of_others(own, others, direction), direction) & free
        })
    }

    fn cell(&self, number: u8) -> GridCell {
        (number / self.size, number % self.size)
    }

    /// The seat that has won, if one has.
    fn winner(&self) -> Option<usize> {
        let [first, second] = self.stones.map(u64::count_ones);
        (self.is_over && first != second).then_some(usize::from(second > first))
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    #[inline]
    fn add_actions(&self, actions: &mut Vec<u8>) {
        let mut legal = self.legal;
        if legal == 0 {
            actions.push(PASS);
        }
        while legal != 0 {
            actions.push(legal.trailing_zeros() as u8);
            legal &= legal - 1;
        }
    }

    #[inline]
    fn pick(&self, draw: impl FnOnce(u32) -> u32) -> u8 {
        let number = draw(self.legal.count_ones().max(1));
        if self.legal == 0 { PASS } else { nth_one(self.legal, number) as u8 }
    }

    #[inline]
    fn make(&mut self, action: u8) {
        let seat = usize::from(self.seat);
        if action != PASS {
            let stone = 1 << action;
            let [own, others] = [self.stones[seat], self.stones[1 - seat]];
            let turned = (0..8).fold(0, |turned, direction| {
                let row = self.row_of_others(stone, others, direction);
                if self.shifted(row, direction) & own != 0 { turned | row } else { turned }
            });
            self.stones[seat] = own | stone | turned;
            self.stones[1 - seat] = others & !turned;
            self.last = Some(action);
        }
        self.seat = 1 - self.seat;
        self.legal = self.places(self.seat.into());
        self.is_over = self.legal == 0 && self.places(seat) == 0;
    }
}

game_without_chance!(OthelloBoard, u8, stones);

won_domain!(
    Othello,
    OthelloBoard,
    OthelloRules,
    "othello",
    "Othello: the seat with more stones at the end wins",
    "formula:formula=Q + sqrt(2)*sqrt(ln(N)/n) + hm2 + 3*Ag,untried=Qbar + sqrt(2)*sqrt(ln(N)) + hm2 + 3*Ag,final_formula=n",
    "Two players place a stone in turn. It must enclose stones of the other player, in a straight line, between itself and another stone of its colour.\n\
     All stones that it encloses, in each of the eight directions, change their colour.\n\
     Who cannot do so passes. When nobody can, the player with more stones wins; with as many it is a draw."
);

impl Notation<OthelloBoard> for Othello {
    /// The cell, as `d3`, or `pass`.
    fn write_action(&self, board: &OthelloBoard, action: u8) -> String {
        if action == PASS { "pass".to_owned() } else { cell_name(board.cell(action)) }
    }

    fn say_action(&self, board: &OthelloBoard, action: u8) -> String {
        let cell = self.write_action(board, action);
        if action == PASS { cell } else { format!("stone on {cell}") }
    }
}

impl Drawing<OthelloBoard> for Othello {
    fn fact_names(&self) -> &'static [&'static str] {
        &["stones"]
    }

    fn facts(&self, board: &OthelloBoard, seat: usize) -> Vec<i64> {
        vec![board.stones[seat].count_ones().into()]
    }

    fn grid(&self, board: &OthelloBoard) -> Option<Grid> {
        let caption = caption(board.winner(), board.is_over, board.seat);
        let piece = |(row, column)| {
            let cell = board.size * row + column;
            (0..2).find(|seat| board.stones[*seat] >> cell & 1 != 0).map(|seat| (seat, 0))
        };
        Some(Grid::new([board.size; 2], piece, board.last.map(|cell| board.cell(cell)), caption))
    }

    /// None for a pass, which is then the only move.
    fn grid_move(&self, board: &OthelloBoard, action: u8) -> Option<[GridCell; 2]> {
        (action != PASS).then(|| [board.cell(action); 2])
    }
}
