//! The encoding that the article on wingedsheep's environment proposes: 30 × 30 × 117 for two seats in a window of 30.
//!
//! Each pair that a tile joins has a plane: pairs of sides for cities, roads and the river, pairs of half-edges for
//! fields. The article gives the number of planes. Their order and the layout of the last plane are ours.

use super::numbering::{is_on_half_edge, is_on_side};
use crate::rules::{FeatureKind, Rules, TileKind};

/// The pairs of sides, in the order of the planes.
pub(super) const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// The planes of [`Encoding::Pairs`](super::Encoding::Pairs): each constant is the first of a group. After them, for
/// each seat from the observer on: 5 planes of meeples (by side, then the centre), an abbot, 5 of farmers (the corners
/// NE, SE, SW, NW, then the inside), 5 of big farmers, 5 of big meeples; all meeples come first, then all abbots, and
/// so on. The last plane has the numbers beside the board, each + 1 and at most 255, one per cell by rows.
pub mod pair {
    /// Cities: four by side from north clockwise, then six by pair of sides (NE, NS, NW, ES, EW, SW).
    pub const CITY: usize = 0;
    /// Roads, in the same way.
    pub const ROAD: usize = CITY + 10;
    /// The river, in the same way.
    pub const RIVER: usize = ROAD + 10;
    /// Fields: eight by half-edge, from the left half of the north edge clockwise, then 28 by pair of half-edges (0 and
    /// 1, 0 and 2, and so on).
    pub const FIELD: usize = RIVER + 10;
    /// 1 where a monastery is.
    pub const MONASTERY: usize = FIELD + 36;
    /// 1 where a garden is.
    pub const GARDEN: usize = MONASTERY + 1;
    /// The number of pennants.
    pub const PENNANTS: usize = GARDEN + 1;
    /// 1 where a cathedral is.
    pub const CATHEDRAL: usize = PENNANTS + 1;
    /// Four by side: 1 where a road with an inn on the tile leaves it.
    pub const INN: usize = CATHEDRAL + 1;
    /// The first plane of figures.
    pub const FIGURES: usize = INN + 4;

    /// The planes of each seat.
    const OF_SEAT: usize = 21;

    /// The number of planes for so many seats.
    pub const fn count(seats: usize) -> usize {
        FIGURES + OF_SEAT * seats + 1
    }

    /// The plane of an owner's meeple: on a side, or at the centre (4).
    pub(crate) const fn meeple(owner: usize, place: usize) -> usize {
        FIGURES + 5 * owner + place
    }

    /// The plane of an owner's abbot.
    pub(crate) const fn abbot(seats: usize, owner: usize) -> usize {
        FIGURES + 5 * seats + owner
    }

    /// The plane of an owner's farmer: at a corner, or inside the tile (4).
    pub(crate) const fn farmer(seats: usize, owner: usize, place: usize) -> usize {
        FIGURES + 6 * seats + 5 * owner + place
    }

    /// The plane of an owner's big farmer.
    pub(crate) const fn big_farmer(seats: usize, owner: usize, place: usize) -> usize {
        FIGURES + 11 * seats + 5 * owner + place
    }

    /// The plane of an owner's big meeple.
    pub(crate) const fn big_meeple(seats: usize, owner: usize, place: usize) -> usize {
        FIGURES + 16 * seats + 5 * owner + place
    }
}

/// The corner of a slot on a field: NE, SE, SW, NW, and 4 for a field inside the tile. None for other slots.
pub(super) const fn corner(slot: usize) -> Option<usize> {
    match slot {
        4..=11 => Some((slot + 3) / 2 % 4),
        13 => Some(4),
        _ => None,
    }
}

/// The planes of a tile that are not 0.
pub(super) fn looks(rules: &Rules, kind: TileKind, rotation: u8) -> Vec<(u8, u8)> {
    let mut values = Vec::new();
    // What touches these sides, and joins them.
    let sides = |first: usize, has: &dyn Fn(usize) -> bool, values: &mut Vec<(usize, u8)>| {
        values.extend((0..4).filter(|side| has(*side)).map(|side| (first + side, 1)));
        let joined = PAIRS.iter().enumerate().filter(|(_, (a, b))| has(*a) && has(*b));
        values.extend(joined.map(|(place, _)| (first + 4 + place, 1)));
    };
    let definition = rules.tiles.kind(kind);
    let river: Vec<usize> = definition.river(rotation).map(|side| side as usize).collect();
    sides(pair::RIVER, &|side| river.contains(&side), &mut values);
    let mut pennants = 0;
    for segment in rules.tiles.segments(kind) {
        let ports = segment.ports(rotation);
        let has = |side: usize| is_on_side(ports, side);
        match segment.kind() {
            FeatureKind::City => {
                sides(pair::CITY, &has, &mut values);
                pennants += segment.pennants();
                if segment.is_special() {
                    values.push((pair::CATHEDRAL, 1));
                }
            }
            FeatureKind::Road => {
                sides(pair::ROAD, &has, &mut values);
                if segment.is_special() {
                    values.extend((0..4).filter(|side| has(*side)).map(|side| (pair::INN + side, 1)));
                }
            }
            FeatureKind::Field => {
                let has = |half: usize| is_on_half_edge(ports, half);
                values.extend((0..8).filter(|half| has(*half)).map(|half| (pair::FIELD + half, 1)));
                let pairs = (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))).enumerate();
                let joined = pairs.filter(|(_, (a, b))| has(*a) && has(*b));
                values.extend(joined.map(|(place, _)| (pair::FIELD + 8 + place, 1)));
            }
            FeatureKind::Monastery => values.push((pair::MONASTERY, 1)),
            FeatureKind::Garden => values.push((pair::GARDEN, 1)),
        }
    }
    values.push((pair::PENNANTS, pennants));
    values.into_iter().map(|(plane, value)| (plane as u8, value)).collect()
}
