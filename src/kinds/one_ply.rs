//! The player that rates moves without search.

use crate::domain::{Domain, Kind};
use crate::parameter::{ParameterType, Value, Values};
use crate::player::OnePly;
use std::marker::PhantomData;

/// One of the ratings of a move that a game offers, by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rating<D>(&'static str, PhantomData<D>);

impl<D: Domain> ParameterType for Rating<D> {
    fn values() -> Values {
        Values::Name(D::MOVE_NUMBERS.iter().chain(D::RATINGS).map(|number| number.name).collect())
    }

    fn to_value(&self) -> Value {
        Value::Name(self.0)
    }

    fn from_value(value: &Value) -> Option<Rating<D>> {
        if let Value::Name(name) = value { Some(Rating(name, PhantomData)) } else { None }
    }
}

/// The first rating of a game: the default.
fn first<D: Domain>() -> Rating<D> {
    Rating(D::MOVE_NUMBERS.first().map_or("", |number| number.name), PhantomData)
}

crate::parameters! {
    /// A rating of moves.
    struct OnePlyParameters<D: Domain> {
        /// Rating of moves. The highest is played, a random one among equals.
        rating: Rating<D> = first();
    }
}

/// The kind, for a game that rates moves.
pub(super) fn kind<D: Domain>() -> Option<Kind<D>> {
    (!D::MOVE_NUMBERS.is_empty()).then(|| {
        Kind::new(
            "one-ply",
            "plays the move with the highest rating, no search",
            "Müller 2014, 5.1",
            |p: &OnePlyParameters<D>, key| {
                let rating = D::MOVE_NUMBERS.iter().chain(D::RATINGS).find(|number| number.name == p.rating.0);
                let rating = rating.expect("the rating is one of the game's");
                Box::new(OnePly::<D::Game>::new(rating.value, key))
            },
        )
    })
}
