//! Havannah (C. Freeling, 1979) on bitboards.
//!
//! Two seats place stones in turn on a hexagon of hexagons. A seat wins by a chain of its stones that is a bridge (it
//! touches two corners), a fork (it touches three sides; corners are on none) or a ring (it encloses a cell, whatever is
//! on it). A full board without one is a draw. There is no swap of colours.

use super::chain::{Reach, cells_as_moves, chain_board, stone_at};
use super::won::{caption, won_domain};
use evouct_base::parameter::Values;
use evouct_platform::domain::{Grid, GridCell};

/// The game Havannah.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Havannah;

evouct_base::parameters! {
    /// The options of the rules.
    #[derive(Copy, Eq)]
    pub struct HavannahRules {
        /// Cells along each of the six sides of the board.
        size: u8 = 5, values = Values::Count(2, 6), recorded = true;
    }
}

/// A position: bit `width * row + column` of a seat is a stone of it. The board is a square of so many rows and columns
/// without two corners, and what leaves it on one side never comes back on a cell of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HavannahBoard {
    /// Columns of the middle row.
    width: u8,
    seat: u8,
    /// Whether the other seat has its chain.
    won: bool,
    last: Option<u8>,
    all: u128,
    /// The cells of the six sides and corners.
    rim: u128,
    stones: [u128; 2],
    /// By seat, the stones that are connected to each of the six corners, then to each of the six sides.
    reached: [[Reach; 12]; 2],
}

/// Whether a square of this width has a cell here.
fn is_cell(width: u8, (row, column): GridCell) -> bool {
    row.abs_diff(column) <= width / 2
}

impl HavannahBoard {
    /// The empty board.
    pub fn new(rules: HavannahRules) -> HavannahBoard {
        let (half, width) = (rules.size - 1, 2 * rules.size - 1);
        let (mut all, mut edges) = (0, [0_u128; 12]);
        for cell in (0..width * width).filter(|cell| is_cell(width, (cell / width, cell % width))) {
            let (row, column) = (cell / width, cell % width);
            let (last, slant) = (width - 1, row.abs_diff(column) == half);
            let on = [row == 0, column == 0, row == last, column == last, slant && row < column, slant && row > column];
            let sides: Vec<usize> = (0..6).filter(|side| on[*side]).collect();
            match sides[..] {
                [] => {}
                [side] => edges[6 + side] |= 1 << cell,
                _ => *edges.iter_mut().find(|corner| **corner == 0).expect("six corners") = 1 << cell,
            }
            all |= 1 << cell;
        }
        let (rim, reached) = (edges.iter().fold(0, |rim, edge| rim | edge), [edges.map(Reach::of); 2]);
        HavannahBoard { width, seat: 0, won: false, last: None, all, rim, stones: [0; 2], reached }
    }

    /// The neighbours of these cells in each of the six directions, in the order in which they surround a cell.
    #[inline]
    fn around(&self, cells: u128) -> [u128; 6] {
        let width = self.width;
        let [right, down_right, down] = [cells << 1, cells << (width + 1), cells << width];
        let [left, up_left, up] = [cells >> 1, cells >> (width + 1), cells >> width];
        [right, down_right, down, left, up_left, up].map(|cells| cells & self.all)
    }

    #[inline]
    fn near(&self, cells: u128) -> u128 {
        let (left, right) = (cells >> 1, cells << 1);
        (left | right | (cells | right) << self.width | (cells | left) >> self.width) & self.all
    }

    /// Whether a new stone closes a ring of these stones.
    fn is_ring(&self, stone: u128, stones: u128) -> bool {
        // A ring around nothing but own stones has one among them whose neighbours are all own.
        if self.around(stones).iter().fold(stones, |inner, moved| inner & moved) != 0 {
            return true;
        }
        // Any other one encloses cells without own stones, and separates neighbours of the stone that closes it.
        let own = self.around(stone).map(|cell| cell & stones != 0);
        if (0..6).filter(|at| own[*at] && !own[(at + 1) % 6]).count() < 2 {
            return false;
        }
        let others = self.all & !stones;
        let mut outside = self.rim & others;
        loop {
            let wider = outside | self.near(outside) & others;
            if wider == outside {
                return outside != others;
            }
            outside = wider;
        }
    }

    fn cell(&self, number: u8) -> GridCell {
        (number / self.width, number % self.width)
    }

    fn free(&self) -> u128 {
        self.all & !(self.stones[0] | self.stones[1])
    }

    fn winning(&self, seat: usize) -> u128 {
        let (stones, free, reached) = (self.stones[seat], self.free(), &self.reached[seat]);
        // The cells that are on the borders of at least one, two and three of these.
        let counted = |reached: &[Reach]| {
            let add = |[one, two, three]: [u128; 3], reached: &Reach| {
                let border = reached.border;
                [one | border, two | one & border, three | two & border]
            };
            reached.iter().fold([0; 3], add)
        };
        let [_, bridges, _] = counted(&reached[..6]);
        let [_, _, forks] = counted(&reached[6..]);
        let mut wins = (bridges | forks) & free;
        let mut tried = self.near(stones) & free & !wins;
        while tried != 0 {
            let cell = tried & tried.wrapping_neg();
            tried ^= cell;
            if self.is_ring(cell, stones | cell) {
                wins |= cell;
            }
        }
        wins
    }

    #[inline]
    fn make(&mut self, cell: u8) {
        let (seat, stone) = (usize::from(self.seat), 1 << cell);
        self.stones[seat] |= stone;
        let stones = self.stones[seat];
        for edge in 0..12 {
            let mut reached = self.reached[seat][edge];
            reached.add(stone, stones, |cells| self.near(cells));
            self.reached[seat][edge] = reached;
        }
        let reached = &self.reached[seat];
        let touched = |reached: &[Reach]| reached.iter().filter(|reached| reached.stones & stone != 0).count();
        self.won = touched(&reached[..6]) >= 2 || touched(&reached[6..]) >= 3 || self.is_ring(stone, stones);
        self.seat = 1 - self.seat;
        self.last = Some(cell);
    }

    /// Each row stands half a cell further to the left than the one above it.
    fn drawn(&self) -> Grid {
        let caption = caption(self.winner(), self.is_over(), self.seat);
        let piece = |(row, column)| stone_at(&self.stones, self.width * row + column);
        let grid = Grid::new([self.width; 2], piece, self.last.map(|cell| self.cell(cell)), caption);
        grid.slanted_left().with_cells(|cell| is_cell(self.width, cell))
    }
}

chain_board!(HavannahBoard, true);

won_domain!(
    Havannah,
    HavannahBoard,
    HavannahRules,
    "havannah",
    "Havannah: a bridge, a fork or a ring of stones wins",
    "formula:formula=Q + 300/(300 + n)*(4*hm - 3*l1 - Q) + sqrt(2)*sqrt(ln(N)/n),untried=Qbar + sqrt(2)*sqrt(ln(N)) + 4*hm - 3*l1,final_formula=n",
    "Two players place a stone in turn on a free cell of a hexagon. Stones never move and are never taken.\n\
     A chain of stones of one colour wins if it joins two corners (a bridge), if it joins three sides without their corners (a fork), or if it encloses a cell (a ring).\n\
     A full board without any of them is a draw."
);

cells_as_moves!(Havannah, HavannahBoard);
