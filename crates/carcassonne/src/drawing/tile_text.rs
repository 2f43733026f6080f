//! One tile as text: a block of seven columns and three rows.
//!
//! Cities fill their cells and end in slanted walls. Roads are box-drawing lines. The rest is field. Roads leave a tile
//! at the middle of a side and cities fill the side, so the blocks of neighbours join.

use super::geometry::{Point, Stroke};
use super::layout::Layout;
use crate::rules::{FeatureKind, Figure, Side};
use anstyle::{Ansi256Color, Style};

/// Columns of a block.
pub(super) const COLUMNS: usize = 7;
/// Rows of a block.
pub(super) const ROWS: usize = 3;

/// A row and a column of a block.
pub(super) type TextCell = (usize, usize);
const CENTRE: TextCell = (ROWS / 2, COLUMNS / 2);

/// One character and its style in coloured text.
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

// Of the 256 colours, numbers above 15 are the same in light and dark terminals.
const FIELDS: [u8; 2] = [71, 107];
const CITY: u8 = 179;
const FIELD_INK: u8 = 65;
const CITY_INK: u8 = 173;
const WALL_INK: u8 = 94;
const ROAD_INK: u8 = 231;
const BUILDING_INK: u8 = 88;
const PENNANT_INK: u8 = 19;
const MARK_INK: u8 = 16;
const WATER: u8 = 74;
const WATER_INK: u8 = 25;
const GARDEN_INK: u8 = 198;
/// By seat: background and foreground.
const SEATS: [(u8, u8); 6] = [(25, 231), (160, 231), (226, 16), (16, 231), (133, 231), (250, 16)];

const fn style(ink: u8, ground: u8) -> Style {
    Style::new()
        .fg_color(Some(anstyle::Color::Ansi256(Ansi256Color(ink))))
        .bg_color(Some(anstyle::Color::Ansi256(Ansi256Color(ground))))
}

/// The meeple of a seat (from 0): the number of the seat from 1, in the seat's colour.
pub(super) fn meeple(seat: usize) -> Glyph {
    let (ground, ink) = SEATS[seat % SEATS.len()];
    Glyph { symbol: char::from(b'1' + seat as u8), style: style(ink, ground).bold() }
}

/// A figure of a seat (from 0): as a meeple, and the number in a black circle for the big one, in a white circle for
/// the abbot.
pub(super) fn figure(seat: usize, figure: Figure) -> Glyph {
    let first = match figure {
        Figure::Meeple => '1',
        Figure::Big => '❶',
        Figure::Abbot => '①',
    };
    let symbol = char::from_u32(first as u32 + seat as u32).unwrap_or(first);
    Glyph { symbol, ..meeple(seat) }
}

pub(super) struct TileText {
    pub glyphs: [[Glyph; COLUMNS]; ROWS],
    /// By segment: the cell of a meeple.
    pub meeple_cells: Vec<TextCell>,
}

/// The content of a cell, before pennants and meeples are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    Field,
    /// Inside the city segment with this number.
    City(usize),
    Wall(char),
    /// A road: the sides it leads to, one bit per side, and the segment unless several meet here.
    Road(u8, Option<usize>),
    Village,
    /// The river, and whether it begins or ends here.
    River(bool),
    /// A monastery: the symbol, and the segment in the cell of the meeple.
    Monastery(char, Option<usize>),
}

/// Lines by the set of sides they lead to: north 1, east 2, south 4, west 8.
const LINES: [char; 16] = ['·', '│', '─', '╰', '│', '│', '╭', '├', '─', '╯', '─', '┴', '╮', '┤', '┬', '┼'];

impl TileText {
    /// The block of a tile; `odd` cells of the board have another shade of green, so that neighbouring tiles are
    /// distinct.
    pub(super) fn new(layout: &Layout, odd: bool) -> TileText {
        let mut ground = [[Ground::Field; COLUMNS]; ROWS];
        lay_cities(layout, &mut ground);
        lay_roads(layout, &mut ground);
        lay_river(layout, &mut ground);
        for (number, segment) in layout.segments.iter().enumerate() {
            if segment.kind == FeatureKind::Monastery {
                let (row, column) = match layout.monastery_side() {
                    None => CENTRE,
                    Some(Side::North) => (0, CENTRE.1),
                    Some(Side::South) => (ROWS - 1, CENTRE.1),
                    Some(Side::West) => (CENTRE.0, 1),
                    Some(Side::East) => (CENTRE.0, COLUMNS - 2),
                };
                ground[row][column - 1] = Ground::Monastery('[', None);
                ground[row][column] = Ground::Monastery('⌂', Some(number));
                ground[row][column + 1] = Ground::Monastery(']', None);
            }
        }
        let field = FIELDS[usize::from(odd)];
        let mut glyphs = ground.map(|row| row.map(|ground| glyph(ground, field)));
        let owner = |cell: TextCell| match ground[cell.0][cell.1] {
            Ground::City(segment) => Some(segment),
            Ground::Field => layout.field_near(middle(cell)),
            // A meeple must not hide the bend of a road: it stands beside the bend.
            Ground::Road(lines, segment) => segment.filter(|_| ![3, 6, 9, 12].contains(&lines)),
            Ground::Monastery(_, segment) => segment,
            Ground::Wall(_) | Ground::Village | Ground::River(_) => None,
        };
        let owned: Vec<(TextCell, usize)> = text_cells().filter_map(|cell| Some((cell, owner(cell)?))).collect();
        let nearest = |segment: usize, point: Point, taken: &[TextCell]| {
            let own = owned.iter().filter(|(cell, owner)| *owner == segment && !taken.contains(cell));
            // Prefer cells near the centre, so that the meeple does not seem to be on the neighbouring tile.
            let distance =
                |cell: &TextCell| middle(*cell).distance(point) + 0.3 * middle(*cell).distance(Point::CENTRE);
            own.map(|(cell, _)| *cell).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(CENTRE)
        };
        let mut meeple_cells = Vec::new();
        let mut taken = Vec::new();
        for (number, point) in layout.meeple_points.iter().enumerate() {
            if layout.segments[number].kind == FeatureKind::Garden {
                let cell = layout.field_near(*point).map_or(CENTRE, |field| nearest(field, *point, &taken));
                glyphs[cell.0][cell.1] = Glyph { symbol: '✿', style: style(GARDEN_INK, field).bold() };
                meeple_cells.push(cell);
            } else {
                meeple_cells.push(nearest(number, *point, &[]));
            }
            taken.push(meeple_cells[number]);
        }
        for (city, point) in &layout.pennants {
            let (row, column) = nearest(*city, *point, &taken);
            taken.push((row, column));
            glyphs[row][column] = Glyph { symbol: '♦', style: style(PENNANT_INK, CITY).bold() };
        }
        for (segment, point) in &layout.specials {
            let is_city = layout.segments[*segment].kind == FeatureKind::City;
            let owner = if is_city { Some(*segment) } else { layout.field_near(*point) };
            let (row, column) = owner.map_or(CENTRE, |owner| nearest(owner, *point, &taken));
            taken.push((row, column));
            let (symbol, ground) = if is_city { ('†', CITY) } else { ('∩', field) };
            glyphs[row][column] = Glyph { symbol, style: style(BUILDING_INK, ground).bold() };
        }
        TileText { glyphs, meeple_cells }
    }

    /// Marks the corners of the block.
    pub(super) fn mark(&mut self) {
        for ((row, column), symbol) in [((0, 0), '┏'), ((0, 6), '┓'), ((2, 0), '┗'), ((2, 6), '┛')] {
            let glyph = &mut self.glyphs[row][column];
            let ink = Some(anstyle::Color::Ansi256(Ansi256Color(MARK_INK)));
            *glyph = Glyph { symbol, style: glyph.style.fg_color(ink).bold() };
        }
    }

    /// Draws a figure of a seat (from 0) on a segment.
    pub(super) fn put(&mut self, segment: usize, seat: usize, kind: Figure) {
        let (row, column) = self.meeple_cells[segment];
        self.glyphs[row][column] = figure(seat, kind);
    }
}

fn glyph(ground: Ground, field: u8) -> Glyph {
    let (symbol, style) = match ground {
        Ground::Field => ('·', style(FIELD_INK, field)),
        Ground::City(_) => ('▒', style(CITY_INK, CITY)),
        Ground::Wall(symbol) => (symbol, style(WALL_INK, field).bold()),
        Ground::Road(lines, _) => (LINES[usize::from(lines)], style(ROAD_INK, field).bold()),
        Ground::Village => ('■', style(BUILDING_INK, field)),
        Ground::River(ends) => (if ends { '○' } else { '≈' }, style(WATER_INK, WATER).bold()),
        Ground::Monastery(symbol, _) => (symbol, style(BUILDING_INK, field).bold()),
    };
    Glyph { symbol, style }
}

fn text_cells() -> impl Iterator<Item = TextCell> {
    (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column)))
}

/// The point of the tile at the centre of a cell.
fn middle((row, column): TextCell) -> Point {
    Point { x: (column as f64 + 0.5) / COLUMNS as f64, y: (row as f64 + 0.5) / ROWS as f64 }
}

fn lay_cities(layout: &Layout, ground: &mut [[Ground; COLUMNS]; ROWS]) {
    for (city, _) in &layout.cities {
        for (row, column) in text_cells() {
            let has = |side| layout.segments[*city].has(side);
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

/// The content of a cell for a city on the sides for which `has` is true.
fn city_at(has: impl Fn(Side) -> bool, (row, column): TextCell) -> Option<Stone> {
    let upright = [Some(Side::North), None, Some(Side::South)][row];
    let level = if column < CENTRE.1 { Side::West } else { Side::East };
    let through = has(Side::North) && has(Side::South) || has(Side::East) && has(Side::West);
    // A wall follows the diagonal from the corner of the tile, or crosses it if the city fills that corner.
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
    let mut lay = |(row, column): TextCell, segment: usize, sides: [Side; 2]| {
        let lines = sides.iter().fold(0, |lines, side| lines | 1 << *side as u8);
        let cell = &mut ground[row][column];
        match *cell {
            Ground::Field => *cell = Ground::Road(lines, Some(segment)),
            Ground::Road(others, owner) => {
                *cell = Ground::Road(lines | others, owner.filter(|owner| *owner == segment))
            }
            _ => {}
        }
    };
    let crowded = has_several_bends(layout);
    for (segment, stroke) in &layout.roads {
        for (cell, sides) in line_cells(*stroke, crowded) {
            lay(cell, *segment, sides);
        }
    }
    if layout.village {
        ground[CENTRE.0][CENTRE.1] = Ground::Village;
    }
}

/// Lays the river where nothing else is: roads cross it by bridges.
fn lay_river(layout: &Layout, ground: &mut [[Ground; COLUMNS]; ROWS]) {
    let Some(river) = layout.river else { return };
    for ((row, column), _) in line_cells(river, has_several_bends(layout)) {
        let cell = &mut ground[row][column];
        if *cell == Ground::Field {
            let ends = matches!(river, Stroke::End(..)) && (row, column) == CENTRE;
            *cell = Ground::River(ends);
        }
    }
}

/// Whether several bends, of roads or of the river, would meet at the centre.
fn has_several_bends(layout: &Layout) -> bool {
    layout.roads.iter().map(|(_, stroke)| stroke).chain(&layout.river).filter(|stroke| stroke.is_bend()).count() > 1
}

/// The cells of a line, each with the two sides that the line leads to.
fn line_cells(stroke: Stroke, crowded: bool) -> Vec<(TextCell, [Side; 2])> {
    match stroke {
        Stroke::End(side, length) => {
            // A small tolerance, because the line can end exactly at the centre of the tile.
            let reached = |cell: &TextCell| middle(*cell).distance(Point::middle(side)) <= length + 1e-6;
            let sides = |cell| [side, if cell == CENTRE { side } else { side.opposite() }];
            line_from(side).filter(reached).map(|cell| (cell, sides(cell))).collect()
        }
        Stroke::Through(a, b) if crowded && stroke.is_bend() => {
            // Two bends would meet at the centre, so each is drawn nearer to its corner.
            let (upright, level) = if matches!(a, Side::North | Side::South) { (a, b) } else { (b, a) };
            let row = if upright == Side::North { 0 } else { 2 };
            let column = if level == Side::West { CENTRE.1 - 1 } else { CENTRE.1 + 1 };
            let mut cells = vec![
                ((row, CENTRE.1), [upright, level]),
                ((row, column), [upright.opposite(), level.opposite()]),
                ((CENTRE.0, column), [upright, level]),
            ];
            cells.extend(line_from(level).take(CENTRE.1 - 1).map(|cell| (cell, [level, level.opposite()])));
            cells
        }
        Stroke::Through(a, b) => {
            let straight = |side: Side| {
                let before = line_from(side).take_while(|cell| *cell != CENTRE);
                before.map(move |cell| (cell, [side, side.opposite()]))
            };
            straight(a).chain(straight(b)).chain([(CENTRE, [a, b])]).collect()
        }
    }
}

/// The cells from the middle of a side straight across the block.
fn line_from(side: Side) -> impl Iterator<Item = TextCell> {
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
    use crate::drawing::layout::TurnedSegment;
    use crate::drawing::layout::tests::{all_layouts, turned_segments};

    /// The symbols of a cell on a segment.
    fn symbols(segment: &TurnedSegment) -> &'static str {
        match segment.kind {
            FeatureKind::City => "▒",
            FeatureKind::Road => "│─",
            FeatureKind::Field => "·",
            FeatureKind::Monastery => "⌂",
            FeatureKind::Garden => "✿",
        }
    }

    #[test]
    fn each_segment_has_a_meeple_cell_of_its_own() {
        for (name, layout) in all_layouts() {
            let block = TileText::new(&layout, false);
            for (number, segment) in layout.segments.iter().enumerate() {
                let (row, column) = block.meeple_cells[number];
                let symbol = block.glyphs[row][column].symbol;
                assert!(symbols(segment).contains(symbol), "{name}: {symbol} for segment {number}");
                let same = block.meeple_cells.iter().filter(|cell| **cell == block.meeple_cells[number]).count();
                assert_eq!(same, 1, "{name}: segment {number} shares its cell");
            }
        }
    }

    #[test]
    fn the_middle_of_a_side_shows_its_edge() {
        for (name, layout) in all_layouts() {
            let glyphs = TileText::new(&layout, false).glyphs;
            for side in Side::ALL {
                let (row, column) = line_from(side).next().unwrap();
                let on = layout.segments.iter().find(|segment| segment.has(side)).map(|segment| segment.kind);
                let river = layout.river.is_some_and(|river| match river {
                    Stroke::Through(a, b) => [a, b].contains(&side),
                    Stroke::End(end, _) => end == side,
                });
                let expected = match (on, side) {
                    (None, _) if river => "≈",
                    (None, _) => "·✿∩[⌂]",
                    (Some(FeatureKind::City), _) => "▒♦†",
                    (Some(_), Side::North | Side::South) if has_several_bends(&layout) => "╰╯╭╮",
                    (Some(_), Side::North | Side::South) => "│",
                    (Some(_), Side::East | Side::West) => "─",
                };
                let symbol = glyphs[row][column].symbol;
                assert!(expected.contains(symbol), "{name}: {symbol} on the {side:?} side");
            }
        }
    }

    fn text(segments: &[(FeatureKind, &str)]) -> [String; ROWS] {
        let block = TileText::new(&Layout::new(turned_segments(segments), None), false);
        block.glyphs.map(|row| row.iter().map(|glyph| glyph.symbol).collect())
    }

    #[test]
    fn tiles_outside_the_base_game_are_drawn_from_their_ports() {
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
