//! What is counted of a seat during a game.

use super::column::MetricColumn;
use evouct_search::game::{Deck, Game};
use serde::Serialize;
use serde::de::DeserializeOwned;
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

/// Nothing is counted.
impl<G: Game> Metrics<G> for () {}
