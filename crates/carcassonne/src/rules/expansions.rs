//! Expansions: which tiles and figures are added to the base game.

use evouct_base::named::Named;

evouct_base::named! {
    /// An expansion of the base game, with the tiles and by the rules C2/C3. The edition of 2025 has other tiles.
    #[repr(u8)]
    pub enum Expansion {
        /// Twelve tiles with a river, which come before all others.
        River = "river",
        /// Eighteen tiles with inns and cathedrals, a big meeple for each seat, and a sixth seat.
        InnsAndCathedrals = "inns-and-cathedrals",
        /// An abbot for each seat, and gardens on some of the tiles.
        Abbots = "abbots",
    }
}

/// A set of expansions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Expansions(u8);

impl Expansions {
    /// The base game alone.
    pub const NONE: Expansions = Expansions(0);

    /// Every set.
    pub fn all_sets() -> impl Iterator<Item = Expansions> {
        (0..1 << Expansion::NAMES.len()).map(Expansions)
    }

    /// The set with one expansion more.
    #[must_use]
    pub const fn with(self, expansion: Expansion) -> Expansions {
        Expansions(self.0 | 1 << expansion as u8)
    }

    /// Whether the expansion is in play.
    #[inline]
    pub const fn has(self, expansion: Expansion) -> bool {
        self.0 >> expansion as u8 & 1 == 1
    }

    /// The expansions of these names; none if a name is unknown.
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Expansions> {
        names.into_iter().try_fold(Expansions::NONE, |set, name| Some(set.with(Expansion::of_name(name)?)))
    }

    /// The names of the expansions, in one order.
    pub fn names(self) -> Vec<&'static str> {
        Expansion::NAMES.iter().filter(|(_, expansion)| self.has(*expansion)).map(|(name, _)| *name).collect()
    }

    /// The number of the set, less than 8.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}
