//! The tiles that are still to be drawn.

use super::tile::TileKind;
use super::tile_set::{MAX_KINDS, TileSet};

const CAPACITY: usize = 72;

/// A multiset of tiles, kept as a list so that a uniform draw is one index; and a queue of tiles put to the bottom.
#[derive(Clone)]
pub(super) struct Bag {
    tiles: [u8; CAPACITY],
    len: u8,
    bottom: [u8; CAPACITY],
    bottom_len: u8,
}

impl Bag {
    /// No tiles.
    pub(super) fn empty() -> Bag {
        Bag { tiles: [0; CAPACITY], len: 0, bottom: [0; CAPACITY], bottom_len: 0 }
    }

    /// All tiles of a set but the start tile.
    pub(super) fn full(set: &TileSet) -> Bag {
        let mut bag = Bag::empty();
        for (index, kind) in set.kinds().iter().enumerate() {
            let start = u8::from(index == set.start.index());
            for _ in start..kind.count {
                bag.put_back(TileKind(index as u8));
            }
        }
        bag
    }

    /// Tiles left, those at the bottom included.
    #[inline]
    pub(super) fn len(&self) -> u8 {
        self.len + self.bottom_len
    }

    /// Tiles that a draw chooses among: all but those at the bottom, which come last.
    #[inline]
    pub(super) fn shuffled_len(&self) -> u8 {
        self.len
    }

    /// Takes tile number `index` of the shuffled ones.
    #[inline]
    pub(super) fn take_nth(&mut self, index: usize) -> TileKind {
        let kind = self.tiles[index];
        self.len -= 1;
        self.tiles[index] = self.tiles[usize::from(self.len)];
        TileKind(kind)
    }

    /// The tile at the top of the bottom ones.
    pub(super) fn next_bottom(&self) -> Option<TileKind> {
        (self.bottom_len > 0).then_some(TileKind(self.bottom[0]))
    }

    /// Takes a tile of this kind: one of the shuffled, or where there are none the first of the bottom. Whether there was
    /// one.
    pub(super) fn take(&mut self, kind: TileKind) -> bool {
        let shuffled = &self.tiles[..usize::from(self.len)];
        if let Some(index) = shuffled.iter().position(|tile| *tile == kind.0) {
            self.take_nth(index);
            return true;
        }
        self.len == 0 && self.next_bottom() == Some(kind) && self.take_bottom().is_some()
    }

    /// Takes the first of the tiles at the bottom.
    pub(super) fn take_bottom(&mut self) -> Option<TileKind> {
        let kind = self.next_bottom()?;
        self.bottom.copy_within(1..usize::from(self.bottom_len), 0);
        self.bottom_len -= 1;
        Some(kind)
    }

    /// Puts a tile among the shuffled ones.
    #[inline]
    pub(super) fn put_back(&mut self, kind: TileKind) {
        self.tiles[usize::from(self.len)] = kind.0;
        self.len += 1;
    }

    /// Puts a tile below all others.
    pub(super) fn put_below(&mut self, kind: TileKind) {
        self.bottom[usize::from(self.bottom_len)] = kind.0;
        self.bottom_len += 1;
    }

    /// How many tiles of each kind the next draw chooses among.
    pub(super) fn counts(&self) -> [u8; MAX_KINDS] {
        let mut counts = [0; MAX_KINDS];
        for tile in &self.tiles[..usize::from(self.len)] {
            counts[usize::from(*tile)] += 1;
        }
        if self.len == 0
            && let Some(kind) = self.next_bottom()
        {
            counts[kind.index()] = 1;
        }
        counts
    }

    /// How many tiles of each kind are left, those at the bottom included.
    pub(super) fn all_counts(&self) -> [u8; MAX_KINDS] {
        let mut counts = [0; MAX_KINDS];
        let below = &self.bottom[..usize::from(self.bottom_len)];
        for tile in self.tiles[..usize::from(self.len)].iter().chain(below) {
            counts[usize::from(*tile)] += 1;
        }
        counts
    }
}
