//! Makes classes of Python known to evouct.

use super::class::Words;
use super::{Class, Position, PythonGame};
use crate::errors::value_error;
use crate::signals::interruptible;
use evouct::domain::{AnyDomain, MoveNumber, Registered, check_domain};
use evouct::kinds;
use evouct::panic::catch;
use evouct::parameter::{Parameters, Preset};
use evouct::player::{Decision, Player, PlayerView};
use evouct::registry;
use evouct::search::TreeEdge;
use evouct::seed::Key;
use pyo3::prelude::*;

/// Decides while Python is held: then the calls of a search into Python cost next to nothing by themselves.
struct Attached(Box<dyn Player<Position>>);

impl Player<Position> for Attached {
    fn decide(&mut self, position: &PlayerView<Position>) -> Decision<super::position::Number> {
        // Other threads would wait for this one.
        Python::attach(|_| self.0.decide(&PlayerView { threads: 1, ..*position }))
    }

    fn tree(&self) -> Vec<TreeEdge<super::position::Number>> {
        self.0.tree()
    }

    fn check(&self) -> Result<(), String> {
        self.0.check()
    }

    fn tree_size(&self) -> Option<[usize; 2]> {
        self.0.tree_size()
    }

    fn settings(&self) -> String {
        self.0.settings()
    }
}

/// Number `N` of the class of a position.
fn number<const N: usize>(game: &Position, action: super::position::Number, _: &mut Position) -> f64 {
    game.numbers(action)[N]
}

/// A class has no more numbers of actions.
const NUMBERS: [fn(&Position, super::position::Number, &mut Position) -> f64; 16] = [
    number::<0>,
    number::<1>,
    number::<2>,
    number::<3>,
    number::<4>,
    number::<5>,
    number::<6>,
    number::<7>,
    number::<8>,
    number::<9>,
    number::<10>,
    number::<11>,
    number::<12>,
    number::<13>,
    number::<14>,
    number::<15>,
];

/// A text that lives as long as the program.
fn kept(text: String) -> &'static str {
    text.leak()
}

/// Adds a game in place of that of its name. `evouct.games` calls it, with what it found in the class.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
#[pyo3(signature = (name, about, start, seats, *, words = None, openspiel = false, playout = false, point = None, most = None, fraction = None, numbers = Vec::new(), text = false))]
pub fn add_game(
    name: String,
    about: String,
    start: Py<PyAny>,
    seats: usize,
    words: Option<usize>,
    openspiel: bool,
    playout: bool,
    point: Option<f64>,
    most: Option<f64>,
    fraction: Option<f64>,
    numbers: Vec<(String, String)>,
    text: bool,
) -> PyResult<()> {
    if numbers.len() > NUMBERS.len() {
        return Err(value_error(format!(
            "{name}: expected at most {} numbers of actions, found {}",
            NUMBERS.len(),
            numbers.len()
        )));
    }
    let numbers = numbers.into_iter().zip(NUMBERS);
    let numbers: Vec<MoveNumber<Position>> =
        numbers.map(|((name, about), value)| MoveNumber { name: kept(name), about: kept(about), value }).collect();
    let class = Class {
        name: kept(name),
        about: kept(about),
        start,
        seats,
        words: match words {
            None => Words::Numbers,
            Some(1) => Words::OfAction,
            Some(_) => Words::OfPlayer,
        },
        has_playout: playout,
        has_terminal_player: openspiel,
        point,
        most,
        fraction,
        numbers: numbers.leak(),
        has_text: text,
    };
    let class = class.add();
    registry::replace(class.within(|| registered(class)));
    Ok(())
}

fn registered(class: &'static Class) -> &'static Registered<PythonGame> {
    let within = move |run: &mut dyn FnMut()| class.within(|| Python::attach(|_| run()));
    let kinds = kinds::standard::<PythonGame>().into_iter();
    let kinds = kinds.map(|kind| kind.of_game(class.name, within, |player| Box::new(Attached(player))));
    Box::leak(Box::new(Registered::named(class.name, class.about, kinds.collect())))
}

/// The game of this name, from Python.
fn load(name: &str) -> Result<&'static dyn AnyDomain, String> {
    let found = Python::attach(|py| {
        let games = py.import("evouct.games").map_err(|error| error.to_string())?;
        let found = games.call_method1("load", (name,)).and_then(|found| found.extract::<String>());
        found.map_err(|error| {
            let told = games
                .call_method1("reason", (name, error.clone_ref(py).into_value(py)))
                .and_then(|told| told.extract());
            told.unwrap_or_else(|_| error.to_string())
        })
    })?;
    registry::games().into_iter().find(|game| game.name() == found).ok_or_else(|| format!("{name} was not added"))
}

/// Lets names of these families find games in Python.
pub fn add_family() {
    registry::add_family("python", load, worker);
    registry::add_family("openspiel", load, worker);
}

/// The command of a process that plays. Without Python's help there is none, and no worker starts.
fn worker() -> Vec<String> {
    let command = |py: Python<'_>| py.import("evouct.games")?.call_method0("worker_command")?.extract();
    Python::attach(command).unwrap_or_default()
}

/// Checks that every kind of player plays a game that was added. Returns the kinds that do, and those that refuse the
/// game, each with the reason.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "Python has no names for it")]
pub fn check_kinds(
    py: Python<'_>,
    name: &str,
    games: u32,
    seed: u64,
) -> PyResult<(Vec<String>, Vec<(String, String)>)> {
    let unknown = || value_error(format!("there is no game called {name}"));
    let class = Class::of_name(name).ok_or_else(unknown)?;
    let game: &'static Registered<PythonGame> =
        registry::game(name).map_err(value_error)?.as_any().downcast_ref().ok_or_else(unknown)?;
    // What a signal raises is not an error of the game.
    let report = interruptible(py, move |_| {
        class.within(|| {
            catch(|| {
                let rules = super::domain::PythonRules::defaults(Preset::Text);
                check_domain(game, &rules, Key::experiment(seed), games)
            })
        })
    })?;
    let report = report.and_then(|report| report).map_err(value_error)?;
    let played = report.played.iter().map(|kind| (*kind).to_owned()).collect();
    let refused = report.refused.into_iter().map(|(kind, reason)| (kind.to_owned(), reason)).collect();
    Ok((played, refused))
}
