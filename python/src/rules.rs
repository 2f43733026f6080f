//! The rules of games.

use crate::errors::value_error;
use crate::numbers::{self, whole};
use evouct::carcassonne::environment::{Numbering, RIVER_BENDS};
use evouct::carcassonne::{Base, Carcassonne, CarcassonneRules, Expansion};
use evouct::domain::GameRules;
use evouct::named::Named;
use evouct::parameter::Raw;
use evouct::registry;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use serde_json::Value as Json;

/// The rules of a game: the number of players, the expansions, and the options of `[rules]` in experiment files.
///
/// With the river, `river_bends` is `alternate` unless it is given: after a bend one way the next bend of the river
/// goes the other way. `from_toml`, `from_json` and `from_words` read rules of experiments, whose default is
/// `no-u-turn`.
#[pyclass(frozen, module = "evouct", from_py_object)]
#[derive(Clone)]
pub struct Rules {
    pub game: evouct::carcassonne::Rules,
    options: GameRules,
}

/// The width of the window that holds all recorded games: with expansions, and without.
const WIDTHS: (u8, u8) = (31, 25);
/// Options are no lists of lists of lists.
const MOST_NESTED: usize = 2;
/// Options that are lists are short.
const MOST_ITEMS: usize = 1000;

/// The value of an option. It is inside so many lists.
fn raw_of(option: &str, value: &Bound<'_, PyAny>, lists: usize) -> PyResult<Raw> {
    if value.is_instance_of::<PyBool>() {
        return Ok(Raw::Flag(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Raw::Integer(whole(value, option, i64::MIN.into(), i64::MAX.into())? as i64));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Raw::Float(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Raw::Text(value.extract()?));
    }
    let Ok(items) = value.try_iter() else {
        let found = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{option}: expected a number, a text, a flag or a list, found {found}"
        )));
    };
    if lists == MOST_NESTED {
        return Err(value_error(format!("{option}: expected lists at most {MOST_NESTED} deep")));
    }
    let items: Vec<Raw> =
        items.take(MOST_ITEMS + 1).map(|item| raw_of(option, &item?, lists + 1)).collect::<PyResult<_>>()?;
    if items.len() > MOST_ITEMS {
        return Err(value_error(format!("{option}: expected a list of at most {MOST_ITEMS} items")));
    }
    Ok(Raw::List(items))
}

/// A list of names.
pub fn names_of(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let wrong = || PyTypeError::new_err(format!("{option}: expected a list of names"));
    let Raw::List(items) = raw_of(option, value, 0)? else { return Err(wrong()) };
    items.into_iter().map(|item| if let Raw::Text(name) = item { Ok(name) } else { Err(wrong()) }).collect()
}

fn raw_of_json(value: Json) -> Raw {
    match value {
        Json::Bool(flag) => Raw::Flag(flag),
        Json::Number(number) => number.as_i64().map_or(Raw::Float(number.as_f64().unwrap_or_default()), Raw::Integer),
        Json::String(text) => Raw::Text(text),
        Json::Array(items) => Raw::List(items.into_iter().map(raw_of_json).collect()),
        other => Raw::Text(other.to_string()),
    }
}

impl Rules {
    fn resolve(given: &[(String, Raw)]) -> PyResult<Rules> {
        let options = GameRules::resolve(registry::default_game(), given).map_err(|errors| {
            let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
            value_error(lines.join("; "))
        })?;
        let typed: CarcassonneRules =
            options.typed::<Carcassonne<Base>>().ok_or_else(|| value_error("the default game is not carcassonne"))?;
        let game = typed.rules().checked().map_err(value_error)?;
        Ok(Rules { game, options })
    }

    /// The options that are not at their default, and those that records always name.
    pub fn json(&self) -> Json {
        Json::Object(self.options.recorded().into_iter().collect())
    }

    pub fn of_json(json: Json) -> PyResult<Rules> {
        let Json::Object(options) = json else { return Err(value_error("expected an object with options of rules")) };
        let given: Vec<(String, Raw)> = options.into_iter().map(|(key, value)| (key, raw_of_json(value))).collect();
        Rules::resolve(&given)
    }

    /// The options with their values.
    pub fn options(&self) -> &GameRules {
        &self.options
    }

    /// The width of the window: the usual one if it is not given.
    pub fn width(&self, given: Option<u8>) -> u8 {
        given.unwrap_or(if self.game.tiles.tiles > 72 { WIDTHS.0 } else { WIDTHS.1 })
    }
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (players = 2, expansions = None, **options))]
    fn new(
        #[pyo3(from_py_with = numbers::players)] players: i64,
        expansions: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rules> {
        let mut given = vec![("seats".to_owned(), Raw::Integer(players))];
        if let Some(expansions) = expansions {
            let names = names_of("expansions", expansions)?.into_iter().map(Raw::Text).collect();
            given.push(("expansions".to_owned(), Raw::List(names)));
        }
        for (key, value) in options.into_iter().flat_map(PyDictMethods::iter) {
            let key: String = key.extract()?;
            let value = raw_of(&key, &value, 0)?;
            given.push((key, value));
        }
        let rules = Rules::resolve(&given)?;
        if !rules.game.have(Expansion::River) || given.iter().any(|(key, _)| key == "river_bends") {
            return Ok(rules);
        }
        given.push(("river_bends".to_owned(), Raw::Text(RIVER_BENDS.name().to_owned())));
        Rules::resolve(&given)
    }

    /// The rules of a TOML text: an experiment file, or the options alone.
    #[staticmethod]
    fn from_toml(text: &str) -> PyResult<Rules> {
        let table: toml::Table = text.parse().map_err(value_error)?;
        let json = serde_json::to_value(&table).map_err(value_error)?;
        Rules::of_json(json.get("rules").cloned().unwrap_or(json))
    }

    /// The rules of the JSON text that `to_json` writes.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Rules> {
        Rules::of_json(serde_json::from_str(text).map_err(value_error)?)
    }

    /// The rules of words `key=value` with spaces between, as the line protocol of players tells them.
    #[staticmethod]
    fn from_words(words: &str) -> PyResult<Rules> {
        let option = |word: &str| {
            let (key, value) =
                word.split_once('=').ok_or_else(|| value_error(format!("expected key=value, found {word:?}")))?;
            Ok((key.to_owned(), Raw::Text(value.to_owned())))
        };
        Rules::resolve(&words.split_whitespace().map(option).collect::<PyResult<Vec<_>>>()?)
    }

    /// The options that are not at their default, and those that records always name, as JSON.
    fn to_json(&self) -> String {
        self.json().to_string()
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> u8 {
        self.game.seats
    }

    /// The names of the expansions.
    #[getter]
    fn expansions(&self) -> Vec<&'static str> {
        self.game.tiles.expansions.names()
    }

    /// The names of the kinds of tile, by number.
    #[getter]
    fn kinds(&self) -> Vec<&str> {
        self.game.tiles.kinds().iter().map(|kind| kind.name.as_str()).collect()
    }

    /// The number of tiles, the start tile included.
    #[getter]
    fn tiles(&self) -> u8 {
        self.game.tiles.tiles
    }

    /// The width of the window that is usual for these rules.
    #[getter]
    fn usual_width(&self) -> u8 {
        self.width(None)
    }

    /// The number of actions with a window of this width.
    #[pyo3(signature = (width = None))]
    fn action_count(&self, #[pyo3(from_py_with = numbers::width_or_none)] width: Option<u8>) -> usize {
        Numbering { width: self.width(width).into() }.count()
    }

    fn __eq__(&self, other: &Rules) -> bool {
        self.json() == other.json()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.to_json().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Rules.from_json({})", PyString::new(py, &self.to_json()).repr()?))
    }

    fn __reduce__(slf: &Bound<'_, Rules>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?.unbind(), (slf.get().to_json(),)))
    }
}
