//! The tiles not yet drawn.

use super::edition::{Edition, FixedTable};
use super::tile::TileKind;
use super::tile_set::TileSet;
use std::ops::Range;

/// A multiset of tiles and a queue of tiles at the bottom. The multiset is a list, so that a uniform draw is one index.
///
/// With the river, the list ends with its tiles: first the lake, then those that are drawn before it.
#[derive(Clone, Copy)]
pub(super) struct Bag<E: Edition> {
    tiles: E::Tiles<u8>,
    len: u8,
    bottom: E::Tiles<u8>,
    bottom_len: u8,
}

impl<E: Edition> Bag<E> {
    /// A bag without tiles.
    pub(super) fn empty() -> Bag<E> {
        Bag { tiles: FixedTable::filled(0), len: 0, bottom: FixedTable::filled(0), bottom_len: 0 }
    }

    /// All tiles of a set except the start tile.
    pub(super) fn full(set: &TileSet) -> Bag<E> {
        let mut bag = Bag::empty();
        set.in_drawing_order().into_iter().rev().flatten().for_each(|kind| bag.put_back(kind));
        bag
    }

    /// The places of the tiles that the next draw chooses among. There must be one.
    #[inline]
    pub(super) fn next_places(&self, set: &TileSet) -> Range<u8> {
        match self.len.checked_sub(set.after_river) {
            Some(1) => set.after_river..self.len,
            Some(2..) => set.after_river + 1..self.len,
            _ => 0..self.len,
        }
    }

    /// Whether tiles of the river are left.
    #[inline]
    pub(super) fn has_river(&self, set: &TileSet) -> bool {
        E::EXPANDED && self.len > set.after_river
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
    pub(super) fn take(&mut self, kind: TileKind, set: &TileSet) -> bool {
        let places = if E::EXPANDED { self.next_places(set) } else { 0..self.len };
        let first = usize::from(places.start);
        let next = &self.tiles.as_ref()[first..usize::from(places.end)];
        if let Some(index) = next.iter().position(|tile| *tile == kind.0) {
            self.take_nth(first + index);
            return true;
        }
        self.len == 0 && self.next_bottom() == Some(kind) && self.take_bottom().is_some()
    }

    /// Takes the first of the tiles at the bottom.
    pub(super) fn take_bottom(&mut self) -> Option<TileKind> {
        let kind = self.next_bottom()?;
        self.bottom.as_mut().copy_within(1..usize::from(self.bottom_len), 0);
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
    pub(super) fn counts(&self, set: &TileSet) -> E::Kinds<u8> {
        let mut counts = E::Kinds::<u8>::filled(0);
        let places = if E::EXPANDED { self.next_places(set) } else { 0..self.len };
        for tile in &self.tiles.as_ref()[usize::from(places.start)..usize::from(places.end)] {
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
    pub(super) fn all_counts(&self) -> E::Kinds<u8> {
        let mut counts = E::Kinds::<u8>::filled(0);
        let below = &self.bottom.as_ref()[..usize::from(self.bottom_len)];
        for tile in self.tiles.as_ref()[..usize::from(self.len)].iter().chain(below) {
            counts[usize::from(*tile)] += 1;
        }
        counts
    }
}
