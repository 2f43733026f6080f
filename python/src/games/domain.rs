//! What leagues, records and reports need of a game in Python.

use super::Class;
use super::position::{Number, Position};
use evouct::domain::{Domain, Drawing, MoveNumber, Notation, ScoreLead};
use evouct::game::{Playout, Scores, StreamDeck};
use evouct::named::Named;
use evouct::parameter::{Later, Parameter, ParameterError, Parameters, Value, Values};
use evouct::seed::Key;
use rand::Rng;

/// A game in Python.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PythonGame;

/// The options of the rules: which class it is, and what a point is.
#[derive(Clone)]
pub struct PythonRules {
    class: &'static Class,
    point: f64,
}

fn row(name: &'static str, about: &'static str, values: Values, default: Value) -> Parameter {
    Parameter {
        name,
        was: None,
        about,
        values,
        former: Vec::new(),
        text: default.clone(),
        reference: default,
        only: None,
        except: None,
        unless: &[],
        required: false,
        recorded: false,
        timed: false,
        repeats: false,
        peeks: None,
        later: Later::Fixed,
    }
}

impl Parameters for PythonRules {
    const COUNT: usize = 2;

    /// The rows of the class whose code runs.
    fn table() -> Vec<Parameter> {
        let class = Class::current().expect("the table is asked for within a class");
        vec![
            row("class", "The game itself: its only value.", Values::Name(vec![class.name]), Value::Name(class.name)),
            row(
                "point",
                "The return that is 1 of the score. Scores are whole numbers: returns are rounded to points.",
                Values::Real(1e-9, 1e9),
                Value::Real(class.point.unwrap_or(1.0)),
            ),
        ]
    }

    fn read(values: &[Value]) -> PythonRules {
        let class = match values.first() {
            Some(Value::Name(name)) => Class::of_name(name),
            _ => None,
        };
        let class = class.or(Class::current()).expect("rules are of a class that was added");
        let point = match values.get(1) {
            Some(Value::Real(point)) => *point,
            _ => class.point.unwrap_or(1.0),
        };
        PythonRules { class, point }
    }
}

/// Every legal action equally likely. A class that plays a whole random game in one call does so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rollouts;

impl Named for Rollouts {
    const NAMES: &'static [(&'static str, Rollouts)] = &[("uniform", Rollouts)];
}

impl Playout<Position> for Rollouts {
    /// The position is left where it was if the class plays the game: nothing reads it afterwards.
    fn play_out(&self, state: &mut Position, rng: &mut impl Rng) -> Scores {
        state.play_out(rng)
    }
}

impl Domain for PythonGame {
    type Game = Position;
    type Rules = PythonRules;
    type Playout = Rollouts;
    type Evaluation = ScoreLead;
    type Metrics = ();

    const NAME: &'static str = "python";
    const ABOUT: &'static str = "a game written in Python";
    const NOTATION: &'static dyn Notation<Position> = &PythonGame;
    const DRAWING: &'static dyn Drawing<Position> = &PythonGame;

    fn move_numbers() -> &'static [MoveNumber<Position>] {
        Class::current().map_or(&[], |class| class.numbers)
    }

    fn check_rules(rules: &PythonRules) -> Result<(), ParameterError> {
        let fraction = rules.class.fraction.filter(|_| rules.class.is_unscaled(rules.point));
        fraction.map_or(Ok(()), |value| {
            Err(ParameterError::of("point", format!("{}: returns() {}", rules.class.name, rules.class.unscaled(value))))
        })
    }

    fn start(rules: &PythonRules) -> Position {
        Position::start(rules.class, rules.point)
    }

    fn seats(rules: &PythonRules) -> usize {
        rules.class.seats
    }

    fn deck(_: &PythonRules, key: Key) -> StreamDeck {
        StreamDeck::of(key)
    }

    fn fill_move_numbers(
        game: &Position,
        actions: &[Number],
        wanted: &[usize],
        _: &mut Position,
        columns: &mut [Vec<f64>],
    ) {
        for action in actions {
            let numbers = game.numbers(*action);
            columns.iter_mut().zip(wanted).for_each(|(column, number)| column.push(numbers[*number]));
        }
    }
}

impl Notation<Position> for PythonGame {
    fn write_action(&self, game: &Position, action: Number) -> String {
        game.word(action)
    }

    fn write_outcome(&self, game: &Position, outcome: Number) -> String {
        game.word(outcome)
    }
}

impl Drawing<Position> for PythonGame {
    fn text(&self, game: &Position, _: bool) -> Option<String> {
        game.text()
    }
}
