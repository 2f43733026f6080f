//! The tiles not yet drawn.

use super::limits::{MAX_KINDS, MAX_TILES};
use super::tile::TileKind;
use super::tile_set::TileSet;

/// A multiset of tiles and a queue of tiles at the bottom. The multiset is a list, so that a uniform draw is one index.
#[derive(Clone)]
pub(super) struct Bag {
    tiles: [u8; MAX_TILES],
    len: u8,
    bottom: [u8; MAX_TILES],
    bottom_len: u8,
}

impl Bag {
    /// A bag without tiles.
    pub(super) fn empty() -> Bag {
        Bag { tiles: [0; MAX_TILES], len: 0, bottom: [0; MAX_TILES], bottom_len: 0 }
    }

    /// All tiles of a set except the start tile.
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

    /// The number of tiles left, those at the bottom included.
    #[inline]
    pub(super) fn len(&self) -> u8 {
        self.len + self.bottom_len
    }

    /// The number of tiles that a draw chooses among: all except those at the bottom, which come last.
    #[inline]
    pub(super) fn shuffled_len(&self) -> u8 {
        self.len
    }

    /// Takes shuffled tile number `index`.
    #[inline]
    pub(super) fn take_nth(&mut self, index: usize) -> TileKind {
        let kind = self.tiles[index];
        self.len -= 1;
        self.tiles[index] = self.tiles[usize::from(self.len)];
        TileKind(kind)
    }

    /// The first of the tiles at the bottom.
    pub(super) fn next_bottom(&self) -> Option<TileKind> {
        (self.bottom_len > 0).then_some(TileKind(self.bottom[0]))
    }

    /// Takes a tile of this kind: a shuffled one, or the first of the bottom if no shuffled tile is left. Returns
    /// whether the bag had one.
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

    /// Adds a shuffled tile.
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

    /// By kind: the number of tiles that the next draw chooses among.
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

    /// By kind: the number of tiles left, those at the bottom included.
    pub(super) fn all_counts(&self) -> [u8; MAX_KINDS] {
        let mut counts = [0; MAX_KINDS];
        let below = &self.bottom[..usize::from(self.bottom_len)];
        for tile in self.tiles[..usize::from(self.len)].iter().chain(below) {
            counts[usize::from(*tile)] += 1;
        }
        counts
    }
}
