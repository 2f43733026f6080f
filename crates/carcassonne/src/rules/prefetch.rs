//! Asking for memory ahead, for programs that play many games in turn.

use super::cell::Cell;
use super::edition::Edition;
use super::state::State;
use evouct_base::prefetch::prefetch;

impl<E: Edition> State<E> {
    /// Asks for the memory that is read when a tile is placed and figures for it are listed.
    /// `cell` is where the tile goes.
    #[inline]
    pub(crate) fn prefetch_board(&self, cell: Cell) {
        self.board.prefetch_edges();
        self.board.prefetch_neighbours();
        self.board.prefetch_cells(cell);
        self.features.prefetch_parents();
    }

    /// Asks for the features around an open cell, and if a turn is played for those with figures.
    /// [`prefetch_board`](State::prefetch_board) comes first.
    #[inline]
    pub(crate) fn prefetch_features(&self, cell: Cell, plays: bool) {
        if let Some(slot) = self.board.slot(cell) {
            self.board.neighbour_ids(slot).iter().for_each(|id| self.features.prefetch(*id));
        }
        if plays {
            self.features.prefetch(self.features.next());
            self.scoring.claims().for_each(|id| self.features.prefetch(id));
            prefetch(&self.turns[usize::from(self.turn_count)]);
        }
    }
}
