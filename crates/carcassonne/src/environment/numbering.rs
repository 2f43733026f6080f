//! The numbers of decisions.

use crate::rules::{FeatureKind, Figure, Port, Segment, Side};
use std::fmt;

/// The places on a tile where a figure can stand: the middle of each side, each half-edge, the centre, and a field
/// inside the tile.
pub const SLOTS: usize = 14;
/// The slot of a monastery or garden.
const CENTRE: usize = 12;
/// The slot of a field that touches no edge.
const INNER_FIELD: usize = 13;

/// Decisions about figures: none, a meeple on each slot, the big one on each slot, the abbot, and taking the abbot
/// back.
pub const FIGURE_DECISIONS: usize = 1 + 2 * SLOTS + 2;

/// The slot of a segment of a tile in this rotation: 0 to 3 for the middle of a side, from north clockwise; 4 to 11 for
/// a half-edge, from the left half of the north edge clockwise; 12 for the centre; 13 for a field inside the tile.
///
/// A segment has the slot of the port that is its first one on the tile that is not turned. Its slot turns with the
/// tile.
pub fn slot(segment: &Segment, rotation: u8) -> usize {
    let ports = segment.ports(0);
    if ports == 0 {
        return if segment.kind() == FeatureKind::Field { INNER_FIELD } else { CENTRE };
    }
    let port = (ports.trailing_zeros() as usize + 4 * usize::from(rotation)) % 16;
    let (side, position) = (port / 4, port % 4);
    if position == 1 { side } else { 4 + 2 * side + position / 2 }
}

/// Whether these ports have the middle of a side: 0 to 3 from north clockwise.
pub(super) const fn is_on_side(ports: u16, side: usize) -> bool {
    ports & Port::middle(Side::ALL[side]).bit() != 0
}

/// Whether these ports have a half-edge: 0 to 7 clockwise from the left half of the north edge.
pub(super) const fn is_on_half_edge(ports: u16, half: usize) -> bool {
    ports & Port::half_edge(half as u8).bit() != 0
}

/// A decision as its number says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NumberedDecision {
    /// The tile goes to this cell of the window in this rotation.
    Place {
        /// The column, from the west.
        x: usize,
        /// The row, from the north.
        y: usize,
        /// Quarter turns clockwise.
        rotation: u8,
    },
    /// Nothing happens with a figure.
    NoFigure,
    /// A figure goes on the segment of this slot.
    Figure {
        /// The kind of figure.
        figure: Figure,
        /// The slot; always the centre for the abbot.
        slot: usize,
    },
    /// The abbot returns to its seat.
    Recall,
}

impl fmt::Display for NumberedDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NumberedDecision::Place { x, y, rotation } => write!(f, "tile at column {x}, row {y}, rotation {rotation}"),
            NumberedDecision::NoFigure => f.write_str("no figure"),
            NumberedDecision::Figure { figure: Figure::Meeple, slot } => write!(f, "meeple on slot {slot}"),
            NumberedDecision::Figure { figure: Figure::Big, slot } => write!(f, "big meeple on slot {slot}"),
            NumberedDecision::Figure { figure: Figure::Abbot, .. } => f.write_str("abbot"),
            NumberedDecision::Recall => f.write_str("abbot taken back"),
        }
    }
}

/// How decisions are numbered for a window of `W × W` cells: `(y·W + x)·4 + rotation` for a placement, then
/// [`FIGURE_DECISIONS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbering {
    /// `W`.
    pub width: usize,
}

impl Numbering {
    /// The number of decisions: `4·W² + 31`.
    pub const fn count(self) -> usize {
        self.first_figure() + FIGURE_DECISIONS
    }

    const fn first_figure(self) -> usize {
        4 * self.width * self.width
    }

    /// The number of a decision, from 0 to [`count`](Numbering::count) − 1.
    pub const fn number(self, decision: NumberedDecision) -> usize {
        match decision {
            NumberedDecision::Place { x, y, rotation } => (y * self.width + x) * 4 + rotation as usize,
            NumberedDecision::NoFigure => self.first_figure(),
            NumberedDecision::Figure { figure: Figure::Meeple, slot } => self.first_figure() + 1 + slot,
            NumberedDecision::Figure { figure: Figure::Big, slot } => self.first_figure() + 1 + SLOTS + slot,
            NumberedDecision::Figure { figure: Figure::Abbot, .. } => self.first_figure() + 1 + 2 * SLOTS,
            NumberedDecision::Recall => self.first_figure() + 2 + 2 * SLOTS,
        }
    }

    /// The decision of a number; none if there is no such number.
    pub const fn decision(self, number: usize) -> Option<NumberedDecision> {
        if number < self.first_figure() {
            let (cell, rotation) = (number / 4, (number % 4) as u8);
            return Some(NumberedDecision::Place { x: cell % self.width, y: cell / self.width, rotation });
        }
        const BIG: usize = 1 + SLOTS;
        const ABBOT: usize = 1 + 2 * SLOTS;
        const RECALL: usize = ABBOT + 1;
        Some(match number - self.first_figure() {
            0 => NumberedDecision::NoFigure,
            place @ 1..BIG => NumberedDecision::Figure { figure: Figure::Meeple, slot: place - 1 },
            place @ BIG..ABBOT => NumberedDecision::Figure { figure: Figure::Big, slot: place - BIG },
            ABBOT => NumberedDecision::Figure { figure: Figure::Abbot, slot: CENTRE },
            RECALL => NumberedDecision::Recall,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::TileSet;
    use std::collections::BTreeSet;

    #[test]
    fn every_number_is_one_decision() {
        for width in [1, 25, 31] {
            let numbering = Numbering { width };
            assert_eq!(numbering.count(), 4 * width * width + 31);
            for number in 0..numbering.count() {
                assert_eq!(numbering.number(numbering.decision(number).unwrap()), number);
            }
            assert_eq!(numbering.decision(numbering.count()), None);
        }
    }

    #[test]
    fn segments_of_a_tile_have_slots_of_their_own_in_every_rotation() {
        for set in TileSet::all() {
            for kind in set.kinds() {
                let segments = set.segments(set.by_name(&kind.name).unwrap());
                for rotation in 0..4 {
                    let slots: BTreeSet<usize> = segments.iter().map(|segment| slot(segment, rotation)).collect();
                    assert_eq!(slots.len(), segments.len(), "{} in rotation {rotation}", kind.name);
                    assert!(slots.iter().all(|slot| *slot < SLOTS));
                }
            }
        }
    }

    #[test]
    fn slots_by_hand() {
        let set = TileSet::base();
        // The start tile: a city in the north, a road from west to east, a field on each side of the road.
        let segments = set.segments(set.start);
        let slots = |rotation: u8| segments.iter().map(|segment| slot(segment, rotation)).collect::<Vec<usize>>();
        assert_eq!(slots(0), [0, 1, 6, 7]);
        assert_eq!(slots(1), [1, 2, 8, 9]);
        assert_eq!(slots(3), [3, 0, 4, 5]);
    }
}
