//! The terms of a tile: sides, ports, edges, kinds of feature.
//!
//! A tile has four sides and each side three *ports*: the half-edge that comes first clockwise, the middle, and the
//! half-edge that comes second. Fields touch half-edges; roads and cities touch the middle. A set of ports is a `u16`:
//! the port at position 0, 1 or 2 of a side has bit `4·side + position`. A quarter turn clockwise is a rotation of the
//! word by four bits.

use std::fmt;

/// A side of a cell or of a tile, clockwise from north. `y` grows to the south.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// Towards smaller `y`.
    North,
    /// Towards larger `x`.
    East,
    /// Towards larger `y`.
    South,
    /// Towards smaller `x`.
    West,
}

impl Side {
    /// All four, clockwise from north.
    pub const ALL: [Side; 4] = [Side::North, Side::East, Side::South, Side::West];

    /// The letter used by the notation: `N`, `E`, `S` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Side::North => 'N',
            Side::East => 'E',
            Side::South => 'S',
            Side::West => 'W',
        }
    }

    /// The step `(dx, dy)` to the neighbouring cell on this side.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Side::North => (0, -1),
            Side::East => (1, 0),
            Side::South => (0, 1),
            Side::West => (-1, 0),
        }
    }

    /// The side of the neighbouring tile that touches this one.
    #[must_use]
    pub const fn opposite(self) -> Side {
        Side::ALL[(self as usize + 2) % 4]
    }
}

/// The kind of one edge of a tile. Edges that touch must be of the same kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Edge {
    /// Field along the whole side.
    Field,
    /// A road between two half-edges of field.
    Road,
    /// City along the whole side.
    City,
    /// The river between two half-edges of field.
    River,
}

/// The kind of an edge without the river: what the bitmaps of the board distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Land {
    /// Field along the whole side.
    Field,
    /// A road between two half-edges of field.
    Road,
    /// City along the whole side.
    City,
}

impl Land {
    /// The number of kinds.
    pub(super) const COUNT: usize = 3;
    /// All kinds.
    pub(super) const ALL: [Land; Land::COUNT] = [Land::Field, Land::Road, Land::City];

    /// The kind of an edge; a field where the edge is of the river.
    pub(super) const fn of(edge: Edge) -> Land {
        match edge {
            Edge::Field | Edge::River => Land::Field,
            Edge::Road => Land::Road,
            Edge::City => Land::City,
        }
    }

    /// The kind as an edge.
    pub(super) const fn edge(self) -> Edge {
        match self {
            Land::Field => Edge::Field,
            Land::Road => Edge::Road,
            Land::City => Edge::City,
        }
    }
}

/// The kinds of feature. A figure can be placed on each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum FeatureKind {
    /// Two points per tile and pennant if complete, one at the end of the game if not. The meeple is a knight.
    City,
    /// One point per tile. The meeple is a robber.
    Road,
    /// Three points at the end of the game for each complete city that the field touches. The meeple is a farmer.
    Field,
    /// One point for the tile and for each of its eight neighbours. The meeple is a monk.
    Monastery,
    /// As a monastery, for an abbot only.
    Garden,
}

impl FeatureKind {
    /// All, in the order in which a tile lists its segments.
    pub const ALL: [FeatureKind; 5] =
        [FeatureKind::City, FeatureKind::Road, FeatureKind::Field, FeatureKind::Monastery, FeatureKind::Garden];

    /// The name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            FeatureKind::City => "city",
            FeatureKind::Road => "road",
            FeatureKind::Field => "field",
            FeatureKind::Monastery => "monastery",
            FeatureKind::Garden => "garden",
        }
    }

    /// Whether the feature is the tile itself with the cells around it: a monastery or a garden.
    pub const fn is_at_centre(self) -> bool {
        matches!(self, FeatureKind::Monastery | FeatureKind::Garden)
    }
}

/// A port: one of twelve points on the edges of a tile, or its centre.
///
/// Written as `N`…`W` for the middle of a side, `NNW`…`WNW` for a half-edge, `C` for the centre.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Port(u8);

/// The names of the ports by number, clockwise from the left half of the north edge; every fourth number is no port.
const PORTS: [&str; 17] =
    ["NNW", "N", "NNE", "", "ENE", "E", "ESE", "", "SSE", "S", "SSW", "", "WSW", "W", "WNW", "", "C"];

impl Port {
    /// The centre of the tile, the port of a monastery, a garden, and a field inside the tile.
    pub const CENTRE: Port = Port(16);

    /// The middle of a side.
    pub const fn middle(side: Side) -> Port {
        Port(4 * side as u8 + 1)
    }

    /// Half-edge number `index` (0 to 7), clockwise from `NNW`.
    pub const fn half_edge(index: u8) -> Port {
        assert!(index < 8);
        Port(4 * (index / 2) + 2 * (index % 2))
    }

    /// The bit of the port in a set of ports; 0 for the centre.
    pub const fn bit(self) -> u16 {
        if self.0 < 16 { 1 << self.0 } else { 0 }
    }

    /// The port with the lowest bit of a set, or the centre if the set is empty.
    pub const fn lowest(set: u16) -> Port {
        Port(set.trailing_zeros() as u8)
    }

    /// Parses the text that [`Display`](fmt::Display) writes.
    pub fn parse(text: &str) -> Option<Port> {
        let number = PORTS.iter().position(|name| *name == text && !text.is_empty())?;
        Some(Port(number as u8))
    }

    /// The name, as [`Display`](fmt::Display) writes it.
    pub const fn name(self) -> &'static str {
        PORTS[self.0 as usize]
    }

    /// Whether the port is a half-edge, which belongs to a field unless the edge is of a city.
    pub const fn is_half_edge(self) -> bool {
        self.0 < 16 && self.0.is_multiple_of(2)
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of tile: an index into [`TileSet::kinds`](super::TileSet::kinds).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct TileKind(pub u8);

impl TileKind {
    /// The index of the kind.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_parse_back_from_their_text() {
        for half_edge in 0..8 {
            let port = Port::half_edge(half_edge);
            assert_eq!(Port::parse(&port.to_string()), Some(port));
            assert!(port.is_half_edge());
        }
        for side in Side::ALL {
            let port = Port::middle(side);
            assert_eq!(port.to_string(), side.letter().to_string());
            assert_eq!(Port::parse(&port.to_string()), Some(port));
        }
        assert_eq!(Port::parse("C"), Some(Port::CENTRE));
        for wrong in ["", "NW", "NN", "n", "CC", "NNNW"] {
            assert_eq!(Port::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_quarter_turn_rotates_the_set_of_ports_by_four_bits() {
        let north = Port::middle(Side::North).bit() | Port::half_edge(0).bit();
        let east = Port::middle(Side::East).bit() | Port::half_edge(2).bit();
        assert_eq!(north.rotate_left(4), east);
    }
}
