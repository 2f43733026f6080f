//! Breakthrough (D. Troyka, 2000) on bitboards.
//!
//! Each seat has two rows of pieces. A piece moves one cell forward, straight or diagonally, onto an empty cell; along a
//! diagonal it may remove a piece of the opponent. A seat that reaches the farthest row wins, and so does one whose
//! opponent has no piece left. There are no draws. The first seat begins at the top and moves down.

use super::won::{caption, game_without_chance, won_domain};
use evouct_base::bits::nth_one;
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
    /// The cells of the first column.
    left: u64,
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
        let left = (0..rules.rows).map(|row| 1 << (rules.columns * row)).sum();
        BreakthroughBoard { rules, left, pieces, seat: 0, winner: None, last: None }
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

    /// The pieces of the seat to play that can go towards the first column, straight ahead, and towards the last column.
    #[inline]
    fn steps(&self) -> [u64; 3] {
        let (seat, columns) = (usize::from(self.seat), self.rules.columns);
        let own = self.pieces[seat];
        // Of each piece, whether a piece of these is on the cell `columns - 1 + way` cells ahead.
        let ahead = |pieces: u64, way: u8| match seat {
            0 => pieces >> (columns - 1 + way),
            _ => pieces << (columns + 1 - way),
        };
        let (left, right) = (self.left, self.left << (columns - 1));
        [own & !left & !ahead(own, 0), own & !ahead(own | self.pieces[1 - seat], 1), own & !right & !ahead(own, 2)]
    }

    /// The step of a piece in one of the three ways.
    #[inline]
    fn step(&self, from: u8, way: u8) -> Step {
        let columns = self.rules.columns;
        Step { from, to: if self.seat == 0 { from + columns } else { from - columns } + way - 1 }
    }

    #[inline]
    fn add_actions(&self, actions: &mut Vec<Step>) {
        let steps = self.steps();
        let mut movable = steps[0] | steps[1] | steps[2];
        while movable != 0 {
            let from = movable.trailing_zeros() as u8;
            movable &= movable - 1;
            let ways = (0..3).filter(|way| steps[usize::from(*way)] >> from & 1 != 0);
            actions.extend(ways.map(|way| self.step(from, way)));
        }
    }

    #[inline]
    fn pick(&self, draw: impl FnOnce(u32) -> u32) -> Step {
        let steps = self.steps();
        let count = |cells: u64| steps.iter().map(|pieces| (pieces & cells).count_ones()).sum();
        let mut left = draw(count(u64::MAX));
        // Halves of what is left of the board, until one cell is.
        let mut from = 0;
        for half in [32, 16, 8, 4, 2, 1] {
            let below: u32 = count(((1 << half) - 1) << from);
            if left >= below {
                left -= below;
                from += half;
            }
        }
        let ways = (0..3).fold(0, |ways, way| ways | (steps[way] >> from & 1) << way);
        self.step(from, nth_one(ways, left) as u8)
    }

    /// Whether a step wins: onto the farthest row, or onto the last piece of the other seat.
    #[inline]
    fn wins(&self, Step { to, .. }: Step) -> bool {
        let BreakthroughRules { rows, columns } = self.rules;
        let goal = if self.seat == 0 { to >= columns * (rows - 1) } else { to < columns };
        goal || self.pieces[1 - usize::from(self.seat)] == 1 << to
    }

    /// Whether the seat to play has a step that wins.
    #[inline]
    fn can_win(&self) -> bool {
        let (seat, BreakthroughRules { rows, columns }) = (usize::from(self.seat), self.rules);
        let before = ((1 << columns) - 1) << (columns * if seat == 0 { rows - 2 } else { 1 });
        let [left, ahead, right] = self.steps();
        (left | ahead | right) & before != 0
            || self.pieces[1 - seat].is_power_of_two() && {
                let mut steps = Vec::new();
                self.add_actions(&mut steps);
                steps.iter().any(|step| self.wins(*step))
            }
    }

    #[inline]
    fn make(&mut self, step: Step) {
        let (seat, Step { from, to }) = (usize::from(self.seat), step);
        if self.wins(step) {
            self.winner = Some(self.seat);
        }
        self.pieces[seat] ^= 1 << from | 1 << to;
        self.pieces[1 - seat] &= !(1 << to);
        self.seat = 1 - self.seat;
        self.last = Some(to);
    }
}

game_without_chance!(
    BreakthroughBoard,
    Step,
    pieces,
    fn wins_at_once(&self, steps: &[Step], found: &mut Vec<f64>) -> bool {
        found.extend(steps.iter().map(|step| f64::from(self.wins(*step))));
        true
    },
    fn lets_win(&self, steps: &[Step], found: &mut Vec<f64>) -> bool {
        found.extend(steps.iter().map(|step| {
            let mut after = *self;
            after.make(*step);
            f64::from(after.winner.is_none() && after.can_win())
        }));
        true
    }
);

won_domain!(
    Breakthrough,
    BreakthroughBoard,
    BreakthroughRules,
    "breakthrough",
    "Breakthrough: the first piece on the farthest row wins",
    "formula:formula=Q + sqrt(2)*sqrt(ln(N)/n) + 3*(Ag - l1),untried=Qbar + sqrt(2)*sqrt(ln(N)) + 3*(Ag - l1),final_formula=n,default_policy=softmax,rating=3*w1",
    "Two players move a piece in turn, one cell forward: straight or along a diagonal.\n\
     A piece takes a piece of the other player along a diagonal only; straight ahead it must be free.\n\
     The first piece on the farthest row wins, and so does the player who takes all pieces of the other. There is no draw."
);

impl Notation<BreakthroughBoard> for Breakthrough {
    /// The cells from which and to which the piece moves, as `c2c3`.
    fn write_action(&self, board: &BreakthroughBoard, Step { from, to }: Step) -> String {
        format!("{}{}", cell_name(board.cell(from)), cell_name(board.cell(to)))
    }

    fn say_action(&self, board: &BreakthroughBoard, Step { from, to }: Step) -> String {
        let what = if board.piece_at(board.cell(to)).is_some() { "takes the piece on" } else { "to" };
        format!("{} {what} {}", cell_name(board.cell(from)), cell_name(board.cell(to)))
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
