//! Tile sets: compiled from a description into the tables that the rules use.
//!
//! A description (`tiles/*.json`) lists each kind of tile with its count, its edges and its features in rotation 0. The
//! result is a [`TileSet`] with the [`Segment`]s of each kind. A segment is a set of ports and the amounts that it adds
//! to its feature. Rotating a tile rotates its sets of ports; nothing else of a segment depends on the rotation.

use super::feature::Feature;
use super::limits::{MAX_KINDS, MAX_SEGMENTS, SET_BITS};
use super::tile::{Edge, FeatureKind, Port, Side, TileKind};
use serde::Deserialize;
use std::sync::OnceLock;

/// The name of the base game, as in `rules.tile_sets` of an experiment and in the notation.
const BASE_NAME: &str = "base";

/// A segment of a tile: a city, road or field segment, or a monastery.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segment {
    /// The bits that this segment adds to the *set* word of its feature, for the first copy of the tile. Later copies
    /// shift them.
    set: u64,
    /// The amount that this segment adds to the *sum* word of its feature: tiles and pennants. Open ends are in
    /// [`JoinTable`].
    sum: u64,
    /// The ports that join neighbours, in rotation 0. A field edge counts once, by its first half-edge.
    joins: u16,
    /// All ports in rotation 0.
    ports: u16,
    /// The number of bits by which each further copy of the tile shifts `set`.
    stride: u8,
    /// An index into [`FeatureKind::ALL`].
    kind: u8,
}

impl Segment {
    /// The kind of feature.
    #[inline]
    pub fn kind(&self) -> FeatureKind {
        FeatureKind::ALL[usize::from(self.kind)]
    }

    /// The ports on a tile in this rotation.
    #[inline]
    pub fn ports(&self, rotation: u8) -> u16 {
        self.ports.rotate_left(4 * u32::from(rotation))
    }

    /// The ports that join neighbours on a tile in this rotation: one for each feature that the segment can join.
    #[inline]
    pub(super) fn joins(&self, rotation: u8) -> u16 {
        self.joins.rotate_left(4 * u32::from(rotation))
    }

    /// The number of pennants; 0 unless the segment is a city.
    pub fn pennants(&self) -> u8 {
        Feature { set: self.set, sum: self.sum }.pennants() as u8
    }

    /// The first port, by which the notation names the segment. The centre for a monastery.
    pub fn first_port(&self, rotation: u8) -> Port {
        Port::lowest(self.ports(rotation))
    }

    /// The words that copy number `copy` of the tile adds to the segment's feature. `ends` is the change of open ends.
    #[inline]
    pub(super) fn feature(&self, copy: u8, ends: i8) -> Feature {
        Feature { set: self.set << (self.stride * copy), sum: self.sum.wrapping_add(Feature::open_ends(ends)) }
    }
}

/// The definition of one kind of tile.
#[derive(Clone, Debug)]
pub struct TileDefinition {
    /// The name of the kind (a letter), as in the records of games.
    pub name: String,
    /// The number of copies in the set, the start tile included.
    pub count: u8,
    /// Edges N, E, S, W in rotation 0.
    pub edges: [Edge; 4],
    /// The number of rotations that look different: 1, 2 or 4.
    pub orientations: u8,
    /// The number of pennants on the whole tile.
    pub pennants: u8,
}

/// The tables of one kind that the rules use, compact for the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Cities, then roads, then fields, then the monastery.
    pub segments: [Segment; MAX_SEGMENTS],
    /// The number of segments.
    pub segment_count: u8,
    /// The number of segments that can be completed: cities and roads, which come first.
    pub closable: u8,
    /// The number of segments on edges: all except a monastery, which comes last.
    pub edged: u8,
    /// The number of rotations that look different.
    pub orientations: u8,
    /// Edges N, E, S, W in rotation 0.
    pub edges: [Edge; 4],
    /// By port in rotation 0: the number of the segment, or 15 without a segment.
    pub segment_at: [u8; 16],
    /// By port in rotation 0: the number of the segment that the *neighbour* meets there (positions 0 and 2 of a side
    /// are swapped), or 15 without a segment.
    pub facing: [u8; 16],
}

impl Shape {
    /// The segments in use.
    #[inline]
    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments[..usize::from(self.segment_count)]
    }
}

/// How a tile joins neighbours on a given set of its sides, computed before the game.
///
/// The tables have one byte per segment. Ports are those of the tile in rotation 0.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JoinTable {
    /// The first port at which the segment joins a neighbour. 15 if the segment joins none and begins a feature; 11 if
    /// the tile has no such segment. Neither is a port.
    pub first_port: [u8; MAX_SEGMENTS],
    /// The number of earlier segments that begin a feature.
    pub new_rank: [u8; MAX_SEGMENTS],
    /// The change of the open ends of the segment's feature.
    pub open_end_change: [i8; MAX_SEGMENTS],
    /// The ports at which a segment joins a second, third or fourth neighbour.
    pub further_ports: u16,
    /// The number of features that begin.
    pub new_features: u8,
}

impl JoinTable {
    fn new(shape: &Shape, sides: u16) -> JoinTable {
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

/// A compiled tile set.
#[derive(Debug)]
pub struct TileSet {
    /// The name, as in `rules.tile_sets` of an experiment.
    pub name: &'static str,
    /// The kind of the start tile.
    pub start: TileKind,
    kinds: Vec<TileDefinition>,
    shapes: [Shape; MAX_KINDS],
    join_tables: [[JoinTable; 16]; MAX_KINDS],
    /// The number of tiles, the start tile included.
    pub tiles: u8,
    /// The bits of a city's set word for tiles with several city segments. Each such tile counts once in a city.
    pub(super) several_city_segments: u64,
    /// The bits of a city's set word for city segments.
    pub(super) city_segments: u64,
}

impl TileSet {
    /// The names of all tile sets.
    pub const KNOWN: [&'static str; 1] = [BASE_NAME];

    /// The tile set with this name, one of [`KNOWN`](TileSet::KNOWN).
    pub fn named(name: &str) -> Option<&'static TileSet> {
        (name == BASE_NAME).then(TileSet::base)
    }

    /// The base game: 24 kinds, 72 tiles.
    ///
    /// ```
    /// let base = evouct::carcassonne::TileSet::base();
    /// assert_eq!((base.kinds().len(), base.tiles), (24, 72));
    /// ```
    pub fn base() -> &'static TileSet {
        static BASE: OnceLock<TileSet> = OnceLock::new();
        BASE.get_or_init(|| {
            let description: Description =
                serde_json::from_str(include_str!("tiles/base.json")).expect("the embedded tile set is well formed");
            TileSet::compile(BASE_NAME, &description)
        })
    }

    /// All kinds, by index.
    pub fn kinds(&self) -> &[TileDefinition] {
        &self.kinds
    }

    /// The kind with this index.
    pub fn kind(&self, kind: TileKind) -> &TileDefinition {
        &self.kinds[kind.index()]
    }

    /// The kind of this name.
    pub fn by_name(&self, name: &str) -> Option<TileKind> {
        self.kinds.iter().position(|kind| kind.name == name).map(|index| TileKind(index as u8))
    }

    /// The segments of a kind, in the order cities, roads, fields, monastery.
    pub fn segments(&self, kind: TileKind) -> &[Segment] {
        self.shape(kind).segments()
    }

    /// The tables of a kind.
    #[inline]
    pub(super) fn shape(&self, kind: TileKind) -> &Shape {
        &self.shapes[kind.index() % MAX_KINDS]
    }

    /// How a tile of this kind joins neighbours on these sides: one bit per side of the tile in rotation 0.
    #[inline]
    pub(super) fn join_table(&self, kind: TileKind, sides: u8) -> &JoinTable {
        &self.join_tables[kind.index() % MAX_KINDS][usize::from(sides) % 16]
    }

    fn compile(name: &'static str, description: &Description) -> TileSet {
        let mut builder = Builder::default();
        let kinds: Vec<TileDefinition> = description.tiles.iter().map(TileDefinition::read).collect();
        let mut shapes = [Shape::EMPTY; MAX_KINDS];
        for (shape, (tile, kind)) in shapes.iter_mut().zip(description.tiles.iter().zip(&kinds)) {
            *shape = builder.shape(tile, kind);
        }
        let start = kinds.iter().position(|kind| kind.name == description.start).expect("the start tile is listed");
        TileSet {
            name,
            start: TileKind(start as u8),
            tiles: kinds.iter().map(|kind| kind.count).sum(),
            kinds,
            join_tables: shapes.map(|shape| std::array::from_fn(|sides| JoinTable::new(&shape, sides as u16))),
            shapes,
            several_city_segments: builder.several_city_segments,
            city_segments: builder.city_segments,
        }
    }
}

impl Shape {
    const EMPTY: Shape = Shape {
        segments: [Segment { set: 0, sum: 0, joins: 0, ports: 0, stride: 0, kind: 0 }; MAX_SEGMENTS],
        segment_count: 0,
        closable: 0,
        edged: 0,
        orientations: 1,
        edges: [Edge::Field; 4],
        segment_at: [15; 16],
        facing: [15; 16],
    };
}

impl TileDefinition {
    fn read(tile: &TileDescription) -> TileDefinition {
        let edges: Vec<Edge> = tile
            .edges
            .chars()
            .map(|letter| match letter {
                'C' => Edge::City,
                'R' => Edge::Road,
                _ => Edge::Field,
            })
            .collect();
        let sides_of = |features: &[FeatureDescription], turn: u32| {
            let mut sets: Vec<(FeatureKind, u16)> =
                features.iter().map(|feature| (feature.kind(), feature.ports().rotate_left(4 * turn))).collect();
            sets.sort_unstable();
            sets
        };
        let unturned = sides_of(&tile.features, 0);
        let orientations = (1..4).find(|&turn| sides_of(&tile.features, turn) == unturned).unwrap_or(4) as u8;
        TileDefinition {
            name: tile.id.clone(),
            count: tile.count,
            edges: edges.try_into().expect("a tile has four edges"),
            orientations,
            pennants: tile.features.iter().map(|feature| feature.pennants).sum(),
        }
    }
}

/// Assigns the bits of the set words to physical segments and tiles.
#[derive(Default)]
struct Builder {
    city_bit: u32,
    road_bit: u32,
    several_city_segments: u64,
    city_segments: u64,
}

impl Builder {
    fn shape(&mut self, tile: &TileDescription, kind: &TileDefinition) -> Shape {
        let of = |wanted| tile.features.iter().filter(move |feature| feature.kind() == wanted);
        let cities = of(FeatureKind::City).count() as u32;
        let roads = of(FeatureKind::Road).count() as u32;
        // The bits of a copy: one for each city segment, and one for the tile if it has several.
        let city_stride = if cities > 1 { cities + 1 } else { cities };
        let road_stride = u32::from(roads > 1);
        let mut segments = Vec::new();
        for (index, city) in of(FeatureKind::City).enumerate() {
            let mut set = 1 << (self.city_bit + index as u32);
            if cities > 1 {
                set |= 1 << (self.city_bit + cities);
            }
            let sum = Feature::sum(u64::from(cities == 1), u64::from(city.pennants));
            segments.push(Segment { set, sum, stride: city_stride as u8, ..city.segment(&kind.edges) });
        }
        for road in of(FeatureKind::Road) {
            let set = if roads > 1 { 1 << self.road_bit } else { 0 };
            let sum = Feature::sum(u64::from(roads == 1), 0);
            segments.push(Segment { set, sum, stride: road_stride as u8, ..road.segment(&kind.edges) });
        }
        for field in of(FeatureKind::Field) {
            let set = field.cities.iter().fold(0, |set, city| set | 1 << (self.city_bit + city));
            segments.push(Segment { set, sum: 0, stride: city_stride as u8, ..field.segment(&kind.edges) });
        }
        let edged = segments.len();
        segments.extend(of(FeatureKind::Monastery).map(|monastery| monastery.segment(&kind.edges)));

        for copy in 0..u32::from(kind.count) {
            for city in 0..cities {
                self.city_segments |= 1 << (self.city_bit + copy * city_stride + city);
            }
            if cities > 1 {
                self.several_city_segments |= 1 << (self.city_bit + copy * city_stride + cities);
            }
        }
        self.city_bit += u32::from(kind.count) * city_stride;
        self.road_bit += u32::from(kind.count) * road_stride;
        assert!(
            self.city_bit <= SET_BITS && self.road_bit <= SET_BITS,
            "the set word of a feature has {SET_BITS} bits"
        );

        let mut shape = Shape {
            segment_count: segments.len() as u8,
            closable: (cities + roads) as u8,
            edged: edged as u8,
            orientations: kind.orientations,
            edges: kind.edges,
            ..Shape::EMPTY
        };
        shape.segments[..segments.len()].copy_from_slice(&segments);
        for (index, segment) in segments.iter().enumerate() {
            for port in (0..16).filter(|port| segment.ports >> port & 1 == 1) {
                let (side, position) = (port / 4, port % 4);
                shape.segment_at[port] = index as u8;
                shape.facing[4 * side + 2 - position] = index as u8;
            }
        }
        shape
    }
}

#[derive(Deserialize)]
struct Description {
    start: String,
    tiles: Vec<TileDescription>,
}

#[derive(Deserialize)]
struct TileDescription {
    id: String,
    count: u8,
    edges: String,
    features: Vec<FeatureDescription>,
}

#[derive(Deserialize)]
struct FeatureDescription {
    kind: String,
    #[serde(default)]
    sides: Vec<String>,
    #[serde(default)]
    half_edges: Vec<String>,
    #[serde(default)]
    cities: Vec<u32>,
    #[serde(default)]
    pennants: u8,
}

impl FeatureDescription {
    fn kind(&self) -> FeatureKind {
        match self.kind.as_str() {
            "city" => FeatureKind::City,
            "road" => FeatureKind::Road,
            "field" => FeatureKind::Field,
            "cloister" => FeatureKind::Monastery,
            other => panic!("the embedded tile set names an unknown feature: {other}"),
        }
    }

    fn ports(&self) -> u16 {
        self.sides
            .iter()
            .chain(&self.half_edges)
            .fold(0, |set, name| set | Port::parse(name).expect("the embedded tile set names real ports").bit())
    }

    fn segment(&self, edges: &[Edge; 4]) -> Segment {
        let ports = self.ports();
        // Both halves of a field edge join the same field of the neighbour, so the first half is enough.
        let second_halves = Side::ALL
            .into_iter()
            .filter(|side| edges[*side as usize] == Edge::Field)
            .fold(0, |set, side| set | Port::half_edge(2 * side as u8 + 1).bit());
        Segment { joins: ports & !second_halves, ports, kind: self.kind() as u8, ..Segment::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_game_has_the_counts_of_its_description() {
        let base = TileSet::base();
        let tiles_of = |kind: FeatureKind| -> u32 {
            let of = |index: u8| {
                base.segments(TileKind(index)).iter().filter(|segment| segment.kind() == kind).count() as u32
            };
            (0..24).map(|index| of(index) * u32::from(base.kind(TileKind(index)).count)).sum()
        };
        assert_eq!(FeatureKind::ALL.map(tiles_of), [49, 62, 126, 6]);
        assert_eq!(base.city_segments.count_ones(), 49);
        assert_eq!(base.several_city_segments.count_ones(), 5);
        assert_eq!(base.kind(base.start).name, "D");
    }

    #[test]
    fn orientations_follow_the_symmetry_of_the_tile() {
        let base = TileSet::base();
        let orientations = |name: &str| base.kind(base.by_name(name).unwrap()).orientations;
        assert_eq!(["B", "C", "X"].map(orientations), [1; 3]);
        assert_eq!(["F", "G", "H", "U"].map(orientations), [2; 4]);
        assert_eq!(["A", "D", "E", "I", "V", "W"].map(orientations), [4; 6]);
    }

    #[test]
    fn every_edge_is_covered_by_segments_of_its_kind() {
        let base = TileSet::base();
        for kind in base.kinds() {
            let segments = base.segments(base.by_name(&kind.name).unwrap());
            for side in Side::ALL {
                let at =
                    |port: Port| segments.iter().find(|segment| segment.ports(0) & port.bit() != 0).map(Segment::kind);
                let halves = [2 * side as u8, 2 * side as u8 + 1].map(|half| at(Port::half_edge(half)));
                let (half, middle) = match kind.edges[side as usize] {
                    Edge::Field => (Some(FeatureKind::Field), None),
                    Edge::Road => (Some(FeatureKind::Field), Some(FeatureKind::Road)),
                    Edge::City => (None, Some(FeatureKind::City)),
                };
                assert_eq!((halves, at(Port::middle(side))), ([half; 2], middle), "{} {side:?}", kind.name);
            }
        }
    }
}
