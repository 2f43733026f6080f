//! A position for the browser: the board with all legal actions.

use super::board_svg::{
    At, Number, SIDE, id, north_west, write_coordinates, write_meeple, write_placed_tile, write_start, write_tile_at,
};
use super::feature_map::FeatureMap;
use super::layout::{Layout, PlacedTile, extent, on_segment, placed_tiles};
use crate::notation::write_turn;
use crate::rules::{
    Cell, Deployment, Edition, FeatureKind, Figure, Move, PlayedTurn, Port, SegmentId, Side, State, TileKind, TileSet,
};
use evouct_base::plural::counted;
use evouct_platform::domain::{Scene, SceneChoice, SceneFeatures, SceneForm, ScenePiece, ScenePlace, SceneSquare};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The scene of a position.
pub(crate) fn scene<E: Edition>(state: &State<E>) -> Scene {
    let tiles = state.rules().tiles;
    let placed = placed_tiles(state);
    let layouts: Vec<Arc<Layout>> = placed.iter().map(|tile| Layout::known(tiles, tile.kind, tile.rotation)).collect();
    let map = FeatureMap::of(state, &placed, &layouts);
    let (places, choices) = choices(state);
    let features = features(tiles, &placed, &layouts, map);
    let cells = placed.iter().map(|tile| tile.cell).chain(state.legal_moves().into_iter().map(|action| action.cell));
    let shown = bounds(extent(&placed), cells);
    let words = format!("{} on the board, {} in the bag", counted(placed.len(), "tile"), state.tiles_left());
    let board = fmt::from_fn(|f| write_board(f, state, &placed, &layouts, shown)).to_string();
    let drawn = state.hand().map(|kind| piece(tiles, kind, 1));
    Scene { board, words, places, choices, drawn, left: left(state), features }
}

/// The smallest rectangle around a rectangle and these cells.
fn bounds((low, high): (Cell, Cell), cells: impl Iterator<Item = Cell>) -> (Cell, Cell) {
    cells.fold((low, high), |(low, high), Cell { x, y }| {
        (Cell { x: low.x.min(x), y: low.y.min(y) }, Cell { x: high.x.max(x), y: high.y.max(y) })
    })
}

fn write_board<E: Edition>(
    f: &mut fmt::Formatter<'_>,
    state: &State<E>,
    placed: &[PlacedTile],
    layouts: &[Arc<Layout>],
    shown: (Cell, Cell),
) -> fmt::Result {
    write_start(f, shown, false)?;
    write_coordinates(f, shown)?;
    placed.iter().zip(layouts).try_for_each(|(tile, layout)| write_placed_tile(f, state, tile, layout))?;
    if let Some(tile) = placed.last().filter(|tile| tile.turn.is_some()) {
        for class in ["last-rim", "last"] {
            let (at, side) = (At(north_west(tile)), Number(SIDE));
            writeln!(f, "<path class=\"{class}\" d=\"M{at}h{side}v{side}h-{side}z\"/>")?;
        }
    }
    placed.iter().zip(layouts).try_for_each(|(tile, layout)| write_meeple(f, tile, layout, ""))?;
    writeln!(f, "</svg>")
}

/// The places of the tile in hand with its rotations, and the legal moves.
fn choices<E: Edition>(state: &State<E>) -> (Vec<ScenePlace>, Vec<SceneChoice>) {
    let Some(kind) = state.hand() else { return Default::default() };
    let tiles = state.rules().tiles;
    let mut places: Vec<ScenePlace> = Vec::new();
    let mut choices = Vec::new();
    let mut place_of: BTreeMap<Cell, usize> = BTreeMap::new();
    let mut form_of: BTreeMap<(Cell, u8), usize> = BTreeMap::new();
    for action in state.legal_moves() {
        let Move { cell, rotation, meeple } = action;
        let place = *place_of.entry(cell).or_insert_with(|| {
            let (name, x, y) = (format!("{},{}", cell.x, cell.y), f64::from(cell.x) * SIDE, f64::from(cell.y) * SIDE);
            places.push(ScenePlace { name, x, y, side: SIDE, forms: Vec::new() });
            places.len() - 1
        });
        let layout = Layout::known(tiles, kind, rotation);
        let tile = PlacedTile { cell, kind, rotation, meeple: None, turn: None };
        let form = *form_of.entry((cell, rotation)).or_insert_with(|| {
            let drawing = fmt::from_fn(|f| write_tile_at(f, tiles, &tile, &layout, "")).to_string();
            let name = turned(rotation);
            places[place].forms.push(SceneForm { name, drawing });
            places[place].forms.len() - 1
        });
        let meeple_at = meeple.and_then(|deployment| on_segment(deployment, state.player()));
        let with_meeple = PlacedTile { meeple: meeple_at, ..tile };
        choices.push(SceneChoice {
            play: write_turn(&PlayedTurn { tile: kind, action }, tiles),
            words: move_words(state, action),
            place,
            form,
            option: option_words(tiles, kind, rotation, meeple),
            drawing: fmt::from_fn(|f| write_meeple(f, &with_meeple, &layout, "")).to_string(),
        });
    }
    (places, choices)
}

/// A move of the tile in hand, in words.
pub(crate) fn move_words<E: Edition>(state: &State<E>, Move { cell, rotation, meeple }: Move) -> String {
    let (tiles, kind) = (state.rules().tiles, state.hand().expect("a seat that acts has a tile in hand"));
    let figure = option_words(tiles, kind, rotation, meeple);
    format!("tile {} at {},{}, {}, {figure}", tiles.kind(kind).name, cell.x, cell.y, turned(rotation))
}

/// A rotation in words.
fn turned(rotation: u8) -> String {
    format!("turned {}°", 90 * u32::from(rotation))
}

/// The use of a figure, in words.
fn option_words(tiles: &TileSet, kind: TileKind, rotation: u8, deployment: Option<Deployment>) -> String {
    let Some(deployment) = deployment else { return "no figure".to_owned() };
    let Some(segment) = deployment.segment() else { return "take the abbot back".to_owned() };
    let figure = match deployment.figure() {
        Figure::Meeple => "meeple",
        Figure::Big => "big meeple",
        Figure::Abbot => "abbot",
    };
    format!("{figure} on the {}", segment_words(tiles, kind, rotation, segment))
}

/// A segment in words, with its place on the tile if there are several of its kind.
fn segment_words(tiles: &TileSet, kind: TileKind, rotation: u8, segment: SegmentId) -> String {
    let segments = tiles.segments(kind);
    let own = &segments[segment.index()];
    let alike = segments.iter().filter(|other| other.kind() == own.kind()).count();
    if alike == 1 {
        own.kind().name().to_owned()
    } else {
        format!("{} {}", own.kind().name(), port_words(own.first_port(rotation)))
    }
}

/// A port in words, as `north-north-west`.
fn port_words(port: Port) -> String {
    let side = |letter| match letter {
        'N' => "north",
        'E' => "east",
        'S' => "south",
        'W' => "west",
        _ => "centre",
    };
    port.name().chars().map(side).collect::<Vec<_>>().join("-")
}

fn tile_words(tiles: &TileSet, kind: TileKind) -> String {
    let side_names = ["north", "east", "south", "west"];
    let words = tiles.segments(kind).iter().filter(|segment| segment.kind() != FeatureKind::Field).map(|segment| {
        let sides: Vec<&str> = Side::ALL
            .into_iter()
            .zip(side_names)
            .filter(|(side, _)| segment.ports(0) & Port::middle(*side).bit() != 0)
            .map(|(_, name)| name)
            .collect();
        let pennant = if segment.pennants() > 0 { " with a pennant" } else { "" };
        format!("{}{pennant} {}", segment.kind().name(), sides.join(" ")).trim_end().to_owned()
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { "fields".to_owned() } else { words.join(", ") }
}

/// A kind of tile as a drawing of its own.
fn piece(tiles: &TileSet, kind: TileKind, left: usize) -> ScenePiece {
    let definition = tiles.kind(kind);
    let tile = PlacedTile { cell: Cell::default(), kind, rotation: 0, meeple: None, turn: None };
    let layout = Layout::known(tiles, kind, 0);
    let inside = fmt::from_fn(|f| write_tile_at(f, tiles, &tile, &layout, ""));
    let side = Number(SIDE);
    let drawing = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"evouct\" viewBox=\"0 0 {side} {side}\" aria-hidden=\"true\">{inside}</svg>"
    );
    let of = usize::from(definition.count);
    ScenePiece { name: definition.name.clone(), words: tile_words(tiles, kind), drawing, left, of }
}

/// The kinds of tile with what is left of each.
fn left<E: Edition>(state: &State<E>) -> Vec<ScenePiece> {
    let tiles = state.rules().tiles;
    let mut counts = vec![0; tiles.kinds().len()];
    state.remaining().for_each(|kind| counts[usize::from(kind.0)] += 1);
    let kinds = counts.into_iter().enumerate().filter(|(kind, _)| tiles.kinds()[*kind].count > 0);
    kinds.map(|(kind, left)| piece(tiles, TileKind(kind as u8), left)).collect()
}

fn features(tiles: &TileSet, placed: &[PlacedTile], layouts: &[Arc<Layout>], map: FeatureMap) -> SceneFeatures {
    let mut masks = BTreeMap::new();
    let mut squares = Vec::new();
    for ((tile, layout), features) in placed.iter().zip(layouts).zip(map.of) {
        let mask = format!("{}-{}", id(tiles, tile.kind), tile.rotation);
        masks.entry(mask.clone()).or_insert_with(|| layout.mask());
        let corner = north_west(tile);
        squares.push(SceneSquare { x: corner.x, y: corner.y, side: SIDE, mask, features });
    }
    SceneFeatures { words: map.words, squares, masks }
}
