//! What is counted of a seat during a game.

use super::column::MetricColumn;
use evouct_search::game::{Deck, Game};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use serde_json::value::{RawValue, to_raw_value};
use std::fmt::Debug;

/// What is counted of a seat during a game, as records store it, and the columns that reports make of it.
///
/// A game that counts nothing has the metrics `()`. A game whose reports shall say more than scores, such as how often
/// a seat did something, has a type of its own: the counts of one seat.
pub trait Metrics<G: Game>: Serialize + DeserializeOwned + Clone + Default + Debug + Send + 'static {
    /// The columns that reports make of the metrics.
    const COLUMNS: &'static [MetricColumn<Self>] = &[];

    /// Lets chance decide by the deck, and counts what it brought, by seat. Must be chance's turn.
    fn deal(game: &mut G, deck: &mut G::Deck, _metrics: &mut [Self]) -> G::Outcome {
        deck.deal(game)
    }

    /// Plays a legal action and updates the metrics, by seat.
    fn play(game: &mut G, action: G::Action, _metrics: &mut [Self]) {
        game.play(action);
    }

    /// Updates the metrics at the end of a game, by seat.
    fn finish(_game: &G, _metrics: &mut [Self]) {}
}

/// The metrics of a seat as a record has them: JSON, which is parsed where it is read.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct RecordedMetrics(Box<RawValue>);

impl RecordedMetrics {
    /// What a record has of these metrics; `()` stands for those of a game that failed before it had any.
    pub fn of(metrics: &impl Serialize) -> RecordedMetrics {
        RecordedMetrics(to_raw_value(metrics).expect("metrics are plain data"))
    }

    /// The metrics with their type.
    ///
    /// # Errors
    /// If they are of another type.
    pub fn read<M: DeserializeOwned>(&self) -> Result<M, serde_json::Error> {
        serde_json::from_str(self.0.get())
    }

    /// The metrics without their type.
    pub fn json(&self) -> Json {
        self.read().expect("the text is JSON")
    }
}

impl<'de> Deserialize<'de> for RecordedMetrics {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RecordedMetrics, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        // A value that is passed over may be too deep, or have numbers and escapes that stand for nothing.
        serde_json::from_str::<Json>(text.get()).map_err(D::Error::custom)?;
        Ok(RecordedMetrics(text))
    }
}

/// By value: the text may have been written by another version, or in another order.
impl PartialEq for RecordedMetrics {
    fn eq(&self, other: &RecordedMetrics) -> bool {
        self.0.get() == other.0.get() || self.json() == other.json()
    }
}

/// Nothing is counted.
impl<G: Game> Metrics<G> for () {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RecordedMetrics, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn metrics_are_equal_by_value() {
        let [one, same, other] = [r#"{"a":1,"b":[2]}"#, r#"{ "b": [2], "a": 1 }"#, r#"{"a":1,"b":[3]}"#];
        assert_eq!(read(one).unwrap(), read(same).unwrap());
        assert_ne!(read(one).unwrap(), read(other).unwrap());
        assert_eq!(read("null").unwrap(), RecordedMetrics::of(&()));
    }

    #[test]
    fn what_is_no_value_is_refused_where_it_is_read() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        for text in [&deep, "1e999", "[-1e999]", r#""\ud800""#, r#"{"a":}"#, ""] {
            assert!(read(text).is_err(), "{text:.20}");
        }
    }
}
