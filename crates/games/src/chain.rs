//! Chains of stones on boards of hexagons, whose cells are bits.

/// The stones of a seat that chains connect to an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reach {
    /// These stones.
    pub stones: u128,
    /// The cells where one more stone would be one of them.
    pub border: u128,
}

impl Reach {
    /// Nothing yet is connected to these cells.
    pub(crate) fn of(edge: u128) -> Reach {
        Reach { stones: 0, border: edge }
    }

    /// Adds the chain of a new stone of a seat that has these stones, if it reaches the edge.
    #[inline]
    pub(crate) fn add(&mut self, stone: u128, stones: u128, near: impl Fn(u128) -> u128) {
        if stone & self.border != 0 {
            // Every stone is reached once in a game.
            let mut new = stone;
            while new != 0 {
                self.stones |= new;
                let around = near(new);
                self.border |= around;
                new = around & stones & !self.stones;
            }
        }
    }
}

/// Adds the number of each of these cells.
#[inline]
pub(crate) fn add_cells(mut cells: u128, actions: &mut Vec<u8>) {
    while cells != 0 {
        actions.push(cells.trailing_zeros() as u8);
        cells &= cells - 1;
    }
}

/// The seat with a stone on a cell, as a piece without a number; a bit that the board lacks has none.
pub(crate) fn stone_at(stones: &[u128; 2], cell: u8) -> Option<(usize, usize)> {
    (0..2).find(|seat| stones[*seat].unbounded_shr(cell.into()) & 1 != 0).map(|seat| (seat, 0))
}

/// Makes a board a game where a chain wins; `may_fill` says whether a full board is a draw. The board
/// has the fields `won` (whether the seat that moved last has its chain), `last`, `stones` and `seat`, and the methods `near`, `cell`, `free`
/// and `winning` (the free cells where a stone of a seat would win now).
macro_rules! chain_board {
    ($board:ty, $may_fill:literal) => {
        impl $board {
            /// The cells of the chain that won, which has the last stone; none before.
            fn chain(&self) -> Vec<GridCell> {
                let mut cells = Vec::new();
                if let (Some(winner), Some(last)) = (self.winner(), self.last) {
                    let mut reach = Reach::of(1 << last);
                    reach.add(1 << last, self.stones[winner], |cells| self.near(cells));
                    $crate::chain::add_cells(reach.stones, &mut cells);
                }
                cells.into_iter().map(|cell| self.cell(cell)).collect()
            }

            fn is_over(&self) -> bool {
                self.won || $may_fill && self.free() == 0
            }

            fn winner(&self) -> Option<usize> {
                self.won.then_some(1 - usize::from(self.seat))
            }

            #[inline]
            fn add_actions(&self, actions: &mut Vec<u8>) {
                $crate::chain::add_cells(self.free(), actions);
            }

            #[inline]
            fn pick(&self, draw: impl FnOnce(u32) -> u32) -> u8 {
                let free = self.free();
                evouct_base::bits::nth_one_wide(free, draw(free.count_ones())) as u8
            }
        }

        $crate::won::game_without_chance!(
            $board,
            u8,
            stones,
            fn wins_at_once(&self, cells: &[u8], found: &mut Vec<f64>) -> bool {
                let wins = self.winning(self.seat.into());
                found.extend(cells.iter().map(|cell| f64::from(wins & 1 << cell != 0)));
                true
            },
            fn lets_win(&self, cells: &[u8], found: &mut Vec<f64>) -> bool {
                let [wins, threats] = [self.seat, 1 - self.seat].map(|seat| self.winning(seat.into()));
                // A stone stops what would win on its cell, and nothing else.
                found.extend(cells.iter().map(|cell| f64::from(wins & 1 << cell == 0 && threats & !(1 << cell) != 0)));
                true
            }
        );
    };
}
pub(crate) use chain_board;

/// Makes cells the moves of a game, written as `c3`. The board has the methods `cell` (row and column of a number),
/// `drawn` (its drawing) and `chain` (the cells of the chain that won).
macro_rules! cells_as_moves {
    ($domain:ty, $board:ty) => {
        impl evouct_platform::domain::Notation<$board> for $domain {
            fn write_action(&self, board: &$board, cell: u8) -> String {
                evouct_platform::domain::cell_name(board.cell(cell))
            }

            fn say_action(&self, board: &$board, cell: u8) -> String {
                format!("stone on {}", self.write_action(board, cell))
            }
        }

        impl evouct_platform::domain::Drawing<$board> for $domain {
            fn grid(&self, board: &$board) -> Option<Grid> {
                Some(board.drawn().with_chain(board.chain()))
            }

            fn grid_move(&self, board: &$board, cell: u8) -> Option<[GridCell; 2]> {
                Some([board.cell(cell); 2])
            }
        }
    };
}
pub(crate) use cells_as_moves;
