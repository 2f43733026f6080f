//! Means with intervals, and how statistics that may not exist are written to JSON.

use evouct_base::table::{Cell, Digits};
use evouct_stats::describe::describe;
use evouct_stats::{Interval, Summary, Unavailable};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A mean with its 95 % t-interval over decks (over games where decks are not mirrored).
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct MeanWithInterval {
    /// The mean.
    pub mean: f64,
    /// The interval; none with fewer than two units.
    pub interval: Option<Interval>,
}

impl MeanWithInterval {
    /// That of the negated values.
    pub(crate) fn negated(&self) -> MeanWithInterval {
        MeanWithInterval { mean: 0.0 - self.mean, interval: self.interval.map(Interval::negated) }
    }

    /// It as a cell with these digits.
    pub(crate) fn cell(&self, digits: Digits) -> Cell {
        let ends = self.interval.map(|Interval { low, high }| [low, high]);
        Cell::Mean { mean: self.mean, ends, is_even: true, digits }
    }

    pub(crate) fn of(units: &Summary) -> MeanWithInterval {
        let description = describe(units).ok();
        MeanWithInterval {
            mean: units.mean().unwrap_or_default(),
            interval: description.and_then(|description| description.interval),
        }
    }
}

/// Writes a statistic as `{"value": …}`, or as `{"unavailable": "reason"}` where it does not exist.
pub(super) fn value_or_reason<T: Serialize, S: Serializer>(
    found: &Result<T, Unavailable>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    match found {
        Ok(value) => map.serialize_entry("value", value)?,
        Err(reason) => map.serialize_entry("unavailable", &reason.to_string())?,
    }
    map.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Serialize)]
    struct Row(#[serde(serialize_with = "value_or_reason")] Result<f64, Unavailable>);

    #[test]
    fn a_statistic_is_a_value_or_a_reason() {
        let json = |found| serde_json::to_string(&Row(found)).unwrap();
        assert_eq!(json(Ok(0.5)), r#"{"value":0.5}"#);
        assert_eq!(json(Err(Unavailable::NoVariance)), r#"{"unavailable":"the values do not vary"}"#);
    }
}
