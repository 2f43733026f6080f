//! Tunings of planted surfaces: the rounds of a tuning without games, where the true value of every candidate is known.

use super::error::TuneError;
use super::method::{Space, Start};
use super::methods::TuningMethod;
use super::over::Choice;
use super::selection::Selection;
use super::standing::RoundResult;
use evouct_base::parameter::Value;
use evouct_base::sampling::normal;
use evouct_base::seed::Key;

/// A player whose strength is a known function of its parameters. It plays against its own default.
#[derive(Clone, Copy)]
pub struct Planted<'a> {
    /// The values that each parameter may take.
    pub choices: &'a [Choice],
    /// The mean score difference of these values in points per game.
    pub value: &'a dyn Fn(&[Value]) -> f64,
    /// The standard deviation of a deck: of the mean of its two games.
    pub sd: f64,
}

impl Planted<'_> {
    /// The values that a tuning with this budget of games finds. Points, rounds and decisions are those of
    /// [`Tuning`](super::Tuning); results of decks are normal.
    ///
    /// # Errors
    /// A budget that decides nothing.
    ///
    /// # Panics
    /// By CMA-ES without a range.
    pub fn tuned(&self, method: TuningMethod, budget: u64, seed: u64) -> Result<Vec<Value>, TuneError> {
        let key = Key::series("tune", seed);
        let choices: Vec<&Choice> = self.choices.iter().collect();
        let kept = |rows: &[Vec<Value>]| Some((rows.len(), 0));
        let space = Space { choices: &choices, budget, opponents: 0, own: 0, key, kept: &kept };
        // Candidate 0 is the default, which has no row.
        let fixed = method.points(&space);
        let plan = method.rounds(&space, fixed.len())?;
        let (rows, is_legal) = (fixed.clone(), Box::new(|_: &[Value]| true));
        let start = Start {
            choices: choices.clone(),
            rounds: &plan.rounds,
            rows,
            default: Vec::new(),
            has_default: false,
            key: key.nth(0),
            is_legal,
        };
        let mut selection = Selection::new(&*method, start);
        let row = |selection: &Selection, candidate: usize| match selection.drawn() {
            [] => fixed[candidate - 1].clone(),
            drawn => drawn[candidate].clone(),
        };
        let mut rng = key.nth(2).stream();
        while let Some((round, field)) = selection.field() {
            let decks = round.decks;
            let values: Vec<f64> = field.iter().map(|candidate| (self.value)(&row(&selection, *candidate))).collect();
            let results = values.into_iter().map(|value| {
                let deck = |_| value + self.sd * normal(&mut rng);
                RoundResult::of((0..decks).map(deck).collect(), 0)
            });
            selection.take(results);
        }
        let [best, _] = selection.best();
        Ok(row(&selection, best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(value: &Value) -> f64 {
        match value {
            Value::Real(number) => *number,
            Value::Count(number) => *number as f64,
            _ => panic!("not a number"),
        }
    }

    fn method(name: &str) -> TuningMethod {
        TuningMethod::of_name(name).unwrap()
    }

    #[test]
    fn a_planted_optimum_is_found() {
        let choices = [
            Choice::Range { low: 0.01, high: 100.0, whole: false },
            Choice::List(vec![Value::Flag(false), Value::Flag(true)]),
            Choice::Range { low: 1.0, high: 9.0, whole: true },
        ];
        let value = |row: &[Value]| {
            let off = libm::log(real(&row[0]) / 2.0);
            let word = if row[1] == Value::Flag(true) { 3.0 } else { 0.0 };
            word - off * off - 0.5 * (real(&row[2]) - 4.0) * (real(&row[2]) - 4.0)
        };
        let planted = Planted { choices: &choices, value: &value, sd: 5.0 };
        for method in TuningMethod::names().into_iter().map(method) {
            let regrets: Vec<f64> =
                (1..=6).map(|seed| 3.0 - value(&planted.tuned(method, 20_000, seed).unwrap())).collect();
            assert!(regrets.iter().sum::<f64>() / 6.0 < 0.7, "{method:?}: {regrets:?}");
            let again = planted.tuned(method, 20_000, 1).unwrap();
            assert_eq!(again, planted.tuned(method, 20_000, 1).unwrap());
        }
        let short = planted.tuned(method("surface"), 100, 1).unwrap_err().to_string();
        assert!(short.starts_with("budget 100 is too small for a surface: 4 rounds with two decks"), "{short}");
        let short = planted.tuned(method("cma"), 100, 1).unwrap_err().to_string();
        assert!(short.starts_with("budget 100 is too small for CMA-ES: 8 rounds of 8 players and 10"), "{short}");
    }
}
