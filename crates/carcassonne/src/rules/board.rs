//! The board: the open cells (empty cells next to a tile) and where a tile fits among them.
//!
//! Every open cell has a *slot*. For each kind of edge and each side a bitmap holds the slots whose neighbour on that
//! side shows another kind of edge. A few word operations then find the slots where a tile fits, in all four rotations
//! at once: lane `r` of the result holds the slots where no edge of the tile clashes after `r` quarter turns. A slot
//! also holds the ids of the features that its neighbours show. Placing a tile needs to know nothing else of the
//! neighbours.

use super::bits::{self, Lanes};
use super::cell::Cell;
use super::edition::{Edition, FixedTable, copy_blocks};
use super::shape::Shape;
use super::tile::{Edge, Land, Side};
use evouct_base::prefetch::prefetch;
use std::marker::PhantomData;

/// The content of a cell with a tile. An empty cell holds 0, an open cell holds its slot.
const TILE: u8 = 255;

/// Slots that are copied or relabelled together. Whole blocks are no slower than the slots in use, and their number,
/// which hardly changes from turn to turn, is predicted better.
const SLOT_BLOCK: usize = 16;

/// A cell and its index on the torus in one word, so that a step is one addition. From bit 0 `x + 128`, from bit 8
/// `y + 128`, from bit 16 the index (modulo the number of cells).
#[derive(Clone, Copy, Debug)]
struct TorusCell<E>(u32, PhantomData<E>);

impl<E: Edition> TorusCell<E> {
    const CELLS: usize = <E::Cells<u8> as FixedTable<u8>>::LEN;
    const STEPS: [i32; 4] = [-(1 << 8) - (E::ROW << 16), 1 + (1 << 16), (1 << 8) + (E::ROW << 16), -1 - (1 << 16)];

    #[inline]
    const fn new(cell: Cell) -> TorusCell<E> {
        let index = cell.x as i32 + E::ROW * cell.y as i32;
        TorusCell((cell.x as i32 + 128 + ((cell.y as i32 + 128) << 8) + (index << 16)) as u32, PhantomData)
    }

    #[inline]
    fn cell(self) -> Cell {
        Cell { x: (self.0 as u8).wrapping_sub(128) as i8, y: ((self.0 >> 8) as u8).wrapping_sub(128) as i8 }
    }

    #[inline]
    fn index(self) -> usize {
        (self.0 >> 16) as usize % TorusCell::<E>::CELLS
    }

    /// The neighbour on side number `side`.
    #[inline]
    fn neighbour(self, side: usize) -> TorusCell<E> {
        TorusCell(self.0.wrapping_add(TorusCell::<E>::STEPS[side] as u32), PhantomData)
    }
}

/// The open cells and what surrounds them.
#[derive(Clone)]
pub(super) struct Board<E: Edition> {
    /// The content of each cell: 0, a slot, or [`TILE`].
    cells: E::Cells<u8>,
    /// The slots of open cells.
    open: E::Words<u64>,
    /// By word and kind of edge: lane `side` holds the slots whose neighbour on that side shows another kind.
    clash: E::Words<[Lanes; Land::COUNT]>,
    /// By slot and port: the id of the neighbour's feature.
    neighbour_ids: E::Slots<[u8; 16]>,
    /// By slot: the sides with a neighbour, one bit per side.
    sides: E::Slots<u8>,
    torus_cells: E::Slots<TorusCell<E>>,
    /// All slots in use are less than this.
    high: u8,
}

/// Where a tile fits: word by word, bit `slot` of lane `rotation`.
pub(super) struct LegalPlacements<E: Edition> {
    lanes: E::Words<Lanes>,
    words: usize,
    /// The number of distinct (cell, orientation) pairs.
    pub count: u32,
}

impl<E: Edition> Board<E> {
    pub(super) fn new() -> Board<E> {
        Board {
            cells: FixedTable::filled(0),
            open: FixedTable::filled(0),
            clash: FixedTable::filled([[0; 4]; Land::COUNT]),
            neighbour_ids: FixedTable::filled([0; 16]),
            sides: FixedTable::filled(0),
            torus_cells: FixedTable::filled(TorusCell(0, PhantomData)),
            high: 1,
        }
    }

    /// Copies the slots in use. Slots beyond are cleared when they are taken.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &Board<E>) {
        self.cells = other.cells;
        self.open = other.open;
        self.clash = other.clash;
        let used = usize::from(self.high.max(other.high));
        copy_blocks::<SLOT_BLOCK, _, _>(&mut self.neighbour_ids, &other.neighbour_ids, used);
        copy_blocks::<SLOT_BLOCK, _, _>(&mut self.sides, &other.sides, used);
        copy_blocks::<SLOT_BLOCK, _, _>(&mut self.torus_cells, &other.torus_cells, used);
        self.high = other.high;
    }

    /// Asks for what a search for placements reads.
    #[inline]
    pub(super) fn prefetch_edges(&self) {
        let used = usize::from(self.high);
        prefetch(&self.open);
        self.clash.as_ref()[..=(used - 1) / 64].iter().flatten().for_each(prefetch);
        self.torus_cells.as_ref()[..used].iter().step_by(16).for_each(prefetch);
    }

    /// Asks for what placing a tile reads, beside the edges.
    #[inline]
    pub(super) fn prefetch_neighbours(&self) {
        let used = usize::from(self.high);
        self.neighbour_ids.as_ref()[..used].iter().step_by(4).for_each(prefetch);
        self.sides.as_ref()[..used].iter().step_by(64).for_each(prefetch);
    }

    /// Asks for the cell and those north and south of it.
    #[inline]
    pub(super) fn prefetch_cells(&self, cell: Cell) {
        let torus_cell = TorusCell::<E>::new(cell);
        for other in [torus_cell, torus_cell.neighbour(0), torus_cell.neighbour(2)] {
            prefetch(&self.cells[other.index()]);
        }
    }

    /// The placements of a tile of this shape.
    // Not left to the compiler, which decides by how the crate is divided: a playout asks at every turn.
    #[inline(always)]
    pub(super) fn legal_placements(&self, shape: &Shape<E>) -> LegalPlacements<E> {
        let words = usize::from(self.high - 1) / 64 + 1;
        let mut placements = LegalPlacements::none(words);
        for word in 0..words {
            let clash = &self.clash[word];
            let lanes =
                bits::legal_lanes(self.open[word], shape.orientations, shape.edges.map(|edge| &clash[edge as usize]));
            placements.add(word, lanes);
        }
        placements
    }

    /// The open slots, in ascending order.
    pub(super) fn open_slots(&self) -> impl Iterator<Item = u8> + '_ {
        let words = self.open.as_ref().iter().enumerate();
        words.flat_map(|(word, open)| bits::ones(*open).map(move |bit| (64 * word) as u8 + bit as u8))
    }

    /// The cell of an open slot.
    #[inline]
    pub(super) fn cell(&self, slot: u8) -> Cell {
        self.torus_cells[usize::from(slot)].cell()
    }

    /// The slot of a cell, if it is open.
    #[inline]
    pub(super) fn slot(&self, cell: Cell) -> Option<u8> {
        let content = self.cells[TorusCell::<E>::new(cell).index()];
        (content != 0 && content != TILE && self.cell(content) == cell).then_some(content)
    }

    /// Whether a tile is on the cell. The cell must be within [`Edition::REACH`] of every tile, as all neighbours are.
    #[inline]
    pub(super) fn has_tile(&self, cell: Cell) -> bool {
        self.cells[TorusCell::<E>::new(cell).index()] == TILE
    }

    /// The number of tiles on the eight cells around this one.
    pub(super) fn tiles_around(&self, cell: Cell) -> u8 {
        let row = |y: i8| (-1..=1).map(move |x| Cell { x: cell.x + x, y: cell.y + y });
        let around = (-1..=1).flat_map(row).filter(|other| *other != cell);
        around.map(|other| u8::from(self.has_tile(other))).sum()
    }

    /// The ids of the neighbours' features at the ports of an open slot.
    #[inline]
    pub(super) fn neighbour_ids(&self, slot: u8) -> &[u8; 16] {
        &self.neighbour_ids[usize::from(slot)]
    }

    /// The sides of an open slot with a neighbour, one bit per side.
    #[inline]
    pub(super) fn sides(&self, slot: u8) -> u8 {
        self.sides[usize::from(slot)]
    }

    /// Replaces the feature id `from` by `to` at all ports.
    pub(super) fn relabel(&mut self, from: u8, to: u8) {
        let used = usize::from(self.high).next_multiple_of(SLOT_BLOCK);
        for block in self.neighbour_ids.as_mut()[..used].as_chunks_mut::<SLOT_BLOCK>().0 {
            for id in block.as_flattened_mut() {
                *id = if *id == from { to } else { *id };
            }
        }
    }

    /// Whether a tile of this shape fits at the slot in this rotation.
    #[inline]
    pub(super) fn allows(&self, slot: u8, shape: &Shape<E>, rotation: u8) -> bool {
        let (word, bit) = (usize::from(slot) / 64, slot % 64);
        self.open[word] >> bit & 1 == 1
            && (0..4).all(|side| {
                let edge = shape.edges[(side + 4 - usize::from(rotation)) % 4];
                self.clash[word][edge as usize][side] >> bit & 1 == 0
            })
    }

    /// The kind of edge that the neighbour of an open slot shows on this side; none without a neighbour.
    pub(super) fn neighbour_edge(&self, slot: u8, side: Side) -> Option<Edge> {
        let (word, bit) = (usize::from(slot) / 64, slot % 64);
        let clash = |kind: &Land| self.clash[word][*kind as usize][side as usize] >> bit & 1 == 1;
        let has_neighbour = self.sides(slot) >> side as u8 & 1 == 1;
        // The river clashes with every other kind.
        let shown = Land::ALL.into_iter().find(|kind| !clash(kind)).map_or(Edge::River, Land::edge);
        has_neighbour.then_some(shown)
    }

    /// Opens the cell of the first tile.
    pub(super) fn open_first(&mut self) -> u8 {
        let (torus_cell, slot) = (TorusCell::<E>::new(Cell::default()), 1);
        self.open[0] = 1 << slot;
        self.torus_cells[usize::from(slot)] = torus_cell;
        self.cells[torus_cell.index()] = slot;
        self.high = slot + 1;
        slot
    }

    /// Places a tile: closes the slot, and records the tile's edges and the feature `ids` of its segments at the
    /// neighbours.
    ///
    /// All four sides are done alike, so that no branch can be predicted wrongly: for a side with a tile the writes go
    /// to slot 0, which nothing reads, and for a cell that is open already they repeat what is there.
    #[inline]
    pub(super) fn place_tile(&mut self, slot: u8, shape: &Shape<E>, rotation: u8, ids: &[u8; 16]) {
        let closed = usize::from(slot);
        let torus_cell = self.torus_cells[closed];
        let mut free = self.free_slots(slot);
        self.cells[torus_cell.index()] = TILE;
        self.neighbour_ids[closed] = [0; 16];
        self.sides[closed] = 0;
        let shown = bits::turn(&bits::pick(ids, &shape.facing), rotation);
        let mut slots = 0;
        let mut high = self.high;
        for side in 0..4 {
            let next = torus_cell.neighbour(side);
            let content = self.cells[next.index()];
            let is_new = content == 0;
            let content = if is_new { free as u8 } else { content };
            free >>= if is_new { 8 } else { 0 };
            self.cells[next.index()] = content;
            let slot = if content == TILE { 0 } else { content };
            high = high.max(slot + 1);
            let (at, opposite) = (usize::from(slot), side ^ 2);
            slots |= u32::from(slot) << (8 * opposite);
            self.torus_cells[at] = next;
            self.neighbour_ids[at][4 * opposite..4 * opposite + 4].copy_from_slice(&shown[4 * side..4 * side + 4]);
            self.sides[at] |= 1 << opposite;
        }
        self.high = high;
        // By the side of an open cell that faces the tile: what it sees there.
        let edges = u32::from_le_bytes(shape.shown).rotate_left(8 * ((u32::from(rotation) + 2) % 4));
        for word in 0..usize::from(high - 1) / 64 + 1 {
            let opened = bits::show_edges(&mut self.clash[word], word, slot, slots, edges);
            let open = self.open[word] & !bits::bit_in_word(slot, word) | opened;
            self.open[word] = if word == 0 { open & !1 } else { open };
        }
    }

    /// The four lowest free slots in ascending order, one a byte. `closed` is free too.
    #[inline]
    fn free_slots(&self, closed: u8) -> u32 {
        let vacant = !(self.open[0] | 1) | bits::bit_in_word(closed, 0);
        if vacant.count_ones() >= 4 { bits::lowest_four(vacant) } else { self.free_slots_of_all_words(closed) }
    }

    /// The same where the first word has fewer than four: late in a game.
    #[inline(never)]
    fn free_slots_of_all_words(&self, closed: u8) -> u32 {
        let (mut free, mut found) = (0, 0);
        for (word, open) in self.open.as_ref().iter().enumerate() {
            let vacant = !(open | u64::from(word == 0)) | bits::bit_in_word(closed, word);
            let bytes = (1 << (8 * vacant.count_ones().min(4))) - 1;
            let slots = u64::from(bits::lowest_four(vacant)) + 64 * word as u64 * 0x0101_0101;
            free |= (slots & bytes) << found;
            found += 8 * vacant.count_ones();
            if found >= 32 {
                break;
            }
        }
        free as u32
    }
}

impl<E: Edition> LegalPlacements<E> {
    /// The placements of a tile at one slot, in these rotations.
    pub(super) fn at(slot: u8, rotations: impl Iterator<Item = u8>) -> LegalPlacements<E> {
        let (word, bit) = (usize::from(slot) / 64, slot % 64);
        let mut placements = LegalPlacements::none(word + 1);
        placements.add(
            word,
            rotations.fold([0; 4], |mut lanes, rotation| {
                lanes[usize::from(rotation)] |= 1 << bit;
                lanes
            }),
        );
        placements
    }

    #[inline(always)]
    fn none(words: usize) -> LegalPlacements<E> {
        LegalPlacements { lanes: FixedTable::filled([0; 4]), words, count: 0 }
    }

    /// Adds those of one word.
    #[inline(always)]
    fn add(&mut self, word: usize, lanes: Lanes) {
        self.lanes[word] = lanes;
        self.count += bits::count_ones(lanes);
    }

    /// Whether the tile fits at this slot in this rotation.
    pub(super) fn contain(&self, slot: u8, rotation: u8) -> bool {
        self.lanes[usize::from(slot) / 64][usize::from(rotation)] >> (slot % 64) & 1 == 1
    }

    /// Slot and rotation of placement number `n`, which must be less than `count`.
    #[inline]
    pub(super) fn nth(&self, n: u32) -> (u8, u8) {
        let (mut left, mut word) = (n, 0);
        loop {
            let lanes = &self.lanes[word];
            let counts = lanes.map(u64::count_ones);
            let through = [counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]];
            if word + 1 == self.words || left < through[2] + counts[3] {
                // Conditional moves only: which lane it is cannot be predicted.
                let (mut lane, mut below, mut rotation) = (lanes[0], 0, 0);
                for next in 1..4 {
                    let beyond = left >= through[next - 1];
                    lane = if beyond { lanes[next] } else { lane };
                    below = if beyond { through[next - 1] } else { below };
                    rotation += u8::from(beyond);
                }
                let bit = bits::nth_one(lane, left - below);
                return ((64 * word) as u8 + bit as u8, rotation);
            }
            left -= through[2] + counts[3];
            word += 1;
        }
    }

    /// Slot and rotation of a placement that is chosen in two steps: `choose(n)` returns a number less than `n`, first
    /// among the cells where the tile fits, then among the rotations that fit there.
    #[inline]
    pub(super) fn nth_cell(&self, mut choose: impl FnMut(u32) -> u32) -> (u8, u8) {
        let cells = self.slots().count() as u32;
        let (slot, rotations) = self.slots().nth(choose(cells) as usize).expect("the number is below the count");
        let rotation = bits::nth_one(rotations.into(), choose(u32::from(rotations).count_ones()));
        (slot, rotation as u8)
    }

    /// The slots where the tile fits, each with the set of rotations.
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
