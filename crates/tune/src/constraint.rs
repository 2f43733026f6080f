//! Constraints on the values of parameters: `alpha < beta`, `k * decks <= 10`, `final = visits or k < 1`.

use super::error::TuneError;
use super::over::accept;
use evouct_base::parameter::{Parameter, Value, Values};
use evouct_gp::{Column, LnRule, Terminal, Tree};
use evouct_platform::domain::Spec;
use std::cmp::Ordering;

/// A constraint: at least one of its comparisons holds.
///
/// A comparison has a formula over the parameters of the player on each side (`<`, `<=`, `>`, `>=`, `=`, `!=`), or a
/// parameter and one of its values (`=`, `!=`). A comparison with a number that a player does not have does not hold.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    text: String,
    alternatives: Vec<Comparison>,
}

#[derive(Clone, Debug)]
enum Comparison {
    Numbers { left: Tree, relation: Relation, right: Tree },
    Value { parameter: &'static str, value: Value, equal: bool },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Relation {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
}

/// The longer ones first: `<` is a part of `<=`.
const RELATIONS: [(&str, Relation); 7] = [
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("!=", Relation::Unequal),
    ("==", Relation::Equal),
    ("<", Relation::Less),
    (">", Relation::Greater),
    ("=", Relation::Equal),
];

impl Relation {
    fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::AtMost => left <= right,
            Relation::Greater => left > right,
            Relation::AtLeast => left >= right,
            Relation::Equal => left == right,
            // A number that is missing is neither equal nor unequal.
            Relation::Unequal => left.partial_cmp(&right).is_some_and(Ordering::is_ne),
        }
    }
}

impl Constraint {
    /// Reads a constraint on the parameters of a player.
    ///
    /// # Errors
    /// Text that is no comparison, a name that is no parameter of the player's kind, or a value that the parameter does
    /// not take.
    pub(super) fn parse(text: &str, player: &Spec) -> Result<Constraint, TuneError> {
        let wrong = |problem: String| TuneError::Where { constraint: text.to_owned(), problem };
        let read = |part: &str| Comparison::parse(part.trim(), player);
        let alternatives = text.split(" or ").map(read).collect::<Result<_, String>>().map_err(wrong)?;
        Ok(Constraint { text: text.to_owned(), alternatives })
    }

    /// As it was given.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it holds for a player of the kind that it was read for.
    pub(super) fn holds(&self, player: &Spec) -> bool {
        self.alternatives.iter().any(|comparison| comparison.holds(player))
    }
}

impl Comparison {
    fn parse(text: &str, player: &Spec) -> Result<Comparison, String> {
        let table = player.kind().table;
        let at = text.find(['<', '>', '=', '!']);
        let found =
            at.and_then(|at| RELATIONS.iter().find(|(sign, _)| text[at..].starts_with(sign)).map(|sign| (at, sign)));
        let Some((at, (sign, relation))) = found else {
            return Err(format!("{text:?} is no comparison; expected one such as alpha < beta or final = visits"));
        };
        let (left, right) = (text[..at].trim(), text[at + sign.len()..].trim());
        let equal = *relation == Relation::Equal;
        if let Some(row) = table.iter().find(|row| row.is_called(left))
            && (equal || *relation == Relation::Unequal)
            && takes_word(row, right)
        {
            return Ok(Comparison::Value { parameter: row.name, value: accept(right, &row.values)?, equal });
        }
        Ok(Comparison::Numbers { left: numbers(left, table)?, relation: *relation, right: numbers(right, table)? })
    }

    fn holds(&self, player: &Spec) -> bool {
        match self {
            Comparison::Numbers { left, relation, right } => {
                let value = |terminal: Terminal| match terminal {
                    Terminal::Number(number) => number,
                    named => named.name().map_or(f64::NAN, |name| number_of(name, player)),
                };
                let [left, right] = [left, right].map(|side| side.evaluate_by(value, LnRule::default()));
                relation.holds(left, right)
            }
            Comparison::Value { parameter, value, equal } => {
                let found = player.parameters().rows().find(|(row, _)| row.name == *parameter);
                found.is_some_and(|(_, found)| (found == value) == *equal)
            }
        }
    }
}

/// Whether a parameter is compared with this text as a value, not as a number.
fn takes_word(row: &Parameter, text: &str) -> bool {
    match &row.values {
        Values::Real(..) | Values::Count(..) => false,
        Values::NameOrReal(names, ..) => names.contains(&text),
        _ => true,
    }
}

/// A formula over the parameters that are numbers.
fn numbers(text: &str, table: &'static [Parameter]) -> Result<Tree, String> {
    let is_number =
        |row: &&Parameter| matches!(row.values, Values::Real(..) | Values::Count(..) | Values::NameOrReal(..));
    let names: Vec<&'static str> = table.iter().filter(is_number).flat_map(Parameter::names).collect();
    if let Some(row) = table.iter().find(|row| row.is_called(text) && !is_number(row)) {
        return Err(format!(
            "{} is not a number; compare it by = or != with a value, which is {}",
            row.name, row.values
        ));
    }
    let terminals: Vec<Terminal> = names.iter().map(|name| Terminal::Column(Column::MoveNumber(name))).collect();
    Tree::parse_over(text, &terminals)
        .map_err(|error| format!("{text:?} is no formula over parameters of the player: {error}"))
}

/// The value of a parameter as a number; NaN where the player has none.
fn number_of(name: &str, player: &Spec) -> f64 {
    match player.parameters().rows().find(|(row, _)| row.is_called(name)) {
        Some((_, Value::Real(number))) => *number,
        Some((_, Value::Count(number))) => *number as f64,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::parameter::Preset;

    fn spec(text: &str) -> Spec {
        Spec::parse(evouct_carcassonne::add(), text, Preset::Text).unwrap()
    }

    #[test]
    fn comparisons_hold_for_the_values_of_a_player() {
        let player = spec("mcts:iterations=50,k=0.5,final=visits");
        for (constraint, holds) in [
            ("k < 1", true),
            ("k<0.5", false),
            ("k <= 0.5", true),
            ("k > 0.4", true),
            ("k >= 0.6", false),
            ("k = 0.5", true),
            ("k != 0.5", false),
            ("k * iterations < 26", true),
            ("2*k + 1 >= ln(iterations)", false),
            ("final = visits", true),
            ("final == mean", false),
            ("final != mean", true),
            ("final = mean or k < 1", true),
            ("final = mean or k > 1", false),
            // The player has no such limit.
            ("time_per_move < 1", false),
            ("time_per_move != 1", false),
        ] {
            assert_eq!(Constraint::parse(constraint, &player).unwrap().holds(&player), holds, "{constraint}");
        }
    }

    #[test]
    fn what_is_no_constraint_is_refused() {
        let player = spec("mcts:iterations=50");
        for (constraint, problem) in [
            ("k", "\"k\" is no comparison"),
            ("", "\"\" is no comparison"),
            ("K < 1", "did you mean k?"),
            ("k < 1 or", "\"k < 1 or\""),
            ("final < mean", "final is not a number; compare it by = or !="),
            ("final = men", "\"men\" is not"),
            ("k < < 1", "is no formula"),
        ] {
            let refused = Constraint::parse(constraint, &player).map(drop).unwrap_err().to_string();
            assert!(refused.starts_with(&format!("where {constraint}: ")), "{refused}");
            assert!(refused.contains(problem) || constraint == "k < 1 or", "{refused}");
        }
    }
}
