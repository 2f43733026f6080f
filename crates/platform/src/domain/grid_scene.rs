//! The scene of a game of pieces on square cells: a piece is chosen and then the cell to which it moves, or the cell on
//! which a piece is placed.

use super::grid::{Grid, GridCell, cell_name};
use super::notation::Notation;
use super::scene::{Scene, SceneChoice, SceneForm, ScenePiece, ScenePlace};
use evouct_search::game::{Game, Turn};

/// How far the mark of a target lies inside its cell, in user units.
const INSET: f64 = 6.0;

/// The scene of a position with this board, on which an action moves a piece from a cell to another or places one on the
/// cell that is both; none if an action does neither.
pub(super) fn grid_scene<G: Game>(
    game: &G,
    grid: &Grid,
    drawn: Option<G::Outcome>,
    notation: &dyn Notation<G>,
    moved: impl Fn(G::Action) -> Option<[GridCell; 2]>,
) -> Option<Scene> {
    let number = |cell| match grid.piece(cell) {
        Some((_, number)) if number > 0 => format!(" {number}"),
        _ => String::new(),
    };
    let (mut places, mut choices, mut origins) = (Vec::new(), Vec::new(), Vec::new());
    let mut actions = Vec::new();
    game.actions(&mut actions);
    for action in actions {
        let [from, to] = moved(action)?;
        let place = origins.iter().position(|origin| *origin == from).unwrap_or_else(|| {
            let (x, y, side) = grid.square(from);
            let forms = vec![SceneForm { name: String::new(), drawing: String::new() }];
            let name =
                if from == to { cell_name(from) } else { format!("piece{} on {}", number(from), cell_name(from)) };
            places.push(ScenePlace { name, x, y, side, forms });
            origins.push(from);
            origins.len() - 1
        });
        // The words of a move end with where it goes and what it does there.
        let words = notation.say_action(game, action);
        let there = format!("to {}", cell_name(to));
        let option = words.rfind(&there).map_or(&there[..], |at| &words[at..]).to_owned();
        let (x, y, side) = grid.square(to);
        let (x, y, side) = (x + INSET, y + INSET, side - 2.0 * INSET);
        choices.push(SceneChoice {
            play: notation.write_action(game, action),
            option: if from == to { String::new() } else { option },
            words,
            place,
            form: 0,
            drawing: format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"8\" class=\"target\"/>"
            ),
        });
    }
    let drawn = drawn.filter(|_| matches!(game.turn(), Turn::Player(_)));
    let drawn = drawn.map(|outcome| face(notation.write_outcome(game, outcome)));
    let board = grid.board("", &last_move(grid));
    Some(Scene { board, words: grid.words(), places, choices, drawn, ..Scene::default() })
}

/// A frame around the piece that moved last.
fn last_move(grid: &Grid) -> String {
    grid.last().map_or_else(String::new, |cell| {
        let (x, y, side) = grid.square(cell);
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" class=\"last-cell\"/>")
    })
}

/// What chance gave, as the face of a die.
fn face(name: String) -> ScenePiece {
    let drawing = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 60 60\" aria-hidden=\"true\"><rect x=\"4\" y=\"4\" width=\"52\" \
         height=\"52\" rx=\"10\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"3\"/><text x=\"30\" y=\"42\" \
         font-size=\"34\" font-weight=\"bold\" font-family=\"sans-serif\" text-anchor=\"middle\" fill=\"currentColor\">{name}</text></svg>"
    );
    ScenePiece { words: String::new(), name, drawing, left: 1, of: 1 }
}
