//! Tile sets: read from their description, compiled into the tables that the rules run on.
//!
//! A description (`tiles/*.json`) lists each kind of tile with its count, its edges and its features in rotation 0. What
//! comes out is a [`TileSet`]: for each kind its [`Part`]s, every part a set of ports and the amounts that it adds to the
//! feature it joins. Rotating a tile rotates its sets of ports; nothing else of a part depends on the rotation.

use super::feature::Feature;
use super::tile::{Edge, FeatureKind, Port, Side, TileKind};
use serde::Deserialize;
use std::sync::OnceLock;

/// The largest number of parts on a tile of any set.
pub(super) const MAX_PARTS: usize = 8;
/// The largest number of kinds in a game.
pub(super) const MAX_KINDS: usize = 32;

/// A part of a tile: a city, road or field segment, or a monastery.
#[derive(Clone, Copy, Debug, Default)]
pub struct Part {
    /// What this part adds to the *set* word of its feature, for the first copy of the tile; later copies shift it.
    set: u64,
    /// What this part adds to the *sum* word of its feature: tiles and pennants. Open ends are in [`Meeting`].
    sum: u64,
    /// The ports of the part in rotation 0. A field edge counts once, by its first half-edge.
    joins: u16,
    /// All its ports in rotation 0.
    ports: u16,
    /// How far each further copy of the tile shifts `set`.
    stride: u8,
    /// 0 city, 1 road, 2 field, 3 monastery.
    kind: u8,
}

impl Part {
    /// What kind of feature it is part of.
    #[inline]
    pub fn kind(&self) -> FeatureKind {
        FeatureKind::ALL[usize::from(self.kind)]
    }

    /// Its ports once the tile is turned.
    #[inline]
    pub fn ports(&self, rotation: u8) -> u16 {
        self.ports.rotate_left(4 * u32::from(rotation))
    }

    /// Its ports that can meet a neighbour, one for each feature that may be met, once the tile is turned.
    #[inline]
    pub(super) fn joins(&self, rotation: u8) -> u16 {
        self.joins.rotate_left(4 * u32::from(rotation))
    }

    /// Its pennants; only a city has any.
    pub fn pennants(&self) -> u8 {
        Feature { set: self.set, sum: self.sum }.pennants() as u8
    }

    /// The place by which the notation names it: its first port, the centre for a monastery.
    pub fn place(&self, rotation: u8) -> Port {
        Port::lowest(self.ports(rotation))
    }

    /// What copy number `copy` of the tile adds to the part's feature, whose open ends change by `ends`.
    #[inline]
    pub(super) fn feature(&self, copy: u8, ends: i8) -> Feature {
        Feature { set: self.set << (self.stride * copy), sum: self.sum.wrapping_add(Feature::open_ends(ends)) }
    }
}

/// One kind of tile.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The letter (or name) of the kind, as in the records of games.
    pub name: String,
    /// How many copies the set holds, the start tile among them.
    pub count: u8,
    /// Edges N, E, S, W in rotation 0.
    pub edges: [Edge; 4],
    /// How many of the rotations 0, 1, … look different: 1, 2 or 4.
    pub orientations: u8,
    /// Pennants on the whole tile, for drawing.
    pub pennants: u8,
}

/// The tables of a kind that the rules run on, kept small and together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Cities, then roads, then fields, then the monastery.
    pub parts: [Part; MAX_PARTS],
    /// How many parts there are.
    pub part_count: u8,
    /// The parts before this one (cities and roads) can be completed.
    pub closable: u8,
    /// The parts before this one lie on edges; a monastery does not.
    pub edged: u8,
    /// Rotations below this one look different.
    pub orientations: u8,
    /// Edges N, E, S, W in rotation 0.
    pub edges: [Edge; 4],
    /// For each port in rotation 0 the part there; 15 where none.
    pub part_at: [u8; 16],
    /// For each port in rotation 0 the part that the *neighbour* sees there (places 0 and 2 swapped); 15 where none.
    pub facing: [u8; 16],
}

impl Shape {
    /// The parts in use.
    #[inline]
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts[..usize::from(self.part_count)]
    }
}

/// What happens when a tile meets neighbours on a given set of its sides: known before any game begins.
///
/// A byte a part. Ports are those of the unturned tile.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meeting {
    /// The first port at which the part meets a neighbour: 15 where it meets none and begins a feature, 11 (no port
    /// either) where there is no such part.
    pub first: [u8; MAX_PARTS],
    /// How many parts before this one begin a feature.
    pub rank: [u8; MAX_PARTS],
    /// By how many the open ends of the part's feature change.
    pub ends: [i8; MAX_PARTS],
    /// The ports at which a part meets a second, third or fourth neighbour.
    pub further: u16,
    /// How many features begin.
    pub founds: u8,
}

impl Meeting {
    fn new(shape: &Shape, sides: u16) -> Meeting {
        let met = (0..4).filter(|side| sides >> side & 1 == 1).fold(0_u16, |met, side| met | 0x7 << (4 * side));
        let mut meeting = Meeting { first: [11; MAX_PARTS], ..Meeting::default() };
        for (index, part) in shape.parts[..usize::from(shape.edged)].iter().enumerate() {
            let ports = part.joins & met;
            meeting.first[index] = if ports == 0 { 15 } else { ports.trailing_zeros() as u8 };
            meeting.rank[index] = meeting.founds;
            meeting.founds += u8::from(ports == 0);
            meeting.further |= ports & ports.wrapping_sub(1);
            if index < usize::from(shape.closable) {
                meeting.ends[index] = part.joins.count_ones() as i8 - 2 * ports.count_ones() as i8;
            }
        }
        meeting
    }
}

/// A tile set, compiled.
#[derive(Debug)]
pub struct TileSet {
    /// Its name, as in `rules.tile_sets`.
    pub name: &'static str,
    /// The kind that is laid first.
    pub start: TileKind,
    kinds: Vec<Kind>,
    shapes: [Shape; MAX_KINDS],
    meetings: [[Meeting; 16]; MAX_KINDS],
    /// All tiles, start tile included.
    pub tiles: u8,
    /// The bits of a city's set that name tiles with several city segments (each such tile counts once in a city).
    pub(super) several_city_segments: u64,
    /// The bits of a city's set that name its segments.
    pub(super) city_segments: u64,
}

impl TileSet {
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
            TileSet::compile("base", &description)
        })
    }

    /// All kinds, by index.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The kind with this index.
    pub fn kind(&self, kind: TileKind) -> &Kind {
        &self.kinds[kind.index()]
    }

    /// The kind of this name.
    pub fn by_name(&self, name: &str) -> Option<TileKind> {
        self.kinds.iter().position(|kind| kind.name == name).map(|index| TileKind(index as u8))
    }

    /// The parts of a kind: cities, roads, fields, monastery, in this order.
    pub fn parts(&self, kind: TileKind) -> &[Part] {
        self.shape(kind).parts()
    }

    /// The tables of a kind.
    #[inline]
    pub(super) fn shape(&self, kind: TileKind) -> &Shape {
        &self.shapes[kind.index() % MAX_KINDS]
    }

    /// What happens when a tile of this kind meets neighbours on these sides, a bit a side of the unturned tile.
    #[inline]
    pub(super) fn meeting(&self, kind: TileKind, sides: u8) -> &Meeting {
        &self.meetings[kind.index() % MAX_KINDS][usize::from(sides) % 16]
    }

    fn compile(name: &'static str, description: &Description) -> TileSet {
        let mut builder = Builder::default();
        let kinds: Vec<Kind> = description.tiles.iter().map(Kind::read).collect();
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
            meetings: shapes.map(|shape| std::array::from_fn(|sides| Meeting::new(&shape, sides as u16))),
            shapes,
            several_city_segments: builder.several_city_segments,
            city_segments: builder.city_segments,
        }
    }
}

impl Shape {
    const EMPTY: Shape = Shape {
        parts: [Part { set: 0, sum: 0, joins: 0, ports: 0, stride: 0, kind: 0 }; MAX_PARTS],
        part_count: 0,
        closable: 0,
        edged: 0,
        orientations: 1,
        edges: [Edge::Field; 4],
        part_at: [15; 16],
        facing: [15; 16],
    };
}

impl Kind {
    fn read(tile: &TileDescription) -> Kind {
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
        Kind {
            name: tile.id.clone(),
            count: tile.count,
            edges: edges.try_into().expect("a tile has four edges"),
            orientations,
            pennants: tile.features.iter().map(|feature| feature.pennants).sum(),
        }
    }
}

/// Hands out the bits that name physical segments and tiles.
#[derive(Default)]
struct Builder {
    city_bit: u32,
    road_bit: u32,
    several_city_segments: u64,
    city_segments: u64,
}

impl Builder {
    fn shape(&mut self, tile: &TileDescription, kind: &Kind) -> Shape {
        let of = |wanted| tile.features.iter().filter(move |feature| feature.kind() == wanted);
        let cities = of(FeatureKind::City).count() as u32;
        let roads = of(FeatureKind::Road).count() as u32;
        // A copy's bits: one for each city segment, and one for the tile where it has several segments.
        let city_stride = if cities > 1 { cities + 1 } else { cities };
        let road_stride = u32::from(roads > 1);
        let mut parts = Vec::new();
        for (index, city) in of(FeatureKind::City).enumerate() {
            let mut set = 1 << (self.city_bit + index as u32);
            if cities > 1 {
                set |= 1 << (self.city_bit + cities);
            }
            let sum = Feature::sum(u64::from(cities == 1), u64::from(city.pennants));
            parts.push(Part { set, sum, stride: city_stride as u8, ..city.part(&kind.edges) });
        }
        for road in of(FeatureKind::Road) {
            let set = if roads > 1 { 1 << self.road_bit } else { 0 };
            let sum = Feature::sum(u64::from(roads == 1), 0);
            parts.push(Part { set, sum, stride: road_stride as u8, ..road.part(&kind.edges) });
        }
        for field in of(FeatureKind::Field) {
            let set = field.cities.iter().fold(0, |set, city| set | 1 << (self.city_bit + city));
            parts.push(Part { set, sum: 0, stride: city_stride as u8, ..field.part(&kind.edges) });
        }
        let edged = parts.len();
        parts.extend(of(FeatureKind::Monastery).map(|monastery| monastery.part(&kind.edges)));

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
        assert!(self.city_bit <= 64 && self.road_bit <= 64, "the sets of a feature are 64 bits wide");

        let mut shape = Shape {
            part_count: parts.len() as u8,
            closable: (cities + roads) as u8,
            edged: edged as u8,
            orientations: kind.orientations,
            edges: kind.edges,
            ..Shape::EMPTY
        };
        shape.parts[..parts.len()].copy_from_slice(&parts);
        for (index, part) in parts.iter().enumerate() {
            for port in (0..16).filter(|port| part.ports >> port & 1 == 1) {
                let (side, place) = (port / 4, port % 4);
                shape.part_at[port] = index as u8;
                shape.facing[4 * side + 2 - place] = index as u8;
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

    fn part(&self, edges: &[Edge; 4]) -> Part {
        let ports = self.ports();
        // Both halves of a field edge lead to the same field next door: the first speaks for both.
        let second_halves = Side::ALL
            .into_iter()
            .filter(|side| edges[*side as usize] == Edge::Field)
            .fold(0, |set, side| set | Port::half_edge(2 * side as u8 + 1).bit());
        Part { joins: ports & !second_halves, ports, kind: self.kind() as u8, ..Part::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_game_has_the_counts_of_its_description() {
        let base = TileSet::base();
        let tiles_of = |kind: FeatureKind| -> u32 {
            let of = |index: u8| base.parts(TileKind(index)).iter().filter(|part| part.kind() == kind).count() as u32;
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
    fn every_edge_is_covered_by_parts_of_its_kind() {
        let base = TileSet::base();
        for kind in base.kinds() {
            let parts = base.parts(base.by_name(&kind.name).unwrap());
            for side in Side::ALL {
                let at = |port: Port| parts.iter().find(|part| part.ports(0) & port.bit() != 0).map(Part::kind);
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
