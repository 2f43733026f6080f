//! The board of the game: a cross of fields, and the pieces that are out.

use super::{Maedn, MaednAction, MaednState, TRACK};
use crate::won::caption;
use evouct_platform::domain::{Drawing, Grid, GridCell};
use evouct_search::game::{Game, Turn};

/// The side of the board.
const SIDE: u8 = 11;

/// A cell, turned by so many quarters of the board, clockwise.
fn turned(cell: GridCell, quarters: u8) -> GridCell {
    (0..quarters).fold(cell, |(row, column), _| (column, SIDE - 1 - row))
}

/// The cell of a field of a seat.
pub(super) fn cell(seat: usize, field: u8) -> GridCell {
    let cell = match field % (TRACK / 4) {
        _ if field >= TRACK => (field - TRACK + 1, 5),
        step @ 0..=4 => (step, 6),
        step @ 5..=8 => (4, step + 2),
        _ => (5, SIDE - 1),
    };
    turned(cell, 2 * seat as u8 + if field < TRACK { field / (TRACK / 4) } else { 0 })
}

/// The cell of a piece that is out.
fn yard(seat: usize, number: u8) -> GridCell {
    turned((number / 2, SIDE - 2 + number % 2), 2 * seat as u8)
}

impl Drawing<MaednState> for Maedn {
    fn grid(&self, state: &MaednState) -> Option<Grid> {
        let fields = TRACK + state.rules.pieces;
        let cells = |seat: usize, pieces: u64| {
            (0..fields).filter(move |at| pieces >> at & 1 != 0).map(move |at| cell(seat, at))
        };
        let of_seat =
            |seat| cells(seat, state.pieces[seat]).chain((0..state.out(seat)).map(move |number| yard(seat, number)));
        let piece = |at| (0..2).find(|seat| of_seat(*seat).any(|own| own == at)).map(|seat| (seat, 0));
        let rolled = if state.die > 0 { format!(", rolled {}", state.die) } else { String::new() };
        let caption = caption(state.winner(), state.turn() == Turn::Terminal, state.seat) + &rolled;
        let is_cell = |at| (0..2).any(|seat| cells(seat, u64::MAX).any(|own| own == at)) || piece(at).is_some();
        Some(Grid::new([SIDE; 2], piece, state.last, caption).with_cells(is_cell))
    }

    fn grid_chance(&self, state: &MaednState) -> Option<u8> {
        (state.die > 0).then_some(state.die)
    }

    fn grid_move(&self, state: &MaednState, action: MaednAction) -> Option<[GridCell; 2]> {
        let seat = state.seat.into();
        match action {
            MaednAction::Enter => Some([yard(seat, state.out(seat) - 1), cell(seat, 0)]),
            MaednAction::Move(field) => Some([cell(seat, field), cell(seat, field + state.die)]),
            MaednAction::Pass => None,
        }
    }
}
