//! Chance fixed in advance: what only searches that peek or determinise need.

use super::Game;
use evouct_base::seed::{Key, SearchRng, search_rng};
use rand::Rng;

/// All outcomes of chance that are still to come, in an order fixed in advance: a shuffled deck of cards, a row of
/// dice.
///
/// Two copies of a deck deal the same outcomes to the same play.
pub trait Deck<G: Game>: Clone + Send + Sync + 'static {
    /// What is still to come after a position, in random order.
    fn shuffled(state: &G, rng: &mut impl Rng) -> Self;

    /// Applies the next outcome: one of those that the position lists, or one that leaves the position as it was (a
    /// tile that fits nowhere and goes back). Must be chance's turn, and the deck must have been dealt from at every
    /// turn of chance since it was made.
    fn deal(&mut self, state: &mut G) -> G::Outcome;
}

/// A deck for any game: a stream of random numbers of its own, from which outcomes are sampled.
#[derive(Clone, Debug)]
pub struct StreamDeck(SearchRng);

impl StreamDeck {
    /// The deck of a key.
    pub fn of(key: Key) -> StreamDeck {
        StreamDeck(search_rng(&mut key.stream()))
    }
}

impl<G: Game> Deck<G> for StreamDeck {
    fn shuffled(_: &G, rng: &mut impl Rng) -> StreamDeck {
        StreamDeck(search_rng(rng))
    }

    fn deal(&mut self, state: &mut G) -> G::Outcome {
        state.sample(&mut self.0)
    }
}
