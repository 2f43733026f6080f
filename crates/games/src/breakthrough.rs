//! Breakthrough (D. Troyka, 2000) on bitboards.
//!
//! Each seat has two rows of pieces. A piece moves one cell forward, straight or diagonally, onto an empty cell; along a
//! diagonal it may remove a piece of the opponent. A seat that reaches the farthest row wins, and so does one whose
//! opponent has no piece left. There are no draws. The first seat begins at the top and moves down.

use super::won::{caption, game_without_chance, won_domain};
use evouct_base::parameter::Values;
use evouct_platform::domain::{Drawing, Grid, GridCell, Notation, cell_name};

/// The game Breakthrough.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breakthrough;

evouct_base::parameters! {
    /// The options of the rules.
    #[derive(Copy, Eq)]
    pub struct BreakthroughRules {
        /// Rows of the board.
        rows: u8 = 8, values = Values::Count(5, 8), recorded = true;
        /// Columns of the board.
        columns: u8 = 8, values = Values::Count(2, 8), recorded = true;
    }
}

/// A move of a piece: the numbers of its cells, row by row from the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The cell from which the piece moves.
    pub from: u8,
    /// The cell to which it moves.
    pub to: u8,
}

/// A position: bit `columns * row + column` of a seat is a piece of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BreakthroughBoard {
    rules: BreakthroughRules,
    pieces: [u64; 2],
    seat: u8,
    winner: Option<u8>,
    /// The cell to which a piece moved last.
    last: Option<u8>,
}

impl BreakthroughBoard {
    /// The start of a game.
    pub fn new(rules: BreakthroughRules) -> BreakthroughBoard {
        let two_rows = (1 << (2 * rules.columns)) - 1;
        let pieces = [two_rows, two_rows << (rules.columns * (rules.rows - 2))];
        BreakthroughBoard { rules, pieces, seat: 0, winner: None, last: None }
    }

    fn cell(&self, number: u8) -> GridCell {
        (number / self.rules.columns, number % self.rules.columns)
    }

    /// The seat of the piece on a cell.
    fn piece_at(&self, (row, column): GridCell) -> Option<usize> {
        (0..2).find(|seat| self.pieces[*seat] >> (self.rules.columns * row + column) & 1 != 0)
    }

    fn is_over(&self) -> bool {
        self.winner.is_some()
    }

    fn winner(&self) -> Option<usize> {
        self.winner.map(usize::from)
    }

    #[inline]
    fn add_actions(&self, actions: &mut Vec<Step>) {
        let (seat, columns) = (usize::from(self.seat), self.rules.columns);
        let own = self.pieces[seat];
        let mut pieces = own;
        while pieces != 0 {
            let from = pieces.trailing_zeros() as u8;
            pieces &= pieces - 1;
            let ahead = if seat == 0 { from + columns } else { from - columns };
            let column = from % columns;
            let is_free = |to: u8, cells: u64| cells >> to & 1 == 0;
            if column > 0 && is_free(ahead - 1, own) {
                actions.push(Step { from, to: ahead - 1 });
            }
            if is_free(ahead, own | self.pieces[1 - seat]) {
                actions.push(Step { from, to: ahead });
            }
            if column + 1 < columns && is_free(ahead + 1, own) {
                actions.push(Step { from, to: ahead + 1 });
            }
        }
    }

    #[inline]
    fn make(&mut self, Step { from, to }: Step) {
        let (seat, BreakthroughRules { rows, columns }) = (usize::from(self.seat), self.rules);
        self.pieces[seat] ^= 1 << from | 1 << to;
        self.pieces[1 - seat] &= !(1 << to);
        let goal = if seat == 0 { to >= columns * (rows - 1) } else { to < columns };
        if goal || self.pieces[1 - seat] == 0 {
            self.winner = Some(self.seat);
        }
        self.seat = 1 - self.seat;
        self.last = Some(to);
    }
}

game_without_chance!(BreakthroughBoard, Step, pieces);

won_domain!(
    Breakthrough,
    BreakthroughBoard,
    BreakthroughRules,
    "breakthrough",
    "Breakthrough: the first piece on the farthest row wins"
);

impl Notation<BreakthroughBoard> for Breakthrough {
    /// The cells from which and to which the piece moves, as `c2c3`.
    fn write_action(&self, board: &BreakthroughBoard, Step { from, to }: Step) -> String {
        format!("{}{}", cell_name(board.cell(from)), cell_name(board.cell(to)))
    }
}

impl Drawing<BreakthroughBoard> for Breakthrough {
    fn grid(&self, board: &BreakthroughBoard) -> Option<Grid> {
        let caption = caption(board.winner(), board.is_over(), board.seat);
        let BreakthroughRules { rows, columns } = board.rules;
        let piece = |cell| board.piece_at(cell).map(|seat| (seat, 0));
        Some(Grid::new([rows, columns], piece, board.last.map(|cell| board.cell(cell)), caption))
    }

    fn grid_move(&self, board: &BreakthroughBoard, Step { from, to }: Step) -> Option<[GridCell; 2]> {
        Some([board.cell(from), board.cell(to)])
    }
}
