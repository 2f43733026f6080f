//! Connect Four, a game of your own whose positions are two words: what search needs of a game is fast here.
//!
//!     cargo run --release -p connect-four -- run examples/connect_four/league.toml
//!     cargo run --release -p connect-four -- play --game connect-four -1 mcts -2 siea-mcts --show
//!
//! Two seats drop stones in turn into seven columns of six cells. The first seat with four stones in a row, across, up
//! or along a diagonal, wins. `docs/performance.md` has its playouts per second beside those of OpenSpiel's.

use evouct::domain::{Domain, Drawing, MoveNumber, Notation, ScoreLead};
use evouct::game::{Game, Scores, StreamDeck, Turn, Uniform};
use std::process::ExitCode;

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
/// Bits of a column. The one above its cells is always free, so that no row of four goes from one column into the next.
const HEIGHT: u32 = ROWS + 1;

/// What a seat decides: the column of the stone, from the left, from 0.
type Column = u8;

/// A position: the bit `HEIGHT * column + row` of a seat is a stone of it.
#[derive(Clone, Default)]
pub struct Board {
    stones: [u64; 2],
    /// The seat whose turn it is.
    seat: usize,
    /// Whether the other seat has four in a row.
    won: bool,
}

impl Board {
    fn taken(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// The lowest cell of a column.
    fn bottom(column: Column) -> u64 {
        1 << (HEIGHT * u32::from(column))
    }

    fn is_full(&self, column: Column) -> bool {
        self.taken() & (Board::bottom(column) << (ROWS - 1)) != 0
    }

    /// Whether four stones are in a row: up, along both diagonals, across.
    fn has_four(stones: u64) -> bool {
        [1, HEIGHT - 1, HEIGHT, HEIGHT + 1].into_iter().any(|step| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }
}

impl Game for Board {
    type Action = Column;
    /// Chance decides nothing.
    type Outcome = ();
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        let is_over = self.won || self.taken().count_ones() == COLUMNS * ROWS;
        if is_over { Turn::Terminal } else { Turn::Player(self.seat) }
    }

    fn outcomes(&self, outcomes: &mut Vec<((), u32)>) {
        outcomes.clear();
    }

    fn apply(&mut self, (): ()) {}

    fn actions(&self, actions: &mut Vec<Column>) {
        actions.clear();
        if self.turn() != Turn::Terminal {
            actions.extend((0..COLUMNS as Column).filter(|column| !self.is_full(*column)));
        }
    }

    fn play(&mut self, column: Column) {
        // The lowest free cell: adding 1 at the bottom carries through the stones of the column.
        let cell = (self.taken() + Board::bottom(column)) & !self.taken() & (0x7f * Board::bottom(column));
        self.stones[self.seat] |= cell;
        self.won = Board::has_four(self.stones[self.seat]);
        self.seat = 1 - self.seat;
    }

    /// 1 for the seat with four in a row, 0 for the other one, and for both in a draw.
    fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        scores[1 - self.seat] = i32::from(self.won);
        scores
    }

    fn max_score(&self) -> Option<i32> {
        Some(1)
    }
}

/// The name of the game as a type. It has no content.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConnectFour;

impl Domain for ConnectFour {
    type Game = Board;
    /// The rules have no options.
    type Rules = ();
    type Playout = Uniform;
    type Evaluation = ScoreLead;
    type Metrics = ();

    const NAME: &'static str = "connect-four";
    const ABOUT: &'static str = "Connect Four, on seven columns of six cells";
    const POINT: &'static str = "a game won";
    const NOTATION: &'static dyn Notation<Board> = &ConnectFour;
    const DRAWING: &'static dyn Drawing<Board> = &ConnectFour;
    /// Numbers of an action before it is played. Formulas know them by these names.
    const MOVE_NUMBERS: &'static [MoveNumber<Board>] =
        &[MoveNumber::new("wins", "1 if the stone makes four in a row, else 0", |board, column, after| {
            after.clone_from(board);
            after.play(column);
            f64::from(u8::from(after.won))
        })];

    fn start((): &()) -> Board {
        Board::default()
    }
}

impl Notation<Board> for ConnectFour {
    /// Columns are counted from 1.
    fn write_action(&self, _: &Board, column: Column) -> String {
        (column + 1).to_string()
    }
}

impl Drawing<Board> for ConnectFour {
    /// The position as text, the highest row first.
    fn text(&self, board: &Board, _colour: bool) -> Option<String> {
        let cell = |column: u32, row| match board.stones.map(|stones| stones >> (HEIGHT * column + row) & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        };
        let line = |row| (0..COLUMNS).map(|column| cell(column, row)).chain(['\n']).collect::<String>();
        Some((0..ROWS).rev().map(line).chain(["1234567\n".to_owned()]).collect())
    }
}

fn main() -> ExitCode {
    evouct::registry::add_game::<ConnectFour>();
    evouct::cli::main()
}
