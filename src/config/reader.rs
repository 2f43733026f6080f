//! Reading a TOML table key by key, remembering lines, until nothing is left that nobody asked for.

use crate::player::Raw;
use crate::suggest::nearest;
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with an experiment: where, what was found, what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {problem}", line.map_or(String::new(), |line| format!(":{line}")))]
pub struct ConfigError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

/// The text that tables come from.
pub(crate) struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    pub(crate) fn error(&self, at: Range<usize>, problem: impl Into<String>) -> ConfigError {
        let line = self.text[..at.start.min(self.text.len())].matches('\n').count() + 1;
        ConfigError { file: self.file.to_owned(), line: Some(line), problem: problem.into() }
    }
}

/// A table being read. `path` is how errors call it: `rules`, `player 2`; empty for the whole file.
pub(crate) struct TomlTable<'a> {
    source: &'a Source<'a>,
    table: &'a DeTable<'a>,
    span: Range<usize>,
    path: String,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> TomlTable<'a> {
    pub(crate) fn new(source: &'a Source<'a>, table: &'a Spanned<DeTable<'a>>, path: &str) -> TomlTable<'a> {
        TomlTable::over(source, table.get_ref(), table.span(), path)
    }

    fn over(source: &'a Source<'a>, table: &'a DeTable<'a>, span: Range<usize>, path: &str) -> TomlTable<'a> {
        TomlTable { source, table, span, path: path.to_owned(), asked: RefCell::new(Vec::new()) }
    }

    /// An error about the table as a whole.
    pub(crate) fn error(&self, problem: impl Into<String>) -> ConfigError {
        self.source.error(self.span.clone(), problem)
    }

    /// An error about the value of a key.
    pub(crate) fn error_at(&self, key: &str, problem: impl Into<String>) -> ConfigError {
        let span = self.table.get(key).map_or(self.span.clone(), Spanned::span);
        self.source.error(span, problem)
    }

    fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}: {key}", self.path) }
    }

    fn value(&self, key: &'static str) -> Option<&'a DeValue<'a>> {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&key) {
            asked.push(key);
        }
        drop(asked);
        self.table.get(key).map(Spanned::get_ref)
    }

    fn wrong(&self, key: &str, value: &DeValue, expected: &str) -> ConfigError {
        self.error_at(key, format!("{} = {} is not {expected}", self.name(key), show(value)))
    }

    /// A whole number in a range.
    pub(crate) fn count(&self, key: &'static str, range: Range<u64>) -> Result<Option<u64>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let count = value.as_integer().and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
        let expected = format!("a whole number from {} to {}", range.start, range.end - 1);
        count.filter(|count| range.contains(count)).map(Some).ok_or_else(|| self.wrong(key, value, &expected))
    }

    /// A number.
    pub(crate) fn real(&self, key: &'static str) -> Result<Option<f64>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let number = match raw(value) {
            Some(Raw::Integer(number)) => Some(number as f64),
            Some(Raw::Float(number)) if number.is_finite() => Some(number),
            _ => None,
        };
        number.map(Some).ok_or_else(|| self.wrong(key, value, "a number"))
    }

    /// A text.
    pub(crate) fn text(&self, key: &'static str) -> Result<Option<&'a str>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| self.wrong(key, value, "a text"))
    }

    /// true or false.
    pub(crate) fn flag(&self, key: &'static str) -> Result<Option<bool>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| self.wrong(key, value, "true or false"))
    }

    /// One of some names.
    pub(crate) fn choice<T: Copy>(
        &self,
        key: &'static str,
        names: &[(&'static str, T)],
    ) -> Result<Option<T>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let known = || names.iter().map(|(name, _)| *name);
        let text = value.as_str().unwrap_or_default();
        if let Some((_, choice)) = names.iter().find(|(name, _)| *name == text) {
            return Ok(Some(*choice));
        }
        let hint = nearest(text, known()).map_or(String::new(), |name| format!(" (did you mean {name}?)"));
        Err(self.wrong(key, value, &format!("{}{hint}", known().collect::<Vec<_>>().join(" | "))))
    }

    /// A table within this one.
    pub(crate) fn table(&self, key: &'static str) -> Result<Option<TomlTable<'a>>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let table = value.as_table().ok_or_else(|| self.wrong(key, value, "a table"))?;
        let span = self.table.get(key).map_or(self.span.clone(), Spanned::span);
        Ok(Some(TomlTable::over(self.source, table, span, &self.name(key))))
    }

    /// A list of tables within this one; empty where there is none.
    pub(crate) fn tables(&self, key: &'static str) -> Result<Vec<TomlTable<'a>>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let list = value.as_array().ok_or_else(|| self.wrong(key, value, "a list of tables"))?;
        let table = |(index, item): (usize, &'a Spanned<DeValue<'a>>)| {
            let path = format!("{} {}", self.name(key), index + 1);
            let wrong = || self.source.error(item.span(), format!("{path} is not a table"));
            Ok(TomlTable::over(self.source, item.get_ref().as_table().ok_or_else(wrong)?, item.span(), &path))
        };
        list.iter().enumerate().map(table).collect()
    }

    /// A list; empty where there is none.
    pub(crate) fn list(&self, key: &'static str) -> Result<Vec<&'a DeValue<'a>>, ConfigError> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let list = value.as_array().ok_or_else(|| self.wrong(key, value, "a list"))?;
        Ok(list.iter().map(Spanned::get_ref).collect())
    }

    /// All keys that have not been asked for, with their values: one, or several where a list is given. `about` says of what
    /// they are.
    pub(crate) fn rest(&self) -> Result<Vec<(String, Vec<Raw>)>, ConfigError> {
        let asked = self.asked.borrow();
        let left = self.table.iter().filter(|(key, _)| !asked.contains(&key.get_ref().as_ref()));
        left.map(|(key, value)| {
            let key = key.get_ref().to_string();
            let values = match value.get_ref().as_array() {
                Some(list) => list.iter().map(|item| raw(item.get_ref())).collect(),
                None => raw(value.get_ref()).map(|raw| vec![raw]),
            };
            if values.as_ref().is_some_and(Vec::is_empty) {
                return Err(
                    self.error_at(&key, format!("{key} is an empty list; expected a value or a list of values"))
                );
            }
            let wrong = || self.wrong(&key, value.get_ref(), "a value or a list of values");
            let values = values.filter(|values| !values.is_empty()).ok_or_else(wrong)?;
            Ok((key, values))
        })
        .collect()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// If a key is left that nobody asked for.
    pub(crate) fn finish(&self) -> Result<(), ConfigError> {
        let asked = self.asked.borrow();
        let Some((key, _)) = self.table.iter().find(|(key, _)| !asked.contains(&key.get_ref().as_ref())) else {
            return Ok(());
        };
        let known: Vec<&str> = asked.clone();
        let hint = match nearest(key.get_ref(), known.iter().copied()) {
            Some(name) => format!("did you mean {name}?"),
            None => format!("known here: {}", known.join(", ")),
        };
        Err(self.source.error(key.span(), format!("unknown key {}; {hint}", self.name(key.get_ref()))))
    }
}

/// A value as a player's parameter takes it; none for tables, lists and dates.
fn raw(value: &DeValue) -> Option<Raw> {
    match value {
        DeValue::String(text) => Some(Raw::Text(text.to_string())),
        DeValue::Boolean(flag) => Some(Raw::Flag(*flag)),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok().map(Raw::Integer),
        DeValue::Float(number) => number.as_str().parse().ok().map(Raw::Float),
        _ => None,
    }
}

/// A value as an error shows it.
fn show(value: &DeValue) -> String {
    match (raw(value), value) {
        (Some(raw), _) => {
            let text = raw.to_string();
            if text.chars().count() > 60 { format!("{}…", text.chars().take(60).collect::<String>()) } else { text }
        }
        (None, DeValue::Integer(number)) => number.as_str().to_owned(),
        (None, other) => format!("<{}>", other.type_str()),
    }
}
