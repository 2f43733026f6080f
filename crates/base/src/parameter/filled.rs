//! A table of parameters with a value for every row.

use super::error::ParameterError;
use super::language::Unreadable;
use super::preset::Preset;
use super::table::{Condition, Parameter};
use super::values::{Raw, Value, Values};
use crate::suggest::nearest;
use std::sync::Arc;

/// Characters of a formula that an error shows on either side of the fault.
const AROUND: usize = 40;

/// A value for every parameter of a table, with given values distinguished from defaults.
///
/// A copy shares them: every game that is played has copies of its rules and players.
#[derive(Clone, Debug)]
pub struct Filled {
    table: &'static [Parameter],
    values: Arc<[Value]>,
    given: Arc<[bool]>,
}

impl Filled {
    /// The defaults of a preset.
    pub fn defaults(table: &'static [Parameter], preset: Preset) -> Filled {
        let values = table.iter().map(|row| row.default(preset).clone()).collect();
        Filled { table, values, given: table.iter().map(|_| false).collect() }
    }

    /// The given values over the defaults of a preset. `of` is the owner of the table in errors, `hint` their advice
    /// for an unknown name that resembles none.
    ///
    /// # Errors
    /// All names that are unknown or given twice, all values out of range, and all values whose condition does not
    /// hold.
    pub fn resolve(
        table: &'static [Parameter],
        given: &[(String, Raw)],
        preset: Preset,
        (of, hint): (&str, &str),
    ) -> Result<Filled, Vec<ParameterError>> {
        let mut filled = Filled::defaults(table, preset);
        let mut errors = Vec::new();
        for (key, raw) in given {
            let Some(index) = table.iter().position(|row| row.is_called(key)) else {
                let near = nearest(key, table.iter().map(|row| row.name));
                let near = near.map_or(hint.to_owned(), |name| format!("did you mean {name}?"));
                errors.push(ParameterError::of(key, format!("{of} has no parameter {key:?}; {near}")));
                continue;
            };
            if filled.given[index] {
                errors.push(ParameterError::of(key, format!("{key} is given twice")));
                continue;
            }
            Arc::make_mut(&mut filled.given)[index] = true;
            let former = table[index].former.iter().find(|(was, _)| matches!(raw, Raw::Text(text) if text == was));
            let today = former.map(|(_, name)| Raw::Text((*name).to_owned()));
            match table[index].values.accept(today.as_ref().unwrap_or(raw)) {
                Some(value) => Arc::make_mut(&mut filled.values)[index] = value,
                None => errors.push(ParameterError::of(key, refusal(key, raw, &table[index].values))),
            }
        }
        let names: Vec<&str> = filled.given().map(|(row, _)| row.name).collect();
        let filled = names.into_iter().fold(filled, Filled::without_defaults_of);
        if errors.is_empty() {
            errors.extend(filled.broken_conditions());
        }
        if errors.is_empty() { Ok(filled) } else { Err(errors) }
    }

    /// The same without the defaults that this parameter, or [`CLOCK`](super::CLOCK), replaces.
    #[must_use]
    pub fn without_defaults_of(mut self, name: &str) -> Filled {
        for (index, row) in self.table.iter().enumerate() {
            if !self.given[index] && row.unless.contains(&name) {
                Arc::make_mut(&mut self.values)[index] = Value::Unset;
            }
        }
        self
    }

    /// Given values whose condition on another parameter does not hold, and those that contradict another one.
    fn broken_conditions(&self) -> Vec<ParameterError> {
        let mut errors = Vec::new();
        for (index, row) in self.table.iter().enumerate().filter(|(index, _)| self.given[*index]) {
            let is_given = |condition: &Condition| {
                let mut others = self.given();
                others.any(|(other, value)| other.name == condition.parameter && value.to_string() == condition.value)
            };
            if let Some(Condition { parameter, value }) = row.except.filter(is_given)
                && self.values[index] != Value::Unset
            {
                let problem = format!("{} contradicts {parameter} = {value}; expected one of them", row.name);
                errors.push(ParameterError::of(row.name, problem));
            }
            let Some(condition) = row.only else { continue };
            let other = self.table.iter().position(|other| other.name == condition.parameter);
            let found = other.map_or(String::new(), |other| self.values[other].to_string());
            if found != condition.value && self.values[index] != Value::Unset {
                let wanted = format!("{} = {}", condition.parameter, condition.value);
                errors.push(ParameterError::of(row.name, format!("{} is for {wanted}, found {found}", row.name)));
            }
        }
        errors
    }

    /// The parameters that the values belong to, in the same order.
    pub fn table(&self) -> &'static [Parameter] {
        self.table
    }

    /// The values, in the order of the table.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Parameters with their values.
    pub fn rows(&self) -> impl Iterator<Item = (&'static Parameter, &Value)> {
        self.table.iter().zip(self.values.iter())
    }

    /// Parameters that were given, with their values.
    pub fn given(&self) -> impl Iterator<Item = (&'static Parameter, &Value)> {
        self.rows().zip(self.given.iter()).filter(|(_, given)| **given).map(|(row, _)| row)
    }

    /// The set as `key=value,key=value`: each parameter whose value is not the default of the text
    /// preset, sorted by its recorded name. A parameter that a later version adds leaves this as it was.
    pub fn description(&self) -> String {
        self.description_without(&[])
    }

    /// The same without the parameters of these names.
    pub fn description_without(&self, names: &[&str]) -> String {
        let differing = self.rows().filter(|(row, value)| row.text != **value && !names.contains(&row.name));
        let mut parts: Vec<String> = differing.map(|(row, value)| format!("{}={value}", row.recorded_name())).collect();
        parts.sort_unstable();
        parts.join(",")
    }
}

/// Why a value is refused. Two more lines point to an error in a formula.
fn refusal(key: &str, raw: &Raw, values: &Values) -> String {
    let why = values.explain(raw).map_or(String::new(), |why| format!(" ({why})"));
    let line = format!("{key} = {raw} is not {values}{why}");
    match (raw, values.unreadable(raw)) {
        (Raw::Text(text), Some(Unreadable { problem, column: Some(column) })) => {
            format!("{key}: {problem}\n{}", caret(text, column))
        }
        _ => line,
    }
}

/// The part of a text around a column, counted from 1, with a caret below the column.
fn caret(text: &str, column: usize) -> String {
    let letters: Vec<char> = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let at = column.saturating_sub(1).min(letters.len());
    let (start, end) = (at.saturating_sub(AROUND), (at + AROUND).min(letters.len()));
    let before = if start > 0 { "…" } else { "" };
    let after = if end < letters.len() { "…" } else { "" };
    let shown: String = letters[start..end].iter().collect();
    format!("    {before}{shown}{after}\n    {}^", " ".repeat(at - start + before.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::Parameters;
    use std::sync::LazyLock;

    crate::parameters! {
        /// A set for tests.
        struct Sample {
            /// How many.
            count: u64 = 4, values = Values::Count(1, 9);
            /// The order.
            order: u64 = 1, reference = 2, was = "sequence";
            /// Only where three are wanted.
            third: Option<f64> = None, only = "count" = "3";
            /// What two exclude.
            excluded: Option<f64> = None, except = "count" = "2";
        }
    }

    static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(Sample::table);

    fn resolve(given: &[(&str, &str)]) -> Result<Filled, String> {
        let given: Vec<(String, Raw)> =
            given.iter().map(|(key, value)| ((*key).to_owned(), Raw::Text((*value).to_owned()))).collect();
        let lines = |errors: Vec<ParameterError>| errors.iter().map(|error| error.problem.clone()).collect::<Vec<_>>();
        Filled::resolve(&TABLE, &given, Preset::Text, ("a sample", "see the manual"))
            .map_err(|all| lines(all).join("|"))
    }

    #[test]
    fn an_earlier_spelling_is_read_and_stays_in_the_description() {
        let filled = resolve(&[("sequence", "7")]).unwrap();
        assert_eq!(Sample::read(filled.values()), Sample { count: 4, order: 7, third: None, excluded: None });
        assert_eq!(filled.description(), "sequence=7");
        assert_eq!(resolve(&[("order", "7")]).unwrap().description(), "sequence=7");
        assert_eq!(resolve(&[("order", "7"), ("sequence", "7")]).unwrap_err(), "sequence is given twice");
    }

    #[test]
    fn every_error_is_found_at_once() {
        assert_eq!(
            resolve(&[("count", "0"), ("ordr", "1"), ("zzz", "1")]).unwrap_err(),
            "count = \"0\" is not a whole number from 1 to 9|a sample has no parameter \"ordr\"; did you mean order?|\
             a sample has no parameter \"zzz\"; see the manual"
        );
        assert_eq!(resolve(&[("third", "1")]).unwrap_err(), "third is for count = 3, found 4");
        assert_eq!(resolve(&[("third", "1"), ("count", "3")]).unwrap().description(), "count=3,third=1");
        let error = resolve(&[("excluded", "1"), ("count", "2")]).unwrap_err();
        assert_eq!(error, "excluded contradicts count = 2; expected one of them");
        assert_eq!(resolve(&[("excluded", "1")]).unwrap().description(), "excluded=1");
    }

    #[test]
    fn a_caret_points_at_the_column() {
        assert_eq!(caret("Q + ", 5), "    Q + \n        ^");
        assert_eq!(caret("Q Q", 3), "    Q Q\n      ^");
        let long = caret(&"Q+".repeat(60), 60);
        let (text, caret) = long.split_once('\n').unwrap();
        assert_eq!(text.chars().nth(caret.chars().count() - 1), Some('+'));
    }
}
