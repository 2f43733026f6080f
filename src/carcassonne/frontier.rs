//! The frontier: the empty cells next to a tile, and where a tile would fit among them.
//!
//! Every open cell has a *slot*. For each kind of edge and each side a bitmap holds the slots whose neighbour on that
//! side shows another kind, so that the cells where a tile fits, in all four rotations at once, are a few word
//! operations: lane `r` of the result is what no edge of the tile, turned `r` quarter turns, clashes with. A slot also
//! holds the ids of the features that its neighbours show it, which is all that laying a tile there needs to know.

use super::bits;
use super::tile::{Edge, Side};
use super::tile_set::Shape;

/// A board of `n` tiles has at most `2n + 2` open cells: 146 for 72 tiles. Slot 0 is never used.
pub(super) const SLOTS: usize = 160;
const WORDS: usize = SLOTS.div_ceil(64);
const CELLS: usize = 4096;
/// Rows are this far apart on the torus of [`CELLS`]; no two cells within 75 steps of one another share a place.
const ROW: i32 = 90;
/// What the board holds where a tile lies; 0 is an empty cell, anything else the slot of an open one.
const TILE: u8 = 255;

/// By kind of edge: the kinds that clash with it.
static OTHER_EDGES: [[Edge; 2]; Edge::COUNT] =
    [[Edge::Road, Edge::City], [Edge::Field, Edge::City], [Edge::Field, Edge::Road]];

/// Four words, one for each rotation.
pub(super) type Lanes = [u64; 4];

/// A cell: `x` grows to the east, `y` to the south, the start tile lies at (0, 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Steps east of the start tile.
    pub x: i8,
    /// Steps south of the start tile.
    pub y: i8,
}

impl Cell {
    /// The neighbour on this side.
    #[inline]
    pub const fn neighbour(self, side: Side) -> Cell {
        let (dx, dy) = side.step();
        Cell { x: self.x.wrapping_add(dx), y: self.y.wrapping_add(dy) }
    }
}

/// A cell together with its place on the torus, in one word so that a step is one addition: from bit 0 `x + 128`, from
/// bit 8 `y + 128`, from bit 16 the place (to be taken modulo [`CELLS`]).
#[derive(Clone, Copy, Default)]
struct Site(u32);

impl Site {
    #[inline]
    const fn new(cell: Cell) -> Site {
        let place = cell.x as i32 + ROW * cell.y as i32;
        Site((cell.x as i32 + 128 + ((cell.y as i32 + 128) << 8) + (place << 16)) as u32)
    }

    #[inline]
    fn cell(self) -> Cell {
        Cell { x: (self.0 as u8).wrapping_sub(128) as i8, y: ((self.0 >> 8) as u8).wrapping_sub(128) as i8 }
    }

    #[inline]
    fn place(self) -> usize {
        (self.0 >> 16) as usize % CELLS
    }

    /// The neighbour on side number `side`.
    #[inline]
    fn neighbour(self, side: usize) -> Site {
        const STEPS: [i32; 4] = [-(1 << 8) - (ROW << 16), 1 + (1 << 16), (1 << 8) + (ROW << 16), -1 - (1 << 16)];
        Site(self.0.wrapping_add(STEPS[side] as u32))
    }
}

/// The open cells of a board and what surrounds them.
#[derive(Clone)]
pub(super) struct Frontier {
    board: [u8; CELLS],
    open: [u64; WORDS],
    /// By word and kind of edge: lane `side` holds the slots whose neighbour there shows another kind.
    clash: [[Lanes; Edge::COUNT]; WORDS],
    /// The ids of the neighbours' features, by port.
    met: [[u8; 16]; SLOTS],
    /// The sides on which there is a neighbour, a bit a side.
    sides: [u8; SLOTS],
    sites: [Site; SLOTS],
    /// Slots in use lie below.
    high: u8,
}

/// Where a tile fits: bit `slot` of lane `rotation`, word by word, and how many places that makes.
pub(super) struct Fits {
    lanes: [Lanes; WORDS],
    words: usize,
    /// The number of distinct (cell, orientation) pairs.
    pub count: u32,
}

impl Frontier {
    pub(super) fn new() -> Frontier {
        Frontier {
            board: [0; CELLS],
            open: [0; WORDS],
            clash: [[[0; 4]; Edge::COUNT]; WORDS],
            met: [[0; 16]; SLOTS],
            sides: [0; SLOTS],
            sites: [Site::default(); SLOTS],
            high: 1,
        }
    }

    /// Copies what is in use. Slots beyond are cleared when they are taken.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &Frontier) {
        self.board = other.board;
        self.open = other.open;
        self.clash = other.clash;
        let used = usize::from(self.high.max(other.high));
        self.met[..used].copy_from_slice(&other.met[..used]);
        self.sides[..used].copy_from_slice(&other.sides[..used]);
        self.sites[..used].copy_from_slice(&other.sites[..used]);
        self.high = other.high;
    }

    /// Where a tile of this shape fits.
    #[inline]
    pub(super) fn fits(&self, shape: &Shape) -> Fits {
        let words = usize::from(self.high - 1) / 64 + 1;
        let mut fits = Fits { lanes: [[0; 4]; WORDS], words, count: 0 };
        for word in 0..words {
            let clash = &self.clash[word];
            let lanes =
                bits::legal_lanes(self.open[word], shape.orientations, shape.edges.map(|edge| &clash[edge as usize]));
            fits.count += lanes.iter().map(|lane| lane.count_ones()).sum::<u32>();
            fits.lanes[word] = lanes;
        }
        fits
    }

    /// The cell of an open slot.
    #[inline]
    pub(super) fn cell(&self, slot: u8) -> Cell {
        self.sites[usize::from(slot)].cell()
    }

    /// The slot of a cell, if it is open.
    #[inline]
    pub(super) fn slot(&self, cell: Cell) -> Option<u8> {
        let content = self.board[Site::new(cell).place()];
        (content != 0 && content != TILE && self.cell(content) == cell).then_some(content)
    }

    /// Whether a tile lies on the cell. The cell must be within 75 steps of every tile, as all neighbours are.
    #[inline]
    pub(super) fn has_tile(&self, cell: Cell) -> bool {
        self.board[Site::new(cell).place()] == TILE
    }

    /// How many of the eight cells around this one hold a tile.
    pub(super) fn tiles_around(&self, cell: Cell) -> u8 {
        let row = |y: i8| (-1..=1).map(move |x| Cell { x: cell.x + x, y: cell.y + y });
        let around = (-1..=1).flat_map(row).filter(|other| *other != cell);
        around.map(|other| u8::from(self.has_tile(other))).sum()
    }

    /// The ids of the neighbours' features at the ports of an open slot.
    #[inline]
    pub(super) fn met(&self, slot: u8) -> &[u8; 16] {
        &self.met[usize::from(slot)]
    }

    /// The sides of an open slot on which there is a neighbour, a bit a side.
    #[inline]
    pub(super) fn sides(&self, slot: u8) -> u8 {
        self.sides[usize::from(slot)]
    }

    /// Every port that leads to feature `from` leads to `to` instead.
    pub(super) fn relabel(&mut self, from: u8, to: u8) {
        for id in self.met[..usize::from(self.high)].as_flattened_mut() {
            *id = if *id == from { to } else { *id };
        }
    }

    /// Whether the slot's neighbours let a tile of this shape lie there, turned so.
    #[inline]
    pub(super) fn allows(&self, slot: u8, shape: &Shape, rotation: u8) -> bool {
        let (word, bit) = (usize::from(slot) / 64, slot % 64);
        self.open[word] >> bit & 1 == 1
            && (0..4).all(|side| {
                let edge = shape.edges[(side + 4 - usize::from(rotation)) % 4];
                self.clash[word][edge as usize][side] >> bit & 1 == 0
            })
    }

    /// Opens the cell of the first tile.
    pub(super) fn open_first(&mut self) -> u8 {
        let (site, slot) = (Site::new(Cell::default()), 1);
        self.open[0] = 1 << slot;
        self.sites[usize::from(slot)] = site;
        self.board[site.place()] = slot;
        self.high = slot + 1;
        slot
    }

    /// Lays a tile: closes the slot and shows the neighbours the tile's edges and the `ids` of its parts.
    #[inline]
    pub(super) fn lay(&mut self, slot: u8, shape: &Shape, rotation: u8, ids: &[u8; 16]) {
        let site = self.sites[usize::from(slot)];
        let outward = !self.sides[usize::from(slot)] & 0xf;
        self.close(slot);
        let shown = bits::pick(ids, &shape.facing);
        let mut high = self.high;
        // Slots that are free, taken from the lowest up.
        let mut word = 0;
        let mut vacant = !(self.open[0] | 1);
        for side in bits::ones(outward.into()) {
            let side = side as usize;
            let next = site.neighbour(side);
            let content = self.board[next.place()];
            while vacant == 0 {
                word += 1;
                vacant = !self.open[word];
            }
            let free = 64 * word as u8 + vacant.trailing_zeros() as u8;
            let is_new = content == 0;
            let slot = if is_new { free } else { content };
            vacant &= if is_new { vacant - 1 } else { vacant };
            // Written also where the slot is old: the same values, and no branch to guess wrong.
            self.open[usize::from(slot) / 64 % WORDS] |= 1 << (slot % 64);
            self.sites[usize::from(slot)] = next;
            self.board[next.place()] = slot;
            high = high.max(slot + 1);
            let at = usize::from(slot);
            let opposite = side ^ 2;
            let unturned = (side + 4 - usize::from(rotation)) % 4;
            let met = &mut self.met[at][4 * opposite..4 * opposite + 4];
            met.copy_from_slice(&shown[4 * unturned..4 * unturned + 4]);
            self.sides[at] |= 1 << opposite;
            for other in OTHER_EDGES[shape.edges[unturned] as usize] {
                self.clash[at / 64][other as usize][opposite] |= 1 << (slot % 64);
            }
        }
        self.high = high;
    }

    #[inline]
    fn close(&mut self, slot: u8) {
        let at = usize::from(slot);
        let (word, bit) = (at / 64, 1 << (slot % 64));
        self.board[self.sites[at].place()] = TILE;
        self.open[word] &= !bit;
        for lanes in &mut self.clash[word] {
            for lane in lanes {
                *lane &= !bit;
            }
        }
        self.met[at] = [0; 16];
        self.sides[at] = 0;
    }
}

impl Fits {
    /// The place of this number (below `count`): slot and rotation.
    #[inline]
    pub(super) fn nth(&self, n: u32) -> (u8, u8) {
        let mut left = n;
        let mut word = 0;
        loop {
            let lanes = &self.lanes[word];
            let counts = lanes.map(u64::count_ones);
            let below = [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]];
            if word + 1 == self.words || left < below[3] + counts[3] {
                let rotation =
                    usize::from(left >= below[1]) + usize::from(left >= below[2]) + usize::from(left >= below[3]);
                let bit = bits::nth_one(lanes[rotation], left - below[rotation]);
                return ((64 * word) as u8 + bit as u8, rotation as u8);
            }
            left -= below[3] + counts[3];
            word += 1;
        }
    }

    /// A place by cell first: `choose(n)` is asked for a number below `n`, first among the cells where the tile fits,
    /// then among the rotations that fit there.
    pub(super) fn nth_cell(&self, mut choose: impl FnMut(u32) -> u32) -> (u8, u8) {
        let cells = self.slots().count() as u32;
        let (slot, rotations) = self.slots().nth(choose(cells) as usize).expect("the number is below the count");
        let rotation = bits::nth_one(rotations.into(), choose(u32::from(rotations).count_ones()));
        (slot, rotation as u8)
    }

    /// Slots, each with the set of its rotations.
    pub(super) fn slots(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        (0..self.words).flat_map(move |word| {
            let lanes = self.lanes[word];
            bits::ones(lanes[0] | lanes[1] | lanes[2] | lanes[3]).map(move |bit| {
                let rotations = (0..4).fold(0, |set, r| set | ((lanes[r] >> bit & 1) as u8) << r);
                ((64 * word) as u8 + bit as u8, rotations)
            })
        })
    }
}
