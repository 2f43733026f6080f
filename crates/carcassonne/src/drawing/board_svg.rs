//! The board as a self-contained SVG document.
//!
//! Each kind of tile is defined once, in rotation 0, and used by reference. Villages, monasteries, pennants and meeples
//! are drawn upright on top. The document loads nothing, and the same position gives the same bytes.

use super::animation::MeepleSpan;
use super::geometry::{Outline, Piece, Point, Stroke};
use super::layout::{Layout, PlacedTile, extent, on_segment, placed_tiles};
use crate::notation::write_turn;
use crate::rules::{Base, Cell, Edition, Expansions, FeatureKind, Figure, MAX_SEATS, State, TileKind, TileSet};
use evouct_base::plural::counted;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// User units along a side of a tile.
pub(super) const SIDE: f64 = 100.0;
/// Pixels along a side of a tile, unless a page sets the size of the figure.
const PIXELS: f64 = 60.0;
/// User units left of and above the board, for coordinates.
const MARGIN: f64 = 44.0;
/// User units right of and below the board.
const RIM: f64 = 6.0;

/// Colours for light and dark backgrounds.
///
/// Content that is used by reference has class names of its own. Browsers match it without the ancestors of the
/// reference, so `.evouct .field` would not match.
const STYLE: &str = include_str!("figure/style.css");

/// The figures on tiles, each around the origin.
const FIGURES: &str = include_str!("figure/figures.xml");

/// Colours and figures of the expansions.
const EXPANSION_STYLE: &str = include_str!("figure/expansions.css");
const EXPANSION_FIGURES: &str = include_str!("figure/expansions.xml");

/// The colours of the figures by seat, of the palette of Okabe and Ito, which colour-blind readers can distinguish.
pub(crate) const SEAT_COLOURS: [&str; MAX_SEATS] = ["#0072b2", "#d63c1f", "#f6e03a", "#2b2b2b", "#cc79c0", "#e8e8e8"];
/// Seats of the base game.
const BASE_SEATS: usize = 5;

/// A position as an SVG document, written by [`Display`](fmt::Display).
///
/// A tile is 60 pixels wide unless the figure is scaled. `x` is above a column of tiles and `y` left of a row. The last
/// tile has an outline. A meeple on a field lies down. The title of a tile is its turn in notation.
///
/// Names of ids and classes begin with `evouct`, or apply only inside an element of that class. So a page can contain
/// many figures.
///
/// ```
/// use evouct_carcassonne::{BoardSvg, Rules, State};
/// let svg = BoardSvg::new(&State::new(Rules::official(2))).to_string();
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// ```
#[derive(Clone, Copy)]
pub struct BoardSvg<'a, E: Edition = Base> {
    state: &'a State<E>,
    /// The cells to show, if they are not those of the position.
    extent: Option<(Cell, Cell)>,
}

impl<'a, E: Edition> BoardSvg<'a, E> {
    /// The figure of a position.
    pub fn new(state: &'a State<E>) -> BoardSvg<'a, E> {
        BoardSvg { state, extent: None }
    }

    /// The same figure with the cells from this north-west one to this south-east one.
    pub(super) fn with_extent(self, extent: (Cell, Cell)) -> BoardSvg<'a, E> {
        BoardSvg { extent: Some(extent), ..self }
    }
}

impl<E: Edition> fmt::Display for BoardSvg<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles = self.state.rules().tiles;
        let placed = placed_tiles(self.state);
        let shown = self.extent.unwrap_or_else(|| extent(&placed));
        write_start(f, shown, true)?;
        writeln!(f, "<title>Carcassonne board of {}</title>", counted(placed.len(), "tile"))?;
        write_style(f, tiles)?;
        write_definitions(f, tiles, placed.iter().map(|tile| tile.kind).collect())?;
        write_coordinates(f, shown)?;
        let layouts: Vec<Arc<Layout>> =
            placed.iter().map(|tile| Layout::known(tiles, tile.kind, tile.rotation)).collect();
        placed.iter().zip(&layouts).try_for_each(|(tile, layout)| write_placed_tile(f, self.state, tile, layout))?;
        // After all tiles, because their edges would cover half of the line.
        if let Some(tile) = placed.last().filter(|tile| tile.turn.is_some()) {
            for class in ["last-rim", "last"] {
                let (at, side) = (At(north_west(tile)), Number(SIDE));
                writeln!(f, "<path class=\"{class}\" d=\"M{at}h{side}v{side}h-{side}z\"/>")?;
            }
        }
        placed.iter().zip(&layouts).try_for_each(|(tile, layout)| write_meeple(f, tile, layout, ""))?;
        writeln!(f, "</svg>")
    }
}

/// Opens the element that shows these cells. A document has a size of its own; an element of a page has none.
pub(super) fn write_start(f: &mut fmt::Formatter<'_>, (low, high): (Cell, Cell), sized: bool) -> fmt::Result {
    let across = f64::from(i16::from(high.x) - i16::from(low.x) + 1) * SIDE + MARGIN + RIM;
    let down = f64::from(i16::from(high.y) - i16::from(low.y) + 1) * SIDE + MARGIN + RIM;
    let pixels = |units: f64| Number(units * PIXELS / SIDE);
    write!(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"evouct\"")?;
    if sized {
        write!(f, " width=\"{}\" height=\"{}\"", pixels(across), pixels(down))?;
    }
    writeln!(f, " viewBox=\"{} {} {}\">", At(north_west_of_view(low)), Number(across), Number(down))
}

fn north_west_of_view(low: Cell) -> Point {
    Point { x: f64::from(low.x) * SIDE - MARGIN, y: f64::from(low.y) * SIDE - MARGIN }
}

fn has_expansions(tiles: &TileSet) -> bool {
    tiles.expansions != Expansions::NONE
}

fn write_style(f: &mut impl fmt::Write, tiles: &TileSet) -> fmt::Result {
    let (more, seats) = if has_expansions(tiles) { (EXPANSION_STYLE, MAX_SEATS) } else { ("", BASE_SEATS) };
    writeln!(f, "<style>\n{}", STYLE.trim_end())?;
    for (seat, colour) in (1..).zip(&SEAT_COLOURS[..seats]) {
        // Black figures have a light rim, so that they stand out from a dark background.
        let rim = if seat == 4 { ";stroke:#ddd;stroke-width:1.5" } else { "" };
        writeln!(f, ".evouct .s{seat}{{fill:{colour}{rim}}}")?;
    }
    writeln!(f, "{more}</style>")
}

fn write_definitions(f: &mut impl fmt::Write, tiles: &TileSet, kinds: BTreeSet<TileKind>) -> fmt::Result {
    writeln!(f, "<defs>\n{FIGURES}")?;
    if has_expansions(tiles) {
        f.write_str(EXPANSION_FIGURES)?;
    }
    for kind in kinds {
        write!(f, "<g id=\"{}\">", id(tiles, kind))?;
        write_tile(f, &Layout::known(tiles, kind, 0))?;
        writeln!(f, "</g>")?;
    }
    writeln!(f, "</defs>")
}

pub(super) fn write_coordinates(f: &mut fmt::Formatter<'_>, (low, high): (Cell, Cell)) -> fmt::Result {
    let corner = north_west_of_view(low);
    // Pages move the groups where they draw the board small.
    writeln!(f, "<g class=\"columns\">")?;
    for x in low.x..=high.x {
        let at = Point { x: (f64::from(x) + 0.5) * SIDE, y: corner.y + 30.0 };
        writeln!(f, "<text x=\"{}\" y=\"{}\">{x}</text>", Number(at.x), Number(at.y))?;
    }
    writeln!(f, "</g>\n<g class=\"rows\">")?;
    for y in low.y..=high.y {
        let at = Point { x: corner.x + 21.0, y: (f64::from(y) + 0.5) * SIDE };
        writeln!(f, "<text x=\"{}\" y=\"{}\" dy=\".35em\">{y}</text>", Number(at.x), Number(at.y))?;
    }
    writeln!(f, "</g>")
}

/// The definitions to which animations refer.
pub(super) fn definitions(tiles: &TileSet) -> String {
    let kinds = (0..tiles.kinds().len() as u8).map(TileKind).collect();
    let mut text = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"evouct\" width=\"0\" height=\"0\" aria-hidden=\"true\">\n",
    );
    write_style(&mut text, tiles).expect("writing to a string does not fail");
    write_definitions(&mut text, tiles, kinds).expect("writing to a string does not fail");
    text + "</svg>\n"
}

/// The board at the end of a game, each part with the turns during which it is visible.
pub(super) fn write_board<E: Edition>(
    f: &mut fmt::Formatter<'_>,
    end: &State<E>,
    meeple_spans: &[MeepleSpan],
) -> fmt::Result {
    let tiles = end.rules().tiles;
    let placed = placed_tiles(end);
    let shown = extent(&placed);
    write_start(f, shown, false)?;
    write_coordinates(f, shown)?;
    let layouts: Vec<Arc<Layout>> = placed.iter().map(|tile| Layout::known(tiles, tile.kind, tile.rotation)).collect();
    for (tile, layout) in placed.iter().zip(&layouts) {
        match tile.turn {
            Some(turn) => writeln!(f, "<g data-from=\"{}\" data-at=\"{}\">", turn + 1, At(north_west(tile)))?,
            None => writeln!(f, "<g data-at=\"{}\">", At(north_west(tile)))?,
        }
        write_placed_tile(f, end, tile, layout)?;
        writeln!(f, "</g>")?;
    }
    for class in ["last-rim", "last"] {
        let side = Number(SIDE);
        writeln!(f, "<path class=\"{class}\" d=\"M0 0h{side}v{side}h-{side}z\" visibility=\"hidden\"/>")?;
    }
    for span in meeple_spans {
        let turn = &end.turns()[span.turn];
        let meeple = turn.action.meeple.and_then(|deployment| on_segment(deployment, span.seat));
        let number = span.turn + 1;
        let tile = PlacedTile { meeple, ..placed[number] };
        let when = match span.until {
            Some(until) => format!(" data-from=\"{number}\" data-until=\"{until}\" visibility=\"hidden\""),
            None => format!(" data-from=\"{number}\""),
        };
        write_meeple(f, &tile, &layouts[number], &when)?;
    }
    writeln!(f, "</svg>")
}

pub(super) fn id(tiles: &TileSet, kind: TileKind) -> String {
    format!("evouct-{}-{}", tiles.name.replace('+', "-"), tiles.kind(kind).name)
}

/// The tile in its rotation, and the buildings and pennants on it upright.
pub(super) fn write_placed_tile<E: Edition>(
    f: &mut fmt::Formatter<'_>,
    state: &State<E>,
    tile: &PlacedTile,
    layout: &Layout,
) -> fmt::Result {
    let tiles = state.rules().tiles;
    let title = match tile.turn {
        Some(number) => format!("{}: {}", number + 1, write_turn(&state.turns()[number], tiles)),
        None => format!("start: {}", tiles.kind(tile.kind).name),
    };
    write_tile_at(f, tiles, tile, layout, &format!("<title>{title}</title>"))
}

/// The same with this content.
pub(super) fn write_tile_at(
    f: &mut fmt::Formatter<'_>,
    tiles: &TileSet,
    tile: &PlacedTile,
    layout: &Layout,
    content: &str,
) -> fmt::Result {
    let corner = north_west(tile);
    let turned = match tile.rotation {
        0 => String::new(),
        rotation => format!("rotate({} 50 50)", 90 * u32::from(rotation)),
    };
    let (at, id) = (At(corner), id(tiles, tile.kind));
    writeln!(f, "<use href=\"#{id}\" transform=\"translate({at}){turned}\">{content}</use>")?;
    let buildings =
        layout.segments.iter().zip(&layout.meeple_points).filter_map(|(segment, point)| match segment.kind {
            FeatureKind::Monastery => Some(("monastery", *point)),
            FeatureKind::Garden => Some(("garden", *point)),
            _ => None,
        });
    let village = layout.village.then_some(("village", Point::CENTRE));
    let pennants = layout.pennants.iter().map(|(_, place)| ("pennant", *place));
    let specials = layout.specials.iter().map(|(segment, place)| {
        (if layout.segments[*segment].kind == FeatureKind::City { "cathedral" } else { "inn" }, *place)
    });
    for (figure, place) in buildings.chain(village).chain(pennants).chain(specials) {
        let Point { x, y } = corner + place * SIDE;
        writeln!(f, "<use href=\"#evouct-{figure}\" x=\"{}\" y=\"{}\"/>", Number(x), Number(y))?;
    }
    Ok(())
}

/// The figure on a tile. `when` holds further attributes.
pub(super) fn write_meeple(f: &mut fmt::Formatter<'_>, tile: &PlacedTile, layout: &Layout, when: &str) -> fmt::Result {
    let Some((segment, seat, figure)) = tile.meeple else { return Ok(()) };
    let at = At(north_west(tile) + layout.meeple_points[segment] * SIDE);
    let lies = if layout.segments[segment].kind == FeatureKind::Field { "rotate(90)" } else { "" };
    let (shape, size) = match figure {
        Figure::Meeple => ("meeple", ""),
        Figure::Big => ("meeple", "scale(1.5)"),
        Figure::Abbot => ("abbot", ""),
    };
    let seat = seat + 1;
    writeln!(
        f,
        "<use href=\"#evouct-{shape}\" class=\"meeple s{seat}\" transform=\"translate({at}){lies}{size}\"{when}/>"
    )
}

/// The north-west corner of a tile on the board.
pub(super) fn north_west(tile: &PlacedTile) -> Point {
    Point { x: f64::from(tile.cell.x), y: f64::from(tile.cell.y) } * SIDE
}

/// Fields, roads and cities of a tile.
fn write_tile(f: &mut impl fmt::Write, layout: &Layout) -> fmt::Result {
    let side = Number(SIDE);
    write!(f, "<path class=\"evouct-field\" d=\"M0 0H{side}V{side}H0Z\"/>")?;
    if let Some(river) = layout.river {
        write_stroke(f, "evouct-river", river)?;
        if let Stroke::End(..) = river {
            let Point { x, y } = river.end() * SIDE;
            write!(f, "<circle class=\"evouct-pool\" cx=\"{}\" cy=\"{}\" r=\"17\"/>", Number(x), Number(y))?;
        }
    }
    for class in ["evouct-verge", "evouct-road"] {
        for (_, stroke) in &layout.roads {
            write_stroke(f, class, *stroke)?;
        }
    }
    for (_, outline) in &layout.cities {
        write!(f, "<path class=\"evouct-city\" d=\"{}Z\"/>", Path { outline, walls_only: false })?;
        if outline.pieces.iter().any(|piece| matches!(piece, Piece::Wall(_))) {
            write!(f, "<path class=\"evouct-wall\" d=\"{}\"/>", Path { outline, walls_only: true })?;
        }
    }
    Ok(())
}

/// The line of a road or of the river.
fn write_stroke(f: &mut impl fmt::Write, class: &str, stroke: Stroke) -> fmt::Result {
    let (from, to) = (At(stroke.start() * SIDE), At(stroke.end() * SIDE));
    write!(f, "<path class=\"{class}\" d=\"M{from}")?;
    match stroke.turns_clockwise() {
        Some(clockwise) => write!(f, "A50 50 0 0 {} {to}\"/>", u8::from(clockwise)),
        None => write!(f, "L{to}\"/>"),
    }
}

/// The path data of a city.
struct Path<'a> {
    outline: &'a Outline,
    /// Whether to leave out the sides of the tile, across which the city continues.
    walls_only: bool,
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut from = self.outline.start;
        if !self.walls_only {
            write!(f, "M{}", At(from * SIDE))?;
        }
        for piece in &self.outline.pieces {
            from = match *piece {
                Piece::Edge(to) => {
                    if !self.walls_only {
                        write!(f, "L{}", At(to * SIDE))?;
                    }
                    to
                }
                Piece::Wall([c, d, to]) => {
                    if self.walls_only {
                        write!(f, "M{}", At(from * SIDE))?;
                    }
                    write!(f, "C{} {} {}", At(c * SIDE), At(d * SIDE), At(to * SIDE))?;
                    to
                }
            };
        }
        Ok(())
    }
}

/// A number, rounded to two decimals.
pub(super) struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounding an integer first keeps trailing zeros and "-0" out.
        write!(f, "{}", (self.0 * 100.0).round() as i64 as f64 / 100.0)
    }
}

/// A point: two numbers.
pub(super) struct At(pub Point);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Number(self.0.x), Number(self.0.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::board_text::tests::{expanded_positions, positions};
    use roxmltree::{Document, Node};

    fn uses<'a>(document: &'a Document<'a>) -> impl Iterator<Item = Node<'a, 'a>> {
        document.descendants().filter(|node| node.has_tag_name("use"))
    }

    /// The numbers of the first `translate` of a node.
    fn translation(node: Node) -> (f64, f64) {
        let transform = node.attribute("transform").unwrap();
        let (numbers, _) = transform.strip_prefix("translate(").unwrap().split_once(')').unwrap();
        let (x, y) = numbers.split_once(' ').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    }

    #[test]
    fn a_figure_is_xml_with_every_meeple_of_the_position() {
        check_a_figure_is_xml_with_every_meeple_of_the_position(positions());
        check_a_figure_is_xml_with_every_meeple_of_the_position(expanded_positions());
    }

    fn check_a_figure_is_xml_with_every_meeple_of_the_position<E: Edition>(positions: Vec<State<E>>) {
        let mut most = 0;
        for state in positions {
            let svg = BoardSvg::new(&state).to_string();
            let document = Document::parse(&svg).unwrap();
            let drawn = uses(&document).filter(|node| node.attribute("class").is_some());
            let mut found: Vec<(String, i64, i64)> = drawn
                .map(|node| {
                    let (x, y) = translation(node);
                    let cell = |units: f64| (units / SIDE).floor() as i64;
                    (node.attribute("class").unwrap().to_owned(), cell(x), cell(y))
                })
                .collect();
            let standing = state.standing_meeples();
            let mut expected: Vec<(String, i64, i64)> = standing
                .iter()
                .map(|(turn, seat)| {
                    let cell = state.turns()[*turn].action.cell;
                    (format!("meeple s{}", seat + 1), cell.x.into(), cell.y.into())
                })
                .collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected);
            most = most.max(found.len());
        }
        assert!(most > 10, "never more than {most} meeples stood");
    }

    #[test]
    fn all_references_of_a_figure_are_defined() {
        check_all_references_of_a_figure_are_defined(positions());
        check_all_references_of_a_figure_are_defined(expanded_positions());
    }

    fn check_all_references_of_a_figure_are_defined<E: Edition>(positions: Vec<State<E>>) {
        for state in positions {
            let svg = BoardSvg::new(&state).to_string();
            let document = Document::parse(&svg).unwrap();
            let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
            let distinct: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(ids.len(), distinct.len(), "an id is defined twice");
            // Content used by reference is matched without its ancestors.
            let defined =
                document.descendants().filter(|node| node.ancestors().any(|above| above.has_tag_name("defs")));
            for name in defined.filter_map(|node| node.attribute("class")) {
                assert!(svg.contains(&format!("\n.{name}{{")), "the class {name} has no style of its own");
            }
            let tiles = uses(&document).filter(|node| {
                let id = node.attribute("href").unwrap().strip_prefix('#').unwrap();
                assert!(distinct.contains(id), "{id} is not defined");
                state.rules().tiles.kinds().iter().any(|kind| id.ends_with(&format!("-{}", kind.name)))
            });
            assert_eq!(tiles.count(), state.turns().len() + 1);
            for name in
                document.descendants().filter_map(|node| node.attribute("class")).flat_map(str::split_whitespace)
            {
                // The board itself, and the coordinates that pages move, have names without a style.
                let is_name = ["evouct", "columns", "rows"].contains(&name);
                assert!(svg.contains(&format!(".{name}{{")) || is_name, "the class {name} has no style");
            }
        }
    }

    #[test]
    fn everything_is_inside_the_view() {
        for state in positions() {
            let svg = BoardSvg::new(&state).to_string();
            let document = Document::parse(&svg).unwrap();
            let view = document.root_element().attribute("viewBox").unwrap();
            let view: Vec<f64> = view.split(' ').map(|number| number.parse().unwrap()).collect();
            let inside = |x: f64, y: f64, size: f64| {
                x >= view[0] && y >= view[1] && x + size <= view[0] + view[2] && y + size <= view[1] + view[3]
            };
            for tile in
                uses(&document).filter(|node| node.attribute("class").is_none() && node.has_attribute("transform"))
            {
                let (x, y) = translation(tile);
                assert!(inside(x, y, SIDE), "a tile at {x} {y} in {view:?}");
            }
            for label in document.descendants().filter(|node| node.has_tag_name("text")) {
                let number = |name| label.attribute(name).unwrap().parse::<f64>().unwrap();
                assert!(inside(number("x"), number("y"), 0.0), "a label in {view:?}");
            }
        }
    }

    #[test]
    fn numbers_have_two_decimals_at_most() {
        let show = |value: f64| Number(value).to_string();
        assert_eq!([100.0, 56.666_67, 0.1 + 0.2, -0.001, -4.5].map(show), ["100", "56.67", "0.3", "0", "-4.5"]);
    }
}
