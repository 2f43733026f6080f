//! Boards of hexagons as text: rows that are shifted, and places without cells.

use evouct_games::{havannah, y};
use evouct_platform::domain::Domain;

/// The board after these moves, without colours.
fn text<D: Domain>(rules: &D::Rules, moves: &str) -> String {
    let mut game = D::start(rules);
    for step in D::NOTATION.read_moves(&game, moves).unwrap() {
        step.apply(&mut game);
    }
    D::DRAWING.text(&game, false).unwrap()
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
