//! A position as people see it at a table: the board, what the seat to play may choose, and what is left.
//!
//! A choice is made in up to three steps: a place on the board, a form of the piece that is placed there, and an
//! option. Coordinates are those of the board's drawing. A game without such a drawing has a [list](Scene::listed) of
//! actions.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The scene of a position.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Scene {
    /// The board: one SVG element; empty if the game draws none. It may refer to the
    /// [definitions](super::Drawing::definitions) of the game.
    pub board: String,
    /// The board in words; without a board the position as text.
    pub words: String,
    /// Where something can be placed or moved from; without places the choices are a list.
    pub places: Vec<ScenePlace>,
    /// The legal actions; all of them if a seat is to play.
    pub choices: Vec<SceneChoice>,
    /// What chance gave the seat to play.
    pub drawn: Option<ScenePiece>,
    /// What chance can still bring: pieces with their numbers, those that are used up included.
    pub left: Vec<ScenePiece>,
    /// Parts of the board that belong together.
    pub features: SceneFeatures,
}

impl Scene {
    /// The scene of a position without places: the picture if there is one, the text, these legal actions as a list, each
    /// in notation and in words, and what chance gave the seat to play.
    pub(super) fn listed(
        picture: Option<String>,
        text: String,
        legal: Vec<(String, String)>,
        drawn: Option<String>,
    ) -> Scene {
        let choice = |(play, words)| {
            let (option, drawing) = (String::new(), String::new());
            SceneChoice { play, words, place: 0, form: 0, option, drawing }
        };
        let piece = |name| ScenePiece { name, words: String::new(), drawing: String::new(), left: 1, of: 1 };
        Scene {
            board: picture.unwrap_or_default(),
            words: text,
            choices: legal.into_iter().map(choice).collect(),
            drawn: drawn.map(piece),
            ..Scene::default()
        }
    }

    /// Whether the choices are these legal actions, each at a place and a form that exist if there are places, and each
    /// square has a mask.
    pub(super) fn check(&self, legal: &BTreeSet<String>) -> Result<(), String> {
        let offered: BTreeSet<String> = self.choices.iter().map(|choice| choice.play.clone()).collect();
        if offered != *legal || offered.len() != self.choices.len() {
            return Err(format!("offers {offered:?}, expected {legal:?}"));
        }
        let has_form =
            |choice: &SceneChoice| self.places.get(choice.place).is_some_and(|place| choice.form < place.forms.len());
        let misplaced = self.choices.iter().find(|choice| !self.places.is_empty() && !has_form(choice));
        if let Some(choice) = misplaced {
            return Err(format!("{} has no place or no form", choice.play));
        }
        let SceneFeatures { words, squares, masks } = &self.features;
        let is_whole = |square: &SceneSquare| {
            masks.contains_key(&square.mask) && square.features.iter().all(|feature| *feature < words.len())
        };
        if squares.iter().all(is_whole) { Ok(()) } else { Err("a square has no mask, or no such feature".to_owned()) }
    }
}

/// A place on the board.
#[derive(Clone, Debug, Serialize)]
pub struct ScenePlace {
    /// Its name in words.
    pub name: String,
    /// Its west end.
    pub x: f64,
    /// Its north end.
    pub y: f64,
    /// The length of its sides.
    pub side: f64,
    /// What the piece looks like there, one drawing for each form that is legal.
    pub forms: Vec<SceneForm>,
}

/// A form of the piece at a place.
#[derive(Clone, Debug, Serialize)]
pub struct SceneForm {
    /// Its name in words, such as the rotation; empty if there is one form only.
    pub name: String,
    /// Its drawing: SVG elements in place on the board.
    pub drawing: String,
}

/// A legal action.
#[derive(Clone, Debug, Serialize)]
pub struct SceneChoice {
    /// The action in notation.
    pub play: String,
    /// The action in words.
    pub words: String,
    /// The number of its place.
    pub place: usize,
    /// The number of its form at the place.
    pub form: usize,
    /// What else the move does at this place, in words.
    pub option: String,
    /// The drawing of the option on the board: SVG elements; empty if the option is not drawn.
    pub drawing: String,
}

/// A piece that chance can bring.
#[derive(Clone, Debug, Serialize)]
pub struct ScenePiece {
    /// Its name.
    pub name: String,
    /// What it is, in words; empty if the name says all.
    pub words: String,
    /// A whole SVG element; empty if it is not drawn.
    pub drawing: String,
    /// How many can still come.
    pub left: usize,
    /// How many the game has.
    pub of: usize,
}

/// Features: parts of the board that belong together.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SceneFeatures {
    /// Each feature in words.
    pub words: Vec<String>,
    /// The squares that are divided into features.
    pub squares: Vec<SceneSquare>,
    /// By name: how a square is divided, row by row, as digits of parts: as many rows as columns.
    pub masks: BTreeMap<String, String>,
}

/// A square of the board.
#[derive(Clone, Debug, Serialize)]
pub struct SceneSquare {
    /// Its west end.
    pub x: f64,
    /// Its north end.
    pub y: f64,
    /// The length of its sides.
    pub side: f64,
    /// The name of its mask.
    pub mask: String,
    /// The feature of each part.
    pub features: Vec<usize>,
}
