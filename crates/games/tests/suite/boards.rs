//! Boards of hexagons as text: rows that are shifted, and places without cells.

use evouct_games::{havannah, hex, y};
use evouct_platform::domain::Domain;

/// The position after these moves.
fn after<D: Domain>(rules: &D::Rules, moves: &str) -> D::Game {
    let mut game = D::start(rules);
    for step in D::NOTATION.read_moves(&game, moves).unwrap() {
        step.apply(&mut game);
    }
    game
}

/// The board after these moves, without colours.
fn text<D: Domain>(rules: &D::Rules, moves: &str) -> String {
    D::DRAWING.text(&after::<D>(rules, moves), false).unwrap()
}

/// The stones in the drawing that have a line around them.
fn marked<D: Domain>(rules: &D::Rules, moves: &str) -> usize {
    D::DRAWING
        .svg(&after::<D>(rules, moves))
        .unwrap()
        .split("<circle")
        .filter(|part| part.contains("stroke=\"currentColor\" stroke-width"))
        .count()
}

#[test]
fn the_chain_that_won_has_a_line_around_its_stones() {
    // The stone on c3 belongs to no chain.
    let hex = hex::HexRules { size: 3 };
    assert_eq!(
        [marked::<hex::Hex>(&hex, "b1 a1 b2 a2 c3 c1"), marked::<hex::Hex>(&hex, "b1 a1 b2 a2 c3 c1 a3")],
        [0, 3]
    );
    let y = y::YRules { size: 3 };
    assert_eq!([marked::<y::Y>(&y, "a1 b1 a2 b2"), marked::<y::Y>(&y, "a1 b1 a2 b2 a3")], [0, 3]);
    // A bridge from a1 to c1, and a stone apart.
    let havannah = havannah::HavannahRules { size: 3 };
    assert_eq!(marked::<havannah::Havannah>(&havannah, "a1 b2 c1 d4 e5 c5 b1"), 3);
}

#[test]
fn the_ends_of_a_hex_board_have_the_colours_of_the_seats() {
    let svg = <hex::Hex as Domain>::DRAWING.svg(&after::<hex::Hex>(&hex::HexRules { size: 2 }, "")).unwrap();
    let (first, second) = ("stroke=\"#0072b2\"", "stroke=\"#d55e00\"");
    // North, east, south and west; the second row begins half a cell further to the right.
    for (path, colour) in [
        ("M0 0h60M60 0h60", first),
        ("M120 0v60M150 60v60", second),
        ("M30 120h60M90 120h60", first),
        ("M0 0v60M30 60v60", second),
    ] {
        assert!(svg.contains(&format!("<path d=\"{path}\" {colour}")), "{path}: {svg}");
    }
}

#[test]
fn boards_of_hexagons_are_drawn() {
    let triangle = ["     a  b  c", "  1  X  .  Y", "   2  .  Y", "     3  X", "X to move", ""];
    assert_eq!(text::<y::Y>(&y::YRules { size: 3 }, "a1 b2 a3 c1"), triangle.join("\n"));
    let hexagon = [
        "         a  b  c",
        "     1  X  .  .  d",
        "   2  .  Y  .  .  e",
        "  3  .  .  X  .  .",
        "   4  .  .  Y  .",
        "     5  Y  .  X",
        "X to move",
        "",
    ];
    let havannah = text::<havannah::Havannah>(&havannah::HavannahRules { size: 3 }, "a1 b2 c3 d4 e5 c5");
    assert_eq!(havannah, hexagon.join("\n"));
}
