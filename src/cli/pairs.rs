//! Options of the form `key=value`.

use crate::error::Failure;

/// The two sides of an option's text, `expected` in words.
///
/// # Errors
/// If one of them is missing.
pub(super) fn pair(option: &str, text: &str, expected: &str) -> Result<(String, String), Failure> {
    let sides = text.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
    match sides.filter(|(key, value)| !key.is_empty() && !value.is_empty()) {
        Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
        None => Err(Failure::Usage(format!("{option} {text}: expected {expected}, found {text:?}"))),
    }
}
