//! The options of the rules, and the board that they make.

use evouct_base::parameter::Values;

/// A cell: row and column from 0. The first seat starts at (0, 0).
pub type Cell = (u8, u8);

evouct_base::parameters! {
    /// The options of the rules.
    #[derive(Copy, Eq)]
    pub struct EinsteinRules {
        /// Rows of the board.
        rows: u8 = 5, values = Values::Count(2, 20), recorded = true;
        /// Columns of the board.
        columns: u8 = 5, values = Values::Count(2, 20), recorded = true;
        /// Diagonals of a corner that are filled with stones: 1, 2 or 3 make 1, 3 or 6 stones. The die has as many
        /// faces.
        diagonals: u8 = 3, values = Values::Count(1, 3), recorded = true;
        /// Whether the order of the stones is random for each seat; if not, it is by number, row by row.
        shuffled: bool = true, recorded = true;
    }
}

impl EinsteinRules {
    /// The stones of a seat.
    pub fn stones(&self) -> usize {
        let diagonals = usize::from(self.diagonals);
        diagonals * (diagonals + 1) / 2
    }

    /// The cell that a seat has to reach.
    pub fn goal(&self, seat: usize) -> Cell {
        if seat == 0 { (self.rows - 1, self.columns - 1) } else { (0, 0) }
    }

    /// Moves of a stone on this cell to the seat's goal, if nothing hinders it.
    pub fn distance(&self, seat: usize, (row, column): Cell) -> u8 {
        let (to_row, to_column) = self.goal(seat);
        row.abs_diff(to_row).max(column.abs_diff(to_column))
    }

    /// The cells on which a seat starts, row by row from its own corner.
    pub(super) fn corner(&self, seat: usize) -> impl Iterator<Item = Cell> {
        let EinsteinRules { rows, columns, diagonals, .. } = *self;
        let cells = (0..diagonals).flat_map(move |row| (0..diagonals - row).map(move |column| (row, column)));
        cells.map(move |(row, column)| if seat == 0 { (row, column) } else { (rows - 1 - row, columns - 1 - column) })
    }
}
