//! The features of a board by tile and segment, in words: for people who look at it.
//!
//! The rules keep the features that can still change only. Here all of them are joined again, over the ports of
//! neighbouring tiles.

use super::layout::{Layout, PlacedTile};
use crate::rules::{Cell, Edition, FeatureKind, MAX_SEATS, Port, Side, State};
use evouct_base::plural::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The names of the seats' colours, as the drawing has them.
pub(super) const COLOURS: [&str; MAX_SEATS] = ["blue", "red", "yellow", "black", "pink", "white"];

/// The features of a board.
pub(super) struct FeatureMap {
    /// By tile and segment: the number of the feature.
    pub of: Vec<Vec<usize>>,
    /// Each feature in words.
    pub words: Vec<String>,
}

/// Counts of a feature.
struct Counted {
    kind: FeatureKind,
    tiles: BTreeSet<Cell>,
    pennants: u32,
    specials: u32,
    open_ends: u32,
    /// Figures by seat.
    figures: [u32; MAX_SEATS],
    /// Its points if the game ended now, if a figure stands on it.
    points: Option<u16>,
}

impl FeatureMap {
    /// The features of a position; `placed` and `layouts` are its tiles.
    pub(super) fn of<E: Edition>(state: &State<E>, placed: &[PlacedTile], layouts: &[Arc<Layout>]) -> FeatureMap {
        let at: BTreeMap<Cell, usize> = placed.iter().enumerate().map(|(number, tile)| (tile.cell, number)).collect();
        let starts: Vec<usize> = layouts
            .iter()
            .scan(0, |next, layout| {
                let start = *next;
                *next += layout.segments.len();
                Some(start)
            })
            .collect();
        let mut parents: Vec<usize> = (0..layouts.iter().map(|layout| layout.segments.len()).sum()).collect();
        let mut open: Vec<usize> = Vec::new();
        for (number, tile) in placed.iter().enumerate() {
            for side in Side::ALL {
                let neighbour = at.get(&tile.cell.neighbour(side)).copied();
                for (port, opposite) in ports(side) {
                    let Some(own) = segment_at(&layouts[number], port) else { continue };
                    let other = neighbour.and_then(|other| Some((other, segment_at(&layouts[other], opposite)?)));
                    match other {
                        Some((other, segment)) => join(&mut parents, starts[number] + own, starts[other] + segment),
                        None if port == Port::middle(side) => open.push(starts[number] + own),
                        None => {}
                    }
                }
            }
        }
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut counted: Vec<Counted> = Vec::new();
        let mut of: Vec<Vec<usize>> = Vec::new();
        for (number, layout) in layouts.iter().enumerate() {
            let mut features = Vec::new();
            for (index, segment) in layout.segments.iter().enumerate() {
                let root = find(&parents, starts[number] + index);
                let feature = *numbers.entry(root).or_insert_with(|| {
                    counted.push(Counted::new(segment.kind));
                    counted.len() - 1
                });
                counted[feature].tiles.insert(placed[number].cell);
                counted[feature].pennants += u32::from(segment.pennants);
                counted[feature].specials += u32::from(segment.special);
                features.push(feature);
            }
            of.push(features);
        }
        for segment in open {
            counted[numbers[&find(&parents, segment)]].open_ends += 1;
        }
        for (turn, seat, points) in state.standing_points() {
            if let Some(segment) = state.turns()[turn].action.segment() {
                let feature = &mut counted[of[turn + 1][segment.index()]];
                feature.figures[seat] += 1;
                feature.points = points;
            }
        }
        for feature in counted.iter_mut().filter(|feature| feature.kind.is_at_centre()) {
            let around: Vec<Cell> = feature.tiles.iter().flat_map(|cell| around(*cell)).collect();
            feature.tiles.extend(around.into_iter().filter(|cell| at.contains_key(cell)));
        }
        FeatureMap { of, words: counted.iter().map(Counted::words).collect() }
    }
}

impl Counted {
    fn new(kind: FeatureKind) -> Counted {
        let (tiles, figures) = (BTreeSet::new(), [0; MAX_SEATS]);
        Counted { kind, tiles, pennants: 0, specials: 0, open_ends: 0, figures, points: None }
    }

    /// The feature in words, such as `City of 3 tiles, 1 pennant, 2 open ends. blue 1. 4 points if the game ended now.`
    fn words(&self) -> String {
        let name = self.kind.name();
        let mut words = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        words += &match self.kind {
            FeatureKind::Monastery | FeatureKind::Garden => format!(", {} of 9 tiles", self.tiles.len()),
            _ => format!(" of {}", counted(self.tiles.len(), "tile")),
        };
        if self.pennants > 0 {
            words += &format!(", {}", counted(self.pennants, "pennant"));
        }
        if self.specials > 0 {
            let building = if self.kind == FeatureKind::City { "cathedral" } else { "inn" };
            words += &format!(", {}", counted(self.specials, building));
        }
        if matches!(self.kind, FeatureKind::City | FeatureKind::Road) {
            words += &match self.open_ends {
                0 => ", complete".to_owned(),
                ends => format!(", {}", counted(ends, "open end")),
            };
        }
        let seats = self.figures.iter().zip(COLOURS).filter(|(figures, _)| **figures > 0);
        let figures: Vec<String> = seats.map(|(figures, colour)| format!("{colour} {figures}")).collect();
        words += &if figures.is_empty() { "; no figure".to_owned() } else { format!("; {}", figures.join(", ")) };
        if let Some(points) = self.points {
            words += &format!("; {} if the game ended now", counted(points, "point"));
        }
        words
    }
}

/// The ports on a side, each with the one that it meets on the neighbouring tile.
fn ports(side: Side) -> [(Port, Port); 3] {
    let (own, other) = (2 * side as u8, 2 * side.opposite() as u8);
    [
        (Port::half_edge(own), Port::half_edge(other + 1)),
        (Port::middle(side), Port::middle(side.opposite())),
        (Port::half_edge(own + 1), Port::half_edge(other)),
    ]
}

fn segment_at(layout: &Layout, port: Port) -> Option<usize> {
    layout.segments.iter().position(|segment| segment.ports & port.bit() != 0)
}

fn around(cell: Cell) -> impl Iterator<Item = Cell> {
    let north = cell.neighbour(Side::North);
    let south = cell.neighbour(Side::South);
    let beside = |cell: Cell| [cell.neighbour(Side::West), cell.neighbour(Side::East)];
    [north, south].into_iter().chain(beside(north)).chain(beside(south)).chain(beside(cell))
}

fn find(parents: &[usize], mut segment: usize) -> usize {
    while parents[segment] != segment {
        segment = parents[segment];
    }
    segment
}

fn join(parents: &mut [usize], one: usize, two: usize) {
    let (one, two) = (find(parents, one), find(parents, two));
    parents[one.max(two)] = one.min(two);
}
