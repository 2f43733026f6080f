//! Tile sets: compiled from a description into the tables that the rules use.
//!
//! A description (`tiles/*.json`) lists each kind of tile with its count, its edges and its features in rotation 0. The
//! result is a [`TileSet`] with the [`Segment`]s of each kind. A segment is a set of ports and the amounts that it adds
//! to its feature. Rotating a tile rotates its sets of ports; nothing else of a segment depends on the rotation.

use super::closing_tiles::ClosingTiles;
use super::edition::{Base, ByEdition, Edition, Expanded, FixedTable, SetWord};
use super::expansions::{Expansion, Expansions};
use super::feature::Feature;
use super::shape::{JoinTable, Shape, ShapeSegment};
use super::tile::{Edge, FeatureKind, Land, Port, Side, TileKind};
use super::tile_description::{Description, FeatureDescription, TileDescription};
use std::sync::OnceLock;

/// The name of the base game, as in `rules.tile_sets` of an experiment and in the notation.
const BASE_NAME: &str = "base";

/// Between the names of a set: `base+river`.
const AND: char = '+';

/// A segment of a tile: a city, road or field segment, a monastery, or a garden.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    kind: FeatureKind,
    /// All ports in rotation 0.
    ports: u16,
    pennants: u8,
    special: bool,
}

impl Segment {
    /// What the segment is part of.
    pub fn kind(&self) -> FeatureKind {
        self.kind
    }

    /// The ports on a tile in this rotation.
    pub fn ports(&self, rotation: u8) -> u16 {
        self.ports.rotate_left(4 * u32::from(rotation))
    }

    /// The number of pennants; 0 unless the segment is a city.
    pub fn pennants(&self) -> u8 {
        self.pennants
    }

    /// Whether an inn stands on the segment of a road, or the segment of a city is a cathedral.
    pub fn is_special(&self) -> bool {
        self.special
    }

    /// The first port, by which the notation names the segment. The centre for a monastery, a garden, and a field
    /// inside the tile.
    pub fn first_port(&self, rotation: u8) -> Port {
        Port::lowest(self.ports(rotation))
    }
}

/// The definition of one kind of tile.
#[derive(Clone, Debug)]
pub struct TileDefinition {
    /// The name of the kind, as in the records of games: a letter in the base game.
    pub name: String,
    /// The number of copies in the set, the start tile included.
    pub count: u8,
    /// Edges N, E, S, W in rotation 0.
    pub edges: [Edge; 4],
    /// The number of rotations that look different: 1, 2 or 4.
    pub orientations: u8,
    /// The number of pennants on the whole tile.
    pub pennants: u8,
    /// Whether the tile has a garden and gardens are in play.
    pub garden: bool,
    segments: Vec<Segment>,
}

impl TileDefinition {
    /// The sides of the tile in this rotation that the river crosses. The spring and the lake have one.
    pub fn river(&self, rotation: u8) -> impl Iterator<Item = Side> + use<'_> {
        let unturned = move |side: Side| Side::ALL[(side as usize + 4 - usize::from(rotation % 4)) % 4];
        Side::ALL.into_iter().filter(move |side| self.edges[unturned(*side) as usize] == Edge::River)
    }

    /// Whether the river crosses the tile.
    pub fn has_river(&self) -> bool {
        self.edges.contains(&Edge::River)
    }
}

/// A tile set as the rules of one edition use it.
#[derive(Debug)]
pub struct Tables<E: Edition> {
    shapes: E::Kinds<Shape<E>>,
    join_tables: E::Kinds<[JoinTable; 16]>,
    /// The bits of a city's set word for tiles with several city segments. Each such tile counts once in a city.
    pub(super) several_city_segments: E::Set,
    /// The bits of a city's set word for city segments.
    pub(super) city_segments: E::Set,
    /// Made when it is first asked for.
    closing: OnceLock<Box<ClosingTiles>>,
}

impl<E: Edition> Tables<E> {
    const KINDS: usize = <E::Kinds<u8> as FixedTable<u8>>::LEN;

    fn empty() -> Tables<E> {
        Tables {
            shapes: FixedTable::filled(Shape::empty()),
            join_tables: FixedTable::filled([JoinTable::default(); 16]),
            several_city_segments: E::Set::default(),
            city_segments: E::Set::default(),
            closing: OnceLock::new(),
        }
    }

    fn compile(tiles: &[(TileDescription, TileDefinition)]) -> Tables<E> {
        let (mut builder, mut tables) = (Builder::<E>::default(), Tables::<E>::empty());
        for (index, (tile, kind)) in tiles.iter().enumerate() {
            let shape = builder.shape(tile, kind);
            tables.shapes[index] = shape;
            tables.join_tables[index] = std::array::from_fn(|sides| JoinTable::new(&shape, sides as u16));
        }
        tables.several_city_segments = builder.several_city_segments;
        tables.city_segments = builder.city_segments;
        tables
    }

    #[inline]
    pub(super) fn shape(&self, kind: TileKind) -> &Shape<E> {
        &self.shapes[kind.index() % Tables::<E>::KINDS]
    }

    /// How a tile of this kind joins neighbours on these sides: one bit per side of the tile in rotation 0.
    #[inline]
    pub(super) fn join_table(&self, kind: TileKind, sides: u8) -> &JoinTable {
        &self.join_tables[kind.index() % Tables::<E>::KINDS][usize::from(sides) % 16]
    }

    /// Which tiles of the set, whose tables these are, fit in a cell and close features there.
    pub(super) fn closing(&self, set: &TileSet) -> &ClosingTiles {
        self.closing.get_or_init(|| {
            let counts = set.kinds.iter().map(|kind| kind.count);
            Box::new(ClosingTiles::new(self.shapes.as_ref().iter().zip(counts)))
        })
    }
}

/// A compiled tile set.
#[derive(Debug)]
pub struct TileSet {
    /// The name: `base`, and the names of the expansions.
    pub name: String,
    /// The expansions whose tiles and figures are in play.
    pub expansions: Expansions,
    /// Whether the start tile of the base game is among the tiles to draw. Only with the river, which begins with the
    /// spring.
    pub start_in_bag: bool,
    /// The tile on the board at the start.
    pub start: TileKind,
    /// The lake, with which the river ends.
    pub lake: Option<TileKind>,
    kinds: Vec<TileDefinition>,
    /// The number of tiles, the start tile included.
    pub tiles: u8,
    /// The number of tiles that are drawn after the river.
    pub(super) after_river: u8,
    base: Tables<Base>,
    expanded: Tables<Expanded>,
}

impl ByEdition for TileSet {
    type Of<E: Edition> = Tables<E>;

    #[inline]
    fn base(&self) -> &Tables<Base> {
        &self.base
    }

    #[inline]
    fn expanded(&self) -> &Tables<Expanded> {
        &self.expanded
    }
}

impl TileSet {
    /// The tile set of the base game with these expansions. `start_in_bag` has no meaning without the river.
    pub fn of(expansions: Expansions, start_in_bag: bool) -> &'static TileSet {
        static SETS: [OnceLock<TileSet>; 16] = [const { OnceLock::new() }; 16];
        let start_in_bag = start_in_bag && expansions.has(Expansion::River);
        SETS[2 * expansions.index() + usize::from(start_in_bag)]
            .get_or_init(|| TileSet::compile(expansions, start_in_bag))
    }

    /// Every tile set.
    pub fn all() -> impl Iterator<Item = &'static TileSet> {
        Expansions::all_sets().flat_map(|expansions| {
            let in_bag: &[bool] = if expansions.has(Expansion::River) { &[false, true] } else { &[false] };
            in_bag.iter().map(move |in_bag| TileSet::of(expansions, *in_bag))
        })
    }

    /// The tile set with this name: `base`, or `base` and expansions such as `base+river`. The start tile of the base
    /// game is left out with the river.
    pub fn named(name: &str) -> Option<&'static TileSet> {
        let mut names = name.split(AND);
        (names.next() == Some(BASE_NAME)).then_some(())?;
        Some(TileSet::of(Expansions::of_names(names)?, false))
    }

    /// The base game: 24 kinds, 72 tiles.
    ///
    /// ```
    /// let base = evouct_carcassonne::TileSet::base();
    /// assert_eq!((base.kinds().len(), base.tiles), (24, 72));
    /// ```
    #[inline]
    pub fn base() -> &'static TileSet {
        TileSet::of(Expansions::NONE, false)
    }

    /// All kinds, by index.
    pub fn kinds(&self) -> &[TileDefinition] {
        &self.kinds
    }

    /// The kind with this index.
    pub fn kind(&self, kind: TileKind) -> &TileDefinition {
        &self.kinds[kind.index()]
    }

    /// The kind with this name in the notation, such as `J` or `V10`.
    pub fn by_name(&self, name: &str) -> Option<TileKind> {
        self.kinds.iter().position(|kind| kind.name == name).map(|index| TileKind(index as u8))
    }

    /// The kind of this name, as a tile with or without a garden is called where gardens are not in play.
    pub fn by_name_and_garden(&self, name: &str, garden: bool) -> Option<TileKind> {
        self.by_name(&if garden { TileDescription::name_with_garden(name) } else { name.to_owned() })
    }

    /// The segments of a kind, in the order cities, roads, fields, monastery or garden.
    pub fn segments(&self, kind: TileKind) -> &[Segment] {
        &self.kind(kind).segments
    }

    /// The tiles to draw, all except the start tile: those of the river, then the lake, then all others; each group in
    /// the order of kinds. Without the river only the last group has tiles.
    pub(super) fn in_drawing_order(&self) -> [Vec<TileKind>; 3] {
        let count = |kind: TileKind| self.kind(kind).count - u8::from(kind == self.start);
        let kinds = (0..self.kinds.len() as u8).map(TileKind);
        self.split(kinds.flat_map(|kind| std::iter::repeat_n(kind, count(kind).into())))
    }

    /// Tiles of the river, the lake, and all others.
    pub(crate) fn split(&self, tiles: impl Iterator<Item = TileKind>) -> [Vec<TileKind>; 3] {
        let mut groups = [const { Vec::new() }; 3];
        for kind in tiles {
            let group = if !self.kind(kind).has_river() { 2 } else { usize::from(Some(kind) == self.lake) };
            groups[group].push(kind);
        }
        groups
    }

    fn compile(expansions: Expansions, start_in_bag: bool) -> TileSet {
        let has = |expansion| expansions.has(expansion);
        let read = |text| serde_json::from_str::<Description>(text).expect("the embedded tile set is well formed");
        let (base, river) = (read(include_str!("tiles/base.json")), read(include_str!("tiles/river.json")));
        let mut name = BASE_NAME.to_owned();
        for expansion in expansions.names() {
            name.push(AND);
            name.push_str(expansion);
        }
        let start = if has(Expansion::River) { river.start } else { base.start.clone() };
        let mut described = base.tiles;
        if has(Expansion::River) {
            if !start_in_bag {
                let replaced = described.iter_mut().find(|tile| Some(&tile.id) == base.start.as_ref());
                replaced.expect("the start tile is listed").count -= 1;
            }
            described.extend(river.tiles);
        }
        if has(Expansion::InnsAndCathedrals) {
            described.extend(read(include_str!("tiles/inns-and-cathedrals.json")).tiles);
        }
        if has(Expansion::Abbots) {
            described = described.into_iter().flat_map(TileDescription::with_gardens_apart).collect();
        }
        let tiles: Vec<(TileDescription, TileDefinition)> = described
            .into_iter()
            .map(|tile| {
                let definition = TileDefinition::read(&tile);
                (tile, definition)
            })
            .collect();
        let find = |name: Option<String>| {
            let place = tiles.iter().position(|(tile, _)| Some(&tile.id) == name.as_ref());
            place.map(|place| TileKind(place as u8))
        };
        let (start, lake) = (find(start).expect("the start tile is listed"), find(river.last));
        let expanded = Tables::compile(&tiles);
        let base = if expansions == Expansions::NONE { Tables::compile(&tiles) } else { Tables::empty() };
        let kinds: Vec<TileDefinition> = tiles.into_iter().map(|(_, definition)| definition).collect();
        let count =
            |of: &dyn Fn(&TileDefinition) -> bool| kinds.iter().filter(|kind| of(kind)).map(|kind| kind.count).sum();
        let after_river = if has(Expansion::River) { count(&|kind| !kind.has_river()) } else { count(&|_| true) - 1 };
        TileSet {
            name,
            expansions,
            start_in_bag,
            start,
            lake,
            tiles: count(&|_| true),
            after_river,
            kinds,
            base,
            expanded,
        }
    }
}

impl TileDefinition {
    fn read(tile: &TileDescription) -> TileDefinition {
        let edges: Vec<Edge> = tile
            .edges
            .chars()
            .map(|letter| match letter {
                'C' => Edge::City,
                'R' => Edge::Road,
                'V' => Edge::River,
                _ => Edge::Field,
            })
            .collect();
        let sides_of = |turn: u32| {
            let turned = |feature: &FeatureDescription| feature.ports().rotate_left(4 * turn);
            let mut sets: Vec<(Option<FeatureKind>, u16)> =
                tile.features.iter().map(|feature| (feature.kind(), turned(feature))).collect();
            sets.sort_unstable();
            sets
        };
        let unturned = sides_of(0);
        let orientations = (1..4).find(|&turn| sides_of(turn) == unturned).unwrap_or(4) as u8;
        let segments = FeatureKind::ALL.into_iter().flat_map(|kind| tile.of_kind(kind)).map(|feature| Segment {
            kind: feature.kind().expect("a feature of this kind"),
            ports: feature.ports(),
            pennants: feature.pennants,
            special: feature.is_special(),
        });
        TileDefinition {
            name: tile.id.clone(),
            count: tile.count,
            edges: edges.try_into().expect("a tile has four edges"),
            orientations,
            pennants: tile.features.iter().map(|feature| feature.pennants).sum(),
            garden: tile.of_kind(FeatureKind::Garden).next().is_some(),
            segments: segments.collect(),
        }
    }
}

/// Assigns the bits of the set words to physical segments and tiles.
#[derive(Default)]
struct Builder<E: Edition> {
    city_bit: u32,
    road_bit: u32,
    several_city_segments: E::Set,
    city_segments: E::Set,
}

impl<E: Edition> Builder<E> {
    fn shape(&mut self, tile: &TileDescription, kind: &TileDefinition) -> Shape<E> {
        let bit = |place: u32| E::Set::from(1) << place;
        let cities = tile.of_kind(FeatureKind::City).count() as u32;
        let roads = tile.of_kind(FeatureKind::Road).count() as u32;
        // The bits of a copy: one for each city segment, and one for the tile if it has several.
        let city_stride = if cities > 1 { cities + 1 } else { cities };
        let road_stride = u32::from(roads > 1);
        let mut segments = Vec::new();
        for (index, city) in tile.of_kind(FeatureKind::City).enumerate() {
            let mut set = bit(self.city_bit + index as u32);
            if cities > 1 {
                set |= bit(self.city_bit + cities);
            }
            let sum = Feature::<E>::sum(u64::from(cities == 1), city.pennants.into(), city.is_special().into());
            segments.push(ShapeSegment { set, sum, stride: city_stride as u8, ..ShapeSegment::of(city, &kind.edges) });
        }
        for road in tile.of_kind(FeatureKind::Road) {
            let set = if roads > 1 { bit(self.road_bit) } else { E::Set::default() };
            let sum = Feature::<E>::sum(u64::from(roads == 1), 0, road.is_special().into());
            segments.push(ShapeSegment { set, sum, stride: road_stride as u8, ..ShapeSegment::of(road, &kind.edges) });
        }
        for field in tile.of_kind(FeatureKind::Field) {
            let set = field.cities.iter().fold(E::Set::default(), |set, city| set | bit(self.city_bit + city));
            segments.push(ShapeSegment {
                set,
                sum: 0,
                stride: city_stride as u8,
                ..ShapeSegment::of(field, &kind.edges)
            });
        }
        let edged = segments.len();
        for kind_at_centre in [FeatureKind::Monastery, FeatureKind::Garden] {
            segments.extend(tile.of_kind(kind_at_centre).map(|feature| ShapeSegment::of(feature, &kind.edges)));
        }

        for copy in 0..u32::from(kind.count) {
            for city in 0..cities {
                self.city_segments |= bit(self.city_bit + copy * city_stride + city);
            }
            if cities > 1 {
                self.several_city_segments |= bit(self.city_bit + copy * city_stride + cities);
            }
        }
        self.city_bit += u32::from(kind.count) * city_stride;
        self.road_bit += u32::from(kind.count) * road_stride;
        assert!(
            self.city_bit <= E::Set::BITS && self.road_bit <= E::Set::BITS,
            "the set word of a feature has {} bits",
            E::Set::BITS
        );

        let mut shape = Shape {
            segment_count: segments.len() as u8,
            closable: (cities + roads) as u8,
            edged: edged as u8,
            orientations: kind.orientations,
            edges: kind.edges.map(Land::of),
            shown: std::array::from_fn(|side| match kind.edges[side] {
                Edge::River => Shape::<E>::RIVER,
                edge => Land::of(edge) as u8,
            }),
            river: kind.river(0).fold(0, |sides, side| sides | 1 << side as u8),
            ..Shape::empty()
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
        assert_eq!(FeatureKind::ALL.map(tiles_of), [49, 62, 126, 6, 0]);
        assert_eq!(base.base.city_segments.count_ones(), 49);
        assert_eq!(base.base.several_city_segments.count_ones(), 5);
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
    fn expansions_bring_their_tiles() {
        let count = |names: &[&str], start_in_bag| {
            let set = TileSet::of(Expansions::of_names(names.iter().copied()).unwrap(), start_in_bag);
            (set.tiles, set.kinds().len(), set.kinds().iter().filter(|kind| kind.garden).map(|kind| kind.count).sum())
        };
        assert_eq!(count(&[], false), (72, 24, 0));
        assert_eq!(count(&["river"], false), (83, 34, 0));
        assert_eq!(count(&["inns-and-cathedrals"], false), (90, 41, 0));
        assert_eq!(count(&["abbots"], false), (72, 32, 8));
        assert_eq!(count(&["river", "inns-and-cathedrals", "abbots"], true), (102, 60, 11));
        assert_eq!(TileSet::base().segments(TileKind(0)).len(), 3);
    }

    #[test]
    fn an_expanded_set_has_bits_for_all_its_city_segments() {
        let all = TileSet::of(Expansions::of_names(["river", "inns-and-cathedrals", "abbots"]).unwrap(), true);
        assert_eq!(all.expanded.city_segments.count_ones(), 73);
        assert_eq!(all.expanded.several_city_segments.count_ones(), 10);
        assert_eq!(all.expanded.city_segments & all.expanded.several_city_segments, 0);
    }

    #[test]
    fn every_edge_is_covered_by_segments_of_its_kind() {
        let base = TileSet::of(Expansions::of_names(["river", "inns-and-cathedrals", "abbots"]).unwrap(), false);
        for kind in base.kinds() {
            let segments = base.segments(base.by_name(&kind.name).unwrap());
            for side in Side::ALL {
                let at =
                    |port: Port| segments.iter().find(|segment| segment.ports(0) & port.bit() != 0).map(Segment::kind);
                let halves = [2 * side as u8, 2 * side as u8 + 1].map(|half| at(Port::half_edge(half)));
                let (half, middle) = match kind.edges[side as usize] {
                    Edge::Field | Edge::River => (Some(FeatureKind::Field), None),
                    Edge::Road => (Some(FeatureKind::Field), Some(FeatureKind::Road)),
                    Edge::City => (None, Some(FeatureKind::City)),
                };
                assert_eq!((halves, at(Port::middle(side))), ([half; 2], middle), "{} {side:?}", kind.name);
            }
        }
    }
}
