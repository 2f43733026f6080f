//! The encoding of features: every tile has the numbers of its whole cities and roads.

use super::episode::Episode;
use super::numbering::{is_on_side, slot};
use crate::rules::{BIG_STRENGTH, Cell, Edition, FeatureKind, Figure, MAX_SEATS, Segment, Side, TileKind};

/// The planes of [`Encoding::Features`](super::Encoding::Features), each four by side from north clockwise. A plane is
/// 0 at a side without a city or road. Numbers above 255 are 255.
pub mod feature {
    /// The number of tiles.
    pub const SIZE: usize = 0;
    /// The number of open ends.
    pub const OPEN: usize = SIZE + 4;
    /// Strength of the observer's figures in the majority.
    pub const OWN: usize = OPEN + 4;
    /// Strength of the figures of the strongest other seat.
    pub const OTHER: usize = OWN + 4;
    /// One plane: the tiles on and around a monastery or garden.
    pub const AROUND: usize = OTHER + 4;
    /// The number of planes.
    pub const COUNT: usize = AROUND + 1;
}

/// A city or road, or a part that was not yet met with the others.
#[derive(Clone, Copy, Default)]
struct Whole {
    /// The part that this one was joined to; itself for a whole.
    parent: usize,
    size: u16,
    open: u16,
    strengths: [u16; MAX_SEATS],
}

/// A tile on the board: the place of its cell in the window, kind and rotation, and the number of its first part.
#[derive(Clone, Copy)]
struct Laid {
    at: usize,
    cell: Cell,
    kind: TileKind,
    rotation: u8,
    first: usize,
}

fn root(parts: &[Whole], mut part: usize) -> usize {
    while parts[part].parent != part {
        part = parts[part].parent;
    }
    part
}

/// Writes the planes, all of them. Features can change far from the tile that was placed last.
pub(super) fn write<E: Edition>(episode: &Episode<E>, observer: usize, board: &mut [u8]) {
    board.fill(0);
    let (rules, width) = (episode.state().rules(), episode.window().width());
    let area = width * width;
    let start = (Cell::default(), rules.tiles.start, 0);
    let turns = episode.state().turns().iter().map(|turn| (turn.action.cell, turn.tile, turn.action.rotation));
    let hand = episode.placed().zip(episode.state().hand()).map(|((cell, rotation), kind)| (cell, kind, rotation));
    let (mut laid, mut parts) = (Vec::new(), Vec::new());
    // By place in the window: the number of the tile + 1.
    let mut numbers = vec![0_u8; area];
    for (cell, kind, rotation) in std::iter::once(start).chain(turns).chain(hand) {
        let Some((x, y)) = episode.window().place(cell) else { continue };
        laid.push(Laid { at: y * width + x, cell, kind, rotation, first: parts.len() });
        numbers[y * width + x] = laid.len() as u8;
        for _ in rules.tiles.segments(kind) {
            parts.push(Whole { parent: parts.len(), ..Whole::default() });
        }
    }
    let neighbour = |tile: &Laid, side: usize| -> Option<&Laid> {
        let (x, y) = episode.window().place(tile.cell.neighbour(Side::ALL[side]))?;
        laid.get(usize::from(numbers[y * width + x]).checked_sub(1)?)
    };
    // The part of a tile that is a city or road on this side.
    let part_at = |tile: &Laid, side: usize| -> Option<usize> {
        let is_here = |segment: &Segment| {
            matches!(segment.kind(), FeatureKind::City | FeatureKind::Road)
                && is_on_side(segment.ports(tile.rotation), side)
        };
        rules.tiles.segments(tile.kind).iter().position(is_here).map(|index| tile.first + index)
    };
    for tile in &laid {
        for side in 0..4 {
            let Some(part) = part_at(tile, side) else { continue };
            match neighbour(tile, side).and_then(|other| part_at(other, (side + 2) % 4)) {
                Some(other) => {
                    let (from, into) = (root(&parts, other), root(&parts, part));
                    parts[from].parent = into;
                }
                // Counted at the part, and added to the whole below.
                None => parts[part].open += 1,
            }
        }
    }
    for part in 0..parts.len() {
        let whole = root(&parts, part);
        if whole != part {
            parts[whole].open += parts[part].open;
        }
    }
    for tile in &laid {
        let segments = rules.tiles.segments(tile.kind);
        let mut counted: Vec<usize> =
            (tile.first..tile.first + segments.len()).map(|part| root(&parts, part)).collect();
        counted.sort_unstable();
        counted.dedup();
        counted.into_iter().for_each(|whole| parts[whole].size += 1);
        if segments.iter().any(|segment| segment.kind().is_at_centre()) {
            let (x, y) = (tile.at % width, tile.at / width);
            let around = |place: usize| place.saturating_sub(1)..(place + 2).min(width);
            let tiles = around(y).flat_map(|y| around(x).map(move |x| y * width + x)).filter(|at| numbers[*at] > 0);
            board[feature::AROUND * area + tile.at] = tiles.count() as u8;
        }
    }
    for standing in episode.standing() {
        let Some((x, y)) = episode.window().place(standing.cell) else { continue };
        let Some(tile) = laid.get(usize::from(numbers[y * width + x]).wrapping_sub(1)) else { continue };
        let segments = rules.tiles.segments(tile.kind);
        let here = |segment| slot(segment, tile.rotation) == usize::from(standing.slot);
        if let Some(index) = segments.iter().position(here) {
            let whole = root(&parts, tile.first + index);
            let strength = if standing.figure == Figure::Big { BIG_STRENGTH } else { 1 };
            parts[whole].strengths[usize::from(standing.seat)] += u16::from(strength);
        }
    }
    for tile in &laid {
        for side in 0..4 {
            let Some(part) = part_at(tile, side) else { continue };
            let Whole { size, open, strengths, .. } = parts[root(&parts, part)];
            let others =
                strengths.iter().enumerate().filter(|(seat, _)| *seat != observer).map(|(_, strength)| *strength);
            let values = [
                (feature::SIZE, size),
                (feature::OPEN, open),
                (feature::OWN, strengths[observer]),
                (feature::OTHER, others.max().unwrap_or(0)),
            ];
            for (plane, value) in values {
                board[(plane + side) * area + tile.at] = value.min(255) as u8;
            }
        }
    }
}
