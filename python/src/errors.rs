//! Errors of evouct as those of Python, in the words of a caller in Python.

use evouct::config::{ConfigError, ConfigErrors};
use evouct::phrase::Phrase;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use toml::de::{DeTable, DeValue};

/// The name of a text in errors.
pub const TEXT: &str = "dict";

/// The words of a caller in Python in errors of the library.
pub fn words(phrase: Phrase) -> Option<&'static str> {
    Some(match phrase {
        Phrase::OtherFolder | Phrase::NewFolder => "give it another name or folder (out=…)",
        Phrase::OtherFileSystem => "choose a folder on another file system (out=…)",
        Phrase::FewerThreads => "choose fewer (threads=…)",
        Phrase::OtherPlayer => "choose another player (player=…)",
        Phrase::ExtendRun | Phrase::ExtendEvolution | Phrase::ExtendTuning => "extend=True adds to it",
        Phrase::ExtendText => "extend=True records the new text",
        Phrase::AllowVersion => "`evouct run --allow-version` continues with them",
        _ => return None,
    })
}

/// Commands of the program that are functions here.
const FUNCTIONS: [&str; 8] = ["run", "evolve", "score", "tune", "bank", "compare", "power", "status"];

/// An error with the functions to call in place of commands.
fn in_python(error: &impl ToString) -> String {
    let named = |text: String, name: &&str| text.replace(&format!("`evouct {name}`"), &format!("evouct.{name}"));
    FUNCTIONS.iter().fold(error.to_string(), named)
}

/// A `ValueError`.
pub fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(in_python(&error))
}

/// A `RuntimeError`.
pub fn failed(error: impl ToString) -> PyErr {
    PyRuntimeError::new_err(in_python(&error))
}

/// The errors of the text that was made of a dict. It has no lines to a caller: they name keys.
pub fn of_text(text: &str, errors: ConfigErrors) -> PyErr {
    let mut keys = Vec::new();
    if let Ok(table) = DeTable::parse(text) {
        keys_of(table.get_ref(), "", text, &mut keys);
    }
    let named = |error: ConfigError| {
        // A key is named by the line that it stands on, a table by the line of its header, and the whole by the first line.
        let key = error.line.and_then(|line| keys.iter().rfind(|(at, _)| *at == line)).map(|(_, key)| key.as_str());
        let key = key.filter(|key| error.line != Some(1) || error.problem.contains(key));
        // Most problems begin with the last part of the key.
        let place = key.map(|key| match key.rsplit_once('.') {
            Some((table, last)) if error.problem.starts_with(last) => table,
            None if error.problem.starts_with(key) => "",
            _ => key,
        });
        let place = place.filter(|place| !place.is_empty()).map_or(String::new(), |place| format!("{place}: "));
        ConfigError { line: None, problem: format!("{place}{}", error.problem), ..error }
    };
    let ConfigErrors { errors, more } = errors;
    value_error(ConfigErrors { errors: errors.into_iter().map(named).collect(), more })
}

/// The keys of a table with their lines, from 1: `player[0].kind`.
fn keys_of(table: &DeTable<'_>, within: &str, text: &str, keys: &mut Vec<(usize, String)>) {
    let line = |place: usize| text[..place].matches('\n').count() + 1;
    for (key, value) in table {
        let name = if within.is_empty() { key.get_ref().to_string() } else { format!("{within}.{}", key.get_ref()) };
        keys.push((line(key.span().start), name.clone()));
        match value.get_ref() {
            DeValue::Table(inner) => keys_of(inner, &name, text, keys),
            DeValue::Array(items) => {
                for (place, item) in items.iter().enumerate() {
                    if let DeValue::Table(inner) = item.get_ref() {
                        let name = format!("{name}[{place}]");
                        keys.push((line(item.span().start), name.clone()));
                        keys_of(inner, &name, text, keys);
                    }
                }
            }
            _ => {}
        }
    }
}
