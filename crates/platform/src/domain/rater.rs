//! Ratings of actions by name, each a kind of player.

use evouct_search::game::{Game, Rater};

/// A rating by which a player without search plays.
pub struct NamedRater<G: Game + 'static> {
    /// The name of the kind of player.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Its source.
    pub source: &'static str,
    /// The number of [`RATINGS`](super::Domain::RATINGS) that it computes, if there is one: playouts and players that
    /// choose by this number alone use the rater, which may be much faster.
    pub number: Option<&'static str>,
    /// The rating.
    pub rater: &'static dyn Rater<G>,
}
