//! Connect Four on bitboards (J. Tromp, "The Fhourstones benchmark").
//!
//! Two seats drop stones in turn into columns. The first seat with four stones in a row, across, up or along a diagonal,
//! wins. A full board is a draw.

use super::won::WON;
use evouct_base::parameter::Values;
use evouct_platform::domain::{Domain, Drawing, Grid, GridCell, Notation, ScoreLead, column_name, seat_letter};
use evouct_search::game::{Game, Scores, StreamDeck, Turn, Uniform};

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
        ConnectFourBoard { rules, stones: [0; 2], seat: 0, won: false, last: None }
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

    fn has_four(&self, stones: u64) -> bool {
        let height = self.height();
        [1, height - 1, height, height + 1].into_iter().any(|step| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
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
}

impl Game for ConnectFourBoard {
    type Action = u8;
    type Outcome = ();
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        let is_full = self.taken().count_ones() == u32::from(self.rules.rows) * u32::from(self.rules.columns);
        if self.won || is_full { Turn::Terminal } else { Turn::Player(self.seat.into()) }
    }

    fn outcomes(&self, outcomes: &mut Vec<((), u32)>) {
        outcomes.clear();
    }

    fn apply(&mut self, (): ()) {}

    #[inline]
    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        if self.turn() != Turn::Terminal {
            let taken = self.taken() >> (self.rules.rows - 1);
            actions.extend((0..self.rules.columns).filter(|column| taken & self.bottom(*column) == 0));
        }
    }

    #[inline]
    fn play(&mut self, column: u8) {
        let (bottom, seat) = (self.bottom(column), usize::from(self.seat));
        // Adding 1 at the bottom carries through the stones of the column to its lowest free cell.
        let cells = (bottom << self.rules.rows) - bottom;
        self.stones[seat] |= (self.taken() + bottom) & !self.taken() & cells;
        self.won = self.has_four(self.stones[seat]);
        self.seat = 1 - self.seat;
        self.last = Some(column);
    }

    /// 1 for the seat with four in a row.
    fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        scores[1 - usize::from(self.seat)] = i32::from(self.won);
        scores
    }

    fn max_score(&self) -> Option<i32> {
        Some(1)
    }
}

impl Domain for ConnectFour {
    type Game = ConnectFourBoard;
    type Rules = ConnectFourRules;
    type Playout = Uniform;
    type Evaluation = ScoreLead;
    type Metrics = ();

    const NAME: &'static str = "connect-four";
    const ABOUT: &'static str = "Connect Four: four stones in a row win";
    const CAPTION: &'static str = WON;
    const POINT: &'static str = "a game won";
    const NOTATION: &'static dyn Notation<ConnectFourBoard> = &ConnectFour;
    const DRAWING: &'static dyn Drawing<ConnectFourBoard> = &ConnectFour;

    fn start(rules: &ConnectFourRules) -> ConnectFourBoard {
        ConnectFourBoard::new(*rules)
    }
}

impl Notation<ConnectFourBoard> for ConnectFour {
    /// The letter of the column.
    fn write_action(&self, _: &ConnectFourBoard, column: u8) -> String {
        column_name(column.into())
    }
}

impl Drawing<ConnectFourBoard> for ConnectFour {
    fn grid(&self, board: &ConnectFourBoard) -> Option<Grid> {
        let caption = match board.turn() {
            Turn::Terminal if board.won => format!("{} has won", seat_letter(1 - usize::from(board.seat))),
            Turn::Terminal => "a draw".to_owned(),
            _ => format!("{} to move", seat_letter(board.seat.into())),
        };
        let last = board.last.map(|column| (board.top(column, false), column));
        let ConnectFourRules { rows, columns } = board.rules;
        Some(Grid::new([rows, columns], |cell| board.stone_at(cell).map(|seat| (seat, 0)), last, caption))
    }

    fn grid_move(&self, board: &ConnectFourBoard, column: u8) -> Option<[GridCell; 2]> {
        Some([(board.top(column, true), column); 2])
    }
}
