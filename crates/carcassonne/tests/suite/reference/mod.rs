//! A second, slow implementation of the rules, by flood fill over the tile descriptions, sharing no code with the
//! engine. It stores only the tiles and the figures, and computes everything from the whole board.

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
    Garden,
}

/// Where the river may turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bends {
    #[default]
    NoUTurn,
    Alternate,
    Reserve,
}

/// The rules beyond the base game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub river: bool,
    pub inns: bool,
    pub abbots: bool,
    pub no_farmers: bool,
    pub start_in_bag: bool,
    pub bends: Bends,
    pub two_tile_city: u32,
    /// Points of a complete city for the most meeples on all fields that touch it; none if each field scores by itself.
    pub shared_city: Option<u32>,
    pub unfinished: u32,
}

#[derive(Clone, Debug)]
struct Segment {
    kind: Kind,
    places: BTreeSet<Place>,
    pennants: u32,
    /// Whether there is an inn or a cathedral.
    special: bool,
    /// Indices, among the tile's cities, of those a field borders.
    cities: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Tile {
    pub name: String,
    pub count: usize,
    edges: Vec<char>,
    segments: Vec<Segment>,
    /// By rotation and place: the part there.
    parts: [[Option<usize>; 12]; 4],
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

    fn picture(&self, rotation: usize) -> (Vec<char>, Vec<(Kind, BTreeSet<Place>)>) {
        let places = |s: &Segment| s.places.iter().map(|p| turned(*p, rotation)).collect();
        let mut picture: Vec<_> = self.segments.iter().map(|s| (s.kind, places(s))).collect();
        picture.sort();
        ((0..4).map(|side| self.edge(side, rotation)).collect(), picture)
    }

    pub fn orientations(&self) -> Vec<usize> {
        (0..4).filter(|r| !(0..*r).any(|earlier| self.picture(earlier) == self.picture(*r))).collect()
    }

    /// The sides that the river crosses.
    fn river(&self, rotation: usize) -> Vec<usize> {
        (0..4).filter(|side| self.edge(*side, rotation) == 'V').collect()
    }
}

/// The tiles of the descriptions, parts in the order cities, roads, fields, monastery or garden.
pub fn tiles(options: &Options) -> Vec<Tile> {
    let mut files = vec![include_str!("../../../src/rules/tiles/base.json")];
    if options.river {
        files.push(include_str!("../../../src/rules/tiles/river.json"));
    }
    if options.inns {
        files.push(include_str!("../../../src/rules/tiles/inns-and-cathedrals.json"));
    }
    let mut tiles = Vec::new();
    for file in files {
        let description: Value = serde_json::from_str(file).unwrap();
        for tile in description["tiles"].as_array().unwrap() {
            let left_out = options.river && !options.start_in_bag && tile["id"] == "D";
            let count = tile["count"].as_u64().unwrap() as usize - usize::from(left_out);
            let gardens = if options.abbots { tile["gardens"].as_u64().unwrap_or(0) as usize } else { 0 };
            let name = tile["id"].as_str().unwrap();
            tiles.push(read(tile, name.to_owned(), count - gardens, false));
            tiles.push(read(tile, format!("{name}g"), gardens, true));
        }
    }
    tiles.retain(|tile| tile.count > 0);
    tiles
}

fn read(tile: &Value, name: String, count: usize, garden: bool) -> Tile {
    let names = |feature: &Value, key: &str| -> Vec<String> {
        feature[key].as_array().map(|a| a.iter().map(|v| v.as_str().unwrap().to_owned()).collect()).unwrap_or_default()
    };
    let features = tile["features"].as_array().unwrap();
    let mut segments: Vec<Segment> = features
        .iter()
        .filter(|feature| feature["kind"] != "river")
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
                special: feature["inn"] == true || feature["cathedral"] == true,
                cities: feature["cities"]
                    .as_array()
                    .map(|a| a.iter().map(|v| v.as_u64().unwrap() as usize).collect())
                    .unwrap_or_default(),
            }
        })
        .collect();
    if garden {
        let nothing =
            Segment { kind: Kind::Garden, places: BTreeSet::new(), pennants: 0, special: false, cities: Vec::new() };
        segments.push(nothing);
    }
    segments.sort_by_key(|segment| segment.kind);
    let at = |rotation: usize, place: Place| {
        segments.iter().position(|segment| segment.places.iter().any(|p| turned(*p, rotation) == place))
    };
    let parts = std::array::from_fn(|rotation| std::array::from_fn(|place| at(rotation, place)));
    Tile { name, count, edges: tile["edges"].as_str().unwrap().chars().collect(), segments, parts }
}

#[derive(Clone, Debug)]
struct Placed {
    tile: usize,
    rotation: usize,
}

/// What happens with a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Choice {
    Nothing,
    /// A figure (0 meeple, 1 big meeple, 2 abbot) on a part of the tile.
    Place(usize, usize),
    /// The abbot is taken back.
    Recall,
}

/// A move: cell, rotation, figure.
pub type Action = ((i32, i32), usize, Choice);

pub struct Board {
    options: Options,
    pub tiles: Vec<Tile>,
    laid: HashMap<(i32, i32), Placed>,
    /// Seat and figure on (cell, part).
    figures: BTreeMap<Spot, (usize, usize)>,
    /// By seat: meeples, big meeples and abbots that are not on the board.
    pub hands: Vec<[usize; 3]>,
    pub scores: Vec<u32>,
    pub player: usize,
}

/// A cell and a part of its tile.
type Spot = ((i32, i32), usize);

struct Region {
    parts: BTreeSet<Spot>,
    open: bool,
}

impl Board {
    pub fn new(seats: usize, options: Options) -> Board {
        let tiles = tiles(&options);
        let start = if options.river { "V1" } else { "D" };
        let start = tiles.iter().position(|tile| tile.name == start).unwrap();
        Board {
            options,
            tiles,
            laid: HashMap::from([((0, 0), Placed { tile: start, rotation: 0 })]),
            figures: BTreeMap::new(),
            hands: vec![[7, options.inns.into(), options.abbots.into()]; seats],
            scores: vec![0; seats],
            player: 0,
        }
    }

    fn part_at(&self, cell: (i32, i32), place: Place) -> Option<usize> {
        let placed = self.laid.get(&cell)?;
        self.tiles[placed.tile].parts[placed.rotation][place]
    }

    fn region(&self, cell: (i32, i32), part: usize) -> Region {
        let mut region = Region { parts: BTreeSet::new(), open: false };
        let mut left = vec![(cell, part)];
        while let Some((cell, part)) = left.pop() {
            if !region.parts.insert((cell, part)) {
                continue;
            }
            let rotation = self.laid[&cell].rotation;
            for place in &self.segment(cell, part).places {
                let (next, facing) = across(cell, turned(*place, rotation));
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

    fn figures_on(&self, region: &Region) -> Vec<(usize, usize)> {
        region.parts.iter().filter_map(|at| self.figures.get(at).copied()).collect()
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
        neighbours > 0 && !self.laid.contains_key(&cell) && self.continues_river(tile, rotation, cell)
    }

    /// Whether the tile has no river, or continues it as the rules allow.
    fn continues_river(&self, tile: usize, rotation: usize, cell: (i32, i32)) -> bool {
        let river = self.tiles[tile].river(rotation);
        if river.is_empty() {
            return true;
        }
        let next = |(x, y): (i32, i32), side: usize| (x + STEPS[side].0, y + STEPS[side].1);
        let (entries, exits): (Vec<usize>, Vec<usize>) =
            river.into_iter().partition(|side| self.laid.contains_key(&next(cell, *side)));
        let [entry] = entries[..] else { return false };
        let Some(&exit) = exits.first() else { return true };
        if self.options.bends == Bends::Reserve {
            // Around the cell of the next tile, without the three cells on the side of this tile.
            let (x, y) = next(cell, exit);
            let (dx, dy) = STEPS[exit];
            let around = (-1..=1).flat_map(|a| (-1..=1).map(move |b| (a, b)));
            let beyond = around.filter(|(a, b)| (*a, *b) != (0, 0) && a * dx + b * dy >= 0);
            return beyond.into_iter().all(|(a, b)| !self.laid.contains_key(&(x + a, y + b)));
        }
        // A bend is told by the turn from the side of entry to the side of exit.
        let bend = (exit + 4 - entry) % 4;
        bend == 2 || self.bend_before(next(cell, entry), (entry + 2) % 4) != Some(bend)
    }

    /// The bend that counts for the next tile of the river, upstream from the tile on `cell`, which the river leaves on
    /// the side `exit`: that of this tile, or where bends alternate the first one on the way to the spring.
    fn bend_before(&self, cell: (i32, i32), exit: usize) -> Option<usize> {
        let placed = &self.laid[&cell];
        let entry = self.tiles[placed.tile].river(placed.rotation).into_iter().find(|side| *side != exit)?;
        let bend = (exit + 4 - entry) % 4;
        if bend != 2 {
            return Some(bend);
        }
        let upstream = (cell.0 + STEPS[entry].0, cell.1 + STEPS[entry].1);
        (self.options.bends == Bends::Alternate).then(|| self.bend_before(upstream, (entry + 2) % 4)).flatten()
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

    /// How many figures each seat has on the board.
    pub fn standing(&self) -> Vec<usize> {
        (0..self.hands.len()).map(|seat| self.figures.values().filter(|(owner, _)| *owner == seat).count()).collect()
    }

    /// Whether a figure may stand on a feature of this kind.
    fn may_stand(&self, figure: usize, kind: Kind) -> bool {
        match kind {
            Kind::City | Kind::Road => figure < 2,
            Kind::Field => figure < 2 && !self.options.no_farmers,
            Kind::Monastery => true,
            Kind::Garden => figure == 2,
        }
    }

    /// The cell and part of the abbot of the player to move.
    fn abbot(&self) -> Option<Spot> {
        self.figures.iter().find(|(_, figure)| **figure == (self.player, 2)).map(|(at, _)| *at)
    }

    pub fn legal_moves(&mut self, tile: usize) -> BTreeSet<Action> {
        let mut moves = BTreeSet::new();
        let hand = self.hands[self.player];
        for (cell, rotation) in self.placements(tile) {
            moves.insert((cell, rotation, Choice::Nothing));
            self.laid.insert(cell, Placed { tile, rotation });
            for part in 0..self.tiles[tile].segments.len() {
                let kind = self.tiles[tile].segments[part].kind;
                let figures: Vec<usize> = (0..3).filter(|f| hand[*f] > 0 && self.may_stand(*f, kind)).collect();
                if !figures.is_empty() && self.figures_on(&self.region(cell, part)).is_empty() {
                    moves.extend(figures.into_iter().map(|figure| (cell, rotation, Choice::Place(figure, part))));
                }
            }
            if self.abbot().is_some_and(|(at, _)| self.around(at) < 9) {
                moves.insert((cell, rotation, Choice::Recall));
            }
            self.laid.remove(&cell);
        }
        moves
    }

    fn majority(&self, figures: &[(usize, usize)]) -> Vec<usize> {
        let strength = |figure: usize| if figure == 1 { 2 } else { 1 };
        let of = |seat| figures.iter().filter(|(owner, _)| *owner == seat).map(|(_, figure)| strength(*figure)).sum();
        let strengths: Vec<usize> = (0..self.hands.len()).map(of).collect();
        let most = *strengths.iter().max().unwrap();
        (0..self.hands.len()).filter(|seat| most > 0 && strengths[*seat] == most).collect()
    }

    fn value(&self, kind: Kind, region: &Region, complete: bool) -> u32 {
        let cells: HashSet<(i32, i32)> = region.parts.iter().map(|(cell, _)| *cell).collect();
        let tiles = cells.len() as u32;
        let parts = || region.parts.iter().map(|(cell, part)| self.segment(*cell, *part));
        let pennants: u32 = parts().map(|segment| segment.pennants).sum();
        let special = parts().any(|segment| segment.special);
        match (kind, complete, special) {
            (Kind::City, true, true) => 3 * (tiles + pennants),
            (Kind::City, true, false) if tiles == 2 => self.options.two_tile_city / 2 * (2 + pennants),
            (Kind::City, true, false) => 2 * (tiles + pennants),
            (Kind::Road, true, true) => 2 * tiles,
            (_, false, true) => self.options.unfinished * (tiles + pennants),
            _ => tiles + pennants,
        }
    }

    fn around(&self, (x, y): (i32, i32)) -> u32 {
        let cells = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        cells.filter(|cell| self.laid.contains_key(cell)).count() as u32
    }

    pub fn play(&mut self, tile: usize, (cell, rotation, choice): Action) {
        self.laid.insert(cell, Placed { tile, rotation });
        match choice {
            Choice::Nothing => {}
            Choice::Place(figure, part) => {
                self.hands[self.player][figure] -= 1;
                self.figures.insert((cell, part), (self.player, figure));
            }
            Choice::Recall => {
                let at = self.abbot().unwrap();
                let points = self.around(at.0);
                self.pay(&Region { parts: BTreeSet::from([at]), open: false }, points);
            }
        }
        for part in 0..self.tiles[tile].segments.len() {
            let kind = self.tiles[tile].segments[part].kind;
            let region = self.region(cell, part);
            if matches!(kind, Kind::City | Kind::Road) && !region.open {
                let points = self.value(kind, &region, true);
                self.pay(&region, points);
            }
        }
        let full: Vec<_> = self
            .figures
            .keys()
            .filter(|(at, part)| self.is_at_centre(*at, *part) && self.around(*at) == 9)
            .copied()
            .collect();
        for at in full {
            self.pay(&Region { parts: BTreeSet::from([at]), open: false }, 9);
        }
        self.player = (self.player + 1) % self.hands.len();
    }

    fn is_at_centre(&self, cell: (i32, i32), part: usize) -> bool {
        matches!(self.segment(cell, part).kind, Kind::Monastery | Kind::Garden)
    }

    fn pay(&mut self, region: &Region, points: u32) {
        let owners = self.figures_on(region);
        for seat in self.majority(&owners) {
            self.scores[seat] += points;
        }
        for at in &region.parts {
            if let Some((seat, figure)) = self.figures.remove(at) {
                self.hands[seat][figure] += 1;
            }
        }
    }

    pub fn virtual_scores(&self) -> Vec<u32> {
        let mut scores = self.scores.clone();
        let mut seen = BTreeSet::new();
        for (cell, part) in self.figures.keys() {
            if seen.contains(&(*cell, *part)) {
                continue;
            }
            let kind = self.segment(*cell, *part).kind;
            let region = self.region(*cell, *part);
            let points = match kind {
                Kind::Monastery | Kind::Garden => self.around(*cell),
                Kind::Field if self.options.shared_city.is_some() => 0,
                Kind::Field => 3 * self.cities_touched(&region).len() as u32,
                _ => self.value(kind, &region, false),
            };
            for seat in self.majority(&self.figures_on(&region)) {
                scores[seat] += points;
            }
            seen.extend(region.parts);
        }
        if let Some(points) = self.options.shared_city {
            self.score_fields_by_city(points, &mut scores);
        }
        scores
    }

    /// The earlier rules: each complete city once, for the most meeples on all fields that touch it.
    fn score_fields_by_city(&self, points: u32, scores: &mut [u32]) {
        let mut farmers: BTreeMap<Spot, Vec<(usize, usize)>> = BTreeMap::new();
        for ((cell, part), figure) in &self.figures {
            if self.segment(*cell, *part).kind == Kind::Field {
                for city in self.cities_touched(&self.region(*cell, *part)) {
                    farmers.entry(city).or_default().push(*figure);
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
    fn cities_touched(&self, field: &Region) -> BTreeSet<Spot> {
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
