//! What people see of a game.

use super::grid::{FILL, Grid, GridCell};
use super::grid_scene::grid_scene;
use super::notation::Notation;
use super::scene::Scene;
use super::step::{GameStep, positions};
use evouct_search::game::{Game, MAX_SEATS};
use std::fmt::Write;

/// What people see of a game: facts about seats, the position as text and as a picture, and what they choose from at a
/// table.
///
/// A game that is only played by programs has [`NoDrawing`]. A game of pieces on square cells gives its
/// [`grid`](Drawing::grid) and has everything. Another one draws what it can: `evouct play` prints
/// [`text`](Drawing::text), reports show [`svg`](Drawing::svg), the table of `evouct gui` shows a
/// [`scene`](Drawing::scene), and without one the picture or the text, and a list of the legal actions.
pub trait Drawing<G: Game>: Sync {
    /// The names of the [`facts`](Drawing::facts) of a seat.
    fn fact_names(&self) -> &'static [&'static str] {
        &["score"]
    }

    /// Numbers about a seat that a spectator sees, as [`fact_names`](Drawing::fact_names) names them. By default the score
    /// in the whole numbers of the game, whatever a [point](super::Domain::PER_POINT) is.
    fn facts(&self, game: &G, seat: usize) -> Vec<i64> {
        vec![game.scores()[seat].into()]
    }

    /// The colours of the seats in pictures, as SVG has them.
    fn colours(&self) -> [&'static str; MAX_SEATS] {
        FILL
    }

    /// The board of a game of pieces on square cells. Text, picture and scene are made of it.
    fn grid(&self, _game: &G) -> Option<Grid> {
        None
    }

    /// The cells from which and to which an action moves a piece on that board.
    fn grid_move(&self, _game: &G, _action: G::Action) -> Option<[GridCell; 2]> {
        None
    }

    /// What chance gave the seat to play on that board, such as the face of a die; by default what the game has
    /// [drawn](Game::drawn), of which its searches learn, too.
    fn grid_chance(&self, game: &G) -> Option<G::Outcome> {
        game.drawn()
    }

    /// The position as text, with terminal colours if asked for.
    fn text(&self, game: &G, colour: bool) -> Option<String> {
        self.grid(game).map(|grid| grid.text(colour))
    }

    /// The position as an SVG document.
    fn svg(&self, game: &G) -> Option<String> {
        self.grid(game).map(|grid| grid.svg())
    }

    /// The position as people see it at a table, where they choose among the legal actions, written in the notation of
    /// the game.
    fn scene(&self, game: &G, notation: &dyn Notation<G>) -> Option<Scene> {
        grid_scene(game, &self.grid(game)?, self.grid_chance(game), notation, |action| self.grid_move(game, action))
    }

    /// A picture of the start and of the position after every turn, as SVG documents; none for a game without drawings.
    fn pictures(&self, start: &G, steps: &[GameStep<G>]) -> Option<Vec<String>> {
        positions(start, steps, |game| self.svg(game))
    }

    /// Shared definitions of the animations of games with this start: an SVG element that shows nothing, once per page.
    fn definitions(&self, _start: &G) -> Option<String> {
        None
    }

    /// All positions of a game in one SVG document, whose parts say by `data-from` and `data-until` after which turns
    /// they are shown.
    fn animation(&self, start: &G, steps: &[GameStep<G>]) -> Option<String> {
        frames(&self.pictures(start, steps)?)
    }
}

/// Nothing is drawn; spectators see the scores.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDrawing;

impl<G: Game> Drawing<G> for NoDrawing {}

/// One SVG element with every picture, as large as the largest.
fn frames(pictures: &[String]) -> Option<String> {
    let sizes: Vec<[f64; 2]> = pictures.iter().filter_map(|svg| size(svg)).collect();
    let [width, height] = [0, 1].map(|side| sizes.iter().map(|size| size[side]).fold(1.0, f64::max));
    let frame = if sizes.is_empty() { String::new() } else { format!(" viewBox=\"0 0 {width} {height}\"") };
    let mut element = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\"{frame}>");
    for (turn, svg) in pictures.iter().enumerate() {
        let until = if turn + 1 < pictures.len() { format!(" data-until=\"{}\"", turn + 1) } else { String::new() };
        let visibility = if turn + 1 < pictures.len() { " visibility=\"hidden\"" } else { "" };
        write!(element, "<g data-from=\"{turn}\"{until}{visibility}>{svg}</g>").ok()?;
    }
    Some(element + "</svg>")
}

/// Width and height of a picture by the view box of its first tag, or else by its size.
fn size(svg: &str) -> Option<[f64; 2]> {
    let (tag, _) = svg.split_once('>')?;
    let of = |name: &str| tag.split_once(&format!(" {name}=\""))?.1.split('"').next();
    let numbers = |text: &str| text.split([' ', ',']).filter_map(|part| part.parse().ok()).collect::<Vec<f64>>();
    match of("viewBox").map(numbers).as_deref() {
        Some(&[_, _, width, height]) => Some([width, height]),
        _ => Some([of("width")?.parse().ok()?, of("height")?.parse().ok()?]),
    }
}
