//! The layout of a tile: the shapes of its segments and the points of meeples and pennants, derived from ports alone.
//!
//! Cities and roads have the shapes of [`geometry`](super::geometry). The rest of the tile is field. A point belongs to
//! the nearest field port that can be reached without crossing a city or a road. A meeple stands at the point of its
//! segment that has the most room around it.

use super::geometry::{Outline, Point, Stroke, contains};
use crate::rules::{
    Cell, Deployment, Edition, FeatureKind, Figure, Port, Segment, Side, State, TileDefinition, TileKind, TileSet,
};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Half the width of a road.
const ROAD_HALF_WIDTH: f64 = 0.05;
/// Half the width of the river.
const RIVER_HALF_WIDTH: f64 = 0.09;
/// The owner of samples of the river, which is no segment.
const WATER: usize = usize::MAX;
/// Half the width of a monastery.
const MONASTERY_RADIUS: f64 = 0.2;
/// Samples along a side of the tile. A road is four samples wide, so that no field spreads across it. The number is
/// odd, so that the centre of the tile is a sample.
const SAMPLES: usize = 41;

/// A segment of a tile in a given rotation: the data for drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnedSegment {
    pub kind: FeatureKind,
    /// One bit per port, see [`Port::bit`].
    pub ports: u16,
    pub pennants: u8,
    /// Whether the segment has an inn or a cathedral.
    pub special: bool,
}

impl TurnedSegment {
    fn of(segment: &Segment, rotation: u8) -> TurnedSegment {
        TurnedSegment {
            kind: segment.kind(),
            ports: segment.ports(rotation),
            pennants: segment.pennants(),
            special: segment.is_special(),
        }
    }

    /// Whether the segment reaches the middle of a side.
    pub(super) fn has(&self, side: Side) -> bool {
        self.ports & Port::middle(side).bit() != 0
    }

    fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        let segment = *self;
        Side::ALL.into_iter().filter(move |side| segment.has(*side))
    }
}

/// The layout of a tile in a given rotation. Segments are identified by their number.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub segments: Vec<TurnedSegment>,
    /// By segment: the point of a meeple.
    pub meeple_points: Vec<Point>,
    /// The points of pennants, each with the number of its city.
    pub pennants: Vec<(usize, Point)>,
    /// By number of the segment.
    pub cities: Vec<(usize, Outline)>,
    /// By number of the segment.
    pub roads: Vec<(usize, Stroke)>,
    pub river: Option<Stroke>,
    /// The points of inns and cathedrals, each with the number of its road or city.
    pub specials: Vec<(usize, Point)>,
    /// Whether several roads end at the centre of the tile.
    pub village: bool,
    /// By sample, row by row: the segment.
    owners: Vec<Option<usize>>,
}

/// The samples of a mask along a side: every second one.
const MASK_SAMPLES: usize = SAMPLES.div_ceil(2);

/// Layouts by tile set, tile and rotation.
type Layouts = HashMap<(String, TileKind, u8), Arc<Layout>>;

impl Layout {
    /// The layout of a tile of a set. A page has boards of many positions, so layouts are computed once for each tile
    /// and rotation.
    pub(super) fn known(tiles: &TileSet, kind: TileKind, rotation: u8) -> Arc<Layout> {
        static KNOWN: LazyLock<Mutex<Layouts>> = LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let layout = known.entry((tiles.name.clone(), kind, rotation));
        Arc::clone(layout.or_insert_with(|| Arc::new(Layout::of(tiles, kind, rotation))))
    }

    fn of(tiles: &TileSet, kind: TileKind, rotation: u8) -> Layout {
        let segments = tiles.segments(kind).iter().map(|segment| TurnedSegment::of(segment, rotation)).collect();
        Layout::new(segments, river(tiles.kind(kind), rotation))
    }

    pub(super) fn new(segments: Vec<TurnedSegment>, river: Option<Stroke>) -> Layout {
        let numbered = |kind| segments.iter().enumerate().filter(move |(_, segment)| segment.kind == kind);
        let cities: Vec<(usize, Outline)> =
            numbered(FeatureKind::City).map(|(number, city)| (number, Outline::of(|side| city.has(side)))).collect();
        let polygons: Vec<(usize, Vec<Point>)> =
            cities.iter().map(|(number, outline)| (*number, outline.polygon())).collect();
        let city_at = |point| polygons.iter().find(|(_, polygon)| contains(polygon, point)).map(|(number, _)| *number);
        let monastery = numbered(FeatureKind::Monastery).next().map(|(number, _)| number);
        let centre = monastery_point(&segments, river);

        let ends: Vec<(usize, Side)> = numbered(FeatureKind::Road)
            .filter(|(_, road)| road.sides().count() != 2)
            .flat_map(|(number, road)| road.sides().map(move |side| (number, side)))
            .collect();
        let single = ends.len() == 1;
        // A road ends at the monastery or village in the centre, or at the first wall. A single road goes on to a wall.
        let length = |side: Side| {
            let limit = match (monastery, river) {
                (None, _) => 0.5,
                (Some(_), None) => 0.5 - MONASTERY_RADIUS,
                // The monastery stands on the other bank, and the road crosses the river.
                (Some(_), Some(_)) => 0.5 + RIVER_HALF_WIDTH,
            };
            let hits = |step: &i32| city_at(Stroke::End(side, f64::from(*step) / 100.0).end()).is_some();
            let wall = (1..100).find(hits).map(|step| f64::from(step) / 100.0);
            wall.map_or(limit, |wall| if single && monastery.is_none() { wall } else { wall.min(limit) })
        };
        let mut roads: Vec<(usize, Stroke)> =
            ends.iter().map(|(number, side)| (*number, Stroke::End(*side, length(*side)))).collect();
        for (number, road) in numbered(FeatureKind::Road) {
            if let [a, b] = road.sides().collect::<Vec<_>>()[..] {
                roads.push((number, Stroke::Through(a, b)));
            }
        }
        let several_roads = ends.iter().any(|(number, _)| *number != ends[0].0);
        let village = several_roads && monastery.is_none() && river.is_none() && city_at(Point::CENTRE).is_none();

        let owner = |point: Point| {
            let road = roads.iter().find(|(_, stroke)| stroke.distance(point) <= ROAD_HALF_WIDTH);
            let monastery = monastery.filter(|_| point.distance(centre) <= MONASTERY_RADIUS);
            let water = river.filter(|river| river.distance(point) <= RIVER_HALF_WIDTH).map(|_| WATER);
            city_at(point).or(monastery).or(road.map(|(number, _)| *number)).or(water)
        };
        let mut owners: Vec<Option<usize>> = (0..SAMPLES * SAMPLES).map(|index| owner(sample(index))).collect();
        spread_fields(&segments, &mut owners);

        let room = room(&owners);
        let roomiest_of =
            |number: usize, score: &dyn Fn(usize, Point) -> f64| roomiest(&owners, |owner| owner == number, score);
        let mut meeple_points = Vec::new();
        let mut pennants = Vec::new();
        let mut specials: Vec<(usize, Point)> = Vec::new();
        for (number, segment) in segments.iter().enumerate() {
            let stroke = roads.iter().find(|(road, _)| *road == number).map(|(_, stroke)| *stroke);
            let meeple = match (segment.kind, stroke) {
                (FeatureKind::Monastery, _) => centre,
                (FeatureKind::Garden, _) => {
                    // A garden lies in a field, beside the places of meeples.
                    let buildings: Vec<Point> = specials.iter().map(|(_, special)| *special).collect();
                    let free = |point: Point| nearest(&meeple_points, point).min(nearest(&buildings, point)) - 0.14;
                    let on_field = |owner: usize| owner != WATER && segments[owner].kind == FeatureKind::Field;
                    roomiest(&owners, on_field, &|index, point| room[index].min(free(point)))
                }
                (_, Some(stroke)) => stroke.middle(),
                (_, None) => roomiest_of(number, &|index, _| room[index]),
            };
            let mut taken = vec![meeple];
            for _ in 0..segment.pennants {
                let free = |point: Point| nearest(&taken, point) - 0.14;
                let pennant = roomiest_of(number, &|index, point| room[index].min(free(point)));
                taken.push(pennant);
                pennants.push((number, pennant));
            }
            if segment.special {
                let special = stroke.map_or_else(
                    || roomiest_of(number, &|index, point| room[index].min(nearest(&taken, point) - 0.1)),
                    Stroke::beside,
                );
                specials.push((number, special));
            }
            meeple_points.push(meeple);
        }
        Layout { segments, meeple_points, pennants, cities, roads, river, specials, village, owners }
    }

    /// The side of the tile on which the monastery stands; none in the centre.
    pub(super) fn monastery_side(&self) -> Option<Side> {
        monastery_side(&self.segments, self.river)
    }

    /// How the tile is divided into segments, row by row: the digit of a segment, or a dot.
    pub(super) fn mask(&self) -> String {
        let owner = |index: usize| self.owners[2 * (index % MASK_SAMPLES) + 2 * SAMPLES * (index / MASK_SAMPLES)];
        let letter = |owner: Option<usize>| owner.and_then(|number| char::from_digit(number as u32, 16)).unwrap_or('.');
        (0..MASK_SAMPLES * MASK_SAMPLES).map(|index| letter(owner(index).filter(|number| *number != WATER))).collect()
    }

    /// The field nearest to a point, if the tile has a field.
    pub(super) fn field_near(&self, point: Point) -> Option<usize> {
        let fields = self.owners.iter().enumerate().filter_map(|(index, owner)| {
            let of_field = |number: &usize| *number != WATER && self.segments[*number].kind == FeatureKind::Field;
            let field = owner.filter(of_field)?;
            Some((sample(index).distance(point), field))
        });
        fields.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, field)| field)
    }
}

/// The river on a tile in a rotation.
fn river(tile: &TileDefinition, rotation: u8) -> Option<Stroke> {
    match tile.river(rotation).collect::<Vec<_>>()[..] {
        [a, b] => Some(Stroke::Through(a, b)),
        [side] => Some(Stroke::End(side, 0.5)),
        _ => None,
    }
}

/// The side of the tile on which the monastery stands: on a bank of the river, away from the road. None without a
/// river.
fn monastery_side(segments: &[TurnedSegment], river: Option<Stroke>) -> Option<Side> {
    river?;
    let road = segments.iter().find(|segment| segment.kind == FeatureKind::Road);
    road.and_then(|road| road.sides().next()).map(Side::opposite)
}

fn monastery_point(segments: &[TurnedSegment], river: Option<Stroke>) -> Point {
    monastery_side(segments, river)
        .map_or(Point::CENTRE, |side| Point::CENTRE + (Point::middle(side) - Point::CENTRE) * 0.6)
}

/// The distance from a point to the nearest of others, at most 1.
fn nearest(others: &[Point], point: Point) -> f64 {
    others.iter().map(|other| point.distance(*other)).fold(1.0, f64::min)
}

/// The centre of a sample.
fn sample(index: usize) -> Point {
    let coordinate = |index: usize| (index as f64 + 0.5) / SAMPLES as f64;
    Point { x: coordinate(index % SAMPLES), y: coordinate(index / SAMPLES) }
}

/// The samples that share a side with a sample.
fn neighbours(index: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (index % SAMPLES, index / SAMPLES);
    let of = |inside: bool, other: usize| inside.then_some(other);
    let west_east = [of(x > 0, index.wrapping_sub(1)), of(x + 1 < SAMPLES, index + 1)];
    let north_south = [of(y > 0, index.wrapping_sub(SAMPLES)), of(y + 1 < SAMPLES, index + SAMPLES)];
    west_east.into_iter().chain(north_south).flatten()
}

/// Assigns each sample without an owner to the field whose port is nearest on a path over such samples. Samples that no
/// port reaches belong to the field without ports, which lies between cities.
fn spread_fields(segments: &[TurnedSegment], owners: &mut [Option<usize>]) {
    let mut reached = Vec::new();
    let mut claim = |index: usize, field: usize, owners: &mut [Option<usize>]| {
        if owners[index].is_none() {
            owners[index] = Some(field);
            reached.push(index);
        }
    };
    for (field, segment) in segments.iter().enumerate().filter(|(_, segment)| segment.kind == FeatureKind::Field) {
        for half_edge in (0..8).filter(|half_edge| segment.ports & Port::half_edge(*half_edge).bit() != 0) {
            let (quarter, last) = (SAMPLES / 4, SAMPLES - 1);
            let along = if half_edge % 2 == 0 { quarter } else { last - quarter };
            let (x, y) =
                [(along, 0), (last, along), (last - along, last), (0, last - along)][usize::from(half_edge) / 2];
            claim(x + SAMPLES * y, field, owners);
        }
    }
    let mut next = 0;
    while next < reached.len() {
        let from = reached[next];
        next += 1;
        for index in neighbours(from).filter(|index| owners[*index].is_none()).collect::<Vec<_>>() {
            owners[index] = owners[from];
            reached.push(index);
        }
    }
    let inner = segments.iter().position(|segment| segment.kind == FeatureKind::Field && segment.ports == 0);
    for owner in owners.iter_mut().filter(|owner| owner.is_none()) {
        *owner = inner;
    }
}

/// By sample: the approximate distance to another segment or to the edge of the tile, in sides of the tile.
fn room(owners: &[Option<usize>]) -> Vec<f64> {
    const STEP: f64 = 1.0 / SAMPLES as f64;
    let at_border = |index: usize| {
        let alike = neighbours(index).filter(|other| owners[*other] == owners[index]).count();
        alike < 4
    };
    let mut room: Vec<f64> =
        (0..owners.len()).map(|index| if at_border(index) { 0.5 * STEP } else { f64::INFINITY }).collect();
    // Two passes of a chamfer distance transform: from the north-west, then from the south-east. Samples at the border
    // of the grid have a distance already, so the steps never leave the grid.
    let diagonal = std::f64::consts::SQRT_2 * STEP;
    let back = [(1, STEP), (SAMPLES - 1, diagonal), (SAMPLES, STEP), (SAMPLES + 1, diagonal)];
    let shorter = |room: &[f64], index: usize, step: &dyn Fn(usize) -> usize| {
        let ways = back.iter().map(|(offset, length)| room[step(*offset)] + length);
        ways.fold(room[index], f64::min)
    };
    for index in 0..room.len() {
        if room[index].is_infinite() {
            room[index] = shorter(&room, index, &|offset| index - offset);
        }
    }
    for index in (0..room.len()).rev() {
        if room[index] > 0.5 * STEP {
            room[index] = shorter(&room, index, &|offset| index + offset);
        }
    }
    room
}

/// The sample of these owners with the highest score. Of equal samples it is the one nearest to their mean. Without
/// samples it is the centre of the tile.
fn roomiest(owners: &[Option<usize>], is_own: impl Fn(usize) -> bool, score: &dyn Fn(usize, Point) -> f64) -> Point {
    let own = || (0..owners.len()).filter(|index| owners[*index].is_some_and(&is_own));
    let count = own().count().max(1) as f64;
    let mean = own().map(sample).fold(Point { x: 0.0, y: 0.0 }, |sum, point| sum + point) * (1.0 / count);
    // Small terms for the mean and then for the north-west decide among equal samples.
    let rank = |index: usize| {
        let point = sample(index);
        score(index, point) - 0.05 * point.distance(mean) - 0.004 * point.y - 0.002 * point.x
    };
    own().max_by(|a, b| rank(*a).total_cmp(&rank(*b)).then(b.cmp(a))).map_or(Point::CENTRE, sample)
}

/// A tile on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedTile {
    pub cell: Cell,
    pub kind: TileKind,
    pub rotation: u8,
    /// The figure on the tile: the number of the segment, the seat from 0, and the kind.
    pub meeple: Option<(usize, usize, Figure)>,
    /// The number of the turn, from 0. The start tile has none.
    pub turn: Option<usize>,
}

/// The tiles on a board, the start tile first.
pub(super) fn placed_tiles<E: Edition>(state: &State<E>) -> Vec<PlacedTile> {
    let start = state.rules().tiles.start;
    let mut placed = vec![PlacedTile { cell: Cell::default(), kind: start, rotation: 0, meeple: None, turn: None }];
    placed.extend(state.turns().iter().enumerate().map(|(number, turn)| PlacedTile {
        cell: turn.action.cell,
        kind: turn.tile,
        rotation: turn.action.rotation,
        meeple: None,
        turn: Some(number),
    }));
    for (number, seat) in state.standing_meeples() {
        placed[number + 1].meeple = state.turns()[number].action.meeple.and_then(|meeple| on_segment(meeple, seat));
    }
    placed
}

/// The segment, the seat and the kind of a figure that is placed.
pub(super) fn on_segment(deployment: Deployment, seat: usize) -> Option<(usize, usize, Figure)> {
    deployment.segment().map(|segment| (segment.index(), seat, deployment.figure()))
}

/// The bounding rectangle of all tiles: its north-west and its south-east cell.
pub(super) fn extent(tiles: &[PlacedTile]) -> (Cell, Cell) {
    let start = Cell::default();
    tiles.iter().fold((start, start), |(low, high), tile| {
        let Cell { x, y } = tile.cell;
        (Cell { x: low.x.min(x), y: low.y.min(y) }, Cell { x: high.x.max(x), y: high.y.max(y) })
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::TileSet;

    /// All tiles of a set in all rotations, each with its name.
    pub(in super::super) fn layouts(tiles: &'static TileSet) -> impl Iterator<Item = (String, Layout)> {
        let kinds = (0..tiles.kinds().len() as u8).map(TileKind);
        kinds.flat_map(move |kind| {
            (0..4).map(move |turn| (format!("{} r{turn}", tiles.kind(kind).name), Layout::of(tiles, kind, turn)))
        })
    }

    /// All tiles of the base game in all rotations.
    pub(in super::super) fn base_layouts() -> impl Iterator<Item = (String, Layout)> {
        layouts(TileSet::base())
    }

    /// All tiles of all expansions in all rotations.
    pub(in super::super) fn all_layouts() -> impl Iterator<Item = (String, Layout)> {
        let last = crate::Expansions::all_sets().last().unwrap();
        layouts(TileSet::of(last, false))
    }

    /// Segments by kind and the names of their ports.
    pub(in super::super) fn turned_segments(segments: &[(FeatureKind, &str)]) -> Vec<TurnedSegment> {
        let ports = |names: &str| names.split(' ').filter_map(Port::parse).fold(0, |set, port| set | port.bit());
        segments
            .iter()
            .map(|(kind, names)| TurnedSegment { kind: *kind, ports: ports(names), pennants: 0, special: false })
            .collect()
    }

    fn owner_at(layout: &Layout, point: Point) -> Option<usize> {
        let position = |along: f64| ((along * SAMPLES as f64) as usize).min(SAMPLES - 1);
        layout.owners[position(point.x) + SAMPLES * position(point.y)]
    }

    #[test]
    fn meeples_and_pennants_stand_on_their_segment() {
        for (name, layout) in all_layouts() {
            for (segment, point) in layout.meeple_points.iter().enumerate() {
                let owner = owner_at(&layout, *point).unwrap();
                if layout.segments[segment].kind == FeatureKind::Garden {
                    assert_eq!(layout.segments[owner].kind, FeatureKind::Field, "{name}");
                    assert!(
                        point.distance(layout.meeple_points[owner]) > 0.2,
                        "{name}: the garden is under the meeple"
                    );
                } else {
                    assert_eq!(owner, segment, "{name}");
                }
            }
            for (segment, point) in &layout.specials {
                assert!(point.distance(layout.meeple_points[*segment]) > 0.2, "{name}: a building is under the meeple");
            }
            for (city, pennant) in &layout.pennants {
                assert_eq!(owner_at(&layout, *pennant), Some(*city), "{name}");
                assert!(pennant.distance(layout.meeple_points[*city]) > 0.2, "{name}: the pennant is under the meeple");
            }
            let pennants: usize = layout.segments.iter().map(|segment| usize::from(segment.pennants)).sum();
            assert_eq!(layout.pennants.len(), pennants, "{name}");
        }
    }

    #[test]
    fn each_port_belongs_to_its_segment() {
        for (name, layout) in all_layouts() {
            for side in Side::ALL {
                let (from, to) = (Point::corner(side as usize), Point::corner(side as usize + 1));
                let first = Port::half_edge(2 * side as u8);
                let second = Port::half_edge(2 * side as u8 + 1);
                for (port, along) in [(first, 0.25), (Port::middle(side), 0.5), (second, 0.75)] {
                    let expected = layout.segments.iter().position(|segment| segment.ports & port.bit() != 0);
                    // The middle of a field edge is not a port, and neither are the halves of a city edge.
                    if expected.is_some() {
                        let point = from + (to - from) * along;
                        assert_eq!(owner_at(&layout, point), expected, "{name}: {port}");
                    }
                }
            }
        }
    }

    #[test]
    fn villages_stand_where_roads_end() {
        let mut villages: Vec<String> =
            base_layouts().filter(|(_, layout)| layout.village).map(|(name, _)| name[..1].to_owned()).collect();
        villages.dedup();
        assert_eq!(villages, ["L", "W", "X"]);
    }

    #[test]
    fn a_field_without_ports_lies_between_the_cities() {
        use FeatureKind::{City, Field};
        let layout =
            Layout::new(turned_segments(&[(City, "N"), (City, "E"), (City, "S"), (City, "W"), (Field, "")]), None);
        assert_eq!(layout.field_near(Point::CENTRE), Some(4));
        assert!(layout.meeple_points[4].distance(Point::CENTRE) < 0.1, "{:?}", layout.meeple_points[4]);
    }
}
