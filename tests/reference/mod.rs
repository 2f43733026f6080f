//! A second, slow implementation of the rules, by flood fill over the tile descriptions, sharing no code with the engine.
//! It stores only the tiles and the meeples, and computes everything from the whole board.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

const HALF_EDGES: [&str; 8] = ["NNW", "NNE", "ENE", "ESE", "SSE", "SSW", "WSW", "WNW"];
const SIDES: [&str; 4] = ["N", "E", "S", "W"];
const STEPS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Places on the edge of a tile: 0 to 7 are half-edges clockwise from NNW, 8 to 11 the middles of N, E, S, W.
type Place = usize;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Kind {
    City,
    Road,
    Field,
    Monastery,
}

#[derive(Clone, Debug)]
struct Segment {
    kind: Kind,
    places: BTreeSet<Place>,
    pennants: u32,
    /// Indices, among the tile's cities, of those a field borders.
    cities: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Tile {
    pub name: String,
    pub count: usize,
    edges: Vec<char>,
    segments: Vec<Segment>,
}

fn turned(place: Place, rotation: usize) -> Place {
    if place < 8 { (place + 2 * rotation) % 8 } else { 8 + (place - 8 + rotation) % 4 }
}

/// Cell and place across the edge.
fn across((x, y): (i32, i32), place: Place) -> ((i32, i32), Place) {
    let side = if place < 8 { place / 2 } else { place - 8 };
    let (dx, dy) = STEPS[side];
    let facing = (side + 2) % 4;
    let other = if place < 8 { 2 * facing + 1 - place % 2 } else { 8 + facing };
    ((x + dx, y + dy), other)
}

impl Tile {
    fn edge(&self, side: usize, rotation: usize) -> char {
        self.edges[(side + 4 - rotation) % 4]
    }

    fn turned_segments(&self, rotation: usize) -> Vec<BTreeSet<Place>> {
        self.segments.iter().map(|s| s.places.iter().map(|p| turned(*p, rotation)).collect()).collect()
    }

    fn picture(&self, rotation: usize) -> Vec<(Kind, BTreeSet<Place>)> {
        let mut picture: Vec<_> = self.segments.iter().map(|s| s.kind).zip(self.turned_segments(rotation)).collect();
        picture.sort();
        picture
    }

    pub fn orientations(&self) -> Vec<usize> {
        (0..4).filter(|r| !(0..*r).any(|earlier| self.picture(earlier) == self.picture(*r))).collect()
    }
}

/// The tiles of the description, parts in the order cities, roads, fields, monastery.
pub fn tiles() -> Vec<Tile> {
    let description: Value = serde_json::from_str(include_str!("../../src/carcassonne/rules/tiles/base.json")).unwrap();
    let read = |tile: &Value| {
        let names = |feature: &Value, key: &str| -> Vec<String> {
            feature[key]
                .as_array()
                .map(|a| a.iter().map(|v| v.as_str().unwrap().to_owned()).collect())
                .unwrap_or_default()
        };
        let mut segments: Vec<Segment> = tile["features"]
            .as_array()
            .unwrap()
            .iter()
            .map(|feature| {
                let sides = names(feature, "sides");
                let sides = sides.iter().map(|s| 8 + SIDES.iter().position(|n| n == s).unwrap());
                let halves = names(feature, "half_edges");
                let halves = halves.iter().map(|h| HALF_EDGES.iter().position(|n| n == h).unwrap());
                Segment {
                    kind: match feature["kind"].as_str().unwrap() {
                        "city" => Kind::City,
                        "road" => Kind::Road,
                        "field" => Kind::Field,
                        _ => Kind::Monastery,
                    },
                    places: sides.chain(halves).collect(),
                    pennants: feature["pennants"].as_u64().unwrap_or(0) as u32,
                    cities: feature["cities"]
                        .as_array()
                        .map(|a| a.iter().map(|v| v.as_u64().unwrap() as usize).collect())
                        .unwrap_or_default(),
                }
            })
            .collect();
        segments.sort_by_key(|segment| segment.kind);
        Tile {
            name: tile["id"].as_str().unwrap().to_owned(),
            count: tile["count"].as_u64().unwrap() as usize,
            edges: tile["edges"].as_str().unwrap().chars().collect(),
            segments,
        }
    };
    description["tiles"].as_array().unwrap().iter().map(read).collect()
}

#[derive(Clone, Debug)]
struct Placed {
    tile: usize,
    rotation: usize,
}

/// A move: cell, rotation, part of the tile that gets a meeple.
pub type Action = ((i32, i32), usize, Option<usize>);

pub struct Board {
    tiles: Vec<Tile>,
    laid: HashMap<(i32, i32), Placed>,
    /// Seat of the meeple on (cell, part).
    meeples: BTreeMap<((i32, i32), usize), usize>,
    pub hands: Vec<usize>,
    pub scores: Vec<u32>,
    pub player: usize,
    two_tile_city: u32,
    /// Points of a complete city for the most meeples on all fields that touch it; none if each field scores by itself.
    shared_city: Option<u32>,
}

struct Region {
    parts: BTreeSet<((i32, i32), usize)>,
    open: bool,
}

impl Board {
    pub fn new(seats: usize, two_tile_city: u32, shared_city: Option<u32>) -> Board {
        let tiles = tiles();
        let start = tiles.iter().position(|tile| tile.name == "D").unwrap();
        Board {
            tiles,
            laid: HashMap::from([((0, 0), Placed { tile: start, rotation: 0 })]),
            meeples: BTreeMap::new(),
            hands: vec![7; seats],
            scores: vec![0; seats],
            player: 0,
            two_tile_city,
            shared_city,
        }
    }

    fn part_at(&self, cell: (i32, i32), place: Place) -> Option<usize> {
        let placed = self.laid.get(&cell)?;
        self.tiles[placed.tile].turned_segments(placed.rotation).iter().position(|places| places.contains(&place))
    }

    fn region(&self, cell: (i32, i32), part: usize) -> Region {
        let mut region = Region { parts: BTreeSet::new(), open: false };
        let mut left = vec![(cell, part)];
        while let Some((cell, part)) = left.pop() {
            if !region.parts.insert((cell, part)) {
                continue;
            }
            let placed = &self.laid[&cell];
            for place in &self.tiles[placed.tile].turned_segments(placed.rotation)[part] {
                let (next, facing) = across(cell, *place);
                match self.part_at(next, facing) {
                    Some(part) => left.push((next, part)),
                    None => region.open = true,
                }
            }
        }
        region
    }

    fn segment(&self, cell: (i32, i32), part: usize) -> &Segment {
        &self.tiles[self.laid[&cell].tile].segments[part]
    }

    fn meeples_on(&self, region: &Region) -> Vec<usize> {
        region.parts.iter().filter_map(|at| self.meeples.get(at).copied()).collect()
    }

    fn fits(&self, tile: usize, rotation: usize, cell: (i32, i32)) -> bool {
        let mut neighbours = 0;
        for (side, (dx, dy)) in STEPS.into_iter().enumerate() {
            let next = (cell.0 + dx, cell.1 + dy);
            if let Some(placed) = self.laid.get(&next) {
                neighbours += 1;
                if self.tiles[placed.tile].edge((side + 2) % 4, placed.rotation)
                    != self.tiles[tile].edge(side, rotation)
                {
                    return false;
                }
            }
        }
        neighbours > 0 && !self.laid.contains_key(&cell)
    }

    pub fn placements(&self, tile: usize) -> Vec<((i32, i32), usize)> {
        let around = |(x, y): &(i32, i32)| STEPS.map(|(dx, dy)| (x + dx, y + dy));
        let cells: BTreeSet<(i32, i32)> = self.laid.keys().flat_map(around).collect();
        let orientations = self.tiles[tile].orientations();
        cells
            .into_iter()
            .flat_map(|cell| orientations.iter().map(move |rotation| (cell, *rotation)))
            .filter(|(cell, rotation)| self.fits(tile, *rotation, *cell))
            .collect()
    }

    /// How many meeples each seat has on the board.
    pub fn standing(&self) -> Vec<usize> {
        (0..self.hands.len()).map(|seat| self.meeples.values().filter(|owner| **owner == seat).count()).collect()
    }

    pub fn legal_moves(&mut self, tile: usize) -> BTreeSet<Action> {
        let mut moves = BTreeSet::new();
        for (cell, rotation) in self.placements(tile) {
            moves.insert((cell, rotation, None));
            if self.hands[self.player] > 0 {
                self.laid.insert(cell, Placed { tile, rotation });
                for part in 0..self.tiles[tile].segments.len() {
                    if self.meeples_on(&self.region(cell, part)).is_empty() {
                        moves.insert((cell, rotation, Some(part)));
                    }
                }
                self.laid.remove(&cell);
            }
        }
        moves
    }

    fn majority(&self, owners: &[usize]) -> Vec<usize> {
        let count = |seat: usize| owners.iter().filter(|owner| **owner == seat).count();
        let most = (0..self.hands.len()).map(count).max().unwrap();
        (0..self.hands.len()).filter(|seat| most > 0 && count(*seat) == most).collect()
    }

    fn value(&self, kind: Kind, region: &Region, complete: bool) -> u32 {
        let cells: HashSet<(i32, i32)> = region.parts.iter().map(|(cell, _)| *cell).collect();
        let tiles = cells.len() as u32;
        let pennants: u32 = region.parts.iter().map(|(cell, part)| self.segment(*cell, *part).pennants).sum();
        match kind {
            Kind::City if complete && tiles == 2 => self.two_tile_city / 2 * (2 + pennants),
            Kind::City if complete => 2 * (tiles + pennants),
            Kind::City => tiles + pennants,
            _ => tiles,
        }
    }

    fn around(&self, (x, y): (i32, i32)) -> u32 {
        let cells = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        cells.filter(|cell| self.laid.contains_key(cell)).count() as u32
    }

    pub fn play(&mut self, tile: usize, (cell, rotation, meeple): Action) {
        self.laid.insert(cell, Placed { tile, rotation });
        if let Some(part) = meeple {
            self.hands[self.player] -= 1;
            self.meeples.insert((cell, part), self.player);
        }
        for part in 0..self.tiles[tile].segments.len() {
            let kind = self.tiles[tile].segments[part].kind;
            let region = self.region(cell, part);
            if matches!(kind, Kind::City | Kind::Road) && !region.open {
                let points = self.value(kind, &region, true);
                self.pay(&region, points);
            }
        }
        let monks: Vec<_> = self
            .meeples
            .keys()
            .filter(|(at, part)| self.segment(*at, *part).kind == Kind::Monastery && self.around(*at) == 9)
            .copied()
            .collect();
        for at in monks {
            self.pay(&Region { parts: BTreeSet::from([at]), open: false }, 9);
        }
        self.player = (self.player + 1) % self.hands.len();
    }

    fn pay(&mut self, region: &Region, points: u32) {
        let owners = self.meeples_on(region);
        for seat in self.majority(&owners) {
            self.scores[seat] += points;
        }
        for at in &region.parts {
            if let Some(seat) = self.meeples.remove(at) {
                self.hands[seat] += 1;
            }
        }
    }

    pub fn virtual_scores(&self) -> Vec<u32> {
        let mut scores = self.scores.clone();
        let mut seen = BTreeSet::new();
        for (cell, part) in self.meeples.keys() {
            if seen.contains(&(*cell, *part)) {
                continue;
            }
            let kind = self.segment(*cell, *part).kind;
            let region = self.region(*cell, *part);
            let points = match kind {
                Kind::Monastery => self.around(*cell),
                Kind::Field if self.shared_city.is_some() => 0,
                Kind::Field => 3 * self.cities_touched(&region).len() as u32,
                _ => self.value(kind, &region, false),
            };
            for seat in self.majority(&self.meeples_on(&region)) {
                scores[seat] += points;
            }
            seen.extend(region.parts);
        }
        if let Some(points) = self.shared_city {
            self.score_fields_by_city(points, &mut scores);
        }
        scores
    }

    /// The earlier rules: each complete city once, for the most meeples on all fields that touch it.
    fn score_fields_by_city(&self, points: u32, scores: &mut [u32]) {
        let mut farmers: BTreeMap<((i32, i32), usize), Vec<usize>> = BTreeMap::new();
        for ((cell, part), seat) in &self.meeples {
            if self.segment(*cell, *part).kind == Kind::Field {
                for city in self.cities_touched(&self.region(*cell, *part)) {
                    farmers.entry(city).or_default().push(*seat);
                }
            }
        }
        for owners in farmers.values() {
            for seat in self.majority(owners) {
                scores[seat] += points;
            }
        }
    }

    /// The complete cities that a field touches, each by its first part.
    fn cities_touched(&self, field: &Region) -> BTreeSet<((i32, i32), usize)> {
        let mut cities = BTreeSet::new();
        for (cell, part) in &field.parts {
            for city in &self.segment(*cell, *part).cities {
                // Cities are a tile's first parts.
                let region = self.region(*cell, *city);
                if !region.open {
                    cities.insert(region.parts.into_iter().next().unwrap());
                }
            }
        }
        cities
    }
}
