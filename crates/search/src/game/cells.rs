//! A small game of two seats for tests: they mark nine cells in turn, and three cells of a line win.

use super::{Game, Scores, StreamDeck, Turn};

/// The lines of noughts and crosses.
const CROSSES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
/// Neighbours in a row of nine.
const ROW: [[usize; 3]; 7] = [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7], [6, 7, 8]];

/// A position.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// The seat that marked each cell.
    pub cells: [Option<usize>; 9],
    lines: &'static [[usize; 3]],
}

impl Cells {
    fn after(lines: &'static [[usize; 3]], cells: &[usize]) -> Cells {
        let mut state = Cells { cells: [None; 9], lines };
        cells.iter().for_each(|cell| state.play(*cell));
        state
    }

    /// Noughts and crosses after these cells.
    pub(crate) fn crosses(cells: &[usize]) -> Cells {
        Cells::after(&CROSSES, cells)
    }

    /// A row of nine after these cells.
    pub(crate) fn row(cells: &[usize]) -> Cells {
        Cells::after(&ROW, cells)
    }

    /// The seat with a line.
    pub(crate) fn winner(&self) -> Option<usize> {
        let of = |line: &[usize; 3]| {
            self.cells[line[0]].filter(|own| line.iter().all(|cell| self.cells[*cell] == Some(*own)))
        };
        self.lines.iter().find_map(of)
    }

    /// The cells without a mark.
    pub(crate) fn open(&self) -> impl Iterator<Item = usize> {
        (0..9).filter(|cell| self.cells[*cell].is_none())
    }

    /// The position after one more cell.
    pub(crate) fn with(&self, cell: usize) -> Cells {
        let mut after = self.clone();
        after.play(cell);
        after
    }

    /// 1, 0 or -1 for the seat to play, by minimax.
    pub(crate) fn value(&self) -> i32 {
        match (self.winner(), self.turn()) {
            (Some(_), _) => -1,
            (None, Turn::Terminal) => 0,
            _ => self.open().map(|cell| -self.with(cell).value()).max().unwrap(),
        }
    }
}

impl Game for Cells {
    type Action = usize;
    type Outcome = ();
    type Deck = StreamDeck;

    const TRANSPOSES: bool = true;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        let placed = 9 - self.open().count();
        if placed == 9 || self.winner().is_some() { Turn::Terminal } else { Turn::Player(placed % 2) }
    }

    fn outcomes(&self, outcomes: &mut Vec<((), u32)>) {
        outcomes.clear();
    }

    fn apply(&mut self, (): ()) {}

    fn actions(&self, actions: &mut Vec<usize>) {
        actions.clear();
        if self.turn() != Turn::Terminal {
            actions.extend(self.open());
        }
    }

    fn play(&mut self, cell: usize) {
        self.cells[cell] = Some((9 - self.open().count()) % 2);
    }

    fn position_key(&self) -> [u128; 2] {
        [0, 1].map(|seat| self.cells.iter().fold(0, |key, cell| 2 * key + u128::from(*cell == Some(seat))))
    }

    fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        if let Some(winner) = self.winner() {
            scores[winner] = 1;
        }
        scores
    }
}
