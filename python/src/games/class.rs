//! A class of Python whose objects are the positions of a game.

use super::Position;
use crate::errors::value_error;
use evouct::domain::MoveNumber;
use evouct::panic::{self, catch};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString};
use std::cell::{Cell, RefCell};
use std::sync::{PoisonError, RwLock};

/// How actions become words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// There is no `action_to_string`: the word is the number.
    Numbers,
    /// `action_to_string(action)`.
    OfAction,
    /// `action_to_string(player, action)`.
    OfPlayer,
}

/// A class of positions, with what is known of it. Classes live as long as the program.
pub struct Class {
    /// The name of the game in files.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What returns the position at the start.
    pub start: Py<PyAny>,
    /// The number of seats.
    pub seats: usize,
    /// How actions become words.
    pub words: Words,
    /// Whether `playout(seed)` plays a random game to its end and returns what `returns()` is there.
    pub has_playout: bool,
    /// Whether `current_player` says that the game is over, as OpenSpiel's does. `is_terminal` says it of any game.
    pub has_terminal_player: bool,
    /// The return that is 1 of the score, if the class says so.
    pub point: Option<f64>,
    /// The highest return, if it is known and none is below 0.
    pub most: Option<f64>,
    /// A return that is no whole number, if a random game had one.
    pub fraction: Option<f64>,
    /// The numbers of actions that `action_numbers` gives, in its order.
    pub numbers: &'static [MoveNumber<Position>],
    /// Whether `str` of a position draws it.
    pub has_text: bool,
}

static CLASSES: RwLock<Vec<&'static Class>> = RwLock::new(Vec::new());
/// Classes whose positions only searches know: no file names them.
static SEARCHED: RwLock<Vec<&'static Class>> = RwLock::new(Vec::new());

thread_local! {
    /// The class whose code runs on this thread. Types of the domain are the same for all classes, so that what they
    /// know of a game without seeing a position of it is asked here.
    static CURRENT: Cell<Option<&'static Class>> = const { Cell::new(None) };
    /// The error that code of a game has raised, while the caller on this thread wants it as it is.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
    static IS_RAISING: Cell<bool> = const { Cell::new(false) };
}

/// Runs code of games for a caller in Python, on its thread.
///
/// # Errors
/// What the code of the game raised, as it is, or how it broke the contract.
pub fn raising<T>(_: Python<'_>, run: impl FnOnce() -> T) -> PyResult<T> {
    let is_inner = IS_RAISING.replace(true);
    let result = catch(run);
    IS_RAISING.set(is_inner);
    result.map_err(|message| RAISED.take().unwrap_or_else(|| PyRuntimeError::new_err(message)))
}

/// A `GameError` with this text.
fn game_error(py: Python<'_>, text: &str) -> PyErr {
    let made = py.import("evouct.games").and_then(|games| games.getattr("GameError")?.call1((text,)));
    made.map_or_else(|_| value_error(text), PyErr::from_value)
}

impl Class {
    /// The class of this name that was added last.
    pub fn of_name(name: &str) -> Option<&'static Class> {
        CLASSES.read().unwrap_or_else(PoisonError::into_inner).iter().rfind(|class| class.name == name).copied()
    }

    /// The class of a position that a search begins with: its name in messages, the number of seats, and whether
    /// `current_player` tells the end.
    pub fn of_search(py: Python<'_>, name: &str, seats: usize, has_terminal_player: bool) -> &'static Class {
        let mut all = SEARCHED.write().unwrap_or_else(PoisonError::into_inner);
        let same = |class: &&&Class| {
            class.name == name && class.seats == seats && class.has_terminal_player == has_terminal_player
        };
        if let Some(class) = all.iter().find(same) {
            return class;
        }
        let class: &'static Class = Box::leak(Box::new(Class {
            name: name.to_owned().leak(),
            about: "",
            start: py.None(),
            seats,
            words: Words::Numbers,
            has_playout: false,
            has_terminal_player,
            point: None,
            most: None,
            fraction: None,
            numbers: &[],
            has_text: false,
        }));
        all.push(class);
        class
    }

    /// Makes the class known.
    pub fn add(self) -> &'static Class {
        let class: &'static Class = Box::leak(Box::new(self));
        CLASSES.write().unwrap_or_else(PoisonError::into_inner).push(class);
        class
    }

    /// The class whose code runs on this thread.
    pub fn current() -> Option<&'static Class> {
        CURRENT.get()
    }

    /// Runs code that is to know this class.
    pub fn within<T>(&'static self, run: impl FnOnce() -> T) -> T {
        struct Back(Option<&'static Class>);
        impl Drop for Back {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let _back = Back(CURRENT.replace(Some(self)));
        run()
    }

    /// What a method of a position returns.
    pub fn ask<'py>(
        &self,
        state: &Bound<'py, PyAny>,
        verb: &Bound<'py, PyString>,
        arguments: impl PyCallArgs<'py>,
    ) -> Bound<'py, PyAny> {
        let answer = state.call_method1(verb, arguments);
        answer.unwrap_or_else(|error| self.fail(state.py(), &verb.to_string(), &error))
    }

    /// What a method returned, as a type of Rust.
    pub fn read<'py, T>(&self, verb: &str, expected: &str, answer: &Bound<'py, PyAny>) -> T
    where
        T: for<'a> FromPyObject<'a, 'py>,
    {
        answer.extract().unwrap_or_else(|_| self.refuse(verb, &format!("gave {answer:.60}, expected {expected}")))
    }

    /// Ends the game because its code raised an error.
    ///
    /// # Panics
    /// Always, with the error and its place in one line.
    pub fn fail(&self, py: Python<'_>, verb: &str, error: &PyErr) -> ! {
        if IS_RAISING.get() {
            RAISED.set(Some(error.clone_ref(py)));
            panic::refuse(format!("{}: {verb}() raised an error", self.name));
        }
        let told = py
            .import("evouct.games")
            .and_then(|games| games.call_method1("told", (self.name, verb, error.clone_ref(py).into_value(py))));
        let told = told.and_then(|told| told.extract::<String>());
        panic::refuse(told.unwrap_or_else(|_| format!("{}: {verb}() raised {error}", self.name)))
    }

    /// Whether nobody has said what a point is: the rules have the default.
    pub fn is_unscaled(&self, point: f64) -> bool {
        self.point.is_none() && point == 1.0
    }

    /// What is wrong with a return that is no whole number, where nobody has said what a point is.
    pub fn unscaled(&self, value: f64) -> String {
        // The largest point that fits.
        let parts = (2..=100).find(|parts| {
            let points = value * f64::from(*parts);
            (points - points.round()).abs() < 1e-9
        });
        let point = 1.0 / f64::from(parts.unwrap_or(100));
        let place = if self.has_terminal_player { "under [rules]" } else { "in the class or under [rules]" };
        format!(
            "gave {value}, and scores are whole numbers of points: say what return is one point, as in `point = {point}` {place}"
        )
    }

    /// Ends the game because its code broke the contract.
    ///
    /// # Panics
    /// Always, with the problem in one line.
    pub fn refuse(&self, verb: &str, problem: &str) -> ! {
        let text = format!("{}: {verb}() {problem}", self.name);
        if IS_RAISING.get() {
            RAISED.set(Some(Python::attach(|py| game_error(py, &text))));
        }
        panic::refuse(text)
    }
}
