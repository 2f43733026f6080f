//! What is tuned: a parameter, and the values that it may take.

use super::error::TuneError;
use evouct_base::parameter::{Parameter, Raw, Value, Values};
use evouct_base::suggest::nearest;
use evouct_platform::domain::{Spec, split_outside_parentheses};
use evouct_platform::registry;

/// From this ratio of the ends on, a range with positive ends is sampled on a logarithmic scale.
const LOGARITHMIC: f64 = 10.0;
/// A range of at most this many whole numbers is the list of them.
pub(super) const FEW: u64 = 4;

/// A parameter, and the values that it may take.
#[derive(Clone, Debug)]
pub struct SearchRange {
    /// As it was given: `k=0.1..3`.
    pub text: String,
    /// The parameter.
    pub parameter: &'static Parameter,
    /// Its values.
    pub choice: Choice,
}

/// The values that a tuned parameter may take.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Each of these.
    List(Vec<Value>),
    /// Numbers from a range, both ends included.
    Range {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// Whether only whole numbers are taken.
        whole: bool,
    },
}

impl Choice {
    /// Whether it is a range.
    pub(super) fn is_range(&self) -> bool {
        matches!(self, Choice::Range { .. })
    }

    /// Whether the scale of the range is logarithmic: positive ends, the upper at least ten times the lower.
    pub fn is_logarithmic(&self) -> bool {
        matches!(self, Choice::Range { low, high, .. } if *low > 0.0 && high / low >= LOGARITHMIC)
    }

    /// The value at this share of the way from the first to the last, on the scale of the range, with three significant
    /// digits.
    pub fn value(&self, share: f64) -> Value {
        let Choice::Range { low, high, whole } = self else { return Value::Unset };
        let [from, to] = self.scaled([*low, *high]);
        let x = from + (to - from) * share;
        let x = rounded(if self.is_logarithmic() { libm::exp(x) } else { x }).clamp(*low, *high);
        if *whole { Value::Count(x.round() as u64) } else { Value::Real(x) }
    }

    /// Where a value stands: the share of its way through a range, or its place in a list. None for a value of neither.
    pub(super) fn coordinate(&self, value: &Value) -> Option<f64> {
        match (self, value) {
            (Choice::List(values), value) => values.iter().position(|listed| listed == value).map(|place| place as f64),
            (Choice::Range { low, high, .. }, value) => {
                let x = match value {
                    Value::Real(number) => *number,
                    Value::Count(number) => *number as f64,
                    _ => return None,
                };
                let [from, to] = self.scaled([*low, *high]);
                let [x, _] = self.scaled([x, x]);
                Some((x - from) / (to - from))
            }
        }
    }

    fn scaled(&self, numbers: [f64; 2]) -> [f64; 2] {
        if self.is_logarithmic() { numbers.map(libm::log) } else { numbers }
    }
}

impl SearchRange {
    /// Reads `parameter=low..high` or `parameter=value,value` for a player. Commas inside parentheses belong to a
    /// formula.
    ///
    /// # Errors
    /// A parameter that the kind of the player lacks, with the nearest name; a range that is empty or reversed; a value
    /// that is not one of the parameter's.
    pub fn parse(text: &str, spec: &Spec) -> Result<SearchRange, TuneError> {
        let wrong = |problem: String| TuneError::Over { over: text.to_owned(), problem };
        let (name, values) = text
            .split_once('=')
            .ok_or_else(|| wrong("expected PARAMETER=VALUES such as k=0.1..3 or final=mean,visits".to_owned()))?;
        let (name, values) = (name.trim(), values.trim());
        let parameter = find(name, spec).map_err(wrong)?;
        let choice = match (values.split_once(".."), &parameter.values) {
            (Some((_, high)), _) if high.starts_with('.') => Err("a range has two dots, as 0.1..3".to_owned()),
            (Some((low, high)), Values::Real(..) | Values::Count(..) | Values::NameOrReal(..)) => {
                range(low.trim(), high.trim(), &parameter.values)
            }
            (Some(_), Values::Name(_) | Values::Names(_) | Values::Subset(_) | Values::Flag | Values::Reals(..)) => {
                Err(format!("{name} has no ranges; list its values, which are {}", parameter.values))
            }
            _ => list(values, &parameter.values),
        };
        Ok(SearchRange { text: text.to_owned(), parameter, choice: choice.map_err(wrong)? })
    }
}

/// A number with three significant digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// The parameter of this name that the kind of the player has.
fn find(name: &str, spec: &Spec) -> Result<&'static Parameter, String> {
    let kind = spec.kind();
    if let Some(row) = kind.table.iter().find(|row| row.is_called(name)) {
        return Ok(row);
    }
    let lacks = format!("{} has no parameter {name:?}", kind.name);
    let kinds = registry::game(kind.game)?.kinds();
    let others: Vec<&str> = kinds
        .iter()
        .filter(|other| other.table.iter().any(|row| row.is_called(name)))
        .map(|other| other.name)
        .collect();
    // The name is right where another kind has it.
    match (others.as_slice(), nearest(name, kind.table.iter().map(|row| row.name))) {
        ([], _) if kind.table.is_empty() => Err(format!("{} has no parameters", kind.name)),
        ([], Some(near)) => Err(format!("{lacks}; did you mean {near}?")),
        ([], None) => Err(format!("{lacks}; see `evouct players {}`", kind.name)),
        (others, _) => Err(format!("{lacks}; kinds that have it: {}", others.join(", "))),
    }
}

/// A text as a value of a parameter.
pub(super) fn accept(text: &str, values: &Values) -> Result<Value, String> {
    let raw = Raw::Text(text.to_owned());
    values.accept(&raw).ok_or_else(|| {
        let why = values.explain(&raw).map_or(String::new(), |why| format!(" ({why})"));
        format!("{text:?} is not {values}{why}")
    })
}

fn range(low: &str, high: &str, values: &Values) -> Result<Choice, String> {
    let whole = matches!(values, Values::Count(..));
    let end = |text: &str| match accept(text, values)? {
        Value::Real(number) => Ok(number),
        // Above 2⁵³ a double skips whole numbers.
        Value::Count(number) if number <= 1 << 53 => Ok(number as f64),
        _ => Err(format!("{text:?} is not the end of a range of numbers")),
    };
    let (from, to) = (end(low)?, end(high)?);
    if from > to {
        return Err(format!("the range is reversed; expected {high}..{low}"));
    }
    if from == to {
        return Err(format!("the range is empty: both ends are {low}"));
    }
    if whole && to - from < FEW as f64 {
        return Ok(Choice::List((from as u64..=to as u64).map(Value::Count).collect()));
    }
    Ok(Choice::Range { low: from, high: to, whole })
}

fn list(text: &str, values: &Values) -> Result<Choice, String> {
    let mut found = Vec::new();
    for part in split_outside_parentheses(text) {
        let value = accept(part, values)?;
        if found.contains(&value) {
            return Err(format!("{part} is listed twice"));
        }
        found.push(value);
    }
    if found.is_empty() { Err(format!("expected a value, which is {values}")) } else { Ok(Choice::List(found)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::parameter::Preset;
    use evouct_platform::domain::Spec;

    fn parse(text: &str) -> Result<Choice, String> {
        let spec = Spec::parse(evouct_carcassonne::add(), "mcts:iterations=5", Preset::Text).unwrap();
        SearchRange::parse(text, &spec).map(|over| over.choice).map_err(|error| error.to_string())
    }

    #[test]
    fn ranges_and_lists_are_read() {
        let range = parse("k=0.1..3").unwrap();
        assert_eq!(range, Choice::Range { low: 0.1, high: 3.0, whole: false });
        assert!(range.is_logarithmic() && !parse("k=0..3").unwrap().is_logarithmic());
        assert!(!parse("k=0.5..3").unwrap().is_logarithmic());
        assert_eq!(parse("iterations=10..500"), Ok(Choice::Range { low: 10.0, high: 500.0, whole: true }));
        assert_eq!(parse("iterations=2..4"), Ok(Choice::List([2, 3, 4].map(Value::Count).to_vec())));
        assert_eq!(parse("k=0.5, 1"), Ok(Choice::List([0.5, 1.0].map(Value::Real).to_vec())));
    }

    #[test]
    fn invalid_values_are_refused() {
        for (text, words) in [
            ("k", "expected PARAMETER=VALUES such as k=0.1..3"),
            ("kk=1..2", "mcts has no parameter \"kk\"; did you mean k?"),
            (
                "generations=1..9",
                "mcts has no parameter \"generations\"; kinds that have it: ea-p-mcts, ea-mcts, siea-mcts",
            ),
            ("k=3..0.1", "the range is reversed; expected 0.1..3"),
            ("k=1..1", "the range is empty: both ends are 1"),
            ("k=0.1...3", "a range has two dots, as 0.1..3"),
            ("k=..", "\"\" is not a number from"),
            ("k=", "expected a value, which is a number from"),
            ("k=-1..2", "\"-1\" is not a number from 0"),
            ("k=1,1.0", "1.0 is listed twice"),
            ("iterations=0..9", "\"0\" is not a whole number from 1"),
        ] {
            let problem = parse(text).unwrap_err();
            assert!(problem.starts_with(&format!("over {text}: ")) && problem.contains(words), "{problem}");
        }
    }
}
