//! Connect Four on bitboards (J. Tromp, "The Fhourstones benchmark").
//!
//! Two seats drop stones in turn into columns. The first seat with four stones in a row, across, up or along a diagonal,
//! wins. A full board is a draw.

use super::won::{caption, game_without_chance, won_domain};
use evouct_base::bits::nth_one;
use evouct_base::parameter::Values;
use evouct_platform::domain::{Drawing, Grid, GridCell, Notation, column_name};

/// The game Connect Four.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConnectFour;

evouct_base::parameters! {
    /// The options of the rules.
    #[derive(Copy, Eq)]
    pub struct ConnectFourRules {
        /// Cells of a column.
        rows: u8 = 6, values = Values::Count(4, 7), recorded = true;
        /// Columns of the board.
        columns: u8 = 7, values = Values::Count(4, 8), recorded = true;
    }
}

/// A position: the bit `(rows + 1) * column + row` of a seat is a stone of it, with rows from the bottom. The bit above
/// each column is free, so that no row of four goes from one column into the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectFourBoard {
    rules: ConnectFourRules,
    /// The lowest cells of all columns.
    bottoms: u64,
    stones: [u64; 2],
    seat: u8,
    /// Whether the other seat has four in a row.
    won: bool,
    /// The column of the last stone.
    last: Option<u8>,
}

impl ConnectFourBoard {
    /// The empty board.
    pub fn new(rules: ConnectFourRules) -> ConnectFourBoard {
        let bottoms = (0..rules.columns).map(|column| 1 << ((rules.rows + 1) * column)).sum();
        ConnectFourBoard { rules, bottoms, stones: [0; 2], seat: 0, won: false, last: None }
    }

    fn taken(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    fn height(&self) -> u32 {
        u32::from(self.rules.rows) + 1
    }

    /// The lowest cell of a column.
    fn bottom(&self, column: u8) -> u64 {
        1 << (self.height() * u32::from(column))
    }

    #[inline]
    fn has_four(&self, stones: u64) -> bool {
        let height = self.height();
        // All four ways are tried: a jump at the first one costs more.
        let fours = [1, height - 1, height, height + 1].map(|step| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step))
        });
        fours.iter().fold(0, |all, four| all | four) != 0
    }

    /// The seat of the stone on a cell, with rows from the top as drawings have them.
    fn stone_at(&self, (row, column): GridCell) -> Option<usize> {
        let cell = self.bottom(column) << (self.rules.rows - 1 - row);
        (0..2).find(|seat| self.stones[*seat] & cell != 0)
    }

    /// The row, from the top, of the highest stone of a column, or of the lowest free cell.
    fn top(&self, column: u8, is_free: bool) -> u8 {
        let stones = (0..self.rules.rows).filter(|row| self.stone_at((*row, column)).is_some()).count() as u8;
        self.rules.rows - stones - u8::from(is_free)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.won || self.taken().count_ones() == u32::from(self.rules.rows) * u32::from(self.rules.columns)
    }

    fn winner(&self) -> Option<usize> {
        self.won.then_some(1 - usize::from(self.seat))
    }

    /// The lowest cells of the columns that are not full.
    #[inline]
    fn open(&self) -> u64 {
        self.bottoms & !(self.taken() >> (self.rules.rows - 1))
    }

    #[inline]
    fn add_actions(&self, actions: &mut Vec<u8>) {
        let open = self.open();
        actions.extend((0..self.rules.columns).filter(|column| open & self.bottom(*column) != 0));
    }

    #[inline]
    fn pick(&self, draw: impl FnOnce(u32) -> u32) -> u8 {
        let open = self.open();
        let bottom = 1 << nth_one(open, draw(open.count_ones()));
        (self.bottoms & (bottom - 1)).count_ones() as u8
    }

    /// The lowest free cell of a column, if these are taken; 0 if it is full.
    #[inline]
    fn drop(&self, column: u8, taken: u64) -> u64 {
        let bottom = self.bottom(column);
        // Adding 1 at the bottom carries through the stones of the column to its lowest free cell.
        (taken + bottom) & !taken & ((bottom << self.rules.rows) - bottom)
    }

    /// Whether a stone of this seat in the column would win.
    #[inline]
    fn wins(&self, seat: u8, column: u8, taken: u64) -> bool {
        let cell = self.drop(column, taken);
        cell != 0 && self.has_four(self.stones[usize::from(seat)] | cell)
    }

    #[inline]
    fn make(&mut self, column: u8) {
        let seat = usize::from(self.seat);
        self.stones[seat] |= self.drop(column, self.taken());
        self.won = self.has_four(self.stones[seat]);
        self.seat = 1 - self.seat;
        self.last = Some(column);
    }
}

game_without_chance!(
    ConnectFourBoard,
    u8,
    stones,
    fn wins_at_once(&self, columns: &[u8], found: &mut Vec<f64>) -> bool {
        found.extend(columns.iter().map(|column| f64::from(self.wins(self.seat, *column, self.taken()))));
        true
    },
    fn lets_win(&self, columns: &[u8], found: &mut Vec<f64>) -> bool {
        let (taken, other) = (self.taken(), 1 - self.seat);
        // As bits by column.
        let threats =
            columns.iter().filter(|column| self.wins(other, **column, taken)).fold(0, |all, column| all | 1 << column);
        found.extend(columns.iter().map(|column| {
            let above = taken | self.drop(*column, taken);
            let lets = threats & !(1_u8 << column) != 0 || self.wins(other, *column, above);
            f64::from(lets && !self.wins(self.seat, *column, taken))
        }));
        true
    }
);

won_domain!(
    ConnectFour,
    ConnectFourBoard,
    ConnectFourRules,
    "connect-four",
    "Connect Four: four stones in a row win",
    "formula:formula=Q + sqrt(2)*sqrt(ln(N)/n) - l1,untried=Qbar + sqrt(2)*sqrt(ln(N)) - l1,final_formula=n,default_policy=softmax,rating=0 - 3*l1",
    "Two players drop a stone in turn into a column. It falls to the lowest free cell.\n\
     The first row of four stones of one colour wins: across, up, or along a diagonal.\n\
     A full board without such a row is a draw."
);

impl Notation<ConnectFourBoard> for ConnectFour {
    /// The letter of the column.
    fn write_action(&self, _: &ConnectFourBoard, column: u8) -> String {
        column_name(column.into())
    }

    fn say_action(&self, _: &ConnectFourBoard, column: u8) -> String {
        format!("stone into column {}", column_name(column.into()))
    }
}

impl Drawing<ConnectFourBoard> for ConnectFour {
    fn grid(&self, board: &ConnectFourBoard) -> Option<Grid> {
        let caption = caption(board.winner(), board.is_over(), board.seat);
        let last = board.last.map(|column| (board.top(column, false), column));
        let ConnectFourRules { rows, columns } = board.rules;
        Some(Grid::new([rows, columns], |cell| board.stone_at(cell).map(|seat| (seat, 0)), last, caption))
    }

    fn grid_move(&self, board: &ConnectFourBoard, column: u8) -> Option<[GridCell; 2]> {
        Some([(board.top(column, true), column); 2])
    }
}
