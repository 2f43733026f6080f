//! Editions: the rules and the sizes of tables that are chosen when the program is compiled.
//!
//! A position of the base game has small tables and one kind of figure. With expansions the tables are larger, and
//! there are more rules. Both share their code, which is generic over an [`Edition`]; what only expansions need stands
//! behind [`Edition::EXPANDED`] and is not compiled for the base game.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign, Index, IndexMut, Shl};

/// An entry of a table.
pub trait Entry: Copy + Debug + Send + Sync + 'static {}
impl<T: Copy + Debug + Send + Sync + 'static> Entry for T {}

/// A table of fixed size.
pub trait FixedTable<T>:
    Copy + Debug + Send + Sync + Index<usize, Output = T> + IndexMut<usize> + AsRef<[T]> + AsMut<[T]>
{
    /// The number of entries.
    const LEN: usize;

    /// A table whose entries are all the same.
    fn filled(value: T) -> Self;
}

impl<T: Entry, const N: usize> FixedTable<T> for [T; N] {
    const LEN: usize = N;

    #[inline]
    fn filled(value: T) -> [T; N] {
        [value; N]
    }
}

/// Copies the first `used` entries of a table, and what follows them in the last block of `N`. Blocks are copied in
/// place, without a call that chooses by the size.
#[inline]
pub(super) fn copy_blocks<const N: usize, T: Entry, A: FixedTable<T>>(to: &mut A, from: &A, used: usize) {
    const { assert!(A::LEN.is_multiple_of(N), "a table consists of whole blocks") };
    let used = used.next_multiple_of(N);
    let to = to.as_mut()[..used].as_chunks_mut::<N>().0;
    for (to, from) in to.iter_mut().zip(from.as_ref()[..used].as_chunks::<N>().0) {
        *to = *from;
    }
}

/// A set of segments or cities: one bit each.
pub trait SetWord:
    Entry
    + Default
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + Shl<u8, Output = Self>
    + Shl<u32, Output = Self>
    + From<u8>
{
    /// The number of bits.
    const BITS: u32;
    /// All bits.
    const FULL: Self;

    /// The number of bits that are set.
    fn count(self) -> u32;

    /// Whether two sets have a bit in common.
    fn meets(self, other: Self) -> bool;
}

macro_rules! set_words {
    ($($word:ty),*) => {$(
        impl SetWord for $word {
            const BITS: u32 = <$word>::BITS;
            const FULL: $word = <$word>::MAX;

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn meets(self, other: $word) -> bool {
                self & other != 0
            }
        }
    )*};
}

set_words!(u32, u64, u128);

/// The rules that a position is compiled for, and the sizes of its tables. `rules/limits.rs` compares them with the
/// tile sets.
pub trait Edition: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Whether rules beyond the base game may be in force: river, inns and cathedrals, other figures, fields without
    /// meeples.
    const EXPANDED: bool;
    /// Largest number of seats.
    const SEATS: usize;
    /// The distance of rows in the array of cells. Two cells that are at most [`REACH`](Edition::REACH) steps apart
    /// have different indices.
    const ROW: i32;
    /// The most steps between two cells of one game: a tile for every step, and the neighbours of the last.
    const REACH: i32;

    /// The set word of a feature. In a city and in a field each city segment of the tile set has a bit, and so has each
    /// tile with several city segments. In a road each tile with several roads has a bit.
    type Set: SetWord;
    /// A set of complete cities, never all bits.
    type CitySet: SetWord;
    /// Tables with an entry for each tile of a set, the start tile included. Like those by city they are whole blocks
    /// of 8 entries, which are copied together.
    type Tiles<T: Entry>: FixedTable<T>;
    /// Tables with an entry for each turn: one for every tile except the start tile.
    type Turns<T: Entry>: FixedTable<T>;
    /// Tables with an entry for each kind of tile. Their length is a power of two, so that a remainder is a bit mask.
    type Kinds<T: Entry>: FixedTable<T>;
    /// Tables with an entry for each id of a feature, id 0 (no feature) included. Every tile after the first continues
    /// at least one feature, so a game has at most as many features as segments on edges, less one for each turn.
    type Features<T: Entry>: FixedTable<T>;
    /// Tables with an entry for each complete city, which has at least two segments.
    type Cities<T: Entry>: FixedTable<T>;
    /// Tables with an entry for each monastery and garden.
    type Monasteries<T: Entry>: FixedTable<T>;
    /// Tables with an entry for each open cell. `n` connected tiles have at most `2n + 2` open cells, and slot 0 has no
    /// cell.
    type Slots<T: Entry>: FixedTable<T>;
    /// Tables with an entry for each 64 slots.
    type Words<T: Entry>: FixedTable<T>;
    /// Tables with an entry for each cell of the torus that holds the board.
    type Cells<T: Entry>: FixedTable<T>;

    /// The one of two values that is for this edition.
    fn of<T: ByEdition>(both: &T) -> &T::Of<Self>;
}

/// A value for each edition, such as the tables of a tile set.
pub trait ByEdition {
    /// The thing for one edition.
    type Of<E: Edition>;

    /// The one for the base game.
    fn base(&self) -> &Self::Of<Base>;

    /// The one for the game with expansions.
    fn expanded(&self) -> &Self::Of<Expanded>;
}

/// The base game: 72 tiles, 2 to 5 seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Base;

/// The base game with any expansions and options, and 2 to 6 seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expanded;

impl Edition for Base {
    const EXPANDED: bool = false;
    const SEATS: usize = 5;
    const ROW: i32 = 90;
    const REACH: i32 = 75;

    type Set = u64;
    type CitySet = u32;
    type Tiles<T: Entry> = [T; 72];
    type Turns<T: Entry> = [T; 71];
    type Kinds<T: Entry> = [T; 32];
    type Features<T: Entry> = [T; 168];
    type Cities<T: Entry> = [T; 24];
    type Monasteries<T: Entry> = [T; 8];
    type Slots<T: Entry> = [T; 160];
    type Words<T: Entry> = [T; 3];
    type Cells<T: Entry> = [T; 4096];

    #[inline]
    fn of<T: ByEdition>(both: &T) -> &T::Of<Base> {
        both.base()
    }
}

impl Edition for Expanded {
    const EXPANDED: bool = true;
    const SEATS: usize = 6;
    const ROW: i32 = 127;
    const REACH: i32 = 106;

    type Set = u128;
    type CitySet = u64;
    type Tiles<T: Entry> = [T; 104];
    type Turns<T: Entry> = [T; 101];
    type Kinds<T: Entry> = [T; 64];
    type Features<T: Entry> = [T; 256];
    type Cities<T: Entry> = [T; 40];
    type Monasteries<T: Entry> = [T; 20];
    type Slots<T: Entry> = [T; 208];
    type Words<T: Entry> = [T; 4];
    type Cells<T: Entry> = [T; 8192];

    #[inline]
    fn of<T: ByEdition>(both: &T) -> &T::Of<Expanded> {
        both.expanded()
    }
}
