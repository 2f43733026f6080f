//! The shape of a kind of tile: its segments and how they join neighbours, as tables that the rules use while they
//! play.

use super::edition::Edition;
use super::feature::Feature;
use super::limits::MAX_SEGMENTS;
use super::tile::{Edge, FeatureKind, Land, Port, Side};
use super::tile_description::FeatureDescription;

/// A segment in the tables of the rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapeSegment<E: Edition> {
    /// The bits that this segment adds to the *set* word of its feature, for the first copy of the tile. Later copies
    /// shift them.
    pub(super) set: E::Set,
    /// The amount that this segment adds to the *sum* word of its feature: tiles, pennants, inns or cathedrals. Open
    /// ends are in [`JoinTable`].
    pub(super) sum: u64,
    /// The ports that join neighbours, in rotation 0. A field edge counts once, by its first half-edge.
    pub(super) joins: u16,
    /// All ports in rotation 0.
    pub(super) ports: u16,
    /// The number of bits by which each further copy of the tile shifts `set`.
    pub(super) stride: u8,
    /// An index into [`FeatureKind::ALL`].
    pub(super) kind: u8,
}

impl<E: Edition> ShapeSegment<E> {
    pub(super) fn empty() -> ShapeSegment<E> {
        ShapeSegment { set: E::Set::default(), sum: 0, joins: 0, ports: 0, stride: 0, kind: 0 }
    }

    /// The segment of a feature without its amounts.
    pub(super) fn of(feature: &FeatureDescription, edges: &[Edge; 4]) -> ShapeSegment<E> {
        let ports = feature.ports();
        // Both halves of a field edge join the same field of the neighbour, so the first half is enough.
        let second_halves = Side::ALL
            .into_iter()
            .filter(|side| edges[*side as usize] == Edge::Field)
            .fold(0, |set, side| set | Port::half_edge(2 * side as u8 + 1).bit());
        let kind = feature.kind().expect("the river is no segment") as u8;
        ShapeSegment { joins: ports & !second_halves, ports, kind, ..ShapeSegment::empty() }
    }

    #[inline]
    pub(super) fn kind(&self) -> FeatureKind {
        FeatureKind::ALL[usize::from(self.kind)]
    }

    /// The ports on a tile in this rotation.
    #[inline]
    pub(super) fn ports(&self, rotation: u8) -> u16 {
        self.ports.rotate_left(4 * u32::from(rotation))
    }

    /// The ports that join neighbours on a tile in this rotation: one for each feature that the segment can join.
    #[inline]
    pub(super) fn joins(&self, rotation: u8) -> u16 {
        self.joins.rotate_left(4 * u32::from(rotation))
    }

    /// The number of pennants; 0 unless the segment is a city.
    #[inline]
    pub(super) fn pennants(&self) -> u8 {
        Feature::<E> { set: self.set, sum: self.sum }.pennants() as u8
    }

    /// The words that copy number `copy` of the tile adds to the segment's feature. `ends` is the change of open ends.
    #[inline]
    pub(super) fn feature(&self, copy: u8, ends: i8) -> Feature<E> {
        Feature { set: self.set << (self.stride * copy), sum: self.sum.wrapping_add(Feature::<E>::open_ends(ends)) }
    }
}

/// The tables of one kind that the rules use, compact for the cache.
#[derive(Clone, Copy, Debug)]
pub struct Shape<E: Edition> {
    /// Cities, then roads, then fields, then the monastery or garden.
    pub(super) segments: [ShapeSegment<E>; MAX_SEGMENTS],
    pub(super) segment_count: u8,
    /// The number of segments that can be completed: cities and roads, which come first.
    pub(super) closable: u8,
    /// The number of segments that belong to features of several tiles: all except a monastery or garden, which comes
    /// last.
    pub(super) edged: u8,
    /// The number of rotations that look different.
    pub(super) orientations: u8,
    /// Edges N, E, S, W in rotation 0, without the river.
    pub(super) edges: [Land; 4],
    /// What the edges show to neighbours, in the order of `edges`: the number of the kind, or [`Shape::RIVER`].
    pub(super) shown: [u8; 4],
    /// The sides in rotation 0 that the river crosses, one bit per side.
    pub(super) river: u8,
    /// By port in rotation 0: the number of the segment, or 15 without a segment.
    pub(super) segment_at: [u8; 16],
    /// By port in rotation 0: the number of the segment that the *neighbour* meets there (positions 0 and 2 of a side
    /// are swapped), or 15 without a segment.
    pub(super) facing: [u8; 16],
}

impl<E: Edition> Shape<E> {
    /// What an edge of the river shows: it clashes with every kind.
    pub(super) const RIVER: u8 = Land::COUNT as u8;

    /// The segments in use.
    #[inline]
    pub(super) fn segments(&self) -> &[ShapeSegment<E>] {
        &self.segments[..usize::from(self.segment_count)]
    }

    /// Whether the river crosses the tile.
    #[inline]
    pub(super) fn has_river(&self) -> bool {
        E::EXPANDED && self.river != 0
    }

    /// Whether the tile has a garden, which is its last segment.
    #[inline]
    pub(super) fn has_garden(&self) -> bool {
        E::EXPANDED && self.segments[usize::from(self.edged) % MAX_SEGMENTS].kind == FeatureKind::Garden as u8
    }

    pub(super) fn empty() -> Shape<E> {
        Shape {
            segments: [ShapeSegment::empty(); MAX_SEGMENTS],
            segment_count: 0,
            closable: 0,
            edged: 0,
            orientations: 1,
            edges: [Land::Field; 4],
            shown: [Land::Field as u8; 4],
            river: 0,
            segment_at: [15; 16],
            facing: [15; 16],
        }
    }
}

/// How a tile joins neighbours on a given set of its sides, computed before the game.
///
/// The tables have one byte per segment. Ports are those of the tile in rotation 0. Aligned, so that none lies on two
/// cache lines.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub struct JoinTable {
    /// The first port at which the segment joins a neighbour. 15 if the segment joins none and begins a feature; 11 if
    /// the tile has no such segment. Neither is a port.
    pub(super) first_port: [u8; MAX_SEGMENTS],
    /// The number of earlier segments that begin a feature.
    pub(super) new_rank: [u8; MAX_SEGMENTS],
    /// The change of the open ends of the segment's feature.
    pub(super) open_end_change: [i8; MAX_SEGMENTS],
    /// The ports at which a segment joins a second, third or fourth neighbour.
    pub(super) further_ports: u16,
    /// The number of features that begin.
    pub(super) new_features: u8,
}

impl JoinTable {
    pub(super) fn new<E: Edition>(shape: &Shape<E>, sides: u16) -> JoinTable {
        let occupied =
            (0..4).filter(|side| sides >> side & 1 == 1).fold(0_u16, |occupied, side| occupied | 0x7 << (4 * side));
        let mut join_table = JoinTable { first_port: [11; MAX_SEGMENTS], ..JoinTable::default() };
        for (index, segment) in shape.segments[..usize::from(shape.edged)].iter().enumerate() {
            let ports = segment.joins & occupied;
            join_table.first_port[index] = if ports == 0 { 15 } else { ports.trailing_zeros() as u8 };
            join_table.new_rank[index] = join_table.new_features;
            join_table.new_features += u8::from(ports == 0);
            join_table.further_ports |= ports & ports.wrapping_sub(1);
            if index < usize::from(shape.closable) {
                join_table.open_end_change[index] = segment.joins.count_ones() as i8 - 2 * ports.count_ones() as i8;
            }
        }
        join_table
    }
}
