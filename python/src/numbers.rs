//! Whole numbers that Python gives.

use crate::errors::value_error;
use evouct::carcassonne::MAX_SEATS;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use std::ops::RangeInclusive;

/// More threads than this are a mistake.
const MOST_THREADS: i128 = 1024;
/// The widths of windows: the cells beside the widest one still have coordinates.
pub const WIDTHS: RangeInclusive<u8> = 3..=127;

/// A whole number from `low` to `high`. `what` names it in errors.
pub fn whole(value: &Bound<'_, PyAny>, what: &str, low: i128, high: i128) -> PyResult<i128> {
    let found = match value.extract::<i64>() {
        Ok(number) => Some(i128::from(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            value.extract::<u64>().ok().map(i128::from)
        }
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            let found = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!("{what}: expected a whole number, found {found}")));
        }
        Err(error) => return Err(error),
    };
    match found {
        Some(number) if (low..=high).contains(&number) => Ok(number),
        _ => {
            // Python refuses to write numbers of thousands of digits.
            let found = value.str().map_or("a number of many digits".to_owned(), |text| text.to_string());
            Err(value_error(format!("{what}: expected a whole number from {low} to {high}, found {found:.40}")))
        }
    }
}

/// A seed.
pub fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    Ok(whole(value, "seed", 0, u64::MAX.into())? as u64)
}

/// A seed, or None.
pub fn seed_or_none(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() { Ok(None) } else { seed(value).map(Some) }
}

/// The width of a window, or None.
pub fn width_or_none(value: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    if value.is_none() {
        return Ok(None);
    }
    let (low, high) = (*WIDTHS.start(), *WIDTHS.end());
    Ok(Some(whole(value, "width of the window", low.into(), high.into())? as u8))
}

/// A number of threads, or None.
pub fn threads_or_none(value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if value.is_none() { Ok(None) } else { threads(value).map(Some) }
}

/// A number of threads.
pub fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole(value, "threads", 1, MOST_THREADS)? as usize)
}

/// A number of players.
pub fn players(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    Ok(whole(value, "players (seats)", 1, MAX_SEATS as i128)? as i64)
}

/// The seat of a player, from 0.
pub fn seat(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole(value, "seat", 0, MAX_SEATS as i128 - 1)? as usize)
}
