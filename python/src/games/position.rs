//! A position: an object of Python with OpenSpiel's verbs.

use super::class::{Class, Words};
use super::weights::weights;
use evouct::game::{Game, MAX_SEATS, Scores, StreamDeck, Turn};
use evouct::sampling::{below, unit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString};
use rand::Rng;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What `current_player` returns where chance decides, and at the end of a game of OpenSpiel.
const CHANCE: i64 = -1;
const TERMINAL: i64 = -4;
/// A search gives other threads of Python a turn this often.
const TURN: Duration = Duration::from_millis(5);

/// An action, or an outcome of chance: the number that the game has for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number(pub i64);

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The object, and what it says of the turn.
struct Held {
    state: Py<PyAny>,
    turn: Turn,
}

/// A position. Copies share the object until one of them is played on.
#[derive(Clone)]
pub struct Position {
    class: &'static Class,
    /// The return that is 1 of the score.
    point: f64,
    held: Arc<Held>,
}

impl Position {
    /// The start of a game.
    ///
    /// # Panics
    /// As [`Class::fail`], as everything that runs code of the game.
    pub fn start(class: &'static Class, point: f64) -> Position {
        Python::attach(|py| {
            let state = class.start.bind(py).call0().unwrap_or_else(|error| class.fail(py, "__init__", &error));
            let turn = turn(class, &state);
            Position { class, point, held: Arc::new(Held { state: state.unbind(), turn }) }
        })
    }

    /// A position like this object.
    pub fn copy_of(class: &'static Class, point: f64, object: &Bound<'_, PyAny>) -> Position {
        let state = class.ask(object, intern!(object.py(), "clone"), ());
        let turn = turn(class, &state);
        Position { class, point, held: Arc::new(Held { state: state.unbind(), turn }) }
    }

    /// The object, which other positions may have, too.
    pub fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.held.state.bind(py).clone()
    }

    /// A copy of the object.
    pub fn copied<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.class.ask(self.held.state.bind(py), intern!(py, "clone"), ())
    }

    fn step(&mut self, action: i64) {
        Python::attach(|py| {
            let_others(py);
            let class = self.class;
            let held = self.own(py);
            let state = held.state.bind(py);
            class.ask(state, intern!(py, "apply_action"), (action,));
            held.turn = turn(class, state);
        });
    }

    /// The word of an action, or of an outcome if it is chance's turn.
    pub fn word(&self, action: Number) -> String {
        let Number(action) = action;
        if self.class.words == Words::Numbers {
            return action.to_string();
        }
        Python::attach(|py| {
            let player = if let Turn::Player(seat) = self.held.turn { seat as i64 } else { CHANCE };
            let state = self.held.state.bind(py);
            let verb = "action_to_string";
            let answer = match self.class.words {
                Words::OfPlayer => self.class.ask(state, intern!(py, "action_to_string"), (player, action)),
                _ => self.class.ask(state, intern!(py, "action_to_string"), (action,)),
            };
            let text: String = self.class.read(verb, "a text", &answer);
            // Records have spaces between words.
            let words: Vec<&str> = text.split_whitespace().collect();
            if words.is_empty() {
                self.class.refuse(verb, &format!("gave no text for action {action}"));
            }
            words.join("_")
        })
    }

    /// The position as its class draws it.
    pub fn text(&self) -> Option<String> {
        let text = || Python::attach(|py| self.held.state.bind(py).str().ok().map(|text| format!("{text}\n")));
        self.class.has_text.then(text).flatten()
    }

    /// The numbers of an action, in the order of the class.
    pub fn numbers(&self, action: Number) -> Vec<f64> {
        let verb = "action_numbers";
        Python::attach(|py| {
            let answer = self.class.ask(self.held.state.bind(py), intern!(py, "action_numbers"), (action.0,));
            let numbers: Vec<f64> = self.class.read(verb, "a list of numbers", &answer);
            let (found, expected) = (numbers.len(), self.class.numbers.len());
            if found != expected {
                self.class.refuse(verb, &format!("gave {found} numbers for action {}, expected {expected}", action.0));
            }
            numbers
        })
    }

    /// Plays a random game to its end, every legal action equally likely, and returns its scores. The position is left
    /// where it was if the class plays the game itself.
    pub fn play_out(&mut self, rng: &mut impl Rng) -> Scores {
        if self.held.turn == Turn::Terminal {
            return self.scores();
        }
        let class = self.class;
        Python::attach(|py| {
            let_others(py);
            if class.has_playout {
                let answer = class.ask(self.held.state.bind(py), intern!(py, "playout"), (rng.next_u32(),));
                return self.scored("playout", &answer);
            }
            let held = self.own(py);
            held.turn = play_out(class, held.state.bind(py), held.turn, rng);
            self.scores()
        })
    }

    /// The object, which no other position has.
    fn own(&mut self, py: Python<'_>) -> &mut Held {
        if Arc::get_mut(&mut self.held).is_none() {
            let state = self.class.ask(self.held.state.bind(py), intern!(py, "clone"), ()).unbind();
            self.held = Arc::new(Held { state, turn: self.held.turn });
        }
        Arc::get_mut(&mut self.held).expect("the object has one owner now")
    }

    /// The scores of returns that a method gave.
    fn scored(&self, verb: &str, answer: &Bound<'_, PyAny>) -> Scores {
        let returns: Vec<f64> = self.class.read(verb, "a list of numbers", answer);
        let (found, seats) = (returns.len(), self.class.seats);
        if found != seats {
            self.class.refuse(verb, &format!("gave {found} numbers, expected {seats}, one for each player"));
        }
        let mut scores = [0; MAX_SEATS];
        for (score, value) in scores.iter_mut().zip(returns) {
            let points = value / self.point;
            let rounded = points.round();
            if rounded.is_nan() || rounded.abs() > f64::from(i32::MAX) {
                let most = f64::from(i32::MAX) * self.point;
                self.class.refuse(verb, &format!("gave {value}, expected numbers from -{most} to {most}"));
            }
            if self.class.is_unscaled(self.point) && (points - rounded).abs() > 1e-9 {
                self.class.refuse(verb, &self.class.unscaled(value));
            }
            *score = rounded as i32;
        }
        scores
    }
}

/// Whose turn it is.
fn turn(class: &Class, state: &Bound<'_, PyAny>) -> Turn {
    let py = state.py();
    if !class.has_terminal_player {
        let answer = class.ask(state, intern!(py, "is_terminal"), ());
        if class.read("is_terminal", "True or False", &answer) {
            return Turn::Terminal;
        }
    }
    turn_of(class, &class.ask(state, intern!(py, "current_player"), ()))
}

/// What `current_player()` says.
fn turn_of(class: &Class, answer: &Bound<'_, PyAny>) -> Turn {
    let verb = "current_player";
    match class.read(verb, "the number of a player", answer) {
        TERMINAL if class.has_terminal_player => Turn::Terminal,
        CHANCE => Turn::Chance,
        player @ 0.. if (player as usize) < class.seats => Turn::Player(player as usize),
        player => {
            let last = class.seats - 1;
            class.refuse(verb, &format!("gave {player}, expected a player from 0 to {last}, or -1 for chance"))
        }
    }
}

/// Actions of a playout after which the game is taken for one without an end: nothing else could stop it.
const MOST_ACTIONS: u32 = 100_000;

/// Plays the object to the end of the game at random. Methods are looked up once, and actions stay objects of Python.
fn play_out<'py>(class: &Class, state: &Bound<'py, PyAny>, mut next: Turn, rng: &mut impl Rng) -> Turn {
    let py = state.py();
    let method = |verb: &Bound<'py, PyString>| {
        state.getattr(verb).unwrap_or_else(|error| class.fail(py, &verb.to_string(), &error))
    };
    let asked =
        |verb: &str, answer: PyResult<Bound<'py, PyAny>>| answer.unwrap_or_else(|error| class.fail(py, verb, &error));
    let apply = method(intern!(py, "apply_action"));
    let legal = method(intern!(py, "legal_actions"));
    let player = method(intern!(py, "current_player"));
    let ends = (!class.has_terminal_player).then(|| method(intern!(py, "is_terminal")));
    for _ in 0..MOST_ACTIONS {
        let action = match next {
            Turn::Terminal => return next,
            Turn::Player(_) => {
                let answer = asked("legal_actions", legal.call0());
                let count = answer.len().unwrap_or(0);
                if count == 0 {
                    class.refuse("legal_actions", "gave no action, but is_terminal() is False");
                }
                asked("legal_actions", answer.get_item(below(rng, count)))
            }
            Turn::Chance => {
                let answer = class.ask(state, intern!(py, "chance_outcomes"), ());
                drawn(class, &answer, rng)
            }
        };
        asked("apply_action", apply.call1((action,)));
        let is_over = ends
            .as_ref()
            .is_some_and(|ends| class.read("is_terminal", "True or False", &asked("is_terminal", ends.call0())));
        next = if is_over { Turn::Terminal } else { turn_of(class, &asked("current_player", player.call0())) };
    }
    class.refuse("is_terminal", &format!("was False for {MOST_ACTIONS} actions of a random game; every game must end"))
}

/// One of the pairs (outcome, probability), by the probabilities.
fn drawn<'py>(class: &Class, pairs: &Bound<'py, PyAny>, rng: &mut impl Rng) -> Bound<'py, PyAny> {
    let expected = "a list of pairs (outcome, probability)";
    let mut left = unit(rng);
    let mut last = None;
    let pairs: Vec<Bound<'py, PyAny>> = class.read("chance_outcomes", expected, pairs);
    for pair in pairs {
        let (outcome, probability): (Bound<'py, PyAny>, f64) = class.read("chance_outcomes", expected, &pair);
        if probability > 0.0 {
            left -= probability;
            last = Some(outcome);
        }
        if left < 0.0 {
            break;
        }
    }
    last.unwrap_or_else(|| class.refuse("chance_outcomes", "gave no outcome where chance decides"))
}

/// Other threads of Python, such as the one that sees Ctrl-C, run now and then.
fn let_others(py: Python<'_>) {
    thread_local! {
        static LAST: Cell<Option<Instant>> = const { Cell::new(None) };
    }
    let now = Instant::now();
    match LAST.get() {
        Some(last) if now.duration_since(last) < TURN => {}
        _ => {
            LAST.set(Some(now));
            py.detach(|| ());
        }
    }
}

impl Game for Position {
    type Action = Number;
    type Outcome = Number;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        self.class.seats
    }

    fn turn(&self) -> Turn {
        self.held.turn
    }

    fn outcomes(&self, outcomes: &mut Vec<(Number, u32)>) {
        outcomes.clear();
        if self.held.turn != Turn::Chance {
            return;
        }
        let verb = "chance_outcomes";
        let listed: Vec<(i64, f64)> = Python::attach(|py| {
            let answer = self.class.ask(self.held.state.bind(py), intern!(py, "chance_outcomes"), ());
            self.class.read(verb, "a list of pairs (outcome, probability)", &answer)
        });
        let probabilities: Vec<f64> = listed.iter().map(|(_, probability)| *probability).collect();
        let weights = weights(&probabilities).unwrap_or_else(|problem| self.class.refuse(verb, &problem));
        let listed = listed.iter().zip(weights).filter(|(_, weight)| *weight > 0);
        outcomes.extend(listed.map(|((outcome, _), weight)| (Number(*outcome), weight)));
    }

    fn apply(&mut self, outcome: Number) {
        self.step(outcome.0);
    }

    fn actions(&self, actions: &mut Vec<Number>) {
        actions.clear();
        let Turn::Player(player) = self.held.turn else { return };
        let verb = "legal_actions";
        Python::attach(|py| {
            let answer = self.class.ask(self.held.state.bind(py), intern!(py, "legal_actions"), ());
            let listed: Vec<i64> = self.class.read(verb, "a list of whole numbers", &answer);
            actions.extend(listed.into_iter().map(Number));
        });
        if actions.is_empty() {
            self.class.refuse(verb, &format!("gave no action for player {player}, but is_terminal() is False"));
        }
    }

    fn play(&mut self, action: Number) {
        self.step(action.0);
    }

    fn scores(&self) -> Scores {
        Python::attach(|py| {
            let answer = self.class.ask(self.held.state.bind(py), intern!(py, "returns"), ());
            self.scored("returns", &answer)
        })
    }

    fn max_score(&self) -> Option<i32> {
        self.class
            .most
            .map(|most| (most / self.point).ceil())
            .filter(|most| *most <= f64::from(i32::MAX))
            .map(|most| most as i32)
    }
}
