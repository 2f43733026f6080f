//! Where things lie on a tile: the shapes of its parts and the places of meeples and pennants, derived from ports
//! alone.
//!
//! Cities and roads have the shapes of [`outline`](super::outline). What is left is field, and belongs to the nearest
//! field port that can be reached without crossing a city or a road. A meeple stands where its part has the most room
//! around it.

use super::frontier::Cell;
use super::outline::{Outline, Point, Stroke, contains};
use super::state::State;
use super::tile::{FeatureKind, Port, Side, TileKind};
use super::tile_set::Part;

/// Half the width of a road.
const ROAD_HALF_WIDTH: f64 = 0.05;
/// Half the width of a monastery.
const MONASTERY_RADIUS: f64 = 0.2;
/// Samples along a side of the tile. Roads are four samples wide, so that no field leaks across. The number is odd, so
/// that the middle of the tile is a sample.
const SAMPLES: usize = 41;

/// A part of a tile as it lies, with no more of it than a drawing needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub kind: FeatureKind,
    /// A bit a port, see [`Port::bit`].
    pub ports: u16,
    pub pennants: u8,
}

impl Patch {
    fn of(part: &Part, rotation: u8) -> Patch {
        Patch { kind: part.kind(), ports: part.ports(rotation), pennants: part.pennants() }
    }

    /// Whether it reaches the middle of a side.
    pub(super) fn has(&self, side: Side) -> bool {
        self.ports & Port::middle(side).bit() != 0
    }

    fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        let patch = *self;
        Side::ALL.into_iter().filter(move |side| patch.has(*side))
    }
}

/// What a drawing needs to know of a tile that lies in a given rotation. Parts go by their number.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub patches: Vec<Patch>,
    /// Where a meeple stands on each part.
    pub spots: Vec<Point>,
    /// Where the pennants are, each with the number of its city.
    pub pennants: Vec<(usize, Point)>,
    /// The cities, each with its number.
    pub cities: Vec<(usize, Outline)>,
    /// The roads, each with its number.
    pub roads: Vec<(usize, Stroke)>,
    /// Whether several roads end in the middle of the tile.
    pub village: bool,
    /// The part at each sample, row by row.
    owners: Vec<Option<usize>>,
}

impl Layout {
    /// The layout of a tile of a set.
    pub(super) fn of(parts: &[Part], rotation: u8) -> Layout {
        Layout::new(parts.iter().map(|part| Patch::of(part, rotation)).collect())
    }

    pub(super) fn new(patches: Vec<Patch>) -> Layout {
        let numbered = |kind| patches.iter().enumerate().filter(move |(_, patch)| patch.kind == kind);
        let cities: Vec<(usize, Outline)> =
            numbered(FeatureKind::City).map(|(number, city)| (number, Outline::of(|side| city.has(side)))).collect();
        let polygons: Vec<(usize, Vec<Point>)> =
            cities.iter().map(|(number, outline)| (*number, outline.polygon())).collect();
        let city_at = |point| polygons.iter().find(|(_, polygon)| contains(polygon, point)).map(|(number, _)| *number);
        let monastery = numbered(FeatureKind::Monastery).next().map(|(number, _)| number);

        let ends: Vec<(usize, Side)> = numbered(FeatureKind::Road)
            .filter(|(_, road)| road.sides().count() != 2)
            .flat_map(|(number, road)| road.sides().map(move |side| (number, side)))
            .collect();
        let lone = ends.len() == 1;
        // To the monastery or village in the middle, but no further than the first wall; a lone road runs on to a wall.
        let length = |side: Side| {
            let limit = if monastery.is_some() { 0.5 - MONASTERY_RADIUS } else { 0.5 };
            let hits = |step: &i32| city_at(Stroke::End(side, f64::from(*step) / 100.0).end()).is_some();
            let wall = (1..100).find(hits).map(|step| f64::from(step) / 100.0);
            wall.map_or(limit, |wall| if lone && monastery.is_none() { wall } else { wall.min(limit) })
        };
        let mut roads: Vec<(usize, Stroke)> =
            ends.iter().map(|(number, side)| (*number, Stroke::End(*side, length(*side)))).collect();
        for (number, road) in numbered(FeatureKind::Road) {
            if let [a, b] = road.sides().collect::<Vec<_>>()[..] {
                roads.push((number, Stroke::Through(a, b)));
            }
        }
        let several_roads = ends.iter().any(|(number, _)| *number != ends[0].0);
        let village = several_roads && monastery.is_none() && city_at(Point::CENTRE).is_none();

        let owner = |point: Point| {
            let road = roads.iter().find(|(_, stroke)| stroke.distance(point) <= ROAD_HALF_WIDTH);
            let monastery = monastery.filter(|_| point.distance(Point::CENTRE) <= MONASTERY_RADIUS);
            city_at(point).or(monastery).or(road.map(|(number, _)| *number))
        };
        let mut owners: Vec<Option<usize>> = (0..SAMPLES * SAMPLES).map(|index| owner(sample(index))).collect();
        spread_fields(&patches, &mut owners);

        let room = room(&owners);
        let mut spots = Vec::new();
        let mut pennants = Vec::new();
        for (number, patch) in patches.iter().enumerate() {
            let road = roads.iter().find(|(road, _)| *road == number).map(|(_, stroke)| stroke.middle());
            let spot = match patch.kind {
                FeatureKind::Monastery => Point::CENTRE,
                _ => road.unwrap_or_else(|| roomiest(number, &owners, |index, _| room[index])),
            };
            let mut taken = vec![spot];
            for _ in 0..patch.pennants {
                let free = |point: Point| taken.iter().map(|other| point.distance(*other)).fold(1.0, f64::min) - 0.14;
                let place = roomiest(number, &owners, |index, point| room[index].min(free(point)));
                taken.push(place);
                pennants.push((number, place));
            }
            spots.push(spot);
        }
        Layout { patches, spots, pennants, cities, roads, village, owners }
    }

    /// The field nearest to a point, if the tile has any.
    pub(super) fn field_near(&self, point: Point) -> Option<usize> {
        let fields = self.owners.iter().enumerate().filter_map(|(index, owner)| {
            let field = owner.filter(|number| self.patches[*number].kind == FeatureKind::Field)?;
            Some((sample(index).distance(point), field))
        });
        fields.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, field)| field)
    }
}

/// The middle of a sample.
fn sample(index: usize) -> Point {
    let place = |index: usize| (index as f64 + 0.5) / SAMPLES as f64;
    Point { x: place(index % SAMPLES), y: place(index / SAMPLES) }
}

/// The samples next to one, across the four sides.
fn neighbours(index: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (index % SAMPLES, index / SAMPLES);
    let of = |inside: bool, other: usize| inside.then_some(other);
    let west_east = [of(x > 0, index.wrapping_sub(1)), of(x + 1 < SAMPLES, index + 1)];
    let north_south = [of(y > 0, index.wrapping_sub(SAMPLES)), of(y + 1 < SAMPLES, index + SAMPLES)];
    west_east.into_iter().chain(north_south).flatten()
}

/// Gives each sample without an owner to the field whose port is nearest to it by a way over such samples; what no port
/// reaches belongs to the field that has none, inside a ring of cities.
fn spread_fields(patches: &[Patch], owners: &mut [Option<usize>]) {
    let mut reached = Vec::new();
    let mut claim = |index: usize, field: usize, owners: &mut [Option<usize>]| {
        if owners[index].is_none() {
            owners[index] = Some(field);
            reached.push(index);
        }
    };
    for (field, patch) in patches.iter().enumerate().filter(|(_, patch)| patch.kind == FeatureKind::Field) {
        for half_edge in (0..8).filter(|half_edge| patch.ports & Port::half_edge(*half_edge).bit() != 0) {
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
    let inner = patches.iter().position(|patch| patch.kind == FeatureKind::Field && patch.ports == 0);
    for owner in owners.iter_mut().filter(|owner| owner.is_none()) {
        *owner = inner;
    }
}

/// For each sample about how far it is, in sides of the tile, to another part or out of the tile.
fn room(owners: &[Option<usize>]) -> Vec<f64> {
    const STEP: f64 = 1.0 / SAMPLES as f64;
    let at_border = |index: usize| {
        let alike = neighbours(index).filter(|other| owners[*other] == owners[index]).count();
        alike < 4
    };
    let mut room: Vec<f64> =
        (0..owners.len()).map(|index| if at_border(index) { 0.5 * STEP } else { f64::INFINITY }).collect();
    // Two passes of a chamfer transform: from the north-west, then from the south-east. No border sample is without
    // room, so the steps never leave the grid.
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

/// The sample of a part that scores highest, the one nearest to the part's mean where several do; the middle of the
/// tile for a part without samples.
fn roomiest(part: usize, owners: &[Option<usize>], score: impl Fn(usize, Point) -> f64) -> Point {
    let own = || (0..owners.len()).filter(|index| owners[*index] == Some(part));
    let count = own().count().max(1) as f64;
    let mean = own().map(sample).fold(Point { x: 0.0, y: 0.0 }, |sum, point| sum + point) * (1.0 / count);
    // A little preference, for the mean and then for the north-west, decides among equals.
    let rank = |index: usize| {
        let point = sample(index);
        score(index, point) - 0.05 * point.distance(mean) - 0.004 * point.y - 0.002 * point.x
    };
    own().max_by(|a, b| rank(*a).total_cmp(&rank(*b)).then(b.cmp(a))).map_or(Point::CENTRE, sample)
}

/// A tile on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laid {
    pub cell: Cell,
    pub kind: TileKind,
    pub rotation: u8,
    /// The meeple that stands on it: the number of the part, and the seat from 0.
    pub meeple: Option<(usize, usize)>,
    /// The number of the turn, from 0; the start tile has none.
    pub turn: Option<usize>,
}

/// The tiles on a board, the start tile first.
pub(super) fn laid_tiles(state: &State) -> Vec<Laid> {
    let start = state.rules().tiles.start;
    let mut laid = vec![Laid { cell: Cell::default(), kind: start, rotation: 0, meeple: None, turn: None }];
    laid.extend(state.turns().iter().enumerate().map(|(number, turn)| Laid {
        cell: turn.action.cell,
        kind: turn.tile,
        rotation: turn.action.rotation,
        meeple: None,
        turn: Some(number),
    }));
    for (number, seat) in state.standing_meeples() {
        laid[number + 1].meeple = state.turns()[number].action.meeple.map(|spot| (spot.index(), seat));
    }
    laid
}

/// The smallest rectangle that holds all tiles: its north-west and its south-east cell.
pub(super) fn extent(laid: &[Laid]) -> (Cell, Cell) {
    let start = Cell::default();
    laid.iter().fold((start, start), |(low, high), tile| {
        let Cell { x, y } = tile.cell;
        (Cell { x: low.x.min(x), y: low.y.min(y) }, Cell { x: high.x.max(x), y: high.y.max(y) })
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::carcassonne::TileSet;

    /// All tiles of the base game, turned every way, each with its name.
    pub(in super::super) fn base_layouts() -> impl Iterator<Item = (String, Layout)> {
        let tiles = TileSet::base();
        let kinds = (0..tiles.kinds().len() as u8).map(TileKind);
        kinds.flat_map(move |kind| {
            (0..4).map(move |turn| (format!("{} r{turn}", tiles.kind(kind).name), Layout::of(tiles.parts(kind), turn)))
        })
    }

    /// Parts by kind and the names of their ports.
    pub(in super::super) fn patches(parts: &[(FeatureKind, &str)]) -> Vec<Patch> {
        let ports = |names: &str| names.split(' ').filter_map(Port::parse).fold(0, |set, port| set | port.bit());
        parts.iter().map(|(kind, names)| Patch { kind: *kind, ports: ports(names), pennants: 0 }).collect()
    }

    fn owner_at(layout: &Layout, point: Point) -> Option<usize> {
        let place = |along: f64| ((along * SAMPLES as f64) as usize).min(SAMPLES - 1);
        layout.owners[place(point.x) + SAMPLES * place(point.y)]
    }

    #[test]
    fn meeples_and_pennants_stand_on_their_part() {
        for (name, layout) in base_layouts() {
            for (part, spot) in layout.spots.iter().enumerate() {
                assert_eq!(owner_at(&layout, *spot), Some(part), "{name}");
            }
            for (city, place) in &layout.pennants {
                assert_eq!(owner_at(&layout, *place), Some(*city), "{name}");
                assert!(place.distance(layout.spots[*city]) > 0.2, "{name}: the pennant is under the meeple");
            }
            let pennants: usize = layout.patches.iter().map(|patch| usize::from(patch.pennants)).sum();
            assert_eq!(layout.pennants.len(), pennants, "{name}");
        }
    }

    #[test]
    fn each_port_shows_its_part() {
        for (name, layout) in base_layouts() {
            for side in Side::ALL {
                let (from, to) = (Point::corner(side as usize), Point::corner(side as usize + 1));
                let first = Port::half_edge(2 * side as u8);
                let second = Port::half_edge(2 * side as u8 + 1);
                for (port, along) in [(first, 0.25), (Port::middle(side), 0.5), (second, 0.75)] {
                    let expected = layout.patches.iter().position(|patch| patch.ports & port.bit() != 0);
                    // The middle of a field's side is no port, and the halves of a city's side are none.
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
        let layout = Layout::new(patches(&[(City, "N"), (City, "E"), (City, "S"), (City, "W"), (Field, "")]));
        assert_eq!(layout.field_near(Point::CENTRE), Some(4));
        assert!(layout.spots[4].distance(Point::CENTRE) < 0.1, "{:?}", layout.spots[4]);
    }
}
