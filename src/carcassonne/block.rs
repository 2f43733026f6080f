//! One tile as text: a block of seven columns by three rows.
//!
//! Cities fill their cells and end in slanted walls, roads are box-drawing lines, and what is left is field. The blocks
//! of neighbours join: roads leave in the middle of a side, cities span it.

use super::layout::Layout;
use super::outline::{Point, Stroke};
use super::tile::{FeatureKind, Side};
use anstyle::{Ansi256Color, Style};

/// Columns of a block.
pub(super) const COLUMNS: usize = 7;
/// Rows of a block.
pub(super) const ROWS: usize = 3;

/// A row and a column of a block.
pub(super) type Place = (usize, usize);
const CENTRE: Place = (ROWS / 2, COLUMNS / 2);

/// One character, with the style that it has where there are colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Glyph {
    pub symbol: char,
    pub style: Style,
}

impl Glyph {
    pub(super) const fn unstyled(symbol: char) -> Glyph {
        Glyph { symbol, style: Style::new() }
    }
}

// Numbers above 15 of the 256 colours are the same in every terminal, light or dark.
const FIELDS: [u8; 2] = [71, 107];
const CITY: u8 = 179;
const FIELD_INK: u8 = 65;
const CITY_INK: u8 = 173;
const WALL_INK: u8 = 94;
const ROAD_INK: u8 = 231;
const BUILDING_INK: u8 = 88;
const PENNANT_INK: u8 = 19;
const MARK_INK: u8 = 16;
/// By seat: background and ink.
const SEATS: [(u8, u8); 5] = [(25, 231), (160, 231), (226, 16), (16, 231), (133, 231)];

const fn style(ink: u8, ground: u8) -> Style {
    Style::new()
        .fg_color(Some(anstyle::Color::Ansi256(Ansi256Color(ink))))
        .bg_color(Some(anstyle::Color::Ansi256(Ansi256Color(ground))))
}

/// The meeple of a seat (from 0): its number from 1, in its colour.
pub(super) fn meeple(seat: usize) -> Glyph {
    let (ground, ink) = SEATS[seat % SEATS.len()];
    Glyph { symbol: char::from(b'1' + seat as u8), style: style(ink, ground).bold() }
}

/// A tile as text.
pub(super) struct Block {
    pub glyphs: [[Glyph; COLUMNS]; ROWS],
    /// For each part of the tile, by number, where a meeple on it is written.
    pub spots: Vec<Place>,
}

/// What is at a place, before fields, pennants and meeples.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    Field,
    /// Within the city part of this number.
    City(usize),
    Wall(char),
    /// On a road part: the sides it leads to, a bit each; the part, unless several meet here.
    Road(u8, Option<usize>),
    Village,
    /// Part of a monastery: its symbol, and the part where the monk stands.
    Monastery(char, Option<usize>),
}

/// Lines by the set of sides they lead to: north 1, east 2, south 4, west 8.
const LINES: [char; 16] = ['·', '│', '─', '╰', '│', '│', '╭', '├', '─', '╯', '─', '┴', '╮', '┤', '┬', '┼'];

impl Block {
    /// The block of a tile; `odd` cells of the board have another shade of green, so that tiles can be told apart.
    pub(super) fn new(layout: &Layout, odd: bool) -> Block {
        let mut ground = [[Ground::Field; COLUMNS]; ROWS];
        lay_cities(layout, &mut ground);
        lay_roads(layout, &mut ground);
        for (number, patch) in layout.patches.iter().enumerate() {
            if patch.kind == FeatureKind::Monastery {
                ground[1][2] = Ground::Monastery('[', None);
                ground[1][3] = Ground::Monastery('⌂', Some(number));
                ground[1][4] = Ground::Monastery(']', None);
            }
        }
        let field = FIELDS[usize::from(odd)];
        let mut glyphs = ground.map(|row| row.map(|ground| glyph(ground, field)));
        let owner = |place: Place| match ground[place.0][place.1] {
            Ground::City(part) => Some(part),
            Ground::Field => layout.field_near(middle(place)),
            // The bend of a road stays in sight: its meeple stands beside it.
            Ground::Road(lines, part) => part.filter(|_| ![3, 6, 9, 12].contains(&lines)),
            Ground::Monastery(_, part) => part,
            Ground::Wall(_) | Ground::Village => None,
        };
        let owned: Vec<(Place, usize)> = places().filter_map(|place| Some((place, owner(place)?))).collect();
        let nearest = |part: usize, point: Point, taken: &[Place]| {
            let own = owned.iter().filter(|(place, owner)| *owner == part && !taken.contains(place));
            // Towards the middle of the tile where there is a choice, lest the tile be taken for its neighbour.
            let distance =
                |place: &Place| middle(*place).distance(point) + 0.3 * middle(*place).distance(Point::CENTRE);
            own.map(|(place, _)| *place).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(CENTRE)
        };
        let spots: Vec<Place> =
            layout.spots.iter().enumerate().map(|(part, point)| nearest(part, *point, &[])).collect();
        let mut taken = spots.clone();
        for (city, point) in &layout.pennants {
            let (row, column) = nearest(*city, *point, &taken);
            taken.push((row, column));
            glyphs[row][column] = Glyph { symbol: '♦', style: style(PENNANT_INK, CITY).bold() };
        }
        Block { glyphs, spots }
    }

    /// Marks the block's corners.
    pub(super) fn mark(&mut self) {
        for ((row, column), symbol) in [((0, 0), '┏'), ((0, 6), '┓'), ((2, 0), '┗'), ((2, 6), '┛')] {
            let glyph = &mut self.glyphs[row][column];
            let ink = Some(anstyle::Color::Ansi256(Ansi256Color(MARK_INK)));
            *glyph = Glyph { symbol, style: glyph.style.fg_color(ink).bold() };
        }
    }

    /// Puts a meeple of a seat (from 0) on a part.
    pub(super) fn put(&mut self, part: usize, seat: usize) {
        let (row, column) = self.spots[part];
        self.glyphs[row][column] = meeple(seat);
    }
}

fn glyph(ground: Ground, field: u8) -> Glyph {
    let (symbol, style) = match ground {
        Ground::Field => ('·', style(FIELD_INK, field)),
        Ground::City(_) => ('▒', style(CITY_INK, CITY)),
        Ground::Wall(symbol) => (symbol, style(WALL_INK, field).bold()),
        Ground::Road(lines, _) => (LINES[usize::from(lines)], style(ROAD_INK, field).bold()),
        Ground::Village => ('■', style(BUILDING_INK, field)),
        Ground::Monastery(symbol, _) => (symbol, style(BUILDING_INK, field).bold()),
    };
    Glyph { symbol, style }
}

fn places() -> impl Iterator<Item = Place> {
    (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column)))
}

/// The point of the tile that the middle of a place stands for.
fn middle((row, column): Place) -> Point {
    Point { x: (column as f64 + 0.5) / COLUMNS as f64, y: (row as f64 + 0.5) / ROWS as f64 }
}

fn lay_cities(layout: &Layout, ground: &mut [[Ground; COLUMNS]; ROWS]) {
    for (city, _) in &layout.cities {
        for (row, column) in places() {
            let has = |side| layout.patches[*city].has(side);
            match city_at(has, (row, column)) {
                Some(Stone::Inside) => ground[row][column] = Ground::City(*city),
                Some(Stone::Wall(symbol)) => ground[row][column] = Ground::Wall(symbol),
                None => {}
            }
        }
    }
}

enum Stone {
    Inside,
    Wall(char),
}

/// What a city on the sides that `has` tells of shows at a place.
fn city_at(has: impl Fn(Side) -> bool, (row, column): Place) -> Option<Stone> {
    let upright = [Some(Side::North), None, Some(Side::South)][row];
    let level = if column < CENTRE.1 { Side::West } else { Side::East };
    let through = has(Side::North) && has(Side::South) || has(Side::East) && has(Side::West);
    // A wall follows the diagonal that begins in the corner of the tile, and crosses it where a city fills that corner.
    let slant =
        |upright, crosses| if ((upright == Side::North) == (level == Side::West)) != crosses { '╲' } else { '╱' };
    let filled = |inside: bool| inside.then_some(Stone::Inside);
    let walled = |inside: bool, wall: char| Some(if inside { Stone::Inside } else { Stone::Wall(wall) });
    match (upright, column.min(COLUMNS - 1 - column)) {
        (Some(side), 0) if has(level) => walled(has(side), slant(side, false)),
        (Some(side), 1) if has(side) => walled(has(level), slant(side, false)),
        (Some(side), 2 | 3) => filled(has(side)),
        (None, 0 | 1) => filled(has(level)),
        (None, 2) if has(level) && !through => {
            let side = [Side::North, Side::South].into_iter().find(|side| has(*side))?;
            Some(Stone::Wall(slant(side, true)))
        }
        (None, 2 | 3) => filled(through),
        _ => None,
    }
}

fn lay_roads(layout: &Layout, ground: &mut [[Ground; COLUMNS]; ROWS]) {
    let mut lay = |(row, column): Place, part: usize, sides: [Side; 2]| {
        let lines = sides.iter().fold(0, |lines, side| lines | 1 << *side as u8);
        let place = &mut ground[row][column];
        match *place {
            Ground::Field => *place = Ground::Road(lines, Some(part)),
            Ground::Road(others, owner) => *place = Ground::Road(lines | others, owner.filter(|owner| *owner == part)),
            _ => {}
        }
    };
    let bends = layout.roads.iter().filter(|(_, stroke)| stroke.is_bend()).count();
    for (part, stroke) in &layout.roads {
        match *stroke {
            Stroke::End(side, length) => {
                // A hair more, since the middle of the tile is reached exactly.
                let reached = |place: &Place| middle(*place).distance(Point::middle(side)) <= length + 1e-6;
                for place in line_from(side).filter(reached) {
                    lay(place, *part, [side, if place == CENTRE { side } else { side.opposite() }]);
                }
            }
            Stroke::Through(a, b) if bends > 1 && stroke.is_bend() => {
                // Two bends would meet in the middle: each is drawn nearer to the corner that it goes round.
                let (upright, level) = if matches!(a, Side::North | Side::South) { (a, b) } else { (b, a) };
                let row = if upright == Side::North { 0 } else { 2 };
                let column = if level == Side::West { CENTRE.1 - 1 } else { CENTRE.1 + 1 };
                lay((row, CENTRE.1), *part, [upright, level]);
                lay((row, column), *part, [upright.opposite(), level.opposite()]);
                lay((CENTRE.0, column), *part, [upright, level]);
                for place in line_from(level).take(CENTRE.1 - 1) {
                    lay(place, *part, [level, level.opposite()]);
                }
            }
            Stroke::Through(a, b) => {
                for side in [a, b] {
                    for place in line_from(side).take_while(|place| *place != CENTRE) {
                        lay(place, *part, [side, side.opposite()]);
                    }
                }
                lay(CENTRE, *part, [a, b]);
            }
        }
    }
    if layout.village {
        ground[CENTRE.0][CENTRE.1] = Ground::Village;
    }
}

/// The places from the middle of a side straight across the block.
fn line_from(side: Side) -> impl Iterator<Item = Place> {
    let (rows, columns) = match side {
        Side::North | Side::South => (ROWS, 1),
        Side::East | Side::West => (1, COLUMNS),
    };
    (0..rows * columns).map(move |step| match side {
        Side::North => (step, CENTRE.1),
        Side::East => (CENTRE.0, COLUMNS - 1 - step),
        Side::South => (ROWS - 1 - step, CENTRE.1),
        Side::West => (CENTRE.0, step),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carcassonne::layout::Patch;
    use crate::carcassonne::layout::tests::{base_layouts, patches};

    /// The symbols that a place on a part may show.
    fn symbols(patch: &Patch) -> &'static str {
        match patch.kind {
            FeatureKind::City => "▒",
            FeatureKind::Road => "│─",
            FeatureKind::Field => "·",
            FeatureKind::Monastery => "⌂",
        }
    }

    #[test]
    fn each_part_has_a_place_of_its_own() {
        for (name, layout) in base_layouts() {
            let block = Block::new(&layout, false);
            for (part, patch) in layout.patches.iter().enumerate() {
                let (row, column) = block.spots[part];
                let symbol = block.glyphs[row][column].symbol;
                assert!(symbols(patch).contains(symbol), "{name}: {symbol} for part {part}");
                let others = block.spots.iter().filter(|spot| **spot == block.spots[part]).count();
                assert_eq!(others, 1, "{name}: part {part} shares its place");
            }
        }
    }

    #[test]
    fn the_middle_of_a_side_shows_its_edge() {
        for (name, layout) in base_layouts() {
            let glyphs = Block::new(&layout, false).glyphs;
            for side in Side::ALL {
                let (row, column) = line_from(side).next().unwrap();
                let on = layout.patches.iter().find(|patch| patch.has(side)).map(|patch| patch.kind);
                let expected = match (on, side) {
                    (None, _) => "·",
                    (Some(FeatureKind::City), _) => "▒♦",
                    (Some(_), Side::North | Side::South) => "│",
                    (Some(_), Side::East | Side::West) => "─",
                };
                let symbol = glyphs[row][column].symbol;
                assert!(expected.contains(symbol), "{name}: {symbol} in the {side:?}");
            }
        }
    }

    fn text(parts: &[(FeatureKind, &str)]) -> [String; ROWS] {
        let block = Block::new(&Layout::new(patches(parts)), false);
        block.glyphs.map(|row| row.iter().map(|glyph| glyph.symbol).collect())
    }

    #[test]
    fn tiles_beyond_the_base_game_are_drawn_from_their_ports() {
        use FeatureKind::{City, Field, Monastery, Road};
        let two_bends =
            [(Road, "N W"), (Road, "E S"), (Field, "NNW WNW"), (Field, "ESE SSE"), (Field, "NNE ENE SSW WSW")];
        assert_eq!(text(&two_bends), ["··╭╯···", "──╯·╭──", "···╭╯··"]);
        let four_cities = [(City, "N"), (City, "E"), (City, "S"), (City, "W"), (Field, "")];
        assert_eq!(text(&four_cities), ["╲╲▒▒▒╱╱", "▒▒···▒▒", "╱╱▒▒▒╲╲"]);
        let road_to_a_wall = [(City, "N"), (Road, "S"), (Field, "SSW WSW WNW"), (Field, "ENE ESE SSE")];
        assert_eq!(text(&road_to_a_wall), ["·╲▒▒▒╱·", "···│···", "···│···"]);
        let between_cities = [(City, "N W"), (Road, "E"), (Field, "ENE"), (Field, "ESE SSE SSW")];
        assert_eq!(text(&between_cities), ["▒▒▒▒▒╱·", "▒▒╱────", "╱······"]);
        let roads_to_a_monastery =
            [(Road, "W"), (Road, "E"), (Field, "ESE SSE SSW WSW"), (Field, "NNW NNE ENE WNW"), (Monastery, "")];
        assert_eq!(text(&roads_to_a_monastery), ["·······", "──[⌂]──", "·······"]);
        let one_road_with_three_ends =
            [(Road, "N E S"), (Field, "NNE ENE"), (Field, "ESE SSE"), (Field, "SSW WSW WNW NNW")];
        assert_eq!(text(&one_road_with_three_ends), ["···│···", "···├───", "···│···"]);
    }
}
